"""Where the answers are kept, and pipes that are read by one alone."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sbatchlint.cache.facts import hold
from tests.cache.attacks.recalling import BAD, COMMAND, GOOD, cached, is_recalled, plain
from tests.cache.process import run


def test_a_cache_in_a_relative_folder(folder: Path) -> None:
    streams = folder.parent / "streams"
    for where in (folder, folder / "sub"):
        expected = run(["."], where, None, streams)
        for _ in range(2):
            assert run(["--cache-dir", ".kept", "."], where, None, streams) == expected
        assert (where / ".kept").is_dir()


@pytest.mark.parametrize("name", ["kept", ".kept", "sub/kept"])
def test_a_cache_in_the_folder_that_is_checked(name: str, folder: Path) -> None:
    expected = plain(folder, ".")
    cache = folder / name
    assert cached(folder, ".", cache=cache) == expected
    assert cached(folder, ".", cache=cache) == expected
    assert is_recalled(folder, ".", cache=cache)
    cached(folder, "--pedantic", ".", cache=cache)
    cached(folder, "--pedantic", ".", cache=cache)
    assert is_recalled(folder, ".", cache=cache)
    assert is_recalled(folder, "--pedantic", ".", cache=cache)


def test_a_place_that_can_not_be_written(folder: Path) -> None:
    expected = plain(folder, ".")
    for place in ("/proc/sbatchlint", "/dev/null", "/dev/null/more", "x" * 5000):
        done = run(["--cache-dir", place, "."], folder, None, folder.parent / "streams")
        assert (done.status, done.out) == (expected.status, expected.out)
        assert done.err == expected.err


def test_asking_again_takes_nothing_out_of_a_pipe(folder: Path) -> None:
    """`sbatchlint /dev/stdin < a.sh` reads a file, the same with a pipe does not."""
    environment = {
        **os.environ,
        "SBATCHLINT_CACHE_DIR": str(folder.parent / "cache"),
        "SBATCHLINT_SITE_CONFIG": "",
    }

    def process(**more: object) -> int:
        done = subprocess.run(
            [*COMMAND, "/dev/stdin"],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
            **more,  # type: ignore[call-overload]
        )
        return int(done.returncode)

    for _ in range(2):
        with open(folder / "a.sh", "rb") as file:
            assert process(stdin=file) == 1
    (folder / "good.sh").write_text(GOOD)
    with open(folder / "good.sh", "rb") as file:
        assert process(stdin=file) == 0
    assert process(input=GOOD.encode()) == 0
    assert process(input=BAD.encode()) == 1


def test_a_file_that_becomes_a_pipe_is_not_waited_for(folder: Path) -> None:
    from sbatchlint.cache.witness import Watch

    with Watch() as seen:
        (folder / "a.sh").read_text()
    (folder / "a.sh").unlink()
    os.mkfifo(folder / "a.sh")
    assert not hold(seen.facts)
