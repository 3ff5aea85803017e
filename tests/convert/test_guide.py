"""The guide to ``convert`` shows what a reader gets."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from sbatchlint.cli.main import main
from tests.convert.scripts import findings
from tests.convert.simulated import is_bash
from tests.packaging import PROJECT

GUIDE = (PROJECT / "docs" / "convert.md").read_text("utf-8")
FENCE = re.compile(r"^```(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(match[1], match[2]) for match in FENCE.finditer(GUIDE)]
COMMANDS = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]
SHOWN = [
    (text, told)
    for (language, text), (behind, told) in pairwise(BLOCKS)
    if (language, behind) == ("console", "stderr")
]


def words(command: str) -> list[str]:
    program, *arguments = shlex.split(command)
    assert program == "sbatchlint"
    return arguments


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.sh").write_text(dict(BLOCKS)["train.sh"])
    return tmp_path


@pytest.mark.parametrize(("shown", "told"), SHOWN)
def test_the_examples_are_shown_word_for_word(
    shown: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, _, expected = shown.partition("\n")
    status = main(words(command.removeprefix("$ ")))
    assert tuple(capsys.readouterr()) == (expected, told)
    assert status == (0 if expected else 2)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_make_scripts(command: str, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert main(words(command)) == 0
    out = capsys.readouterr().out or (folder / "job.sbatch").read_text()
    assert is_bash(out.encode())
    if "--interactive" not in command:
        filled = out.replace("nodes=CHANGE_ME", "nodes=2").replace("time=CHANGE_ME", "time=60")
        assert findings(filled.replace("CHANGE_ME", "acme")) == []


def test_what_is_said_of_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    command = next(one for one in COMMANDS if "HF_TOKEN" in one)
    main(words(command))
    assert dict(BLOCKS)["bash"] in capsys.readouterr().out


def test_there_are_examples() -> None:
    assert len(SHOWN) == 2 and len(COMMANDS) == 6
