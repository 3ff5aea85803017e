"""The guide to the launch plan shows what a reader gets."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.conftest import Run, Write
from tests.packaging import PROJECT

GUIDE = (PROJECT / "docs" / "plan.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(match[1], match[2]) for match in FENCE.finditer(GUIDE)]
SCRIPT = next(text for language, text in BLOCKS if language == "sbatch")
COMMANDS = [
    line.partition("#")[0].split("|")[-1]
    for language, text in BLOCKS
    if language == "sh"
    for line in text.splitlines()
]


def test_the_example_is_shown_word_for_word(run: Run, write: Write) -> None:
    command, _, shown = next(text for language, text in BLOCKS if language == "console").partition("\n")
    write("pretrain.sbatch", whole=SCRIPT)
    done = run(*shlex.split(command.removeprefix("$ sbatchlint ")))
    assert (done.status, done.err) == (0, "")
    assert done.out == shown


@pytest.mark.parametrize("command", [command for command in COMMANDS if not command.rstrip().endswith("-")])
def test_the_commands_are_understood(run: Run, write: Write, command: str) -> None:
    write("job.sh", whole=SCRIPT)
    program, *arguments = shlex.split(command)
    assert program == "sbatchlint"
    done = run(*arguments)
    assert (done.status, done.err) == (0, "")


def test_there_are_commands_for_every_assumption() -> None:
    said = " ".join(COMMANDS)
    assert all(
        option in said for option in ("--sbatch-args", "--arg", "--env", "--no-follow", "--stdin-filename")
    )
