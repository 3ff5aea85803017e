"""All rules that are known, and the ones chosen for a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from sbatchlint.lint.families import BY_SLUG, FAMILIES, POLICY, Family, family_of
from sbatchlint.lint.finding import Severity
from sbatchlint.lint.import_errors import said_by
from sbatchlint.lint.loading import BUILT_IN, RuleLoadError, load_rules, rules_in, where
from sbatchlint.lint.rule import Rule
from sbatchlint.lint.selection import SelectionError, choose, in_group
from sbatchlint.records import dataclass
from sbatchlint.spelling import nearest

__all__ = [
    "FAMILIES",
    "Family",
    "Registry",
    "RuleLoadError",
    "RuleSet",
    "SelectionError",
    "family_of",
]


@dataclass(frozen=True)
class RuleSet:
    """The rules of one run, made and ready, with the registry they were chosen from."""

    registry: Registry
    rules: tuple[Rule, ...]
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """What findings count as, by code, where the user says otherwise than the rules."""

    @cached_property
    def looking(self) -> tuple[Rule, ...]:
        """Those that are asked about a job; the others are asked about its suppressions."""
        from sbatchlint.lint.builtin import SuppressionRule

        return tuple(rule for rule in self.rules if not isinstance(rule, SuppressionRule))

    @cached_property
    def codes(self) -> frozenset[str]:
        """The codes of the chosen rules."""
        return frozenset(rule.code for rule in self.rules)


class Registry:
    """Every known rule class, in the order of their codes."""

    def __init__(self, rules: Iterable[type[Rule]]) -> None:
        """Take well-formed rule classes; two that share a code or a name raise :class:`RuleLoadError`."""
        self.rules: tuple[type[Rule], ...] = tuple(sorted(dict.fromkeys(rules), key=lambda rule: rule.code))
        self._groups = {rule.group for rule in self.rules if rule.group}
        self._by_key: dict[str, type[Rule]] = {}
        for rule in self.rules:
            for key in (rule.code, rule.name):
                _claim(self._by_key, key, rule)
            if rule.name in BY_SLUG:
                raise RuleLoadError(f"{describe(rule)}: {rule.name!r} is the name of a family")
            if rule.name == POLICY or rule.name in self._groups:
                raise RuleLoadError(f"{describe(rule)}: {rule.name!r} is the name of a group of rules")

    @classmethod
    def load(
        cls, packages: Iterable[str] = (), *, more: Iterable[type[Rule]] = (), built_in: bool = True
    ) -> Registry:
        """Load the engine's own rules, the built-in package and then *packages*, by name or folder.

        *more* are rules that were made elsewhere: policies.  Raises :class:`RuleLoadError` with a message
        that names the package or rule at fault.
        """
        from sbatchlint.lint import builtin, unfollowed

        rules = [*rules_in(builtin), *rules_in(unfollowed)]
        for package in dict.fromkeys([BUILT_IN, *packages] if built_in else packages):
            rules.extend(load_rules(package))
        return cls([*rules, *more])

    def find(self, key: str) -> type[Rule] | None:
        """Return the rule whose code or name is exactly *key*."""
        return self._by_key.get(key)

    def matching(self, selector: str) -> tuple[type[Rule], ...]:
        """Return the rules that a code, code prefix, name, family slug, group or ``ALL`` stands for."""
        codes = choose(self.rules, [selector])
        return tuple(rule for rule in self.rules if rule.code in codes)

    def group(self, key: str) -> tuple[type[Rule], ...]:
        """Return the rules of the code prefix, family slug or group *key*; none where it is neither."""
        codes = in_group(self.rules, key)
        return tuple(rule for rule in self.rules if rule.code in codes)

    def family(self, slug: str) -> tuple[type[Rule], ...]:
        """Return the built-in rules of the family called *slug* (see :data:`FAMILIES`)."""
        prefix = BY_SLUG[slug].prefix
        return tuple(rule for rule in self.rules if rule.code.startswith(prefix))

    def suggest(self, key: str) -> str | None:
        """Return the known code, name or family that looks most like *key*, if one does."""
        families = [slug for slug in BY_SLUG if self.group(slug)]
        codes = [rule.code for rule in self.rules]
        names = [rule.name for rule in self.rules]
        return nearest(key, [*codes, *names, *families, *sorted(self._groups)])

    def select(
        self,
        select: Sequence[str] | None = None,
        ignore: Sequence[str] = (),
        extend_select: Sequence[str] = (),
    ) -> RuleSet:
        """Choose and make the rules of a run.

        *select* None means all.  Of two selectors that match a rule the more specific one decides (a
        name or code over a longer prefix over a shorter one or a group over ``ALL``), of two equals the
        ignoring one.  Raises :class:`SelectionError` for a selector that stands for nothing.
        """
        wanted = choose(self.rules, [*(("ALL",) if select is None else select), *extend_select])
        unwanted = choose(self.rules, ignore)
        chosen = [rule for rule in self.rules if wanted.get(rule.code, -1) > unwanted.get(rule.code, -1)]
        return RuleSet(self, tuple(_make(rule) for rule in chosen))


def describe(rule: type[Rule]) -> str:
    """Name *rule* so that whoever wrote it finds it."""
    if rule.group == POLICY:
        return f"policy {rule.name!r}"
    return where(rule)


def _claim(table: dict[str, type[Rule]], key: str, rule: type[Rule]) -> None:
    other = table.setdefault(key, rule)
    if other is not rule:
        raise RuleLoadError(f"two rules are called {key}: {describe(other)} and {describe(rule)}")


def _make(rule: type[Rule]) -> Rule:
    try:
        return rule()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plugin's constructor may raise anything
        reason = f"{type(error).__name__}: {said_by(error)}"
        raise RuleLoadError(f"{describe(rule)} cannot be made: {reason}") from error
