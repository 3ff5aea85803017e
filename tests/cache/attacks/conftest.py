"""A folder with scripts, whose answers are kept beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cache.attacks.recalling import BAD


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "streams").mkdir()
    work = tmp_path / "work"
    (work / "sub").mkdir(parents=True)
    (work / "a.sh").write_text(BAD)
    (work / "sub" / "b.sh").write_text(BAD)
    return work
