"""The functions, methods and macros of an expression, with their types."""

from __future__ import annotations

from collections.abc import Callable

from sbatchlint.policy.types import BOOL, DOUBLE, DURATION, INT, STRING, Type
from sbatchlint.records import dataclass

COLLECTIONS = (STRING, Type("list"), Type("map"))


@dataclass(frozen=True, slots=True)
class Call:
    """A function, or a method where ``of`` says of what."""

    takes: tuple[tuple[Type, ...], ...]
    """For each argument the types any of which will do."""
    gives: Type
    says: str
    of: tuple[Type, ...] = ()


FUNCTIONS = {
    "size": Call((COLLECTIONS,), INT, "number of characters, elements or keys"),
    "duration": Call(((STRING,),), DURATION, "a span of time: duration('4h'), '1h30m', '90s', '2d'"),
    "memory": Call(((STRING,),), INT, "bytes, from an amount as Slurm writes it: memory('64G')"),
    "int": Call(((DOUBLE, INT),), INT, "a whole number, cut off towards 0"),
    "double": Call(((INT, DOUBLE),), DOUBLE, "a number with a fraction"),
    "string": Call(((INT, DOUBLE, STRING),), STRING, "a number as text"),
}
METHODS = {
    "size": Call((), INT, "number of characters, elements or keys", COLLECTIONS),
    "startsWith": Call(((STRING,),), BOOL, "whether it begins with the text", (STRING,)),
    "endsWith": Call(((STRING,),), BOOL, "whether it ends with the text", (STRING,)),
    "contains": Call(((STRING,),), BOOL, "whether the text stands in it", (STRING,)),
    "matches": Call(((STRING,),), BOOL, "whether the regular expression (RE2) is found in it", (STRING,)),
    "getHours": Call((), INT, "whole hours", (DURATION,)),
    "getMinutes": Call((), INT, "whole minutes", (DURATION,)),
    "getSeconds": Call((), INT, "whole seconds", (DURATION,)),
}
MACROS = {
    "all": "whether the condition holds for every element",
    "exists": "whether it holds for one at least",
    "exists_one": "whether it holds for exactly one",
    "filter": "the elements for which it holds",
    "map": "the list of what the expression is for each element",
}
"""Called as ``list.all(x, condition)``; the elements of a map are its keys."""
REFUSED = {
    "has": "a value that is not given is empty; ask 'time' in job.options, or job.account != ''",
    "type": "types are checked when the configuration is read",
    "dyn": "types are checked when the configuration is read",
    "timestamp": "an expression knows no dates; an [[exception]] has one",
    "getDayOfWeek": "an expression knows no dates",
    "uint": "numbers are int or double here",
    "bool": "compare instead: x == 'true'",
    "bytes": "bytes of memory are memory('64G')",
    "min": "this is no CEL; use all or exists",
    "reduce": "this is no CEL; use all or exists",
}
"""What people may look for, and what to write instead."""


def bad_literal(function: str, text: str) -> str | None:
    """Say what is wrong with the text that *function* is given; None where nothing is."""
    check = _LITERALS.get(function)
    return None if check is None else check(text)


def _duration(text: str) -> str | None:
    from celpy.celtypes import DurationType

    try:
        DurationType(text)
    except (ValueError, KeyError):
        return f"{text!r} is no duration; write it as 4h, 1h30m, 90s or 2d"
    return None


def _memory(text: str) -> str | None:
    return (
        None
        if memory_bytes(text) is not None
        else f"{text!r} is no amount of memory; write it as 64G, 512M or 1T"
    )


def memory_bytes(text: str) -> int | None:
    """Return the bytes of an amount as ``--mem`` takes it; None where it is none."""
    from sbatchlint.slurm.grammar.memory import Memory
    from sbatchlint.slurm.option_values import read_value
    from sbatchlint.slurm.options import KNOWN_RELEASES

    read = read_value("mem", text, KNOWN_RELEASES[-1])
    return read.mebibytes * 1024 * 1024 if isinstance(read, Memory) else None


def _pattern(text: str) -> str | None:
    from sbatchlint.policy.patterns import BadPattern, compiled

    if "\b" in text:
        return r"'\b' is a backspace in a text of CEL; write r'...' around a regular expression with \b"
    try:
        compiled(text)
    except BadPattern as bad:
        return str(bad)
    return None


_LITERALS: dict[str, Callable[[str], str | None]] = {
    "duration": _duration,
    "memory": _memory,
    "matches": _pattern,
}
