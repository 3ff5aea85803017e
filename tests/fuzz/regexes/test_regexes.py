"""No regular expression takes more than a time in proportion to the text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from sbatchlint import regex
from tests.fuzz.regexes.collecting import ROOT, Use, collect
from tests.fuzz.regexes.measuring import superlinear
from tests.fuzz.seeds import seeds
from tests.fuzz.table import target

_OURS = (str(ROOT / "sbatchlint"), str(ROOT / "rules"))
_AT_ONE_PLACE = {
    "sbatchlint/toml/places.py": "a value's pattern is tried where the value begins",
    "sbatchlint/lint/markdown.py _PROMPT": "`_block` asks for a match at the begin of a line",
    "sbatchlint/lint/markdown.py _ROOT_PROMPT": "`_block` asks for a match at the begin of a line",
    "sbatchlint/convert/size.py": "`_word` asks for a match of the whole word",
    "sbatchlint/lint/ask/array_lists.py": "the second of each is asked behind the index alone",
}
"""Expressions of which the code doesn't show how they are used, by the begin of their place."""


def _use(use: Use) -> Use:
    if use.ways <= {"match", "fullmatch"} and use.ways:
        return use
    known = any(use.place.startswith(place) for place in _AT_ONE_PLACE)
    return Use(use.place, use.pattern, use.flags, frozenset({"match"})) if known else use


@pytest.mark.slow
def test_none_is_slow() -> None:
    uses = {(one.pattern, one.flags, one.ways): one for one in map(_use, collect()[0])}
    assert len(uses) > 400
    found = {use.place: attack for use in uses.values() if (attack := superlinear(use)) is not None}
    assert found == {}


@pytest.mark.slow
def test_none_that_is_put_together_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those made of names and words of a script or a log, as they are made for our seeds."""
    made: dict[tuple[Any, int], None] = {}
    known = {use.pattern for use in collect()[0]}
    compile_: Callable[..., Any] = re._compile  # type: ignore[attr-defined]

    def noting(pattern: Any, flags: Any) -> Any:
        if not isinstance(pattern, re.Pattern) and pattern not in known and _is_ours(sys._getframe(1)):
            made[pattern, int(flags)] = None
        return compile_(pattern, flags)

    monkeypatch.setattr(re, "_compile", noting)
    for name in ("check", "log"):
        for data in seeds(name)[::29]:
            target(name)(data)
    monkeypatch.undo()
    assert len(made) > 10
    found = {}
    for pattern, flags in made:
        attack = superlinear(Use("", pattern, flags, frozenset()))
        if attack is not None:
            found[pattern] = attack
    assert found == {}


def _is_ours(frame: FrameType | None) -> bool:
    """Tell whether the code that wants an expression is ours and not a library's."""
    while frame is not None and frame.f_code.co_filename in (re.__file__, regex.__file__):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_OURS)
