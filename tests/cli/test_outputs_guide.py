"""The commands in docs/outputs.md do what the page says."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from sbatchlint.report.formats import FORMATS
from tests.cli.conftest import Run, Write

PAGE = (Path(__file__).parents[2] / "docs/outputs.md").read_text("utf-8")
COMMANDS = re.findall(r"^sbatchlint (--.+)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_command(run: Run, write: Write, tmp_path: Path, command: str) -> None:
    write("jobs/job.sh", "echo BAD\n")
    words = shlex.split(command)
    done = run(*words)
    files = [word for before, word in pairwise(words) if before == "--output-file"]
    assert done.status == 1
    assert all((tmp_path / file).read_text("utf-8") for file in files)
    assert bool(done.out) == (words.count("--output-format") > len(files))


def test_every_format_is_told_of_in_order() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(FORMATS)
    shown = {word for command in COMMANDS for word in shlex.split(command)}
    assert {name for name, form in FORMATS.items() if not form.people} <= shown
