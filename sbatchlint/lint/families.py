"""The families of rules: the first digit of a built-in code; and the group of the policies."""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_CODE = regex(r"(?P<letters>[A-Z]{2,})[0-9]{3}")
_HOUSE = "SB"


@dataclass(frozen=True, slots=True)
class Family:
    """A group of rules about one subject."""

    prefix: str
    """``SB`` and a digit: what the codes of the family begin with."""
    slug: str
    """The family's name on the command line."""
    title: str


FAMILIES: tuple[Family, ...] = (
    Family("SB0", "reading", "reading the file"),
    Family("SB1", "directives", "directives"),
    Family("SB2", "resources", "resources"),
    Family("SB3", "launch", "launch mode"),
    Family("SB4", "expansion", "expansion and quoting"),
    Family("SB5", "containers", "containers"),
    Family("SB6", "environment", "environment and caches"),
    Family("SB7", "parallelism", "parallelism"),
    Family("SB8", "secrets", "secrets and destructive commands"),
    Family("SB9", "cluster", "cluster and policy"),
)

POLICY = "policy"
"""The group of the rules that a configuration writes as data; a word that is always known, as a family's."""

BY_SLUG = {family.slug: family for family in FAMILIES}


def family_of(code: str) -> Family | None:
    """Return the family of a built-in code, None for a third party's."""
    return next((family for family in FAMILIES if code.startswith(family.prefix)), None)


def is_house_code(code: str) -> bool:
    """Tell whether *code* has the shape of a built-in rule's."""
    found = _CODE.fullmatch(code)
    return found is not None and found["letters"] == _HOUSE


def is_guest_code(code: str) -> bool:
    """Tell whether *code* has the shape of a third party's: other letters, and three digits."""
    found = _CODE.fullmatch(code)
    return found is not None and found["letters"] != _HOUSE
