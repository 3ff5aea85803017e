"""The guide to ``size`` shows what a reader gets."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.conftest import Run
from tests.packaging import PROJECT

GUIDE = (PROJECT / "docs" / "size.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(match[1], match[2]) for match in FENCE.finditer(GUIDE)]
COMMANDS = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]


def words(command: str) -> list[str]:
    program, *arguments = shlex.split(command, comments=True)
    assert program == "sbatchlint"
    return arguments


def test_the_example_is_shown_word_for_word(run: Run) -> None:
    command, _, shown = next(text for language, text in BLOCKS if language == "console").partition("\n")
    done = run(*words(command.removeprefix("$ ")))
    assert (done.status, done.err) == (1, "")
    assert done.out == shown


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_are_understood(run: Run, command: str) -> None:
    done = run(*words(command))
    assert done.status in (0, 1) and done.err == ""
    assert "does not start" not in done.out


def test_every_line_of_the_output_is_explained(run: Run) -> None:
    table = {match[1] for match in re.finditer(r"^\| `([^`]+)` \|", GUIDE, re.MULTILINE)}
    for mode in ("pretrain", "inference"):
        out = run("size", "minimax-m2", "--gpus", "16", "--ep", "16", "--mode", mode).out
        names = {match[1] for match in re.finditer(r"^  (\S.*?) +[\d.]+ GB  ", out, re.MULTILINE)}
        assert {name.removeprefix("dense ").removeprefix("expert ") for name in names} <= table


def test_the_numbers_of_the_text_are_those_of_the_command(run: Run) -> None:
    layout = ("minimax-m2", "--tp", "2", "--ep", "32", "--gpus", "64")
    totals = [
        re.search(r"total +(\d+)", run("size", *layout, "--mode", mode).out)
        for mode in ("roundtrip", "pretrain")
    ]
    held, trained = (match[1] for match in totals if match is not None)
    assert f"a GPU holds {held} GB of MiniMax-M2, and {trained} GB in\n" in GUIDE
