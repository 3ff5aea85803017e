"""Many answers in one file: what is old or false is dropped, what others wrote meanwhile stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.cache import pack as module
from sbatchlint.cache.folder import save
from sbatchlint.cache.pack import Pack


def packed(where: Path) -> Pack:
    return Pack(str(where / "answers"), "files-x")


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    pack = packed(tmp_path)
    pack.keep("key", ["value", 1], {("S", str(tmp_path / "none")): "!2"})
    assert pack.save() == ""
    assert packed(tmp_path).recall("key") == ["value", 1]
    assert packed(tmp_path).recall("other") is None
    (tmp_path / "none").write_text("")
    assert packed(tmp_path).recall("key") is None


def test_two_at_the_same_time_lose_nothing_that_was_there_when_they_wrote(tmp_path: Path) -> None:
    one, two = packed(tmp_path), packed(tmp_path)
    one.keep("one", 1, {})
    two.keep("two", 2, {})
    assert one.save() == two.save() == ""
    assert [packed(tmp_path).recall(key) for key in ("one", "two")] == [1, 2]


def test_what_nobody_asks_for_is_dropped_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = 86_400
    for days in (100, 110, 120, 130):
        monkeypatch.setattr(module, "time", lambda days=days: days * day)
        pack = packed(tmp_path)
        pack.recall("asked for")
        if days == 100:
            pack.keep("asked for", 1, {})
            pack.keep("forgotten", 2, {})
        pack.keep(f"new {days}", 3, {})
        pack.save()
    pack = packed(tmp_path)
    assert pack.recall("asked for") == 1
    assert pack.recall("forgotten") is None
    assert [pack.recall(f"new {days}") for days in (100, 120, 130)] == [None, 3, 3]


def test_a_clock_that_was_ahead_leaves_nothing_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "time", lambda: 10.0**10)
    ahead = packed(tmp_path)
    ahead.keep("ahead", 1, {})
    ahead.save()
    monkeypatch.setattr(module, "time", lambda: 10.0**9)
    now = packed(tmp_path)
    now.keep("now", 2, {})
    now.save()
    assert [packed(tmp_path).recall(key) for key in ("ahead", "now")] == [None, 2]


def test_there_is_an_end_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FULL", 2000)
    for number in range(50):
        pack = packed(tmp_path)
        pack.keep(f"key {number}", "x" * 200, {})
        assert pack.save() == ""
        assert (tmp_path / "answers" / "files-x").stat().st_size < 2300
    assert packed(tmp_path).recall("key 49") == "x" * 200


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"key": 1}', b'{"key": [0]}', b'{"key": [0, [[1]], 2]}', b"\xff"]
)
def test_nonsense_is_as_if_it_were_not_there(body: bytes, tmp_path: Path) -> None:
    save(str(tmp_path / "answers"), "files-x", body)
    pack = packed(tmp_path)
    assert pack.recall("key") is None
    pack.keep("new", 1, {})
    assert pack.save() == ""
    assert packed(tmp_path).recall("new") == 1
