"""What a shell knows of one variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbatchlint.launch.combining import first_lacking, join
from sbatchlint.launch.values import ABSENT, EMPTY, Value, unknown
from sbatchlint.records import dataclass
from sbatchlint.source import Span


class _LookedThrough:
    """Room for what is found once by looking through an array."""

    __slots__ = ("_lacking",)
    _lacking: int


@dataclass(frozen=True, slots=True)
class Variable(_LookedThrough):
    """One variable.  ``value`` is None where it is known not to be set."""

    value: Value | None = EMPTY
    items: tuple[tuple[str, Value], ...] | None = None
    """An array's elements in order, by key; None for a plain variable."""
    exported: bool = False
    associative: bool = False
    written: Span | None = None
    """Where it was last given its value."""
    maybe_unset: bool = False
    """True where one way through the script leaves it as the environment has it."""
    opaque: bool = False
    """True where nothing is known of it, not even whether it is an array."""
    more: Value | None = None
    """What stands for an unknown number of elements behind those of ``items``."""
    letters: str = ""
    """Of ``declare``'s attributes those that change what is assigned: ``i``, ``l``, ``u``."""
    reference: str | None = None
    """The variable that this one stands for (``declare -n``); its own name until it is given one."""
    fixed: bool = False
    """True for one that is ``readonly``."""
    filled: bool = False
    """True where a guard (``: ${X:?}``) has made sure that it is not empty, whatever it is."""

    @property
    def first(self) -> Value | None:
        """What ``$name`` gives: an array's element 0; None where it is not set."""
        return self.value if self.items is None else dict(self.items).get("0", self.more)

    @property
    def lacking(self) -> int:
        """The index in ``items`` of the first element that may be missing; their number where none may."""
        try:
            return self._lacking
        except AttributeError:
            index = first_lacking([value for _, value in self.items or ()])
            object.__setattr__(self, "_lacking", index)
            return index


UNSET = Variable(None)


def is_exported(held: Variable) -> bool:
    """Tell whether a child process gets the variable for sure."""
    return held.exported and held.items is None and held.value is not None and not held.maybe_unset


def for_child(_: str, held: Variable) -> Variable | None:
    """What a variable is to a child process; None where that knows nothing of it."""
    if is_exported(held):
        return replace(held, letters="", fixed=False) if held.letters or held.fixed else held
    return UNSET if held.first is None else None


def merge_variable(name: str, found: Sequence[Variable | None]) -> Variable | None:
    """The variable *name* that is one of *found*; None where none of them is set."""
    if all(variable is found[0] for variable in found):
        return found[0]
    present = [variable for variable in found if variable is not None]
    last = present[-1]
    absent = len(present) < len(found)
    if all(variable == last for variable in present) and not absent:
        return last
    exported = not absent and all(variable.exported for variable in present)
    maybe_unset = absent or any(held.maybe_unset or held.first is None for held in present)
    same = all((held.letters, held.reference) == (last.letters, last.reference) for held in present)
    joined = Variable(
        exported=exported,
        maybe_unset=maybe_unset,
        written=last.written,
        letters=last.letters,
        filled=not maybe_unset and all(held.filled for held in present),
    )
    if any(held.opaque for held in present) or not same or last.reference is not None:
        return replace(joined, value=unknown(f"${name}"), opaque=True)
    if any(held.items is not None for held in present):
        items = _merge_items(name, found)
        if items is None:
            return replace(joined, value=unknown(f"${name}"), opaque=True, associative=last.associative)
        more = next((held.more for held in present if held.more is not None), None)
        kind = last.associative
        return replace(joined, value=None, items=items, more=more, maybe_unset=False, associative=kind)
    values = [unknown(f"${name}") if held is None else held.value or EMPTY for held in found]
    return replace(joined, value=join(values, f"${name}"))


def _merge_items(name: str, found: Sequence[Variable | None]) -> tuple[tuple[str, Value], ...] | None:
    """Join arrays element by element; one that only some of them have may be absent.

    Gives None where they are not all arrays of one kind, or their keys have another order.
    """
    if any(
        held is None or held.maybe_unset or (held.more is not None and held.associative) for held in found
    ):
        return None
    arrays = [held for held in found if held is not None]
    lists = [_as_items(held) for held in arrays]
    longest = max(lists, key=len)
    order = {key: index for index, (key, _) in enumerate(longest)}
    kinds = {held.associative for held, items in zip(arrays, lists, strict=True) if items}
    if len(kinds) > 1 or any(key not in order for items in lists for key, _ in items):
        return None
    held_by_key = [dict(items) for items in lists]
    # Behind the last element that is told of an array of unknown length, the others' tell nothing either.
    most = min((len(_as_items(held)) for held in arrays if held.more is not None), default=len(longest))
    return tuple(
        (key, join([items.get(key, ABSENT) for items in held_by_key], f"${{{name}[{key}]}}"))
        for key, _ in longest[:most]
    )


def _as_items(held: Variable) -> tuple[tuple[str, Value], ...]:
    if held.items is not None:
        return held.items
    return () if held.value is None else (("0", held.value),)
