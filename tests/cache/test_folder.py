"""The folder of what is kept: nothing that happens to it may make a run fail or change an answer."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from sbatchlint.cache import folder
from sbatchlint.cache.folder import load, place, save


@pytest.mark.parametrize(
    ("environment", "words", "expected"),
    [
        ({"HOME": "/h"}, [], "/h/.cache/sbatchlint"),
        ({"HOME": "/h", "XDG_CACHE_HOME": "/x"}, [], "/x/sbatchlint"),
        ({"HOME": "/h", "XDG_CACHE_HOME": "relative"}, [], "/h/.cache/sbatchlint"),
        ({"HOME": "/h", "SBATCHLINT_CACHE_DIR": "/c"}, [], "/c"),
        ({"SBATCHLINT_CACHE_DIR": "/c"}, ["--cache-dir", "/d", "."], "/d"),
        ({"SBATCHLINT_CACHE_DIR": "/c"}, ["--cache-dir=/d", "--cache-dir=/e"], "/e"),
    ],
)
def test_where_it_is(environment: dict[str, str], words: list[str], expected: str) -> None:
    assert place(environment, words) == os.path.join(expected, folder.NAME)


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"HOME": "/h"}, ["--no-cache"]),
        ({"HOME": "/h", "SBATCHLINT_CACHE_DIR": ""}, []),
        ({"HOME": "/h"}, ["--cache-dir="]),
        ({}, []),
    ],
)
def test_there_may_be_none(environment: dict[str, str], words: list[str]) -> None:
    assert place(environment, words) is None


def test_what_is_saved_is_private_and_comes_back(tmp_path: Path) -> None:
    where = tmp_path / "cache" / "answers"
    assert save(str(where), "name", b"\0 bytes \xff") == ""
    assert load(str(where), "name") == b"\0 bytes \xff"
    assert load(str(where), "other") is None
    assert where.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in where.iterdir()} == {0o600}
    assert (where / ".gitignore").read_text() == "*\n"


def test_each_damage_is_noticed(tmp_path: Path) -> None:
    where = str(tmp_path / "answers")
    save(where, "name", b"a longer text")
    path = Path(where, "name")
    good = path.read_bytes()
    for at in range(len(good)):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert load(where, "name") is None
        path.write_bytes(good[:at])
        assert load(where, "name") is None
    path.write_bytes(good)
    assert load(where, "name") == b"a longer text"


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o666, 0o777])
def test_what_is_open_to_others_is_not_read(mode: int, tmp_path: Path) -> None:
    """Others may have written it, and what git checks out is open to them: it may come from a project."""
    where = tmp_path / "answers"
    save(str(where), "name", b"text")
    (where / "name").chmod(mode)
    assert load(str(where), "name") is None
    (where / "name").chmod(0o600)
    assert load(str(where), "name") == b"text"
    where.chmod(mode | 0o100)
    assert load(str(where), "name") is None
    assert "open to others" in save(str(where), "name", b"text")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_belongs_to_another_is_not_read(tmp_path: Path) -> None:
    where = tmp_path / "answers"
    save(str(where), "name", b"text")
    os.chown(where / "name", 12345, 12345)
    assert load(str(where), "name") is None
    os.chown(where / "name", 0, 0)
    os.chown(where, 12345, 12345)
    assert load(str(where), "name") is None
    assert save(str(where), "name", b"text")


def test_links_and_pipes_are_not_read(tmp_path: Path) -> None:
    where = tmp_path / "answers"
    save(str(where), "name", b"text")
    (where / "link").symlink_to("name")
    os.mkfifo(where / "pipe", 0o600)
    (where / "folder").mkdir()
    for name in ("link", "pipe", "folder"):
        assert load(str(where), name) is None
    (tmp_path / "linked").symlink_to(where)
    assert load(str(tmp_path / "linked"), "name") is None


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_full_disk_leaves_the_old(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = str(tmp_path / "answers")
    save(where, "name", b"old")

    def fail(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "write", fail)
    assert save(where, "name", b"new") == os.strerror(number).lower()
    monkeypatch.undo()
    assert load(where, "name") == b"old"
    assert not list(Path(where).glob("*.half"))


def test_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert save(str(tmp_path / "file" / "answers"), "name", b"") == "not a directory"
    assert load(str(tmp_path / "file" / "answers"), "name") is None


def test_the_oldest_are_cleaned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = str(tmp_path / "answers")
    monkeypatch.setattr(folder, "_MOST_FILES", 12)
    for number in range(40):
        save(where, f"n{number:02}", b"x" * 10)
        if Path(where, f"n{number:02}").exists():
            os.utime(Path(where, f"n{number:02}"), (1000 + number, 1000 + number))
        assert len(os.listdir(where)) <= 12
    assert load(where, "n39") == b"x" * 10
    assert load(where, "n00") is None


def test_the_bytes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = str(tmp_path / "answers")
    monkeypatch.setattr(folder, "_MOST_BYTES", 10_000)
    for number in range(30):
        save(where, f"n{number}", b"x" * 1000)
        assert sum(path.stat().st_size for path in Path(where).iterdir()) <= 10_000
    assert save(where, "large", b"x" * (folder.LARGEST + 1)) == "too much to be kept"


def test_what_nobody_finished_is_cleaned_away(tmp_path: Path) -> None:
    where = tmp_path / "answers"
    save(str(where), "name", b"")
    for name, age in (("a.1.half", 10_000), ("b.2.half", 0)):
        (where / name).write_bytes(b"half")
        then = (where / name).stat().st_mtime - age
        os.utime(where / name, (then, then))
    save(str(where), "name", b"")
    assert [path.name for path in where.glob("*.half")] == ["b.2.half"]


def test_no_folder_can_be_made_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for name in ("answers", "kept/answers", "kept/more/answers"):
        assert save(name, "name", b"") == "no such file or directory"
        assert load(name, "name") is None
    monkeypatch.chdir(tmp_path)
    assert save("kept/more/answers", "name", b"x") == ""
    assert load("kept/more/answers", "name") == b"x"
