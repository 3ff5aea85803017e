"""A repository takes sbatchlint in as the guide says, and sees there what the guide shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sbatchlint.cli.main import main
from tests.adopt.repository import Repository
from tests.packaging import PROJECT

GUIDE = (PROJECT / "docs" / "adopting.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(match[1], match[2]) for match in FENCE.finditer(GUIDE)]


def sbatchlint(command: str) -> int:
    program, *arguments = shlex.split(command, comments=True)
    assert program == "sbatchlint"
    return main(arguments)


def test_the_guide_is_followed_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    repository = Repository(tmp_path)
    script = tmp_path / "jobs" / "pretrain.sh"
    seen = 0
    for language, text in BLOCKS:
        if language == "sbatch":
            repository.write("jobs/pretrain.sh", text)
            repository.commit()
        elif language == "toml":
            repository.write("sbatchlint.toml", text)
        elif language == "sh" and text.startswith("sbatchlint"):
            for command in text.splitlines():
                repository.git("update-ref", "refs/remotes/origin/main", "main")
                assert sbatchlint(command) == 0
                capsys.readouterr()
        elif language == "sh":
            script.write_text(script.read_text() + text)
        else:
            command, _, shown = text.partition("\n")
            sbatchlint(command.removeprefix("$ "))
            outcome = capsys.readouterr()
            assert outcome.out + outcome.err == shown
            seen += 1
    assert seen == 5


def test_a_revision_tells_the_new_fault_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    repository = Repository(tmp_path)
    text, new = (next(text for kind, text in BLOCKS if kind == language) for language in ("sbatch", "sh"))
    repository.write("jobs/pretrain.sh", text)
    repository.commit()
    repository.git("checkout", "-q", "-b", "branch")
    repository.write("jobs/pretrain.sh", text + new)
    repository.commit()
    assert sbatchlint("sbatchlint --diff-against main... --output-format concise jobs") == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["jobs/pretrain.sh:10:25:"]
