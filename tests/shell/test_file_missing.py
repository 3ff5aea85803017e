"""Redirections without a file (``python t.py <options>``): they cost their line alone."""

from __future__ import annotations

import pytest

from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import Simple, Unparsed
from sbatchlint.source import Source


def read(text: str) -> tuple[list[str], list[str]]:
    """The commands that are read, and the text that is not."""
    source, script = Source.from_text(text, "job.sh"), read_text(text)
    named = [one.command.name or "" for one in script.body if isinstance(one.command, Simple)]
    return named, [source.slice(one.span) for one in script.unparsed]


@pytest.mark.parametrize(
    "line",
    [
        "python t.py <options>",
        "export A=<dir>",
        "srun a >",
        "srun a <b> <c> >",
        "srun a 2>",
        "cat <<<",
        "srun <a b>",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\n\n", "  # note\n", "\n# note\n\n"])
def test_the_next_command_is_read(line: str, end: str) -> None:
    named, unread = read(f"hostname\n{line}{end}srun \\\n  python t.py\ndate\n")
    assert named == ["hostname", "srun", "date"]
    assert len(unread) == 1
    assert unread[0].startswith(line)
    assert "python t.py\ndate" not in unread[0]


def test_many_lines_in_a_row() -> None:
    named, unread = read("a <b>\n" * 2000 + "srun x\n")
    assert named == ["srun"]
    assert unread == ["a <b>"] * 2000


def test_a_loop_keeps_its_shape() -> None:
    script = read_text("for i in 1 2; do\n  a <b>\n  srun x\ndone\ndate\n")
    assert [type(one.command).__name__ for one in script.body] == ["For", "Simple"]
    assert all(isinstance(one, Unparsed) for one in script.unparsed)
