"""The command line with fake rules, in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from sbatchlint.cli.main import main
from sbatchlint.lint import registry

HEAD = "#!/bin/bash\n#SBATCH --nodes=1\n"


class Outcome(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


Run = Callable[..., Outcome]
Write = Callable[..., Path]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command line in the temporary folder, with the fake rules."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "BUILT_IN", "tests.cli.fake_rules")

    def call(*arguments: str) -> Outcome:
        capsys.readouterr()
        status = main(arguments)
        return Outcome(status, *capsys.readouterr())

    return call


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a file below the temporary folder: a batch script, unless given whole."""

    def make(name: str, body: str = "", *, whole: str | bytes | None = None) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = HEAD + body if whole is None else whole
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make
