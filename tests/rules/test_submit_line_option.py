"""SB341: options of salloc and sbatch lines in scripts, and of the lines that people type."""

from __future__ import annotations

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.markdown import lint_markdown
from sbatchlint.source import Source
from tests.rules.checking import all_rules, findings, job, lines

CODE = "SB341"


def typed(text: str) -> list[tuple[str, str]]:
    """What is reported in command lines without a batch script around them, and how severe it is."""
    source = Source.from_text(text, "run.sh")
    result = lint_source(source, all_rules(), LintOptions(interactive=True))
    assert not result.internal_errors, result.internal_errors
    return [(source.slice(f.span), f.severity.value) for f in result.findings if f.code == CODE]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("salloc -N2 --gpu-per-node=8 -t 60", "--gpu-per-node=8"),
        ("salloc -N2 --ntask-per-node 8", "--ntask-per-node"),
        ("salloc -N2 --gpus_per_node=8", "--gpus_per_node=8"),
        ("salloc -N2 --ntask=8", "--ntask=8"),
        ("salloc -N2 --kill-on-bad-exit=1 bash", "--kill-on-bad-exit=1"),
        ("salloc -N2 --wrap=hostname", "--wrap=hostname"),
        ("salloc -t 4hours", "4hours"),
        ("salloc -t4h srun hostname", "4h"),
        ("salloc --time=4h bash", "4h"),
        ("salloc --mem 64gigs", "64gigs"),
        ("salloc -N two", "two"),
        ("salloc --exclusive --no-shell=1", "1"),
        ("salloc --exclusive --ntasks", "--ntasks"),
        ("OPTS='-N2 --time=4h'; salloc $OPTS", "4h"),
        ('OPTS=(-N2 --gpu-per-node=8); salloc "${OPTS[@]}" bash', "--gpu-per-node=8"),
        ("get() { salloc -p debug --time=4h; }; get", "4h"),
        ("sbatch --gpu-per-node=8 job.sh", "--gpu-per-node=8"),
        ("sbatch --time=2h job.sh", "2h"),
        ("JOB=$(sbatch --parsable --time=2h job.sh)", "2h"),
    ],
)
def test_refused(line: str, place: str) -> None:
    (found,) = typed(f"#!/bin/bash\n{line}\nsrun -n1 hostname\n")
    assert found[0].endswith(place)
    assert found[1] == "error"


@pytest.mark.parametrize(
    "line",
    [
        "salloc --account acct -N 1 -J acct-debug -p interactive --gpus-per-node=8 -t 240",
        "salloc -N2 -t 1-00:00:00 srun --kill-on-bad-exit=1 --label --time=1:00 hostname",
        "salloc --no-shell --immediate=60 --bell",
        "salloc --container-image=/i.sqsh -N1",
        "salloc -N 1 -t $TIME",
        "salloc -N 1 $EXTRA --gpu-per-node=8",
        "salloc --account=<YOUR_ACCOUNT> --time=<HH:MM:SS>",
        "salloc -t HH:MM:SS -N NODES",
        "salloc -N 1 -p batch --gpus=1 -t 10:00 -A <project>",
        "salloc -N 1 -A <project> -p <partition> \\\n  -t <time limit> --gpus=1",
        "salloc -N1 python train.py --gpu-per-node=8 --time=4h",
        "sbatch --nodes=2 job.sh --gpu-per-node=8 --time=4h",
        "sbatch --array=0-3%2 --dependency=afterok:$JOB --export=ALL,X=1 job.sh",
        "echo salloc --time=4h",
    ],
)
def test_left_in_peace(line: str) -> None:
    assert typed(f"#!/bin/bash\n{line}\nsrun -n1 hostname\n") == []


def test_in_a_branch_it_is_a_warning() -> None:
    assert typed('if [ -n "$DEBUG" ]; then\n  salloc -t 4h\nfi\nsrun -n1 x\n') == [("4h", "warning")]


def test_an_option_that_nobody_knows_may_be_of_a_plugin() -> None:
    text = "#!/bin/bash\nsrun -n1 x\nsalloc --flavour=big\n"
    assert typed(text) == [("--flavour=big", "warning")]
    options = LintOptions(interactive=True, known_options=("flavour",))
    found = lint_source(Source.from_text(text, "run.sh"), all_rules(), options).findings
    assert [one.code for one in found if one.code == CODE] == []


def test_batch_scripts_that_submit_others() -> None:
    text = job("srun hostname", "sbatch --gpu-per-node=8 next.sh", nodes=1)
    assert lines(text, CODE) == [(4, "error")]
    assert findings(text, CODE)[0].help == "did you mean --gpus-per-node?"


def test_shell_blocks_of_markdown() -> None:
    text = "# Debug\n\n```console\n$ salloc -N 1 -t 4h \\\n    --gpu-per-node=8\nsalloc: Granted\n```\n"
    source = Source.from_text(text, "README.md")
    result = lint_markdown(source, all_rules(), LintOptions())
    found = [(source.position(f.span.start).line, source.slice(f.span)) for f in result.findings]
    assert [one for one in found if one[1] in ("4h", "--gpu-per-node=8")] == [
        (4, "4h"),
        (5, "--gpu-per-node=8"),
    ]
