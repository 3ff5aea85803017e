"""``--add-ignore``: what is found is answered by comments."""

from __future__ import annotations

import os

import pytest

from tests.cli.adoption.entries import STDIN_TEXT, given_on_stdin
from tests.cli.conftest import HEAD, Run, Write


def test_comments_are_written(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\r\necho RISKY # why\n")
    path.chmod(0o750)
    outcome = run("--add-ignore=as it was", "a.sh")
    assert (outcome.status, outcome.out) == (0, "")
    assert "Answered 2 findings by comments in 1 file.\n" in outcome.err
    assert "2 suppressed" in outcome.err
    assert path.read_bytes().decode() == (
        f"{HEAD}echo BAD  # sbatchlint: ignore[TST101] as it was\r\n"
        "# sbatchlint: ignore[TST102] as it was\necho RISKY # why\n"
    )
    assert path.stat().st_mode & 0o777 == 0o750
    assert run("a.sh").status == 0
    written = path.read_bytes()
    assert "Answered 0 findings" in run("--add-ignore", "a.sh").err
    assert path.read_bytes() == written


def test_without_a_reason_the_next_word_is_a_path(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    assert run("--add-ignore", "a.sh").status == 0
    assert path.read_text() == f"{HEAD}echo BAD  # sbatchlint: ignore[TST101]\n"


def test_a_diff_of_the_comments(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    outcome = run("--diff", "--add-ignore=old", "a.sh")
    assert outcome.status == 1
    assert "-echo BAD\n+echo BAD  # sbatchlint: ignore[TST101] old\n" in outcome.out
    assert "Would answer 1 finding by comments in 1 file.\n" in outcome.err
    assert path.read_text() == f"{HEAD}echo BAD\n"


def test_what_can_be_fixed_is_fixed_first(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD RISKY\n")
    assert run("--fix", "--add-ignore", "a.sh").status == 0
    assert path.read_text() == f"{HEAD}echo FINE RISKY  # sbatchlint: ignore[TST102]\n"


def test_what_is_in_the_baseline_needs_no_comment(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    run("--write-baseline", "base.json", "a.sh")
    write("a.sh", "echo BAD\necho RISKY\n")
    assert run("--baseline", "base.json", "--add-ignore", "a.sh").status == 0
    assert path.read_text() == f"{HEAD}echo BAD\necho RISKY  # sbatchlint: ignore[TST102]\n"


def test_a_finding_that_no_comment_answers_is_told(run: Run, write: Write) -> None:
    write("a.sh", "date # sbatchlint: ignore[TST101]\n")
    outcome = run("--add-ignore", "a.sh")
    assert outcome.status == 1
    assert "a.sh:3: SB002 is not answered: it is about such a comment: put that right" in outcome.err
    write("b.py", whole="#!/usr/bin/env python3\n#SBATCH -N1\nprint('BAD')\n")
    assert "b.py:3: TST101 is not answered: no comment can stand there" in run("--add-ignore", "b.py").err


def test_markdown_is_left_alone(run: Run, write: Write) -> None:
    path = write("a.md", whole="```bash\nsrun echo BAD\n```\n")
    outcome = run("--include-markdown", "--add-ignore", "a.md")
    assert outcome.status == 1
    assert "a.md: no comment written: Markdown is left as it is" in outcome.err
    assert "sbatchlint" not in path.read_text()


def test_comments_in_standard_input_go_to_standard_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given_on_stdin(monkeypatch, STDIN_TEXT)
    outcome = run("--add-ignore", "-")
    assert outcome.out == f"{HEAD}echo BAD  # sbatchlint: ignore[TST101]\n"
    assert outcome.status == 0


def test_a_reason_is_one_line(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    outcome = run("--add-ignore=one\ntwo", "a.sh")
    assert outcome.status == 2
    assert "the reason has to fit on one line" in outcome.err
    assert path.read_text() == f"{HEAD}echo BAD\n"


def test_a_file_that_cannot_be_written(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.sh", "echo BAD\n")
    monkeypatch.setattr(os, "access", lambda path, mode, **how: False)  # root may write everything
    outcome = run("--add-ignore", "--output-format", "concise", "a.sh")
    assert (outcome.status, outcome.out) == (2, "a.sh:3:6: TST101 [*] a bad word is used\n")
    assert "a.sh: no comment written (you may not write to it); chmod u+w it" in outcome.err
    assert path.read_text() == f"{HEAD}echo BAD\n"
