"""What these tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Write


@pytest.fixture
def site(write: Write, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return what writes the site's file."""

    def make(text: str, name: str = "site/sbatchlint.toml") -> Path:
        path = write(name, whole=text)
        monkeypatch.setenv("SBATCHLINT_SITE_CONFIG", str(path))
        return path

    return make
