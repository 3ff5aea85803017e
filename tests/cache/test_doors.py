"""Wherever a function is held, the door is found; where one can't be put in, that is told."""

from __future__ import annotations

import copy
import functools
import gc
import os
import posix
import subprocess
import sys
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from sbatchlint.cache.doors import Door, Doorway
from sbatchlint.cache.witness import _DOORS


class Holder:
    """Keeps functions as pathlib and glob have it."""

    static = staticmethod(os.getlogin)
    attribute: ClassVar[Callable[..., str]] = os.getlogin
    table: ClassVar[dict[str, Any]] = {"login": os.getlogin}
    several: ClassVar[list[Any]] = [os.getpid, os.getlogin]

    def __init__(self) -> None:
        self.own = os.getlogin

    @staticmethod
    def by_default(login: Any = os.getlogin, *, named: Any = os.getlogin) -> tuple[Any, Any]:
        return login(), named()


def doorway() -> Doorway:
    """A way around ``getlogin``, which nobody else holds but ``os`` and ``posix``."""
    return Doorway([Door(os.getlogin, lambda: "door")])


@pytest.mark.parametrize(
    "ask",
    [
        lambda holder: os.getlogin(),
        lambda holder: posix.getlogin(),
        lambda holder: holder.static(),
        lambda holder: Holder.static(),
        lambda holder: holder.attribute(),
        lambda holder: Holder.attribute(),
        lambda holder: holder.own(),
        lambda holder: holder.table["login"](),
        lambda holder: holder.several[1](),
        lambda holder: holder.by_default()[0],
        lambda holder: holder.by_default()[1],
    ],
)
def test_each_way_of_holding(ask: Callable[[Holder], str]) -> None:
    holder, way = Holder(), doorway()
    assert way.open()
    try:
        assert ask(holder) == "door"
    finally:
        way.shut()
    held = [os.getlogin, posix.getlogin, holder.own, holder.static, holder.attribute]
    held += [Holder.table["login"], Holder.several[1], *(Holder.by_default.__defaults__ or ())]
    held += [*(Holder.by_default.__kwdefaults__ or {}).values()]
    assert {type(each).__name__ for each in held} == {"builtin_function_or_method"}
    assert len(held) == 9
    assert isinstance(vars(Holder)["static"], staticmethod)


def test_what_is_made_meanwhile_holds_the_door() -> None:
    way = doorway()
    way.open()
    try:
        later = type("Later", (), {"asks": os.getlogin})()
        assert later.asks() == "door"  # and does not become a method
    finally:
        way.shut()


@pytest.mark.parametrize(
    "hold",
    [
        lambda: functools.partial(os.getlogin),
        lambda: {os.getlogin},
        lambda: {os.getlogin: 1},
        lambda: (os.getlogin, 1),
        lambda: (lambda function: lambda: function())(os.getlogin),
    ],
    ids=["partial", "set", "key", "tuple", "closure"],
)
def test_what_can_not_be_changed_is_told(hold: Callable[[], object]) -> None:
    way = doorway()
    assert way.open()
    way.shut()
    held = hold()
    told = way.open()
    way.shut()
    del held
    assert not told


def test_sets_that_tell_what_functions_can_do_stay_true() -> None:
    assert _DOORS.open()
    try:
        assert os.stat in os.supports_follow_symlinks
        assert {os.open, os.stat, os.unlink} <= os.supports_dir_fd
    finally:
        _DOORS.shut()
    assert not any(isinstance(each, Door) for each in os.supports_dir_fd)


OF_TEXT = {"fspath", "_path_normpath", "_path_splitroot_ex"}
OF_DESCRIPTORS = {"copy_file_range", "splice"}  # which were noted when they were opened
STARTING = {
    "execv",
    "execve",
    "posix_spawn",
    "posix_spawnp",
}  # the one does not come back, nobody uses the other
WORDS = ("path", "src", "dst", "file")


def test_each_function_of_the_system_that_takes_a_path_has_a_door() -> None:
    """Also on releases that nobody of us has seen."""
    takes = {
        name
        for name, function in vars(posix).items()
        if any(word in (getattr(function, "__text_signature__", None) or "") for word in WORDS)
    }
    assert {"stat", "open"} <= takes
    doors = {id(door.original) for door in _DOORS._doors.values()}
    without = {name for name in takes if id(getattr(posix, name)) not in doors}
    assert without <= OF_TEXT | OF_DESCRIPTORS | STARTING


LOADS_ALL = """
import pkgutil, importlib, sys, warnings, contextlib, os, io
warnings.simplefilter("ignore")
skipped = {"antigravity", "this", "idlelib", "turtle", "turtledemo", "test", "lib2to3", "tkinter", "_pyrepl"}
with contextlib.redirect_stdout(io.StringIO()):
    for name in sorted(sys.stdlib_module_names - skipped):
        with contextlib.suppress(Exception):
            importlib.import_module(name)
from sbatchlint.cache.witness import _DOORS
strays = [holder for holder in _DOORS._holders() if not isinstance(holder, (dict, list, staticmethod, tuple))]
_DOORS.open()
left = [holder for holder in _DOORS._holders() if isinstance(holder, dict)]
print([getattr(each, "__name__", type(each).__name__) for each in strays], len(left), len(_DOORS._places))
"""


def test_the_whole_library_can_be_watched() -> None:
    """With all modules of the standard library loaded beforehand, only what C code keeps is left."""
    done = subprocess.run(
        [sys.executable, "-c", LOADS_ALL], capture_output=True, text=True, check=True, timeout=60
    )
    strays, rest = done.stdout.rsplit("]", 1)
    left, places = map(int, rest.split())
    assert strays in ("['_zoneinfo'", "["), done
    assert left == 0
    assert places > 60


def test_a_door_that_is_copied() -> None:
    door = Door(os.getlogin, lambda: "door")
    assert copy.copy(door)() == "door"
    assert door.__name__ == "getlogin"


def test_what_is_frozen_is_found() -> None:
    """The collector passes over what ``gc.freeze`` has set aside, as ``--jobs`` does before it forks."""
    holder, way = Holder(), doorway()
    gc.freeze()
    try:
        assert way.open()
        try:
            assert (holder.own(), posix.getlogin(), holder.by_default()) == ("door",) * 2 + (
                ("door", "door"),
            )
        finally:
            way.shut()
    finally:
        gc.unfreeze()


def test_a_search_that_finds_too_little_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    way = doorway()
    monkeypatch.setattr(gc, "get_referrers", lambda *_: [])
    assert not way.open()
    way.shut()
