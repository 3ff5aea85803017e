"""What ``--select`` and ``--ignore`` stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sbatchlint.lint.families import BY_SLUG, FAMILIES, POLICY
from sbatchlint.lint.rule import Rule
from sbatchlint.regex import regex
from sbatchlint.spelling import nearest

_PREFIX = regex(r"[A-Z]{2,}\d{0,2}")
_EVERYTHING = "ALL"
_DIGITS = "0123456789"

_GROUP = 2
"""How specific a group is: as the shortest prefix."""
_EXACT = 1000
"""How specific a code or a name is: more than any prefix."""


class SelectionError(ValueError):
    """A selector stands for no rule.  *selector* is it, *suggestion* the nearest that does."""

    def __init__(self, selector: str, suggestion: str | None) -> None:
        self.selector = selector
        self.suggestion = suggestion
        hint = f"did you mean {suggestion!r}?" if suggestion else "give a code, a prefix, a name or a family"
        super().__init__(f"unknown rule selector {selector!r}: {hint}")


def choose(rules: Sequence[type[Rule]], selectors: Iterable[str]) -> dict[str, int]:
    """Return the codes that *selectors* match, each with how specific its best match is.

    Larger is more specific: ``ALL`` is 0, a prefix its length, a group as much as the shortest prefix, a full
    code or a name more than all of them.  Raises :class:`SelectionError` for a selector that cannot stand
    for a rule; a family or group without rules is empty but not unknown.
    """
    matches: dict[str, int] = {}
    for selector in selectors:
        found = _match(rules, selector)
        if not found and selector not in _family_words() and selector != _EVERYTHING:
            raise SelectionError(selector, nearest(selector, _all_selectors(rules)))
        for code, weight in found.items():
            matches[code] = max(weight, matches.get(code, 0))
    return matches


def _match(rules: Sequence[type[Rule]], selector: str) -> dict[str, int]:
    if selector == _EVERYTHING:
        return {rule.code: 0 for rule in rules}
    exact = {rule.code: _EXACT for rule in rules if selector in (rule.code, rule.name)}
    return exact or in_group(rules, selector)


def in_group(rules: Sequence[type[Rule]], key: str) -> dict[str, int]:
    """Return the codes of the prefix, family slug or group *key*, each with how specific that is.

    Nothing where *key* is none of them.
    """
    members = {rule.code: _GROUP for rule in rules if key and rule.group == key}
    if members:
        return members
    prefix = BY_SLUG[key].prefix if key in BY_SLUG else key
    if not _PREFIX.fullmatch(prefix):
        return {}
    return {rule.code: len(prefix) for rule in rules if _begins_with(rule.code, prefix)}


def _begins_with(code: str, prefix: str) -> bool:
    """Tell whether *prefix* is all letters of *code* and some of its digits: ``SB`` is none of ``SBU001``."""
    return code.startswith(prefix) and code.rstrip(_DIGITS) == prefix.rstrip(_DIGITS)


def _family_words() -> set[str]:
    return {POLICY, *(word for family in FAMILIES for word in (family.prefix, family.slug))}


def _all_selectors(rules: Sequence[type[Rule]]) -> list[str]:
    words = [word for rule in rules for word in (rule.code, rule.name)]
    groups = {rule.group for rule in rules if rule.group}
    return [_EVERYTHING, *sorted(_family_words() | groups), *words]
