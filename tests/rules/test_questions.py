"""The questions that rules ask, put directly: the cases that tell a right answer from one nearly right."""

from __future__ import annotations

import pytest

from sbatchlint.api import Job, Source
from sbatchlint.lint.ask.agents import agents
from sbatchlint.lint.ask.complaints import _release_range
from sbatchlint.lint.ask.dashes import DashSlip, dash_slips
from sbatchlint.lint.ask.gpu_generation import GpuGeneration, gpu_generation
from sbatchlint.lint.ask.gpus import allocates_without_gpus, gpu_need
from sbatchlint.lint.ask.installing import install_command
from sbatchlint.lint.ask.launchers import command_name
from sbatchlint.lint.ask.line_options import option_mistakes
from sbatchlint.lint.ask.lookalikes import Lookalike, almost_directives
from sbatchlint.lint.ask.option_names import meant_option, one_slip, resembles_option
from sbatchlint.lint.ask.pipes import hiding_pipes, pipes_in_tasks
from sbatchlint.lint.ask.removals import removals
from sbatchlint.lint.job import LintOptions
from sbatchlint.slurm.options import parse_release
from tests.rules.checking import findings, job

RELEASES = tuple(parse_release(name) for name in ("22.05", "23.02", "23.11", "24.05"))


def asked(*body: str, release: str | None = None, interactive: bool = False, **options: object) -> Job:
    text = "\n".join(body) + "\n" if interactive else job(*body, **options)
    return Job(Source.from_text(text, "job.sh"), LintOptions(release=release, interactive=interactive))


def test_the_launcher_of_a_nested_srun_is_named_once_and_hides_no_other() -> None:
    plan = asked(
        "srun -N1 bash -c 'srun torchrun --nnodes=1 a.py'", "srun torchrun --nnodes=2 b.py", nodes=2
    ).plan
    found = [(agent.program.name, agent.step is not None and agent.step.nested) for agent in agents(plan)]
    assert found == [("a.py", True), ("b.py", False)]


@pytest.mark.parametrize(
    ("some", "said"),
    [
        ((0,), "before 23.02"),
        ((0, 1, 2), "before 24.05"),
        ((1,), "23.02"),
        ((1, 2), "23.02 to 23.11"),
        ((1, 2, 3), "since 23.02"),
        ((3,), "since 24.05"),
        ((0, 2), "22.05, 23.11"),
        ((1, 3), "23.02, 24.05"),
    ],
)
def test_some_of_the_releases_are_named(some: tuple[int, ...], said: str) -> None:
    releases = [release for release in RELEASES if release is not None]
    assert _release_range([releases[index] for index in some], releases) == said


@pytest.mark.parametrize(("release", "known"), [("22.05", False), ("26.05", True), (None, True)])
def test_a_release_knows_its_own_names(release: str | None, known: bool) -> None:
    slips = dash_slips(
        Job(Source.from_text("#!/bin/bash\n#SBATCH -tres-per-task=2\n"), LintOptions(release=release))
    )
    assert [(slip.kind, slip.spec.long) for slip in slips] == (
        [(DashSlip.ONE_DASH, "tres-per-task")] if known else []
    )
    meant = "tres-per-task" if known else None
    assert meant_option("--tres-per-tsk", "sbatch", release) == meant
    assert meant_option("--TRES_per_task", "sbatch", release) == meant
    assert resembles_option("--stepmgrr", "sbatch", release) is known


@pytest.mark.parametrize(
    ("word", "meant", "slip"),
    [
        ("nodes", "nodes", False),
        ("node", "nodes", True),
        ("nodess", "nodes", True),
        ("nodse", "nodes", True),
        ("nides", "nodes", True),
        ("sodne", "nodes", False),
        ("nods", "nodes", True),
        ("edons", "nodes", False),
        ("nod", "nodes", False),
        ("xodesx", "nodes", False),
    ],
)
def test_one_letter_is_wrong(word: str, meant: str, slip: bool) -> None:
    assert one_slip(word, meant) is slip
    assert one_slip(meant, word) is slip


@pytest.mark.parametrize(
    ("text", "generation"),
    [
        ("#!/bin/bash\n# for GB200\n", GpuGeneration.MAYBE_BLACKWELL),
        ("#!/bin/bash\n# for A100\n", GpuGeneration.UNKNOWN),
        ("#!/bin/bash\n#SBATCH --gpus=b200:4\n", GpuGeneration.BLACKWELL),
        ("#!/bin/bash\n#SBATCH --gpus=a100:4\n", GpuGeneration.BEFORE_BLACKWELL),
        ("#!/bin/bash\n#SBATCH --gpus=a100:4\n# not B200\n", GpuGeneration.BEFORE_BLACKWELL),
        ("#!/bin/bash\n#SBATCH --gpus=a100:4\n#SBATCH -C b200\n", GpuGeneration.MAYBE_BLACKWELL),
        ("#!/bin/bash\nsrun --gpus=h100:2 hostname\n", GpuGeneration.BEFORE_BLACKWELL),
    ],
)
def test_the_generation_of_the_gpus(text: str, generation: GpuGeneration) -> None:
    assert gpu_generation(Job(Source.from_text(text))) is generation


def test_which_programs_need_gpus() -> None:
    plan = asked(
        "srun python my_train.py --tensor-model-parallel-size 2",
        "srun ./my_train --tensor-model-parallel-size 2",
        "srun python other.py --x 2",
        "srun python a.py --device cuda",
        "srun pretrain_gpt.py",
        "srun nvidia-smi",
        "nvidia-smi",
    ).plan
    needs = [gpu_need(program, step) for step, program in plan.programs()]
    assert [None if need is None else need.what for need in needs] == [
        "my_train.py",
        None,
        None,
        "a.py --device cuda",
        "pretrain_gpt.py",
        "nvidia-smi",
        None,
    ]


@pytest.mark.parametrize(
    ("option", "without"),
    [
        ("--qos=long", True),
        ("--partition=x", True),
        ("--account=me", True),
        ("--mem=1G", False),
        ("--qos=gpu", False),
        ("--qos=cpu", False),
        ("--qos=long --gpus=1", False),
        ("--qos=long --exclusive", False),
        ("--qos=long --jobid=7", False),
    ],
)
def test_a_typed_srun_that_asks_for_no_gpu(option: str, without: bool) -> None:
    (step,) = asked(f"srun {option} -n2 python t.py", interactive=True).plan.steps
    assert allocates_without_gpus(step) is without


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("pip install x", "pip install"),
        ("pip -q install x", "pip install"),
        ("pip3 --quiet install x", "pip install"),
        ("pip list", None),
        ("pip download install", None),
        ("uv pip install x", "uv pip install"),
        ("uv pip list", None),
        ("conda install x", "conda install"),
        ("conda -y env create", "conda env"),
        ("conda env list", None),
        ("conda env export", None),
    ],
)
def test_what_installs(command: str, shown: str | None) -> None:
    (program,) = asked(command).plan.host_programs
    assert install_command(program) == shown


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("accelerate launch t.py", "accelerate launch"),
        ("torchrun t.py", "torchrun"),
        ("/opt/bin/torchrun t.py", "torchrun"),
        ("python -m torch.distributed.run t.py", "torch.distributed.run"),
        ("deepspeed t.py", "deepspeed"),
    ],
)
def test_how_a_launcher_is_named(command: str, shown: str) -> None:
    (program,) = asked(command).plan.host_programs
    assert command_name(program, program.launchers[0]) == shown


@pytest.mark.parametrize(
    ("words", "name", "long", "value", "place", "two_dashes"),
    [
        (["-tfoo", "x"], "-t", "--time", "foo", (0, 2), ""),
        (["-t", "foo", "x"], "-t", "--time", "foo", (1, 0), ""),
        (["-Htfoo", "x"], "-t", "--time", "foo", (0, 3), ""),
        (["--time=foo", "x"], "--time", "--time", "foo", (0, 7), ""),
        (["--time", "foo", "x"], "--time", "--time", "foo", (1, 0), ""),
        (["-ntasks=4", "x"], "-n", "--ntasks", "tasks=4", (0, 2), "--ntasks=4"),
    ],
)
def test_where_a_value_is_wrong(
    words: list[str], name: str, long: str, value: str, place: tuple[int, int], two_dashes: str
) -> None:
    releases = [release for release in RELEASES if release is not None]
    (one,) = option_mistakes(words, "srun", releases, whole=True)
    assert (one.name, one.long, one.value, (one.word, one.start)) == (name, long, value, place)
    assert one.long_word == two_dashes


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("# SBATCH -n 2", Lookalike.GAP),
        ("#sbatch -t 5", Lookalike.LETTER_CASE),
        (" #SBATCH -t 5", Lookalike.INDENTED),
        ("#SBTACH -t 5", Lookalike.MISSPELT),
        ("# sbatch -N 2", None),
        ("# Sbatch -N 2", None),
        ("# SBTACH -t 5", None),
        ("#sbtach -t 5", None),
    ],
)
@pytest.mark.parametrize("release", [None, "22.05"])
def test_what_is_meant_as_a_directive(line: str, kind: Lookalike | None, release: str | None) -> None:
    source = Source.from_text(f"#!/bin/bash\n#SBATCH -N1\n{line}\nhostname\n")
    found = list(almost_directives(Job(source, LintOptions(release=release))))
    assert [one.kind for one in found] == ([] if kind is None else [kind])
    assert [source.slice(one.span) for one in found] == ([] if kind is None else [line])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("python t.py | tee l", [(None, False)]),
        ("python t.py | tee l; echo done", [("echo", False)]),
        (r"python t.py | tee l; echo \$?", [("echo", True)]),
        (r"python t.py | tee l; echo a; echo \$?", [("echo", False)]),
        (r"python t.py | tee l; echo \${PIPESTATUS[0]}", []),
        ("set -o pipefail; python t.py | tee l", []),
    ],
)
def test_pipes_in_tasks(code: str, expected: list[tuple[str | None, bool]]) -> None:
    one = asked(f'srun bash -c "{code}"')
    found = [
        (None if pipe.behind is None else one.source.slice(pipe.behind), pipe.asked)
        for pipe in pipes_in_tasks(one)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("srun python t.py | tee log", "tee"),
        ("srun python t.py | grep loss | tee log", "tee"),
        ("srun python t.py | tee log | grep loss", "grep"),
        ("cat x | srun python t.py", None),
        ("cat x | srun python t.py | sort | uniq | head", "head"),
    ],
)
def test_the_last_command_of_a_pipe_decides(line: str, last: str | None) -> None:
    one = asked(line)
    assert [pipe.name for pipe in hiding_pipes(one)] == ([] if last is None else [last])


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (["rm -rf ~/$UNSET"], ["~/"]),
        (["rm -rf $HOME/$UNSET"], ["@HOME/"]),
        (["rm -rf x~/$UNSET"], []),
        (["rm -rf $UNSET/x"], []),
        (["rm -f ~/$UNSET"], []),
        (["DIR=$BASE", 'rm -rf "$DIR"/*'], ["/*"]),
        (["set -u", "DIR=$BASE", 'rm -rf "$DIR"/*'], []),
        (["set -u", "DIR=$(find x)", 'rm -rf "$DIR"/*'], ["/*"]),
        (["set -u", "set +u", "DIR=$BASE", 'rm -rf "$DIR"/*'], ["/*"]),
    ],
)
def test_what_is_removed_where_a_variable_is_empty(lines: list[str], left: list[str]) -> None:
    assert [removal.left for removal in removals(asked(*lines))] == left


@pytest.mark.parametrize(
    ("target", "same"),
    [
        ("'same.log'", True),
        ("same.log", True),
        ('"same".log', True),
        ("'out_'\"$SLURM_ARRAY_TASK_ID\"'.log'", False),
        ("'a'\"$X\"'b'", False),
        ("$SLURM_JOB_NAME.log", True),
        ("'$SLURM_ARRAY_TASK_ID'", True),
    ],
)
def test_one_file_of_all_tasks(target: str, same: bool) -> None:
    found = findings(job(f"python t.py > {target}", array="1-4"), "SB236")
    assert [one.confidence.value for one in found] == ["high"] * same


@pytest.mark.parametrize(
    "line",
    [
        "srun python t.py --lr=1\\ \n  --x 2",
        "srun python t.py \\ \n  --x 2",
        "srun python t.py --lr=1\\\t\n  --x 2",
        "python t.py --lr=1\\  # note\n  --x 2",
    ],
)
def test_a_backslash_before_a_blank_wherever_it_is_glued(line: str) -> None:
    text = job(line)
    (one,) = findings(text, "SB411")
    at = line.index("\\")
    assert text.index(line) + at == one.span.start
    assert text[one.span.start] == "\\"


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (['ARGS="–lr 0.1"', "srun python t.py $ARGS"], 1),
        (["ARGS='a –lr 0.1'", "srun python t.py $ARGS"], 1),
        (["srun python t.py –lr 3"], 1),
        (['srun python t.py "–"'], 0),
        (['echo "–lr 0.1"'], 0),
    ],
)
def test_a_long_dash_before_an_option(lines: list[str], count: int) -> None:
    assert len(findings(job(*lines), "SB410")) == count


@pytest.mark.parametrize(
    ("more", "title"),
    [
        ({}, "move --container-mounts=/a:/a to srun"),
        ({"container_workdir": "/a"}, "move the container options to srun"),
        ({"container_workdir": "/a", "container_remap_root": True}, "move the container options to srun"),
    ],
)
def test_options_of_pyxis_are_moved_together(more: dict[str, object], title: str) -> None:
    line = "srun --container-image=/images/a.sqsh hostname"
    found = findings(job(line, container_mounts="/a:/a", **more))
    assert title in {one.fix.title for one in found if one.fix is not None}
