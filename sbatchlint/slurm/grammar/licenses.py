"""Licences: ``--licenses``.

Source: ``_build_license_list`` of ``src/slurmctld/licenses.c``.  Whether the cluster has them, only it knows.
"""

from __future__ import annotations

import re

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import BLANKS, leading_integer, wrap
from sbatchlint.slurm.options import Release

_EQUALS = (23, 11)
"""From here on ``=`` separates name and count as ``:`` does."""
_ALTERNATIVES = (25, 5)
"""From here on ``|`` separates licences of which any one will do."""


@dataclass(frozen=True, slots=True)
class License:
    """So many of one licence; ``nodes`` is what stands in brackets behind its name (25.05 and later)."""

    name: str
    count: int
    nodes: str = ""


@dataclass(frozen=True, slots=True)
class Licenses:
    """The licences that a job holds while it runs."""

    items: tuple[License, ...]
    any: bool = False
    """True where one of them is enough."""


def _licenses(text: str, context: Context) -> Licenses:
    alternatives = context.release >= _ALTERNATIVES and "|" in text
    if alternatives and re.search("[,;(]", text):
        raise _refusal("| can't stand beside , or ;")
    items = [item for item in re.split("[|]" if alternatives else "[,;]", text) if item]
    return Licenses(tuple(_license(item, context.release) for item in items), alternatives)


def _license(item: str, release: Release) -> License:
    separators = "[:=]" if release >= _EQUALS else ":"
    name, *rest = re.split(separators, item, maxsplit=1)
    if re.search(f"[{BLANKS}]", name):
        raise _refusal("blanks can't stand in a licence's name")
    nodes = ""
    if release >= _ALTERNATIVES and "(" in name:
        name, _, nodes = name.partition("(")
        if not nodes.endswith(")"):
            raise _refusal("a bracket is not closed")
        nodes = nodes[:-1]
    if not name:
        raise _refusal("the name of a licence is missing")
    count, after = leading_integer(rest[0]) if rest else (1, "")
    if after and release >= _ALTERNATIVES and after == rest[0]:
        return License(name, 1, nodes)  # a variable that the cluster's configuration may define
    count = wrap(count, 32)
    if after or count < 0:
        raise _refusal(f"{rest[0]} is no count")
    return License(name, count, nodes)


def _refusal(detail: str) -> Refused:
    return Refused("Invalid license specification", detail, stage=Stage.CONTROLLER)


LICENSES = Grammar(
    "licenses",
    "licences to hold, by name and count",
    (
        ("NAME", "one"),
        ("NAME:COUNT", "so many"),
        ("NAME,NAME", "all of them; ; separates too"),
        ("NAME|NAME", "one of them (25.05 and later)"),
    ),
    ("matlab", "matlab:2", "matlab,comsol:1", "matlab;comsol", "matlab:0", ""),
    ("a b", "matlab:-1", ":1", "matlab:1x"),
    _licenses,
    ("`=` before the count is taken from 23.11 on.",),
)
