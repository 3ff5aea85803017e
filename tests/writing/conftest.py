"""What a file was, what it is to be, and doing things as somebody whom the modes of files stop."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sbatchlint.writing import half

OLD = b"#!/bin/bash\r\nold \xff\n"
NEW = b"#!/bin/bash\r\nnew \xff, and longer\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "job.sh"
    path.write_bytes(OLD)
    return path


@pytest.fixture(autouse=True)
def nothing_cleaned_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test be a process that has not looked for leftovers anywhere."""
    monkeypatch.setattr(half, "_cleaned", set())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def in_child(work: Callable[[], None]) -> int:
    """Call *work* in a process of its own and return how that ends: 0, or minus the signal that killed it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def become_nobody() -> None:
    """Give up the powers of root, whom no mode of a file stops."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """Give a folder that users other than this one may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a file system of 16 KiB."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a file system, and not everywhere")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
