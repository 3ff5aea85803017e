"""CEL's operators and functions over values that may be unknown, for celpy to call instead of its own.

celpy's own are not safe for values that are errors: ``in`` and ``==`` take an unknown element for a different
one, and a method is given unknown arguments as they are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from celpy.celtypes import BoolType, DoubleType, DurationType, IntType, ListType, MapType, StringType
from celpy.evaluation import CELEvalError

from sbatchlint.policy.calls import memory_bytes
from sbatchlint.policy.patterns import found_in
from sbatchlint.policy.values import UNKNOWN, Entries, Items, NotKnown, cel, elements

Function = Callable[..., Any]


def _lifted(function: Function) -> Function:
    """Make *function* unknown where an argument is, and where it can't be worked out."""

    @wraps(function)
    def lifted(*values: Any) -> Any:
        for value in values:
            if isinstance(value, CELEvalError):
                return value
        try:
            return cel(function(*values))
        except ZeroDivisionError:
            return NotKnown("a number is divided by 0")
        except (ValueError, OverflowError) as error:
            return NotKnown(str(error) or "a number is too large")

    return lifted


def both(one: Any, other: Any) -> Any:
    """``&&``: false if either is, whatever the other."""
    if isinstance(one, CELEvalError):
        return other if _is(other, False) else one
    return other if one else one


def either(one: Any, other: Any) -> Any:
    """``||``: true if either is, whatever the other."""
    if isinstance(one, CELEvalError):
        return other if _is(other, True) else one
    return one if one else other


def _is(value: Any, wanted: bool) -> bool:
    return not isinstance(value, CELEvalError) and bool(value) is wanted


def chosen(asked: Any, yes: Any, no: Any) -> Any:
    """``a ? b : c``; unknown where *asked* is."""
    if isinstance(asked, CELEvalError):
        return asked
    return yes if asked else no


def equal(one: Any, other: Any) -> Any:
    """``==``, of lists too."""
    if isinstance(one, CELEvalError):
        return one
    if isinstance(other, CELEvalError):
        return other
    if not isinstance(one, ListType):
        return BoolType(one == other)
    if not (_complete(one) and _complete(other)):
        return UNKNOWN
    if len(one) != len(other):
        return BoolType(False)
    answer: Any = BoolType(True)
    for left, right in zip(one, other, strict=True):
        answer = both(answer, equal(left, right))
    return answer


def _complete(collection: Any) -> bool:
    return not isinstance(collection, Items | Entries) or collection.complete


def unequal(one: Any, other: Any) -> Any:
    """``!=``."""
    return negated(equal(one, other))


def negated(value: Any) -> Any:
    """``!``."""
    return value if isinstance(value, CELEvalError) else BoolType(not value)


def inside(item: Any, collection: Any) -> Any:
    """``in``: true only for what is surely there, false only for what surely is not."""
    if isinstance(collection, CELEvalError):
        return collection
    if isinstance(item, CELEvalError):
        return item
    found, more = elements(collection)
    answer: Any = UNKNOWN if more else BoolType(False)
    for element, sure in found:
        answer = either(answer, _as_sure(equal(item, element), sure))
    return answer


def _as_sure(answer: Any, sure: bool) -> Any:
    """Return whether an element that may be missing is the one: never surely."""
    return answer if sure or _is(answer, False) else UNKNOWN


def element_of(collection: Any, index: Any) -> Any:
    """``a[b]``."""
    for value in (collection, index):
        if isinstance(value, CELEvalError):
            return value
    if isinstance(collection, MapType):
        try:
            return collection[index]
        except KeyError:
            return NotKnown(f"there is no key {str(index)!r}")
    if not _complete(collection):
        return UNKNOWN
    if not 0 <= index < len(collection):
        return NotKnown(f"there is no element {int(index)}")
    return collection[index]


def size(value: Any) -> Any:
    """``size``; unknown for what may hold more or less."""
    if isinstance(value, CELEvalError):
        return value
    return IntType(len(value)) if _complete(value) else UNKNOWN


FUNCTIONS: Mapping[str, Function] = {
    "_&&_": both,
    "_||_": either,
    "_?_:_": chosen,
    "!_": negated,
    "_==_": equal,
    "_!=_": unequal,
    "_in_": inside,
    "_[_]": element_of,
    "size": size,
    "-_": _lifted(operator.neg),
    "_+_": _lifted(operator.add),
    "_-_": _lifted(operator.sub),
    "_*_": _lifted(operator.mul),
    "_/_": _lifted(operator.truediv),
    "_%_": _lifted(operator.mod),
    "_<_": _lifted(lambda one, other: bool(one < other)),
    "_<=_": _lifted(lambda one, other: bool(one <= other)),
    "_>_": _lifted(lambda one, other: bool(one > other)),
    "_>=_": _lifted(lambda one, other: bool(one >= other)),
    "startsWith": _lifted(lambda text, part: text.startswith(part)),
    "endsWith": _lifted(lambda text, part: text.endswith(part)),
    "contains": _lifted(lambda text, part: str(part) in str(text)),
    "matches": _lifted(lambda text, pattern: found_in(pattern, text)),
    "getHours": _lifted(lambda time: int(time.total_seconds() // 3600)),
    "getMinutes": _lifted(lambda time: int(time.total_seconds() // 60)),
    "getSeconds": _lifted(lambda time: int(time.total_seconds())),
    "duration": _lifted(lambda text: DurationType(text)),
    "memory": _lifted(lambda text: memory_bytes(text)),
    "int": _lifted(lambda number: int(number)),
    "double": _lifted(lambda number: DoubleType(float(number))),
    "string": _lifted(lambda value: StringType(f"{value:g}" if isinstance(value, float) else str(value))),
}
