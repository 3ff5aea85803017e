"""Putting functions in the places of others, wherever those are held.

``os.stat`` is not held by ``os`` alone: pathlib of 3.10 and glob of 3.13 keep such functions in classes,
tokenize keeps ``open`` under a name of its own, and the next release will think of something else.  Nothing
here knows of releases: all that hold one of the functions are found as the garbage collector finds them, and
it is told where one is held in a way that can't be changed.
"""

from __future__ import annotations

import _io
import gc
import os
import posix
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from sbatchlint.cache import system


class Door:
    """What stands in the place of *original*; unlike a function, it never becomes a method of a class."""

    __slots__ = ("_call", "original")

    def __init__(self, original: Any, call: Callable[..., Any]) -> None:
        self.original = original
        self._call = call

    def __call__(self, *given: Any, **named: Any) -> Any:  # noqa: D102 - as *original* is called
        return self._call(*given, **named)

    def __getattr__(self, name: str) -> Any:
        if name in Door.__slots__:  # a copy that is only begun
            raise AttributeError(name)
        return getattr(self.original, name)


_SETS = (os.supports_fd, os.supports_dir_fd, os.supports_effective_ids, os.supports_follow_symlinks)
"""What tells which functions can do what.  They hold functions, and nobody calls those there."""
_IMPORTS = sys.modules.get("_frozen_importlib_external")
"""Python's own imports.  They ask ``_os``, which is the module posix, and read by ``_io``; what they load is
told in other ways."""


class _Place(NamedTuple):
    """An item of a dictionary or list, or an attribute of a class or function."""

    holder: Any
    name: Any
    before: Any
    new: Any

    def put(self, value: Any) -> None:
        if isinstance(self.holder, (dict, list)):
            self.holder[self.name] = value
        else:
            setattr(self.holder, self.name, value)


class Doorway:
    """Opens and shuts *doors* together."""

    def __init__(self, doors: Sequence[Door]) -> None:
        self._doors = {id(door.original): door for door in doors}
        self._originals = tuple(door.original for door in doors)
        self._places: list[_Place] = []
        self._for_imports = SimpleNamespace(**vars(posix))
        self._own = (vars(system), vars(self._for_imports), vars(_io), *_SETS)

    def open(self) -> bool:
        """Put the doors in; tell whether nobody can pass by any of them."""
        gc.unfreeze()  # what is frozen is not searched
        found = list(self._found())
        self._places = [place for place in found if place is not None]
        if _IMPORTS is not None:
            self._places.append(_Place(vars(_IMPORTS), "_os", posix, self._for_imports))
        for place in self._places:
            place.put(place.new)
        for known in _SETS:
            known.update(self._doors[id(each)] for each in [*known] if id(each) in self._doors)
        return None not in found and len(found) >= len(self._doors)  # each has a module that holds it

    def shut(self) -> None:
        """Put everything back."""
        for place in self._places:
            place.put(place.before)
        for known in _SETS:
            known.difference_update(self._doors.values())
        self._places = []

    def _found(self) -> Iterator[_Place | None]:
        """Yield where originals are held, and None for each way that can't be changed."""
        methods, defaults, names = [], [], []
        for holder in self._holders():
            if isinstance(holder, dict):
                names.append(holder)
                if any(id(key) in self._doors for key in holder):
                    yield None
            elif isinstance(holder, list):
                yield from (
                    _Place(holder, at, each, self._doors[id(each)])
                    for at, each in enumerate(holder)
                    if id(each) in self._doors
                )
            elif isinstance(holder, staticmethod):
                methods.append(holder)
            elif isinstance(holder, tuple):
                defaults.append(holder)
            elif any(id(value) in self._doors for value in getattr(holder, "__dict__", {}).values()):
                names.append(vars(holder))
            else:
                yield None
        holders = _holders_of([*names, *defaults])
        yield from self._in_dictionaries(names, self._doors, holders)
        yield from self._in_defaults(defaults, holders)
        yield from self._in_methods(methods)

    def _holders(self) -> Iterator[Any]:
        """Yield all that hold an original, but for those that keep it for use by the cache itself."""
        for holder in gc.get_referrers(*self._originals):
            own = holder is self._originals or isinstance(holder, Door)
            if not own and not any(holder is each for each in self._own):
                yield holder

    def _in_dictionaries(
        self, found: Sequence[dict[Any, Any]], new: Mapping[int, Any], holders: Sequence[Any]
    ) -> Iterator[_Place]:
        """Yield the places in *found* of things of which *new*, by their identity, has a new form.

        A class has to be told of a change of its attributes; it is among the *holders* of its dictionary.
        """
        identities = {id(names) for names in found}
        owners: dict[int, Any] = {}
        for kind in [holder for holder in holders if isinstance(holder, type)]:
            owners.update({id(each): kind for each in gc.get_referents(kind) if id(each) in identities})
        for names in found:
            for name, value in names.items():
                if id(value) in new:
                    yield _Place(owners.get(id(names), names), name, value, new[id(value)])

    def _in_methods(self, found: Sequence[Any]) -> Iterator[_Place | None]:
        new = {id(method): staticmethod(self._doors[id(method.__func__)]) for method in found}
        names = [holder for holder in _holders_of(found) if isinstance(holder, dict)]
        places = list(self._in_dictionaries(names, new, _holders_of(names)))
        yield from places
        known = {id(place.before) for place in places}
        yield from (None for method in found if id(method) not in known)

    def _in_defaults(
        self, found: Sequence[tuple[Any, ...]], holders: Sequence[Any]
    ) -> Iterator[_Place | None]:
        """Yield the functions among *holders* whose parameters have the tuples *found* as defaults."""
        known = set()
        for function in [holder for holder in holders if isinstance(holder, FunctionType)]:
            values = function.__defaults__
            if values is not None and any(values is each for each in found):
                known.add(id(values))
                new = tuple(self._doors.get(id(value), value) for value in values)
                yield _Place(function, "__defaults__", values, new)
        yield from (None for each in found if id(each) not in known)


def _holders_of(found: Sequence[Any]) -> list[Any]:
    """Return all that hold one of *found*, but for modules, which need not be told of anything."""
    modules = {id(vars(module)) for module in [*sys.modules.values()] if isinstance(module, ModuleType)}
    asked = [each for each in found if id(each) not in modules]
    return gc.get_referrers(*asked) if asked else []
