"""``submit`` on a terminal: it asks, and it can be answered or interrupted."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from tests.cli.submit.standing_in import BAD, GOOD, StandIn, become_submit
from tests.cli.submit.terminal import followed, on_terminal


@pytest.mark.parametrize(
    ("answer", "goes"), [("y", True), ("YES", True), ("", False), ("n", False), ("yy", False)]
)
def test_asked(sbatch: StandIn, here: Path, answer: str, goes: bool) -> None:
    status, shown = on_terminal(sbatch, here, "", answer.encode() + b"\n")
    assert "submit all the same? [y/N] " in shown
    assert (status, sbatch.called) == (0 if goes else 1, goes)
    assert ("not submitted" in shown) == (not goes)


def test_asked_while_the_script_comes_from_a_pipe(sbatch: StandIn, here: Path) -> None:
    status, _ = on_terminal(sbatch, here, "cat bad.sh | submit --parsable", b"y\n")
    assert (status, sbatch.stdin) == (0, BAD)


def test_not_asked_where_the_findings_are_not_seen(sbatch: StandIn, here: Path) -> None:
    status, shown = on_terminal(sbatch, here, "submit bad.sh </dev/null 2>said", b"y\n")
    assert (status, shown, sbatch.called) == (1, "", False)
    assert "error[SB101]" in (here / "said").read_text()


def test_the_end_of_the_terminal_is_a_no(sbatch: StandIn, here: Path) -> None:
    status, _ = on_terminal(sbatch, here, "", b"\x04")
    assert (status, sbatch.called) == (1, False)


def test_ctrl_c_submits_nothing(sbatch: StandIn, here: Path) -> None:
    status, shown = on_terminal(sbatch, here, "", b"\x03")
    assert not sbatch.called
    assert status != 0
    assert "Traceback" not in shown


def test_a_script_typed_at_the_terminal(sbatch: StandIn, here: Path) -> None:
    child, terminal = pty.fork()
    if not child:  # pragma: no cover - in another process
        become_submit([], here, {b"PATH": os.fsencode(sbatch.path), b"TERM": b"dumb"})
    os.write(terminal, GOOD + b"\x04")
    status, shown = followed(child, terminal, b"")
    assert (status, sbatch.stdin) == (0, GOOD)
    assert "Ctrl-D ends it" in shown
