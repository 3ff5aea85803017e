"""What a baseline holds."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import HEAD

STDIN_TEXT = f"{HEAD}echo BAD\n"


def given_on_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def entries(path: Path) -> list[tuple[str, str, int]]:
    found = json.loads(path.read_text())["entries"]
    return [(entry["path"], entry["code"], entry["count"]) for entry in found]
