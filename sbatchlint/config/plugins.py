"""The rules that configuration files bring: plugins, whose code is run, and policies, which are data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbatchlint.config.errors import ConfigError
from sbatchlint.config.files import Kind, inside
from sbatchlint.config.sheets import Given, Stack, elements
from sbatchlint.lint.loading import RuleLoadError, load_rules
from sbatchlint.lint.registry import Registry
from sbatchlint.lint.rule import Rule

ALLOW_VARIABLE = "SBATCHLINT_ALLOW_PLUGINS"


def registry_of(stack: Stack, *, allow_plugins: bool) -> Registry:
    """Return the rules that the files of *stack* know of.

    Raises ConfigError or TomlError where a plugin has no leave or can't be loaded, or a policy is wrong.
    """
    try:
        return Registry.load(packages_of(stack, allow_plugins=allow_plugins), more=policy_rules(stack))
    except RuleLoadError as error:
        raise ConfigError("rules", str(error)) from None


def packages_of(stack: Stack, *, allow_plugins: bool) -> tuple[str, ...]:
    """Return the plugins of *stack*, loaded, each once: names of packages, and paths of folders.

    What the site or the command line names needs no leave where a project names it as well.  Raises TomlError
    where one has no leave or can't be loaded.
    """
    named = list(elements(stack.files, "plugins"))
    trusted = {_place(given) for given in named if not _of_project(given)}
    for given in named:
        if _of_project(given) and not allow_plugins and _place(given) not in trusted:
            raise _no_leave(given)
        _load(given)
    return tuple(dict.fromkeys(map(_place, named)))


def _of_project(given: Given) -> bool:
    return given.sheet.layer is not None and given.sheet.layer.kind is Kind.PROJECT


def trusted_policies(stack: Stack) -> frozenset[str]:
    """Return the names of the site's own policies."""
    return frozenset(given.value.name for given in elements(stack.files, "policy") if given.sheet.from_site)


def policy_rules(stack: Stack) -> tuple[type[Rule], ...]:
    """Return the policies of *stack* as rules.  Raises TomlError."""
    policies = list(elements(stack.files, "policy"))
    exceptions = list(elements(stack.files, "exception"))
    if not policies and not exceptions:
        return ()
    from sbatchlint.policy.load import load_policies

    _check_names(policies)
    return load_policies(list(map(_placed, policies)), list(map(_placed, exceptions)))


def _placed(given: Given) -> Any:
    layer = given.sheet.layer
    assert layer is not None, "the command line has no policies"
    return given.value, layer.source, (*layer.at, *given.path)


def _check_names(policies: Sequence[Given]) -> None:
    """Raise TomlError where two policies have one name: none may take another's place unseen."""
    first: dict[str, Given] = {}
    for given in policies:
        other = first.setdefault(given.value.name, given)
        if other is not given:
            advice = "give this one a name of its own"
            if other.sheet.from_site and not given.sheet.from_site:
                advice += ", or write an [[exception]] for the site's"
            message = f"policy: {given.value.name!r} is the name of the policy at {other.where}"
            raise given.key("name").error(message, advice)


def _place(given: Given) -> str:
    """Return the name of an installed package, the path of a folder."""
    name: str = given.value
    return inside(given.folder, name) if "/" in name else name


def _load(given: Given) -> None:
    """Load a plugin, so that what is wrong with it is told at its place."""
    try:
        load_rules(_place(given))
    except RuleLoadError as error:
        raise given.error(f"plugins: {error}") from None


def _no_leave(given: Given) -> Exception:
    does = "brings" if "/" in given.value else "names"
    message = f"plugins: {given.value!r} would run code that this project {does}"
    advice = f"if you trust it, say --allow-plugins or set {ALLOW_VARIABLE}=1"
    return given.error(message, advice)
