"""Whether this release of sbatchlint is one that a configuration file asks for."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from sbatchlint.regex import regex

_CLAUSE = regex(r"(==|!=|>=|<=|>|<)?\s*(\d+(?:\.\d+)*)")
_COMPARE: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


def allows(required: str, version: str) -> bool | None:
    """Tell whether *version* satisfies *required*, such as ``>=0.2, <1`` or ``0.3.1``; None: no telling.

    Numbers alone are compared, and missing ones are 0: ``1`` is ``1.0.0``.
    """
    have = _numbers(version)
    answers = []
    for clause in required.split(","):
        match = _CLAUSE.fullmatch(clause.strip())
        if match is None:
            return None
        answers.append(_COMPARE[match[1] or "=="](have, _numbers(match[2])))
    return all(answers)


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(part) for part in found.group().split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
