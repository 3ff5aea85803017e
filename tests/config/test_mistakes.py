"""Wrong configurations, each with the message that a person needs.

A case is a folder: ``expected.txt`` is what is said, ``arguments`` (if there) the command line, and ``site``
names the file of the site.  With SBATCHLINT_RECORD=1 the messages are written anew, to be read before they
are kept.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sbatchlint.cli.main import main

CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir())


def said(case: Path, name: str, otherwise: str) -> str:
    path = case / name
    return path.read_text("utf-8").strip() if path.exists() else otherwise


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_message(case: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(case)
    monkeypatch.setenv("SBATCHLINT_SITE_CONFIG", said(case, "site", ""))
    monkeypatch.delenv("SBATCHLINT_ALLOW_PLUGINS", raising=False)
    status = main(said(case, "arguments", "job.sh").split())
    out, err = capsys.readouterr()
    err = err.replace(str(case), "CASE")
    if os.environ.get("SBATCHLINT_RECORD"):
        (case / "expected.txt").write_text(err, "utf-8")
    assert (status, out) == (2, "")
    assert err == (case / "expected.txt").read_text("utf-8")
