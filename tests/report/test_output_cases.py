"""What each format makes of the scripts in ``cases/outputs``, to the letter.

``OUTPUT_CASES=write pytest tests/report/test_output_cases.py`` writes what is expected anew, to be read
before it is believed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint import __version__
from sbatchlint.cli.main import main
from sbatchlint.lint import registry
from sbatchlint.report.formats import FORMATS
from tests.report.read_back import read_concise, read_grouped
from tests.report.test_every_format import READERS

CASES = Path(__file__).parent / "cases" / "outputs"
SCRIPTS = ("bad.sh", "dos.sh", "good.sh")


def written(form: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what a run over the scripts in *folder* writes, with a name in the place of the folder."""
    for script in SCRIPTS:
        shutil.copy(CASES / script, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(registry, "BUILT_IN", "tests.cli.fake_rules")
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    arguments = ["--isolated", "--pedantic", "--output-format", form, "--output-file", "out"]
    assert main([*arguments, *SCRIPTS, "none.sh"]) == 2
    text = (folder / "out").read_text("utf-8")
    return text.replace(folder.as_uri(), "file:///repo").replace(f'"{__version__}"', '"VERSION"')


@pytest.mark.parametrize("form", FORMATS)
def test_case(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(form, tmp_path, monkeypatch)
    expected = CASES / f"expected.{form}"
    if os.environ.get("OUTPUT_CASES") == "write":
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")


@pytest.mark.parametrize("form", READERS)
def test_case_is_read_back(form: str) -> None:
    told = READERS[form]((CASES / f"expected.{form}").read_text("utf-8"))
    assert [(Path(one.path).name, one.line, one.code, one.severity) for one in told] == [
        ("bad.sh", 4, "TST101", "error"),
        ("bad.sh", 4, "TST101", "error"),
        ("bad.sh", 5, "TST102", "warning"),
        ("bad.sh", 5, "TST201", "info"),
        ("dos.sh", 3, "TST101", "error"),
    ]


@pytest.mark.parametrize(("form", "read"), [("grouped", read_grouped), ("concise", read_concise)])
def test_what_people_read_has_all_of_it(form: str, read: Callable[[str], list[tuple[str, int, str]]]) -> None:
    assert read((CASES / f"expected.{form}").read_text("utf-8")) == [
        ("bad.sh", 4, "TST101"),
        ("bad.sh", 4, "TST101"),
        ("bad.sh", 5, "TST102"),
        ("bad.sh", 5, "TST201"),
        ("dos.sh", 3, "TST101"),
    ]
