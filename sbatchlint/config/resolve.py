"""From the path of a file to all that holds for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from sbatchlint.config.checks import value_errors
from sbatchlint.config.discovery import Discovery
from sbatchlint.config.errors import ConfigError
from sbatchlint.config.sheets import Sheet, Stack, raise_all, value_of
from sbatchlint.lint.finding import Severity
from sbatchlint.records import dataclass
from sbatchlint.toml.read import TomlError

if TYPE_CHECKING:
    from sbatchlint.config.choosing import Chooser
    from sbatchlint.config.file_settings import FileSettings
    from sbatchlint.lint.job import LintOptions
    from sbatchlint.lint.registry import RuleSet
    from sbatchlint.lint.rule import Rule

T = TypeVar("T")
Sheets = tuple[Sheet, ...]


class Resolver:
    """Says what holds for files; what several have in common is worked out once.

    Every method that takes a path (absolute; nothing need be there) raises ConfigError or TomlError where the
    configuration of that path is wrong.
    """

    def __init__(
        self,
        discovery: Discovery,
        command_line: Mapping[str, Any] | None = None,
        *,
        allow_plugins: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """*command_line* has values by the keys of the file, and so has the last word.

        *environment* are the variables of this process, where ``SBATCH_*`` among them are to count.
        """
        self._discovery = discovery
        self._command_line = command_line or {}
        self._allow_plugins = allow_plugins
        self._environment = environment
        self._known: dict[tuple[object, ...], object] = {}

    def stack(self, folder: str) -> Stack:
        """Return what is said in *folder*."""
        layers = self._discovery.layers(folder)
        return self._once(("stack", layers), lambda: self._stack(folder))

    def closest(self, folder: str) -> str | None:
        """Return the project's file for *folder*, be it right or wrong."""
        return self._discovery.closest(folder)

    def sheets(self, path: str) -> Sheets:
        """Return what is said of the file at *path*."""
        return self.stack(os.path.dirname(path)).of(path)

    def options(self, path: str) -> LintOptions:
        """Return what is assumed of the submission of the script at *path*."""
        sheets = self.sheets(path)
        return self._once(("options", sheets), lambda: self._options(sheets))

    def rules(self, path: str) -> tuple[RuleSet, frozenset[str]]:
        """Return the rules for the file at *path*, and the codes of those that were named one by one."""
        chooser, sheets = self.chooser(os.path.dirname(path)), self.sheets(path)
        ignored = chooser.ignored_for(sheets, path)
        choice = self._once(("choice", sheets, ignored), lambda: chooser.choose(sheets, ignored))
        return self._once(("rules", chooser, choice), lambda: (chooser.make(choice), choice.asked_for))

    def chooser(self, folder: str) -> Chooser:
        """Return what knows the rules of *folder*."""
        stack = self.stack(folder)
        return self._once(("chooser", stack), lambda: self._chooser(stack))

    def brought(self, folder: str) -> tuple[tuple[str, ...], tuple[type[Rule], ...]]:
        """Return the plugins that are named in *folder*, loaded, and the policies that are written there."""
        from sbatchlint.config.plugins import packages_of, policy_rules

        stack = self.stack(folder)
        return packages_of(stack, allow_plugins=self._allow_plugins), policy_rules(stack)

    def settings(self, path: str) -> FileSettings:
        """Return all that holds for the file at *path*; the same object for files of which the same holds."""
        sheets, options, (rules, named) = self.sheets(path), self.options(path), self.rules(path)
        return self._once(("settings", sheets, id(rules)), lambda: _settings(sheets, options, rules, named))

    def _stack(self, folder: str) -> Stack:
        stack = Stack(self._discovery.layers(folder), self._command_line)
        raise_all(list(value_errors(stack)))
        return stack

    def _options(self, sheets: Sheets) -> LintOptions:
        from sbatchlint.config.assumed import options_of
        from sbatchlint.config.clusters import Clusters

        clusters: Clusters = self._once(("clusters",), Clusters)
        options = options_of(sheets, clusters.of(sheets), self._environment)
        if not value_of(sheets, "check-paths"):
            return options
        from sbatchlint.lint.looking import looker

        return replace(options, look=looker(os.getcwd(), os.environ))

    def _chooser(self, stack: Stack) -> Chooser:
        from sbatchlint.config.choosing import Chooser
        from sbatchlint.config.plugins import registry_of, trusted_policies

        # Most files bring no rules: then the loaded ones serve for all folders.
        bringing = tuple(
            (layer.path, layer.kind)
            for layer in stack.layers
            if layer.file.plugins or layer.file.policy or layer.file.exception
        )
        registry = self._once(
            ("registry", bringing), lambda: registry_of(stack, allow_plugins=self._allow_plugins)
        )
        chooser = Chooser(registry, trusted_policies(stack))
        raise_all(list(chooser.errors(stack)))
        return chooser

    def _once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return what *make* gives, or raise what it raises, each time the same."""
        if key not in self._known:
            try:
                self._known[key] = make()
            except (ConfigError, TomlError) as error:
                self._known[key] = _Failed(error)
        known = self._known[key]
        if isinstance(known, _Failed):
            raise known.error
        return known  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class _Failed:
    error: Exception


def _settings(sheets: Sheets, options: LintOptions, rules: RuleSet, named: frozenset[str]) -> FileSettings:
    from sbatchlint.config.file_settings import FileSettings

    return FileSettings(
        rules,
        replace(options, asked_for=named),
        Severity(value_of(sheets, "fail-on", "info")),
        bool(value_of(sheets, "unsafe-fixes")),
        bool(value_of(sheets, "follow", True)),
    )
