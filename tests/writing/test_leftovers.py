"""What a killed process leaves behind is harmless, and goes away with the next writing."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from sbatchlint.cli.main import main
from sbatchlint.writing import half
from sbatchlint.writing.replace import make_file, replace_file
from tests.writing.conftest import NEW, OLD, names

LEFT = ".sbatchlint-0123456789abcdef.tmp"


def leave(folder: Path, name: str = LEFT, *, age: float = half.ABANDONED + 60) -> Path:
    path = folder / name
    path.write_bytes(b"#!/bin/bash\n#SBATCH --nodes=1\nsrun hal")
    then = time.time() - age
    os.utime(path, (then, then))
    return path


def test_it_is_deleted_when_something_is_written_beside_it(script: Path) -> None:
    left = leave(script.parent)
    replace_file(str(script), NEW, expected=OLD)
    assert names(script.parent) == ["job.sh"]
    leave(script.parent)
    make_file(str(script.with_name("new")), NEW)
    assert left.exists(), "each process looks once"


def test_it_is_what_a_kill_leaves(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names that are made are names that are deleted."""
    made = []
    monkeypatch.setattr(os, "replace", lambda source, target: made.append(Path(source)))
    make_file(str(script.with_name("new")), NEW)
    monkeypatch.undo()
    monkeypatch.setattr(half, "_cleaned", set())
    (left,) = made
    assert left.parent == script.parent
    leave(script.parent, left.name)
    half.clean(str(script.parent))
    assert names(script.parent) == ["job.sh"]


@pytest.mark.parametrize(
    "name",
    [
        ".sbatchlint-0123456789abcdef",
        "sbatchlint-0123456789abcdef.tmp",
        ".sbatchlint-0123456789abcde.tmp",
        ".sbatchlint-0123456789abcdef0.tmp",
        ".sbatchlint-0123456789ABCDEF.tmp",
        ".sbatchlint-0123456789abcdeg.tmp",
        ".sbatchlint-0123456789abcdeX.tmp",
        ".sbatchlint-.sbatchlint-0123.tmp",
        ".job.sh.0123456789abcdef.tmp",
    ],
)
def test_other_names_are_not_ours(script: Path, name: str) -> None:
    left = leave(script.parent, name)
    half.clean(str(script.parent))
    assert left.exists()


def test_what_is_young_may_be_somebodys_work(script: Path) -> None:
    left = leave(script.parent, age=half.ABANDONED - 60)
    half.clean(str(script.parent))
    assert left.exists()


def test_what_is_no_file_is_not_ours(script: Path) -> None:
    (script.parent / LEFT).symlink_to(script)
    then = time.time() - half.ABANDONED - 60
    for path in (script, script.parent / LEFT):
        os.utime(path, (then, then), follow_symlinks=False)
    half.clean(str(script.parent))
    assert (script.parent / LEFT).is_symlink()
    assert script.exists()


def test_what_is_somebody_elses_is_not_ours(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = leave(script.parent)
    monkeypatch.setattr(os, "geteuid", lambda: left.stat().st_uid + 1)
    half.clean(str(script.parent))
    assert left.exists()


def test_a_folder_that_cannot_be_listed_is_no_trouble(tmp_path: Path) -> None:
    half.clean(str(tmp_path / "none"))
    (tmp_path / LEFT).mkdir()
    half.clean(str(tmp_path))
    assert names(tmp_path) == [LEFT]


def test_one_that_cannot_be_deleted_stops_no_other(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = leave(script.parent), leave(script.parent, LEFT.replace("0", "f"))
    unlink, tried = os.unlink, []

    def refuse_first(path: str) -> None:
        tried.append(path)
        if len(tried) == 1:
            raise PermissionError(1, "Operation not permitted")
        unlink(path)

    monkeypatch.setattr(os, "unlink", refuse_first)
    half.clean(str(script.parent))
    assert [one.exists(), other.exists()].count(True) == 1


def test_nobody_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leave(tmp_path)
    (tmp_path / "job.sh").write_bytes(b"#!/bin/bash\n#SBATCH --time=1:00:00\nsrun hostname\n")
    main(["check", "--output-format", "concise", str(tmp_path)])
    told = capsys.readouterr()
    assert "1 file" in told.err
    assert ".tmp" not in told.out + told.err
