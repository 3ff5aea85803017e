"""Options on the command lines of programs that the plan has no table for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sbatchlint.launch.options import tail
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import Text, Value
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

_GLUED = regex(r"(?P<mark>--?|\+{1,2}|~)?(?P<name>[A-Za-z_][\w.-]*)=")
_NAME = regex(r"--?[A-Za-z][\w.-]*")


@dataclass(frozen=True, slots=True)
class Given:
    """One word of a command line: an option with or without its value, or an operand."""

    name: str
    """In small letters without marks, ``_`` as ``-``; of ``data.path=x`` all of it.  Empty for an operand."""
    written: str
    """The name as written: ``--tokenizer-model``."""
    value: Value | None
    span: Span | None
    sure: bool
    """False where one way through the script leaves it out, or its text may be several words."""


def given_words(args: Sequence[Arg]) -> Iterator[Given]:
    """Yield options and operands of a command line in which options take at most one value.

    What follows an option without ``=`` is taken for its value unless it begins with a dash; it may be an
    operand in truth.
    """
    index = 0
    while index < len(args):
        arg = args[index]
        shown = arg.value.show()
        sure = not (arg.optional or arg.open)
        glued = _GLUED.match(_head(arg.value))
        if glued is not None:
            value = tail(arg.value, glued.end())
            yield Given(_plain(glued["name"]), glued.group()[:-1], value, value.span or arg.place, sure)
        elif _NAME.fullmatch(shown):
            following = args[index + 1] if index + 1 < len(args) else None
            if following is not None and not re.match(r"-\D", following.value.show()):
                certain = sure and not (following.optional or following.open)
                yield Given(_plain(shown), shown, following.value, following.place, certain)
                index += 1
            else:
                yield Given(_plain(shown), shown, None, arg.place, sure)
        else:
            yield Given("", "", arg.value, arg.place, sure)
        index += 1


def _head(value: Value) -> str:
    """The known text that a word begins with."""
    first = value.segments[0] if value.segments else None
    return first.text if isinstance(first, Text) else ""


def _plain(name: str) -> str:
    return name.lstrip("-").lower().replace("_", "-")
