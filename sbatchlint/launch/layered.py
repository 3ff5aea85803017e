"""Dictionaries whose copies share what neither has changed.

A shell's memory is copied at every branch, subshell and step, and most copies are changed little.  A copy
of a :class:`Layered` costs what was changed since the last few copies, not what it holds; two copies are
compared, and something is made of each entry, at that same cost.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any, Generic, TypeVar, cast, overload
from weakref import ref

T = TypeVar("T")
U = TypeVar("U")
_MOST_OWN = 64
"""How many changes a dictionary keeps to itself before it makes a new base of them and what lies below."""
_NEAR = 8
"""How many bases two dictionaries may have made since they were one, to be compared by their changes."""


class _Gone:
    """Stands among the changes for an entry of the base that is there no more."""


_GONE = _Gone()


class _Base(Generic[T]):
    """Entries that several dictionaries lie upon, never changed again, and what has been made of them.

    It knows the base that it was made upon, as long as somebody uses that, and what it has otherwise.
    """

    __slots__ = ("__weakref__", "_below", "answers", "changed", "entries")

    def __init__(
        self, entries: dict[str, T], below: _Base[T] | None = None, changed: Iterable[str] = ()
    ) -> None:
        self.entries = entries
        self.changed = tuple(changed)
        self.answers: dict[Hashable, Any] = {}
        self._below = None if below is None else ref(below)

    @property
    def below(self) -> _Base[T] | None:
        """The base that this one has its ``changed`` names upon; None for none that is still there."""
        return None if self._below is None else self._below()

    def of_made(self, make: Callable[[str, T], U | None]) -> _Base[U]:
        """Return the base of what *make* gives for each entry."""
        found: _Base[U] | None = self.answers.get(make)
        if found is None:
            below = self.below
            beneath: _Base[U] | None = None if below is None else below.answers.get(make)
            names: Iterable[str] = self.entries if beneath is None else self.changed
            entries: dict[str, U] = {} if beneath is None else dict(beneath.entries)
            for name in names:
                held = self.entries.get(name)
                made = None if held is None else make(name, held)
                if made is not None:
                    entries[name] = made
                else:
                    entries.pop(name, None)
            found = self.answers[make] = _Base(entries, beneath, names)
        return found

    def differing(self, other: _Base[T]) -> Iterable[str] | None:
        """Name what may be otherwise in *other*; None where the two are not near each other."""
        found: dict[str, None] = {}
        mine, theirs = _line_of(self), _line_of(other)
        common = next((base for base in mine if any(base is one for one in theirs)), None)
        if common is None:
            return None
        for line in (mine, theirs):
            for base in line:
                if base is common:
                    break
                found.update(dict.fromkeys(base.changed))
        return found


def _line_of(base: _Base[T]) -> list[_Base[T]]:
    """The base, and the last few that it was made upon."""
    found = [base]
    while len(found) < _NEAR and (below := found[-1].below) is not None:
        found.append(below)
    return found


Met = dict[object, dict[str, Any]]
"""What was gone through: bases, each with those of its entries that were not met, since changes hid them,
and by their identities the changes upon them."""


class Layered(MutableMapping[str, T]):
    """A dictionary from names: a base that it may share with others, under changes of its own.

    It keeps the order of a ``dict``, but for an entry that is deleted and set again.
    """

    __slots__ = ("_base", "_own")

    def __init__(self, entries: Mapping[str, T] | Iterable[tuple[str, T]] = ()) -> None:
        self._base = _Base(dict(entries))
        self._own: dict[str, T | _Gone] = {}

    def __getitem__(self, name: str) -> T:
        held = self._own.get(name)
        if held is None:
            return self._base.entries[name]
        if isinstance(held, _Gone):
            raise KeyError(name)
        return held

    @overload
    def get(self, name: str, /) -> T | None: ...

    @overload
    def get(self, name: str, /, default: T | U) -> T | U: ...

    def get(self, name: str, /, default: Any = None) -> Any:
        """As that of a ``dict``: the entry where there is one, else *default*."""
        held = self._own.get(name)
        if held is None:
            return self._base.entries.get(name, default)
        return default if held is _GONE else held

    def __contains__(self, name: object) -> bool:
        held = self._own.get(cast(str, name))
        return name in self._base.entries if held is None else held is not _GONE

    def __setitem__(self, name: str, held: T) -> None:
        self._own[name] = held

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        if name in self._base.entries:
            self._own[name] = _GONE
        else:
            del self._own[name]

    def __iter__(self) -> Iterator[str]:
        entries, own = self._base.entries, dict(self._own)
        for name in entries:
            if own.get(name) is not _GONE:
                yield name
        for name in own:
            if name not in entries:
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self)!r})"

    def copy(self) -> Layered[T]:
        """Return an independent dictionary with the same entries."""
        if len(self._own) > _MOST_OWN:
            self._base, self._own = _Base(dict(self), self._base, self._own), {}
        return _upon(self._base, dict(self._own))

    def same(self, other: Layered[T]) -> bool:
        """Tell whether *other* is known to hold the same; False may also be said of equal ones."""
        return self._base is other._base and self._own == other._own

    def differing(self, other: Layered[T]) -> list[str]:
        """Name what is not one and the same object in *other*, in an order that never varies."""
        names: Iterable[str] | None = ()
        if self._base is not other._base:
            names = self._base.differing(other._base)
        if names is None:
            names = {**dict(self), **dict(other)}
        else:
            names = {**dict.fromkeys(names), **self._own, **other._own}
        return [name for name in names if self.get(name) is not other.get(name)]

    def made(self, make: Callable[[str, T], U | None]) -> Layered[U]:
        """Return what *make* gives for each entry, without those for which it gives None.

        *make* is a function of its arguments alone, and always one and the same object.
        """
        base = self._base.of_made(make)
        own: dict[str, U | _Gone] = {}
        for name, held in self._own.items():
            found = None if isinstance(held, _Gone) else make(name, held)
            if found is not None:
                own[name] = found
            elif name in base.entries:
                own[name] = _GONE
        return _upon(base, own)

    def new_names(self, met: Met) -> Iterator[str]:
        """Yield the names under which there may be something that was not met before.

        *met* is kept by the caller, empty at first, and filled with what this dictionary rests on, so that
        many that share a base are gone through at the cost of their changes.  Nobody changes a dictionary
        that was gone through as long as *met* is used.
        """
        own, entries = self._own, self._base.entries
        if id(own) in met:
            return
        met[id(own)] = own
        hidden = met.get(self._base)
        names: Iterable[str]
        if hidden is None:
            below = met.get(self._base.below)
            names = entries if below is None else {**below, **dict.fromkeys(self._base.changed)}
            met[self._base] = {name: None for name in own if name in names and name in entries}
        else:
            names = [name for name in hidden if name not in own]
            for name in names:
                del hidden[name]
        for name in {**dict.fromkeys(names), **own}:
            if own.get(name, entries.get(name, _GONE)) is not _GONE:
                yield name

    def names_where(self, is_one: Callable[[str], bool]) -> Iterator[str]:
        """Yield the names of which *is_one*, always one and the same object, says True."""
        found: list[str] | None = self._base.answers.get(is_one)
        if found is None:
            found = self._base.answers[is_one] = [name for name in self._base.entries if is_one(name)]
        yield from (name for name in found if self._own.get(name) is not _GONE)
        yield from (
            name
            for name, held in self._own.items()
            if held is not _GONE and name not in self._base.entries and is_one(name)
        )


def _upon(base: _Base[T], own: dict[str, T | _Gone]) -> Layered[T]:
    found: Layered[T] = Layered.__new__(Layered)
    found._base, found._own = base, own
    return found
