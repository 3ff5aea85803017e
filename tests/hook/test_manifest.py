"""What .pre-commit-hooks.yaml says, done without pre-commit: the real one takes its time (``-m slow``)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from sbatchlint.cli.main import main
from tests.hook.scripts import BAD, GOOD
from tests.packaging import PROJECT

HOOKS: list[dict[str, Any]] = YAML(typ="safe").load(PROJECT / ".pre-commit-hooks.yaml")


@pytest.fixture(params=HOOKS, ids=lambda hook: hook["id"])
def hook(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return one of the hooks."""
    found: dict[str, Any] = request.param
    return found


def outcome(hook: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run *hook* as pre-commit does: its entry, and behind it the names that its pattern takes."""
    program, *words = hook["entry"].split()
    assert program == "sbatchlint"
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    status = main([*words, *(name for name in names if re.search(hook["files"], name))])
    return status, "".join(capsys.readouterr())


@pytest.mark.parametrize("name", ["job.sbatch", "scripts/run", "a.sh", "b.slurm", "c.job", "d.sub"])
def test_scripts_are_taken_by_their_names(
    hook: dict[str, Any],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(BAD["SB101"])
    status, said = outcome(hook, tmp_path, capsys)
    fixes = hook["id"] == "sbatchlint-fix"
    assert (status, "SB101" in said) == ((0, False) if fixes else (1, True))
    assert ((tmp_path / name).read_text() != BAD["SB101"]) is fixes


def test_what_is_no_script_or_excluded_is_passed_over(
    hook: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sbatchlint.toml").write_text('exclude = ["old.sh"]\n')
    for name, text in {
        "old.sh": BAD["SB101"],
        "good.sh": GOOD,
        "empty.sh": "",
        "tool.sh": "echo hello\n",
        "Makefile": "all:\n\techo\n",
        "README.md": f"```sh\n{BAD['SB101']}```\n",
    }.items():
        (tmp_path / name).write_text(text)
    assert outcome(hook, tmp_path, capsys) == (0, "")
    assert (tmp_path / "old.sh").read_text() == BAD["SB101"]
