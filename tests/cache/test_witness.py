"""Whatever is asked of the file system while somebody watches is noted, and a change is found."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint.cache import system
from sbatchlint.cache.facts import hold
from sbatchlint.cache.witness import Seen, Watch, spoil


def read_a_part(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(3)


def read_lines(path: str) -> list[str]:
    with io.open(path) as file:  # noqa: UP020
        return list(file)


ASKING: dict[str, Callable[[], object]] = {
    "read": lambda: Path("file").read_text(),
    "read bytes": lambda: read_a_part("file"),
    "lines": lambda: read_lines("file"),
    "exists": lambda: os.path.exists("file"),
    "lexists": lambda: os.path.lexists("file"),
    "is a file": lambda: os.path.isfile("file"),
    "is a folder": lambda: os.path.isdir("file"),
    "is a link": lambda: os.path.islink("file"),
    "size": lambda: os.path.getsize("file"),
    "status": lambda: Path("file").stat(),
    "names": lambda: os.listdir("."),
    "walk": lambda: list(os.walk(".")),
    "glob": lambda: list(Path(".").glob("*")),
    "real path": lambda: os.path.realpath("file"),
    "access": lambda: os.access("file", os.R_OK),
    "which": lambda: shutil.which("./file"),
}


SAME = {"names": ["becomes_a_folder", "becomes_a_link_in_a_circle"], "access": ["becomes_a_folder"]}
"""Changes that leave an answer as it was."""


def gone(path: Path) -> None:
    path.unlink()


def becomes_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def becomes_a_link_in_a_circle(path: Path) -> None:
    path.unlink()
    path.symlink_to("file")


@pytest.mark.parametrize("change", [gone, becomes_a_folder, becomes_a_link_in_a_circle])
@pytest.mark.parametrize("question", ASKING)
def test_a_change_is_noticed(
    question: str, change: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("file")
    path.write_bytes(b"text\nof lines\n")
    path.chmod(0o700)
    plain = ASKING[question]()
    with Watch() as seen:
        noted = ASKING[question]()
    assert type(plain) is type(noted)
    assert seen.complete
    assert seen.facts
    assert hold(seen.facts)
    change(path)
    assert hold(seen.facts) is (change.__name__ in SAME.get(question, ()))


@pytest.mark.parametrize("question", ASKING)
def test_what_comes_to_be_is_noticed(question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Watch() as seen:
        try:
            ASKING[question]()
        except OSError as error:
            assert isinstance(error, FileNotFoundError)
    assert hold(seen.facts)
    Path("file").write_text("now")
    Path("file").chmod(0o700)
    assert not hold(seen.facts)


def test_only_what_was_read_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_bytes(b"head and the rest" + b"." * 100_000)
    with Watch() as seen, open("file", "rb", buffering=0) as file:
        assert file.read(4) == b"head"
    Path("file").write_bytes(b"head and another rest")
    assert hold(seen.facts)
    Path("file").write_bytes(b"Head")
    assert not hold(seen.facts)


def test_the_end_of_a_file_counts_if_it_was_met(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_bytes(b"text")
    with Watch() as seen:
        assert Path("file").read_bytes() == b"text"
    Path("file").write_bytes(b"text and more")
    assert not hold(seen.facts)


@pytest.mark.parametrize(
    "writing",
    [
        lambda: Path("new").write_text("x"),
        lambda: open("file", "a").close(),
        lambda: os.close(os.open("file", os.O_RDONLY)),
        lambda: os.close(os.open("new", os.O_CREAT | os.O_WRONLY)),
        lambda: Path("new").mkdir(),
        lambda: Path("new").symlink_to("file"),
        lambda: Path("file").rename("new"),
        lambda: Path("file").unlink(),
        lambda: os.remove("file"),
        lambda: os.chmod("file", 0o600),
        lambda: os.truncate("file", 0),
        lambda: shutil.copy("file", "new"),
        lambda: shutil.disk_usage("."),
        lambda: os.path.expanduser("~root"),
        spoil,
    ],
)
def test_what_can_not_be_asked_again_is_told(
    writing: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    with Watch() as outer, Watch() as seen:
        writing()
    assert not seen.complete
    assert not outer.complete


def test_a_change_while_it_is_watched_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Watch() as seen:
        os.path.exists("file")
        system.mkdir("file")
        assert seen.complete
        os.path.exists("file")
    assert not seen.complete


def test_nothing_stays_behind(tmp_path: Path) -> None:
    def functions() -> list[int]:
        names = ("open", "stat", "lstat", "scandir", "listdir", "readlink", "access")
        return [id(open), id(io.open), *(id(getattr(os, name)) for name in names)]

    before = functions()
    with pytest.raises(KeyboardInterrupt), Watch(), Watch():
        assert not set(functions()) & set(before)
        raise KeyboardInterrupt
    assert functions() == before


def test_facts_of_others_are_taken_over() -> None:
    mine, other = Seen(), Seen()
    mine.note("S", "a", "1")
    other.note("S", "b", "2")
    mine.add(other)
    assert mine.complete
    assert mine.facts == {("S", "a"): "1", ("S", "b"): "2"}
    other.note("S", "a", "3")
    mine.add(other)
    assert not mine.complete


@pytest.mark.parametrize("answer", ["", "x", "1:1", "-1:1:x", "99999999999999999999999:1:x", "!", "!x"])
def test_nonsense_never_holds(answer: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for kind in "SLDNKARPIXQ":
        assert not hold({(kind, str(tmp_path / "file")): answer})
    assert not hold({("S", "\0"): "1"})
