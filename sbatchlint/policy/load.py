"""Policies of configuration files as rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from sbatchlint.lint.families import POLICY
from sbatchlint.policy.models import ExceptionTable, PolicyTable
from sbatchlint.source import Source, Span
from sbatchlint.spelling import nearest
from sbatchlint.toml.places import Path
from sbatchlint.toml.read import Mistake, TomlError, place_of

if TYPE_CHECKING:
    from sbatchlint.policy.exceptions import Waiver
    from sbatchlint.policy.rule import Policy, PolicyRule

PolicyAt = tuple[PolicyTable, Source, Path]
"""A policy, the file that says it, and its path there: ``("policy", 0)``."""
ExceptionAt = tuple[ExceptionTable, Source, Path]
"""An exception, the file that says it, and its path there: ``("exception", 0)``."""


def load_policies(
    policies: Sequence[PolicyAt], exceptions: Sequence[ExceptionAt] = (), *, today: date | None = None
) -> tuple[type[PolicyRule], ...]:
    """Return a rule class for each policy.

    *today* is what exceptions are held against; None for the day of each check.  Raises TomlError for an
    expression that can't be checked, for two policies of one name, and for an exception of a policy that is
    not there.
    """
    from sbatchlint.policy.exceptions import Waiver
    from sbatchlint.policy.rule import rule_of

    if not policies and not exceptions:
        return ()
    _refuse(_taken(policies))
    _refuse(_twice(policies))
    _refuse(_nameless(exceptions, [table.name for table, _, _ in policies]))
    _refuse(_matchless(exceptions))
    found = []
    wrong: list[tuple[Source, Mistake]] = []
    for table, source, at in policies:
        mine = (one for one in exceptions if one[0].policy == table.name)
        waivers = tuple(Waiver.of(waiver, place) for waiver, place, _ in mine)
        try:
            found.append(rule_of(_checked(table, source, at, waivers, today)))
        except TomlError as error:
            wrong += [(source, mistake) for mistake in error.mistakes]
    _refuse(iter(wrong))
    return tuple(found)


def _checked(
    table: PolicyTable,
    source: Source,
    at: Path,
    waivers: tuple[Waiver, ...],
    today: date | None,
) -> Policy:
    from sbatchlint.policy.check import Checked, check
    from sbatchlint.policy.message import message_faults
    from sbatchlint.policy.rule import Policy
    from sbatchlint.policy.syntax import Fault
    from sbatchlint.policy.toml_text import span_in

    mistakes: list[Mistake] = []

    def note(key: str, value: str, faults: Sequence[Fault]) -> None:
        whole = place_of(source, (*at, key)).value
        mistakes.extend(
            Mistake(
                f"{key}: {one.message}",
                _on_a_line(source, span_in(source, whole, value, one.start, one.end)),
                one.help,
            )
            for one in faults
        )

    checked: dict[str, Checked] = {}
    for key, text in (("when", table.when), ("require", table.require)):
        if text is None:
            continue
        result = check(text)
        if isinstance(result, Checked):
            checked[key] = result
        else:
            note(key, text, result)
    for key, text in (("message", table.message), ("help", table.help)):
        note(key, text, tuple(message_faults(text)))
    if mistakes:
        raise TomlError(source, tuple(mistakes))
    return Policy(table, checked["require"], checked.get("when"), waivers, today)


def _on_a_line(source: Source, span: Span) -> Span:
    """Return *span* as far as its first line with text goes: a picture has one line."""
    text = source.slice(span)
    start = span.start + len(text) - len(text.lstrip())
    return Span(start, min(span.end, source.line_around(start).end)) if text.strip() else span


Found = tuple[Source, Mistake]


def _taken(policies: Sequence[PolicyAt]) -> Iterator[Found]:
    """Yield the names that stand for something already: a built-in rule, a family, or all policies."""
    from sbatchlint.lint.registry import Registry

    registry = Registry.load()
    for table, source, at in policies:
        rule = registry.find(table.name)
        group = table.name == POLICY or bool(registry.group(table.name))
        if rule is None and not group:
            continue
        what = f"the name of the rule {rule.code}" if rule is not None else "a word for a group of rules"
        place = place_of(source, (*at, "name")).value
        message = f"name: {table.name!r} is {what}"
        yield source, Mistake(message, place, f"give it a name of its own, such as 'our-{table.name}'")


def _twice(policies: Sequence[PolicyAt]) -> Iterator[Found]:
    seen: set[str] = set()
    for table, source, at in policies:
        if table.name in seen:
            place = place_of(source, (*at, "name")).value
            yield source, Mistake(f"there are two policies called {table.name!r}", place)
        seen.add(table.name)


def _nameless(exceptions: Sequence[ExceptionAt], names: list[str]) -> Iterator[Found]:
    for table, source, at in exceptions:
        if table.policy not in names:
            near = nearest(table.policy, names)
            hint = f"did you mean {near!r}?" if near else f"known here: {', '.join(sorted(names)) or 'none'}"
            place = place_of(source, (*at, "policy")).value
            yield source, Mistake(f"there is no policy {table.policy!r}", place, hint)


def _matchless(exceptions: Sequence[ExceptionAt]) -> Iterator[Found]:
    """Yield the globs that can match nothing: such an exception would look as if it held."""
    for table, source, at in exceptions:
        for number, glob in enumerate(table.paths):
            outside = glob.startswith(("./", "~", "!", "#")) or ".." in glob.split("/")
            if outside or glob != glob.strip() or ("[" in glob and "]" not in glob):
                path = (*at, "paths", number)
                place = place_of(source, path).value
                advice = "it counts from the folder of this file, and is written as in .gitignore: jobs/*.sh"
                yield source, Mistake(f"paths: {glob!r} can match no script", place, advice)


def _refuse(found: Iterator[Found]) -> None:
    """Raise TomlError for what is wrong in the first file that something is wrong in."""
    all_found = list(found)
    if all_found:
        source = all_found[0][0]
        raise TomlError(source, tuple(mistake for place, mistake in all_found if place is source))
