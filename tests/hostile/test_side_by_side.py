"""Many processes at once, on one folder and with one cache: the same answers, nothing broken."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.processes import plain_environment, process

_FORM = ("--output-format", "json", "--quiet")


def _fill(folder: Path, files: int) -> None:
    chance = random.Random(files)
    for number in range(files):
        body = "".join(f"echo {chance.random()}\n" for _ in range(chance.randrange(30)))
        put(
            folder / f"jobs/{number}.sbatch",
            HEAD + body + (WRONG if number % 2 else "srun python train.py\n"),
        )


def _start(folder: Path, cache: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "sbatchlint", "check", *words],
        cwd=folder,
        env=plain_environment(SBATCHLINT_CACHE_DIR=str(cache)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _together(
    folder: Path, cache: Path, commands: Sequence[tuple[str, ...]]
) -> list[tuple[int, bytes, bytes]]:
    running = [_start(folder, cache, *words) for words in commands]
    ended = [(*one.communicate(timeout=1200), one.returncode) for one in running]
    return [(status, out, err) for out, err, status in ended]


def _texts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "jobs").iterdir())}


def _check(folder: Path, processes: int, files: int) -> None:
    cache = folder.parent / "cache"
    _fill(folder, files)
    alone = process(folder, "check", "--no-cache", *_FORM, "jobs")
    for _ in range(2):  # cold, then warm
        for status, out, err in _together(folder, cache, [(*_FORM, "jobs")] * processes):
            assert (status, out) == (alone.returncode, alone.stdout), err
    alone_folder = folder.parent / "alone"
    alone_folder.mkdir()
    _fill(alone_folder, files)
    process(alone_folder, "check", "--no-cache", "--fix", "--unsafe-fixes", "jobs")
    mixed = [("--fix", "--unsafe-fixes", "jobs") if one % 2 else (*_FORM, "jobs") for one in range(processes)]
    for status, out, err in _together(folder, cache, mixed):
        assert status in (0, 1, 2) and b"Traceback" not in err and b"internal error" not in err, err
        if status == 2:
            assert b"not fixed" in err, err
        if out.startswith(b"{"):
            json.loads(out)
    process(
        folder,
        "check",
        "--fix",
        "--unsafe-fixes",
        "jobs",
        env=plain_environment(SBATCHLINT_CACHE_DIR=str(cache)),
    )
    assert _texts(folder) == _texts(alone_folder)  # no file is left over, none is broken
    after = process(folder, "check", "--no-cache", *_FORM, "jobs")
    for status, out, _ in _together(folder, cache, [(*_FORM, "jobs")] * 2):
        assert (status, out) == (after.returncode, after.stdout)


def test_four_processes(folder: Path) -> None:
    _check(folder, 4, 6)


@pytest.mark.slow
def test_sixteen_processes(folder: Path) -> None:
    _check(folder, 16, 16)
