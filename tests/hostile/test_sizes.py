"""Many files, deep folders, long names, globs without end: in time, and without a traceback."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.running import run
from tests.hostile.timing import in_time


@pytest.fixture
def emptied(folder: Path) -> Iterator[Path]:
    """Return the folder, and empty it in the end: Python can't take away folders that are so deep."""
    yield folder
    subprocess.run(["rm", "-rf", str(folder)], check=True)


def _deep(folder: Path, levels: int) -> None:
    here = os.getcwd()
    os.chdir(folder)
    for level in range(levels):
        os.mkdir("d")
        os.chdir("d")
        if level in (1, levels - 1):
            Path("job.sbatch").write_text(HEAD + WRONG)
            Path("job.log").write_text("CUDA out of memory\n")
    os.chdir(here)


def test_folders_deeper_than_python_can_call_itself(emptied: Path) -> None:
    _deep(emptied, 1200)
    done = run(emptied, "check", "--output-format", "concise", ".")
    assert done.status == 1 and done.out.count(b"SB301") == 2
    assert run(emptied, "diagnose", ".").status == 1
    assert run(emptied, "diagnose", "**/*.log").status == 1
    assert run(emptied, "config", "--files", ".").out.count(b"job.sbatch") == 2


def test_links_that_lead_back_are_not_gone_round(folder: Path) -> None:
    for name in ("a", "b", "c"):
        (folder / name).symlink_to(".")
    put(folder / "logs/x.log", "CUDA out of memory\n")
    (folder / "logs/back").symlink_to("..")
    put(folder / "job.sbatch", HEAD + WRONG)
    with in_time():
        assert run(folder, "diagnose", "**/*.log").status == 1
        assert run(folder, "diagnose", ".").status == 1
        assert run(folder, "check", ".").status == 1


def test_names_as_long_as_can_be(folder: Path) -> None:
    place = folder / ("n" * 250) / ("m" * 250)
    put(place / f"{'j' * 245}.sbatch", HEAD + WRONG)
    assert run(folder, "check", ".").status == 1
    done = run(folder, "check", "x" * 300, "y/" * 3000, str(place / f"{'j' * 245}.sbatch"))
    assert done.status == 2 and b"name too long" in done.err and b"SB301" in done.out


_GLOBS = ("*a" * 40 + "b", "**/a" * 30, "[a-z]*" * 30 + "1", "a*" * 20 + "/**/" + "b*" * 20, "?*" * 30 + "!")


@pytest.mark.parametrize("glob", _GLOBS)
@pytest.mark.parametrize("where", [".gitignore", "exclude", "per-file-ignores", "--exclude"])
def test_globs_that_are_made_to_take_for_ever(folder: Path, glob: str, where: str) -> None:
    for number in range(20):
        put(folder / f"{'a' * 200}{number}.sbatch", HEAD + WRONG)
    more = []
    if where == ".gitignore":
        put(folder / where, f"{glob}\n!{glob}x\n")
    elif where == "--exclude":
        more = ["--exclude", glob]
    else:
        toml = (
            f"exclude = ['{glob}']\n" if where == "exclude" else f"[per-file-ignores]\n'{glob}' = ['SB3']\n"
        )
        put(folder / "sbatchlint.toml", toml)
    with in_time():
        done = run(folder, "check", "--output-format", "concise", "--select", "SB301", *more, ".")
    assert done.status == 1 and done.out.count(b"SB301") == 20, done.err


@pytest.mark.slow
def test_a_hundred_thousand_files(folder: Path) -> None:
    import resource

    for number in range(100_000):
        (folder / f"{number}.txt").touch()
    put(folder / "job.sbatch", HEAD + WRONG)
    before = resource.getrusage(resource.RUSAGE_SELF)
    assert run(folder, "check", ".").status == 1
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert after.ru_utime - before.ru_utime < 20
    assert after.ru_maxrss - before.ru_maxrss < 200_000  # KB; two thousand bytes a file


@pytest.mark.parametrize("lines", ["a" * 1_000_000, "a\n" * 500_000, "**/a*\n" * 200_000, "[" * 900_000])
def test_a_gitignore_that_is_too_much(folder: Path, lines: str) -> None:
    put(folder / ".gitignore", lines)
    for number in range(20):
        put(folder / f"job{number}.sbatch", HEAD + WRONG)
    with in_time():
        assert run(folder, "check", "--select", "SB301", ".").status == 1
