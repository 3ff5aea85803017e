"""Values for the evaluation: what is not known, and lists and maps that may hold more than they tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from celpy.celtypes import BoolType, DoubleType, DurationType, IntType, ListType, MapType, StringType
from celpy.evaluation import CELEvalError

from sbatchlint.source import Span

LONGEST = DurationType(DurationType.MaxSeconds)
"""The time of a job without a limit: longer than any that can be written."""


class NotKnown(CELEvalError):
    """A value that cannot be told; ``||`` and ``&&`` decide without it where they can."""

    def __init__(self, why: str = "a value is not known") -> None:
        super().__init__(why)
        self.why = why

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = Exception.__hash__


UNKNOWN = NotKnown()


class Object(MapType):
    """A value with fields, and where it is written."""

    def __init__(self, fields: Mapping[str, Any], span: Span | None = None) -> None:
        super().__init__({StringType(name): value for name, value in fields.items()})
        self.span = span


class Items(ListType):
    """A list of which some elements may be missing in truth, and to which more may belong."""

    def __init__(
        self, items: Iterable[Any] = (), doubtful: Iterable[bool] = (), *, more: bool = False
    ) -> None:
        super().__init__(items)
        doubts = tuple(doubtful)
        self.doubtful = doubts or (False,) * len(self)
        self.more = more

    @property
    def complete(self) -> bool:
        """Whether it is just these elements."""
        return not self.more and not any(self.doubtful)


class Entries(MapType):
    """A map of which some keys may be missing in truth, and to which more may belong."""

    def __init__(self, items: Mapping[str, Any], doubtful: Iterable[str] = (), *, more: bool = False) -> None:
        super().__init__({StringType(name): value for name, value in items.items()})
        self.doubtful = frozenset(doubtful)
        self.more = more

    @property
    def complete(self) -> bool:
        """Whether it has just these keys."""
        return not self.more and not self.doubtful

    def __getitem__(self, key: Any) -> Any:
        """Return the value of *key*; unknown where it may be missing, KeyError where it is."""
        if key in self.doubtful or (self.more and key not in self):
            return UNKNOWN
        return super().__getitem__(key)


def elements(collection: Any) -> tuple[list[tuple[Any, bool]], bool]:
    """Return the elements (of a map: the keys) with whether each is surely there, and whether more may be."""
    if isinstance(collection, Items):
        pairs = zip(collection, collection.doubtful, strict=True)
        return [(one, not doubt) for one, doubt in pairs], collection.more
    if isinstance(collection, Entries):
        return [(key, key not in collection.doubtful) for key in collection], collection.more
    return [(one, True) for one in collection], False


def cel(value: Any) -> Any:
    """Return a plain value as the evaluation's own; what is one already stays as it is."""
    if isinstance(value, CELEvalError | MapType | ListType | StringType | IntType | BoolType | DurationType):
        return value
    if isinstance(value, bool):
        return BoolType(value)
    if isinstance(value, int):
        return IntType(value) if -(2**63) <= value < 2**63 else UNKNOWN
    if isinstance(value, float):
        return DoubleType(value)
    if isinstance(value, str):
        return StringType(value)
    if isinstance(value, timedelta):
        return DurationType(value)
    if isinstance(value, list | tuple):
        return Items([cel(one) for one in value])
    raise TypeError(f"no value of a policy: {type(value).__name__}")
