"""kill -9 at any moment: the old file or the new one, whole, and beside it at most a known leftover."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint.writing import half
from sbatchlint.writing.replace import make_file, overwrite_file, replace_file
from tests.writing.conftest import NEW, OLD, in_child, names

CALLS = [
    "access", "close", "fchmod", "fchown", "fstat", "fsync", "getxattr", "listxattr", "lstat", "open", "read",
    "readlink", "removexattr", "replace", "scandir", "setxattr", "stat", "unlink", "urandom", "write",
]  # fmt: skip
"""All that the writing asks of the system."""
KILLED = -signal.SIGKILL
AT_MOST = 400

Write = Callable[[Path], None]
WAYS: dict[str, Write] = {
    "replace": lambda path: replace_file(str(path), NEW, expected=OLD),
    "overwrite": lambda path: overwrite_file(str(path), NEW),
    "make": lambda path: make_file(str(path), NEW),
}


def die_at(number: int, *, after: bool) -> None:
    """Let this process be killed before or right after the system call of that number; writing is slow."""
    left = [number]

    def watched(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            left[0] -= 1
            if left[0] == 0 and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            if name == "write":
                arguments = arguments[0], memoryview(arguments[1])[:7]  # type: ignore[arg-type]
            try:
                return real(*arguments, **options)
            finally:
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        return call

    for name in CALLS:
        if hasattr(os, name):
            setattr(os, name, watched(name, getattr(os, name)))


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("way", sorted(WAYS))
def test_at_each_system_call(tmp_path: Path, way: str, after: bool) -> None:
    ends = set()
    for number in range(1, AT_MOST):
        folder = tmp_path / str(number)
        folder.mkdir()
        script = folder / "job.sh"
        if way != "make":
            script.write_bytes(OLD)
            script.chmod(0o750)

        def work(script: Path = script, number: int = number) -> None:
            die_at(number, after=after)
            WAYS[way](script)

        end = in_child(work)
        held = script.read_bytes() if script.exists() else None
        assert held in ((None, NEW) if way == "make" else (OLD, NEW))
        assert way == "make" or script.stat().st_mode & 0o777 == 0o750
        left = [name for name in names(folder) if name != "job.sh"]
        assert len(left) <= 1
        assert all(half.is_half(name) for name in left)
        ends.add((held == NEW, bool(left)))
        if end == 0:
            break
        assert end == KILLED
        # Whatever was left, the next run does its work.
        WAYS["make" if held is None else "overwrite"](script)
        assert script.read_bytes() == NEW
    else:
        pytest.fail(f"it asks the system more than {AT_MOST} times")
    assert ends == {(False, False), (False, True), (True, False)}


def replace_for_ever(script: Path, texts: list[bytes]) -> None:
    while True:
        for old, new in ((0, 1), (1, 0)):
            replace_file(str(script), texts[new], expected=texts[old])


def test_at_any_moment(script: Path) -> None:
    """The processor says when: each process is killed after another time."""
    texts = [OLD * 5000, NEW * 5000]
    script.write_bytes(texts[0])
    moments, new = random.Random(9), 0
    for _ in range(60):
        held = script.read_bytes()
        child = os.fork()
        if child == 0:
            try:
                replace_for_ever(script, texts if held == texts[0] else texts[::-1])
            finally:
                os._exit(1)
        time.sleep(moments.uniform(0.0005, 0.02))
        os.kill(child, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED
        assert script.read_bytes() in texts
        new += script.read_bytes() != held
    assert 0 < new < 60, "killed in the midst of its work"
    left = [name for name in names(script.parent) if name != "job.sh"]
    assert all(half.is_half(name) for name in left)
