"""Whatever stands where, and whichever command comes across it: the terminal is sent none of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.payloads import ALL, ESCAPES, EVERYTHING, RAW, RETURN, sent
from tests.hostile.places import Words
from tests.hostile.running import run
from tests.hostile.scenes import SCENES

_ONE_BY_ONE = [*ESCAPES.values(), *RAW.values(), RETURN]


def _told(scene: str, text: str, folder: Path, words: Words, *, terminal: bool) -> list[str]:
    data = (folder / "job.sh").read_bytes() if (folder / "job.sh").exists() else b""
    done = run(folder, *words, stdin=data, terminal=terminal)
    assert b"internal error" not in done.err or scene == "plugin"
    if "--diff" in words and not terminal:
        return []  # a patch: see test_patches.py
    return [f"{words}: {one}" for one in sent(done.both, colour=terminal or "always" in words)]


def _runs(scene: str, texts: list[str], share: float) -> Iterator[tuple[str, Words, bool]]:
    chance = random.Random(scene)
    for text in texts:
        for words in SCENES[scene].commands(text):
            for terminal in (False, True):
                if chance.random() < share:
                    yield text, words, terminal


def _leaks(scene: str, texts: list[str], tmp_path: Path, share: float = 1.0) -> list[str]:
    leaks: list[str] = []
    made: dict[str, Path] = {}
    for text, words, terminal in _runs(scene, texts, share):
        if text not in made:
            made[text] = tmp_path / f"folder{len(made)}"
            made[text].mkdir()
            SCENES[scene].make(made[text], text)
        leaks += _told(scene, text, made[text], words, terminal=terminal)
    return leaks


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_is_sent(scene: str, tmp_path: Path) -> None:
    assert _leaks(scene, [EVERYTHING], tmp_path, share=0.1) == []


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_nothing_is_sent_one_by_one(scene: str, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    assert _leaks(scene, [EVERYTHING, ALL], tmp_path) == []
    assert _leaks(scene, _ONE_BY_ONE, tmp_path / "one", share=0.1) == []


def test_the_look_for_it_sees_it() -> None:
    for text in _ONE_BY_ONE:
        assert sent(f"a{text}b".encode("utf-8", "surrogateescape"))
    assert sent(b"\x1b[5;7m", colour=True) and sent(b"\x1b]8;;evil.example\x07", colour=True)
    assert not sent(b"\x1b[1;31merror\x1b[0m\n", colour=True)
