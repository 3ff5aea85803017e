"""SB920 path-missing."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Confidence, Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, job


def found(text: str, there: Collection[str] = (), release: str | None = None) -> list[Finding]:
    """What the rule finds where only *there* is there."""
    options = LintOptions(look=lambda path: path in there, release=release)
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), options)
    assert not result.internal_errors
    return [one for one in result.findings if one.code == "SB920"]


def level(one: Finding) -> tuple[str, Confidence]:
    return one.severity.value, one.confidence


@pytest.mark.parametrize(
    "lines",
    [
        ("srun --container-image=/lustre/a.sqsh hostname",),
        ("I=/lustre/a.sqsh", 'srun --container-image "$I" hostname'),
        ("ARGS=(--container-image=/lustre/a.sqsh)", 'srun "${ARGS[@]}" hostname'),
        ("run() { srun --container-image=$1 hostname; }", "run /lustre/a.sqsh"),
        ("apptainer exec /lustre/a.sqsh hostname",),
    ],
)
def test_an_image(lines: tuple[str, ...]) -> None:
    (one,) = found(job(*lines, nodes=1))
    assert level(one) == ("warning", Confidence.HIGH)
    assert "image is not there: /lustre/a.sqsh" in one.message
    assert not found(job(*lines, nodes=1), {"/lustre/a.sqsh"})


def test_one_cause_is_one_finding() -> None:
    lines = ("cd /lustre/repo", "source env/bin/activate", "python train.py", "python eval.py")
    assert [one.message for one in found(job(*lines))] == ["the folder is not there: /lustre/repo"]
    there = {"/lustre/repo", "/lustre/repo/env/bin/activate", "/lustre/repo/eval.py"}
    assert [one.message for one in found(job(*lines), there)] == [
        "the program is not there: /lustre/repo/train.py"
    ]


def test_what_a_loop_names_is_one_finding() -> None:
    (one,) = found(job("for i in a b c; do", "  python /lustre/x/$i.py", "done"))
    assert "/lustre/x/a.py" in one.message and "2 more" in one.notes[0]


def test_a_file_that_a_mount_brings_in() -> None:
    line = "srun --container-image=/i.sqsh --container-mounts=/lustre/repo:/code python /code/a.py"
    (one,) = found(job(line), {"/i.sqsh", "/lustre/repo"})
    assert one.message == "the program is not there: /lustre/repo/a.py, which the container has as /code/a.py"


def test_a_default_and_a_doubt_are_less_sure() -> None:
    assert level(*found(job("python ${A:-/lustre/a.py}"))) == ("warning", Confidence.MEDIUM)
    assert level(*found(job("source /lustre/a.sh || true"))) == ("info", Confidence.MEDIUM)
    assert level(*found(job("hostname", output="logs/%j.out"))) == ("info", Confidence.LOW)
    assert level(*found(job("hostname", output="logs/%j.out"), release="24.05")) == ("info", Confidence.LOW)
    assert level(*found(job("hostname", output="logs/%j.out"), release="22.05")) == (
        "warning",
        Confidence.HIGH,
    )


@pytest.mark.parametrize(
    "lines",
    [
        ("python $REPO/a.py",),
        ("python /tmp/a.py",),
        ("mkdir -p /lustre/x", "cd /lustre/x"),
        ("srun --container-image=nvcr.io#nvidia/nemo:25.07 python /opt/a.py",),
        ("git clone https://example.org/a/b", "cd b", "python a.py"),
        ("hostname > out.txt",),
    ],
)
def test_right_scripts(lines: tuple[str, ...]) -> None:
    assert not found(job(*lines))


def test_nothing_is_said_unless_somebody_looks() -> None:
    result = lint_source(Source.from_text(job("python /lustre/none.py"), "job.sh"), all_rules())
    assert not [one for one in result.findings if one.code == "SB920"]
