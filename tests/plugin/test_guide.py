"""The guide to plugins, followed to the letter in an empty folder."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from sbatchlint import api
from sbatchlint.cli.main import main
from tests.packaging import PROJECT

GUIDE = (PROJECT / "docs" / "plugins.md").read_text("utf-8")
RULE = re.search(r"`(site_rules/\w+\.py)`:\n\n````python\n(.*?)^````$", GUIDE, re.MULTILINE | re.DOTALL)
CONSOLE = re.findall(r"^```console\n\$ sbatchlint (.*?)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
TOML = re.findall(r"^```toml\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
SCRIPT = """\
#!/bin/bash
#SBATCH --array=0-99
#SBATCH --mail-type=ARRAY_TASKS
hostname
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty folder with the guide's rule, configuration and a script in it, as the current one."""
    assert RULE is not None
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SBATCHLINT_ALLOW_PLUGINS", raising=False)
    for name, text in ((RULE[1], RULE[2]), ("sbatchlint.toml", TOML[0]), ("jobs/sweep.sh", SCRIPT)):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(("words", "shown"), CONSOLE, ids=[words for words, _ in CONSOLE])
def test_what_is_shown_is_what_one_gets(
    folder: Path, capsys: pytest.CaptureFixture[str], words: str, shown: str
) -> None:
    status = main(shlex.split(words))
    out, _ = capsys.readouterr()
    assert out == shown
    assert status == ("SITE001" in shown)


def test_without_leave_nothing_is_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "site_rules" / "trace.py").write_text("open('trace', 'w').close()\n")
    assert main(["jobs"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "sbatchlint.toml:1" in err and "--allow-plugins" in err and "SBATCHLINT_ALLOW_PLUGINS" in err
    assert not (folder / "trace").exists()


def test_its_fix_and_its_suppression(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = folder / "jobs" / "sweep.sh"
    assert main(["--allow-plugins", "--fix", "jobs"]) == 0
    assert "--mail-type=END\n" in script.read_text()
    comment = "# sbatchlint: ignore[SITE001] we like it"
    script.write_text(SCRIPT.replace("#SBATCH --mail", f"{comment}\n#SBATCH --mail"))
    capsys.readouterr()
    assert main(["--allow-plugins", "--output-format", "json", "jobs"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["suppressed"] == 1
    assert main(["--isolated", "jobs"]) == 0, "the comment is no slip where the plugin is not loaded"


def test_the_stable_names_are_there() -> None:
    stable = re.search(r"^```text stable\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert stable is not None
    names = stable[1].split()
    assert len(names) > 30
    assert set(names) <= set(api.__all__)
    assert api.API_VERSION == 1, "raised: the guide has to tell what changed"


@pytest.mark.parametrize("path", sorted((PROJECT / "examples" / "plugin" / "acme_rules").glob("*.py")))
def test_the_example_uses_stable_names_only(path: Path) -> None:
    stable = re.search(r"^```text stable\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert stable is not None
    for imported in re.findall(
        r"^from sbatchlint\.api import (?:\(\n(.*?)\)|(.*?)$)", path.read_text(), re.MULTILINE | re.DOTALL
    ):
        assert set(re.findall(r"\w+", "".join(imported))) <= set(stable[1].split())
