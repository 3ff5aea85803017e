"""What ``submit`` shows, and when the job goes to sbatch."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from sbatchlint.cli import examining
from sbatchlint.submission import checking
from tests.cli.submit.standing_in import TWO_NODES, StandIn, stand_in, submit


def test_good(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "--parsable", "good.sh", "x")
    assert (done.status, done.out) == (0, b"17\n")
    assert sbatch.argv == [b"--parsable", b"good.sh", b"x"]
    assert done.err == (
        f"job     {TWO_NODES}, no GPUs asked for, partition not told, 1 hour\n"
        "starts  1 step: srun -> hostname\n"
        "layout  no sizes of parallelism are told, no container\n"
        "sbatch: said\n"
    )


def test_errors_stop_the_job_where_nobody_can_be_asked(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "bad.sh")
    assert (done.status, done.out, sbatch.called) == (1, b"", False)
    assert "error[SB101]" in done.err
    assert "bad.sh:3:9" in done.err
    assert "\nstarts  1 step" in done.err
    assert done.err.endswith(
        "sbatchlint: not submitted: 1 error; `sbatchlint submit --force ...` submits all the same\n"
    )


def test_force(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "--force", "bad.sh")
    assert (done.status, sbatch.argv) == (0, [b"bad.sh"])
    assert "error[SB101]" in done.err


def test_warnings_stop_nothing(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "warned.sh")
    assert (done.status, sbatch.argv) == (0, [b"warned.sh"])
    assert "warning[SB350]" in done.err  # rests on the release that sbatch says


@pytest.mark.parametrize(
    ("words", "silent"), [(["good.sh"], True), (["warned.sh"], True), (["bad.sh"], False)]
)
def test_quiet(sbatch: StandIn, here: Path, words: list[str], silent: bool) -> None:
    done = submit(sbatch, here, "--lint-quiet", *words)
    assert (done.err == "sbatch: said\n") == silent == sbatch.called


@pytest.mark.parametrize(
    ("words", "status"),
    [(["good.sh"], 0), (["warned.sh"], 0), (["bad.sh"], 1), (["none.sh"], 2), (["--bogus", "good.sh"], 2)],
)
def test_lint_only(sbatch: StandIn, here: Path, words: list[str], status: int) -> None:
    assert submit(sbatch, here, "--lint-only", *words).status == status
    assert not sbatch.called


@pytest.mark.parametrize("status", [0, 1, 3, 255])
def test_the_status_is_sbatchs(here: Path, status: int) -> None:
    with stand_in(status) as sbatch:
        assert submit(sbatch, here, "good.sh").status == status


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (["none.sh"], b"", "the script can't be read (no such file or directory)"),
        (["--bogus", "bad.sh"], b"", "--bogus: unknown option"),
        (["-N2", "--force", "bad.sh"], b"", "it stands before sbatch's own options"),
        (["--wrap=x", "bad.sh"], b"", "takes no script"),
        ([], b"", "empty"),
        ([], b"\0\0", "binary"),
        (["--lint-config", "none.toml", "bad.sh"], b"", "none.toml"),
    ],
)
def test_what_cannot_be_checked_is_sbatchs(
    sbatch: StandIn, here: Path, words: list[str], stdin: bytes, said: str
) -> None:
    done = submit(sbatch, here, *words, stdin=stdin)
    assert (done.status, done.out, sbatch.stdin) == (0, b"17\n", stdin)
    assert said in done.err
    assert "not checked" in done.err


@pytest.mark.parametrize("words", [["--help"], ["-V"], ["--usage", "bad.sh"], ["--test-only", "bad.sh"]])
def test_where_nothing_is_submitted_nothing_is_linted(sbatch: StandIn, here: Path, words: list[str]) -> None:
    done = submit(sbatch, here, *words)
    assert (done.status, done.err, sbatch.argv) == (0, "sbatch: said\n", [word.encode() for word in words])


def test_a_fault_of_ours_is_told_and_the_job_goes(
    sbatch: StandIn, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("what the script says")

    monkeypatch.setattr(checking, "lint", broken)
    done = submit(sbatch, here, "bad.sh")
    assert (done.status, sbatch.argv) == (0, [b"bad.sh"])
    assert done.err == "sbatchlint: submit: not checked: internal error: RuntimeError\nsbatch: said\n"


def test_a_linter_that_hangs_is_left(sbatch: StandIn, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "PATIENCE", 0.5)
    monkeypatch.setattr(checking, "lint", lambda *_: time.sleep(50))
    done = submit(sbatch, here, "bad.sh")
    assert (done.status, sbatch.argv) == (0, [b"bad.sh"])
    assert "not checked: it takes longer" in done.err


def test_without_sbatch(here: Path, tmp_path: Path) -> None:
    done = submit(StandIn(tmp_path / "none", tmp_path), here, "good.sh", environment={"PATH": "/nowhere"})
    assert (done.status, done.out) == (2, b"")
    assert "no sbatch on PATH" in done.err


def test_a_wrapper_that_calls_us_is_not_called(sbatch: StandIn, here: Path) -> None:
    wrappers = here / "wrappers"
    wrappers.mkdir()
    wrapper = wrappers / "sbatch"
    wrapper.write_text('#!/bin/sh\nexec sbatchlint submit "$@"\n')
    wrapper.chmod(0o755)
    path = f"{wrappers}:{sbatch.path}"
    assert submit(sbatch, here, "good.sh", environment={"PATH": path}).status == 0
    assert sbatch.argv == [b"good.sh"]


def test_the_sbatch_to_use_may_be_named(sbatch: StandIn, here: Path) -> None:
    named = {"PATH": "/nowhere", "SBATCHLINT_SBATCH": str(sbatch.folder / "sbatch")}
    # The stand-in needs cat.
    assert submit(sbatch, here, "good.sh", environment={**named, "PATH": "/usr/bin:/bin"}).status == 0
    assert sbatch.argv == [b"good.sh"]
