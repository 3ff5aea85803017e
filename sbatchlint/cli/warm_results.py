"""Earlier results of files that have not changed, for a run in which something else has."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sbatchlint.cache.digest import digest, digest_of
from sbatchlint.cache.pack import Pack, without
from sbatchlint.cache.surroundings import program_folders, version
from sbatchlint.cache.witness import Seen
from sbatchlint.cli.inputs import Input
from sbatchlint.cli.warm_findings import read, written
from sbatchlint.lint.engine import FileResult
from sbatchlint.lint.families import POLICY
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import RuleSet
from sbatchlint.lint.rule import Rule
from sbatchlint.source import Source

if TYPE_CHECKING:
    from sbatchlint.adopt.baseline import Baseline
    from sbatchlint.cli.adoption import Adoption

_HOUSES = ("sbatchlint.", "sbatchlint_rules.")


class Results:
    """What is known of the files for which the same rules and options hold."""

    def __init__(self, place: str, settings: str, adoption: Adoption) -> None:
        """*place* is the cache's folder; *settings* tells all that holds for the files: `settings_of`."""
        self._folders = program_folders()
        self._pack = Pack(place, f"files-{digest_of([version(), os.getcwd(), settings])}")
        self._settings = settings
        self._adoption = adoption

    def recall(self, given: Input, source: Source, *, unfixable: bool = False) -> FileResult | None:
        """Return the result for *given*, whose text is *source*; None where it is not known.

        It holds no secret then.  With *unfixable* only a result counts in which no rule offered a fix.
        """
        kept = self._pack.recall(self._key(given))
        try:
            data, nothing_to_fix, answered = kept
            marks = self._marks(answered)
        except (TypeError, ValueError):
            return None
        result = read(data, source)
        if result is None or (unfixable and nothing_to_fix is not True):
            return None
        baseline = self._adoption.baseline_of(given.path)
        if baseline is not None and answered is not None:
            baseline.answered[source] = marks
        return result

    def keep(self, given: Input, result: FileResult, seen: Seen, *, nothing_to_fix: bool) -> None:
        """Keep *result*, which rests on what was *seen*, if nothing in it is secret or changes by itself."""
        data = written(result)
        if data is None or not seen.complete or result.internal_errors:
            return
        facts = without(seen, self._folders)
        if any(kind == "R" and _holds_secret(path) for kind, path in facts):
            return
        value = [data, nothing_to_fix, self._answered(given, result.source)]
        self._pack.keep(self._key(given), value, facts)

    def taken(self) -> dict[str, Any]:
        """Take out what is new, in a process that is about to end."""
        return self._pack.taken()

    def add(self, new: dict[str, Any]) -> None:
        """Keep what another process has found."""
        self._pack.add(new)

    def save(self) -> str:
        """Write what is new; return why that failed, empty if it did not."""
        return self._pack.save()

    def _key(self, given: Input) -> str:
        baseline = self._adoption.baseline_of(given.path)
        known = [] if baseline is None else [os.path.abspath(baseline.path), _entries(baseline, given.path)]
        return digest_of([given.path, given.kind.name, str(given.from_stdin), digest(given.data), *known])

    def _answered(self, given: Input, source: Source) -> list[Any] | None:
        baseline = self._adoption.baseline_of(given.path)
        answered = None if baseline is None else baseline.answered.get(source)
        if answered is None:
            return None
        return [[*_fields(mark), number] for mark, number in answered.items()]

    @staticmethod
    def _marks(answered: Any) -> Counter[Any]:
        from sbatchlint.adopt.marks import Mark

        return Counter({Mark(*fields): number for *fields, number in answered or ()})


def _entries(baseline: Baseline, path: str) -> str:
    """Return what *baseline* has of the file at *path*."""
    from sbatchlint.adopt.baseline import key_of

    return repr(sorted(baseline.counts.get(key_of(path, baseline.folder), {}).items()))


def _fields(mark: Any) -> tuple[str, str, str, str]:
    return mark.code, mark.place, mark.finding, mark.command


def _holds_secret(path: str) -> bool:
    """Tell whether a file that a script sources holds a secret, which a finding might quote."""
    from sbatchlint.secrets import hidden_values

    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return False
    return bool(hidden_values(Source.from_bytes(data, path)))


def settings_of(rules: RuleSet, options: LintOptions, *, follow: bool) -> str | None:
    """Return a digest of all that decides what is found in a file but the file; None if that is not known.

    What a plugin does, what a cluster or the file system is asked, is not known.
    """
    known = [_told(rule) for rule in rules.registry.rules]
    if None in known or options.ask is not None or options.look is not None:
        return None
    from datetime import date

    policies = any(rule.group == POLICY for rule in rules.registry.rules)
    cluster = options.cluster
    return digest_of(
        [
            *map(str, known),
            *("rules", *(rule.code for rule in rules.rules)),
            *("severities", *(f"{code} {level.value}" for code, level in sorted(rules.severities.items()))),
            *("cluster", "" if cluster is None else cluster.model_dump_json()),
            *("asked for", *sorted(options.asked_for)),
            *("day", str(date.today()) if policies else ""),
            *("follow", str(follow)),
            *(f"{field.name} {getattr(options, field.name)!r}" for field in _plain(options)),
        ]
    )


def _plain(options: LintOptions) -> Iterator[dataclasses.Field[Any]]:
    """Yield the fields that say all in their own words."""
    told = {"cluster", "asked_for", "ask", "look", "sieve", "folder"}
    return (field for field in dataclasses.fields(options) if field.name not in told)


def _told(rule: type[Rule]) -> str | None:
    """Return what tells *rule* apart from others; None for a plugin's, which may do anything."""
    if rule.group == POLICY:
        policy = getattr(rule, "policy", None)
        if policy is None:
            return None
        waivers = [f"{waiver.folder} {waiver.table.model_dump_json()}" for waiver in policy.waivers]
        return digest_of([policy.table.model_dump_json(), *waivers])
    return rule.code if rule.__module__.startswith(_HOUSES) else None
