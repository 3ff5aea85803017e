"""No file of this repository holds anything that its own finder takes for a secret."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sbatchlint.secrets import find_secrets
from sbatchlint.source import Source

ROOT = Path(__file__).parents[2]
_LEFT_OUT = {".git", ".venv", "venv", "build", "dist", "__pycache__", ".hypothesis"}


def repository_files() -> list[Path]:
    """Return the files that git tracks or would add; without git, all but what builds and caches leave."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
        found = [ROOT / name for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*") if _LEFT_OUT.isdisjoint(path.relative_to(ROOT).parts)]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def test_no_secret_stands_in_the_repository() -> None:
    files = repository_files()
    assert Path(__file__) in files
    found = []
    for path in files:
        data = path.read_bytes()
        if b"\0" in data:
            continue
        source = Source.from_bytes(data, str(path.relative_to(ROOT)))
        for secret in find_secrets(source):
            line = source.position(secret.span.start).line
            found.append(f"{source.path}:{line}: {secret.title} {secret.name}")
    if found:
        pytest.fail("\n".join(found), pytrace=False)
