"""The plan in three lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.report.plan_model import planned
from sbatchlint.report.submit_plan import submit_plan
from sbatchlint.secrets.fake import fill_tokens
from sbatchlint.source import Source

JOBS = sorted((Path(__file__).parents[1] / "conformance" / "jobs").glob("*.sh"))


def lines(body: str, *sbatch_args: str, directives: str = "") -> list[str]:
    marks = "".join(f"#SBATCH {one}\n" for one in directives.splitlines())
    source = Source.from_text(f"#!/bin/bash\n{marks}{body}", "job.sh")
    text = submit_plan(planned(Job(source, LintOptions(sbatch_args=sbatch_args))))
    assert text.endswith("\n")
    found = text.splitlines()
    assert [line.split()[0] for line in found] == ["job", "starts", "layout"]
    return [line[8:] for line in found]


def test_the_three_lines() -> None:
    assert lines(
        "srun --container-image=/images/nemo.sqsh torchrun --nnodes=2 --nproc-per-node=8 "
        "pretrain_gpt.py --tensor-model-parallel-size 2 --pipeline-model-parallel-size 1\n",
        directives="-N2 --ntasks-per-node=1 --gpus-per-node=8 -p batch -t 4:00:00",
    ) == [
        "2 nodes x 1 task = 2 tasks, 16 GPUs, partition batch, 4 hours",
        "1 step: srun -> torchrun x8 -> pretrain_gpt.py",
        "TP 2 x PP 1 x DP 8, container nemo.sqsh",
    ]


@pytest.mark.parametrize(
    ("directives", "said"),
    [
        ("-N2 --ntasks-per-node=8", "2 nodes x 8 tasks = 16 tasks, no GPUs asked for"),
        ("-N1 -n1", "1 node x 1 task, "),
        ("--gpus=6 -n6", "? nodes, 6 tasks, 6 GPUs"),
        ("-p gpu", ", partition gpu, time limit not told"),
        ("-t 1:30", "partition not told, 2 minutes"),
        ("-t 0", ", no limit"),
        ("-a 1-8:2%3 -N2", "array of 4 tasks, at most 3 at once, each 2 nodes"),
        (
            "-N1 -n1 -t5\nhetjob\n-N2 -n2",
            ": 1 node x 1 task + 2 nodes x 1 task = 2 tasks; no GPUs",
        ),
        ("-N1 -n1 -t5\nhetjob\n-N2 -n2 -p b", ", no GPUs asked for, partition not told, 5 minutes; 2 nodes"),
    ],
)
def test_job(directives: str, said: str) -> None:
    assert said in lines("srun a\n", directives=directives)[0]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("srun a\n", "1 step: srun -> a"),
        ("for i in 1 2; do srun train.py; done\n", "2 steps: 2 x (srun -> train.py)"),
        ("srun $TOOL\n", "1 step: srun -> $TOOL"),
        ("srun --help\n", "1 step: srun -> no program that is known"),
        ("if $X; then srun a; fi\n", "1 step: srun -> a (may not run)"),
        ("srun torchrun --nproc-per-node=$N a.py\n", "1 step: srun -> torchrun x? -> a.py"),
        ("srun a\nsrun b\nsrun c\nsrun d\nsrun e\n", "5 steps: srun -> a; srun -> b; srun -> c; and 2 more"),
        ("python train.py\n", "no srun; the batch host starts train.py"),
        ("date; date; hostname\n", "no srun; the batch host starts date (2), hostname"),
        (":\n", "no srun; the batch host starts no program that is known"),
        ("sbatch other.sh\nsrun a\n", "1 step: srun -> a; submits 1 more job"),
    ],
)
def test_starts(body: str, said: str) -> None:
    assert lines(body)[1] == said


def test_another_interpreter() -> None:
    job = Job(Source.from_text("#!/usr/bin/python3\nprint()\n", "job.py"), LintOptions())
    assert "starts  python3 runs this file, no shell" in submit_plan(planned(job))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("srun a\n", "no sizes of parallelism are told, no container"),
        (
            "srun pretrain_gpt.py --tensor-model-parallel-size $TP --pipeline-model-parallel-size 2\n",
            "TP ? x PP 2 x DP ?, no container",
        ),
        (
            "srun --container-image=$IMAGE a\nsrun --container-image=/x/b.sqsh a\n",
            "no sizes of parallelism are told, container $IMAGE, b.sqsh",
        ),
    ],
)
def test_layout(body: str, said: str) -> None:
    assert lines(body)[2] == said


def test_the_command_line_counts() -> None:
    assert lines("srun a\n", "-N3", "-p", "x", directives="-N1 -p y")[0].startswith("3 nodes")


def test_neither_secrets_nor_escapes() -> None:
    token = fill_tokens("{{token:huggingface}}")
    shown = "\n".join(lines(f"srun --container-image={token} $'\x1b[31m' a\nsrun {token}\n", "-p", "\x1b[1m"))
    assert token not in shown
    assert "********" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("path", JOBS, ids=lambda path: str(path.name))
def test_three_lines_of_a_screens_width_for_every_job(path: Path) -> None:
    text = submit_plan(planned(Job(Source.from_bytes(path.read_bytes(), path.name), LintOptions())))
    assert text.count("\n") == 3
    assert all(0 < len(line) <= 208 for line in text.splitlines())
