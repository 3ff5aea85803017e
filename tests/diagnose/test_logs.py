from __future__ import annotations

import glob
import gzip
import io
import os
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sbatchlint.diagnose.logs import NoLogError, find_logs, read_pieces


def read(data: bytes, size: int = 64) -> tuple[bytes, list[str]]:
    told: list[str] = []
    got = b"".join(read_pieces(io.BytesIO(data), "x", lambda path, text: told.append(text), size=size))
    return got, told


@given(st.lists(st.binary(max_size=300), max_size=4), st.integers(2, 50))
def test_packed_members_one_behind_the_other(parts: list[bytes], size: int) -> None:
    assume(not b"".join(parts).startswith(b"\x1f\x8b\x08"))  # which is unpacked in its turn
    packed = b"".join(gzip.compress(part) for part in parts)
    assert read(packed, size) == (b"".join(parts), [])


@given(st.binary(min_size=1, max_size=2000), st.data())
def test_a_packed_file_that_breaks_off_gives_its_beginning(text: bytes, data: st.DataObject) -> None:
    packed = gzip.compress(text)
    cut = data.draw(st.integers(2, len(packed) - 1))
    got, told = read(packed[:cut])
    assert text.startswith(got)
    assert "breaks off" in "".join(told)


def test_padding_and_garbage_behind_a_packed_file() -> None:
    packed = gzip.compress(b"text")
    assert read(packed + b"\0" * 600) == (b"text", [])
    got, told = read(packed + b"garbage")
    assert got == b"text"
    assert "damaged" in told[0]


def test_a_packed_file_is_unpacked_in_small_pieces() -> None:
    packed = gzip.compress(b"\0" * 10_000_000)
    pieces = list(read_pieces(io.BytesIO(packed), "x", lambda path, text: None, size=4096))
    assert sum(map(len, pieces)) == 10_000_000
    assert max(map(len, pieces)) <= 4096


def test_progress_counts_what_is_read() -> None:
    seen: list[int] = []
    packed = gzip.compress(os.urandom(5000))
    list(read_pieces(io.BytesIO(packed), "x", lambda path, text: None, seen.append, 100))
    assert sum(seen) == len(packed)


def test_files_folders_and_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.log", "b.out.gz", "c.py", "el/attempt_0/0/stderr.log", "slurm-3.0", "[x].log"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    inside = ["./[x].log", "./a.log", "./b.out.gz", "./el/attempt_0/0/stderr.log", "./slurm-3.0"]
    assert find_logs(["."]) == inside
    assert find_logs(["a.log", "./a.log", "*.gz"]) == ["a.log", "b.out.gz"]
    assert find_logs(["[x].log"]) == ["[x].log"]
    assert find_logs(["missing.log", "-"]) == ["missing.log", "-"]
    (tmp_path / "empty").mkdir()
    for words in (["*.nothing"], ["empty"]):
        with pytest.raises(NoLogError):
            find_logs(words)


@pytest.mark.parametrize("head", ["", "./", "logs/", "./logs/", "lo*/", "logs/**/", "{here}/"])
@pytest.mark.parametrize("tail", ["*.out", "sub/*.out", "*/*.out", ".hidden/*.out", "**/*.out", ""])
def test_two_stars_match_what_they_match_elsewhere(
    head: str, tail: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = (
        "",
        "logs/",
        "logs/.hidden/",
        "logs/sub/",
        "logs/sub/.hidden/",
        ".hidden/",
        "logs/sub/sub/",
        "lo/",
    )
    for folder in folders:
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "a.out").write_bytes(b"x")
    pattern = f"{head.format(here=tmp_path)}**/{tail}"
    expected = {path for path in glob.glob(pattern, recursive=True) if not os.path.isdir(path)}
    if expected:
        assert {*map(os.path.normpath, find_logs([pattern]))} == {*map(os.path.normpath, expected)}
    else:
        with pytest.raises(NoLogError):
            find_logs([pattern])
