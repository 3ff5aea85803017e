"""Options of small programs, where every word of the command line is known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sbatchlint.regex import regex

_INTEGER = regex(r"[+-]?[0-9]+", re.A)


def plain_options(
    texts: Sequence[str], valued: Mapping[str, str], flags: Mapping[str, str]
) -> tuple[dict[str, str], list[str]] | None:
    """Take options from the beginning of *texts*, by what they mean; None where one is none of these.

    A number with a minus sign is an operand.
    """
    found: dict[str, str] = {}
    rest = list(texts)
    while rest and rest[0].startswith("-") and rest[0] != "-" and not _INTEGER.fullmatch(rest[0]):
        option = rest.pop(0)
        name, equals, value = option.partition("=")
        if option == "--":
            break
        if option in flags:
            found[flags[option]] = ""
        elif option in valued and rest:
            found[valued[option]] = rest.pop(0)
        elif name in valued and equals and name.startswith("--"):
            found[valued[name]] = value
        elif option[:2] in valued and not option.startswith("--"):
            found[valued[option[:2]]] = option[2:]
        else:
            return None
    return found, rest
