"""Finding the rule classes in a package that is given by name or by folder."""

from __future__ import annotations

import inspect
import sys
from types import GenericAlias, ModuleType

from sbatchlint.lint.families import BY_SLUG, POLICY, is_guest_code, is_house_code
from sbatchlint.lint.finding import Severity
from sbatchlint.lint.import_errors import RuleLoadError, said_by, shown_name
from sbatchlint.lint.importing import import_package
from sbatchlint.lint.rule import Fixable, Rule
from sbatchlint.regex import regex

__all__ = ["BUILT_IN", "RuleLoadError", "load_rules", "package_of", "rules_in", "where"]

BUILT_IN = "sbatchlint_rules"
"""The package of the project's own rules."""

_HOUSES = (BUILT_IN + ".", "sbatchlint.")
_NAME = regex(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def load_rules(package: str) -> list[type[Rule]]:
    """Return the rule classes defined in *package* and its modules, in no particular order.

    *package* is an importable name, or a path (anything with a separator in it, ``./site_rules``) to a
    folder, with or without an ``__init__.py``.  Raises :class:`RuleLoadError` when it cannot be imported,
    when there is no rule in it or when one of them is not well-formed.
    """
    modules = import_package(package)
    try:
        rules = [rule for module in modules for rule in rules_in(module)]
    except RuleLoadError:
        raise
    except Exception as error:  # what a class is asked for may be a program, too
        reason = f"{type(error).__name__}: {said_by(error)}"
        raise RuleLoadError(f"{package}: its rules cannot be looked at: {reason}") from error
    if not rules:
        raise RuleLoadError(f"{package}: no rule is in it; a rule is a class made from sbatchlint.api.Rule")
    return rules


def rules_in(module: ModuleType) -> list[type[Rule]]:
    """Return the concrete rule classes that *module* itself defines; an underscore hides a class."""
    found = [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and not isinstance(value, GenericAlias)  # Python 3.10 takes `list[int]` for a class
        and value.__module__ == module.__name__  # asked first: `issubclass` of an abstract class is slow
        and issubclass(value, Rule)
        and not inspect.isabstract(value)
        and not name.startswith("_")
    ]
    for rule in found:
        _check_shape(rule)
    return found


def package_of(rule: type[Rule]) -> str:
    """Return the package or local folder that *rule* comes from."""
    return shown_name(rule.__module__.partition(".")[0])


def where(rule: type[Rule]) -> str:
    """Return the module and class of *rule*, the module of a local folder as a path."""
    return f"{shown_name(rule.__module__)}.{rule.__qualname__}"


def _check_shape(rule: type[Rule]) -> None:
    """Raise :class:`RuleLoadError` if *rule* lacks what every rule must have."""
    place = f"rule {where(rule)}"
    code = getattr(rule, "code", None)
    name = getattr(rule, "name", None)
    built_in = f"{rule.__module__}.".startswith(_HOUSES)
    if not built_in and type(code) is str and is_house_code(code):
        raise RuleLoadError(f"{place}: codes like {code!r} are kept for the built-in rules")
    if type(code) is not str or not (is_house_code if built_in else is_guest_code)(code):
        wanted = "SB and three digits" if built_in else "two or more capitals and three digits"
        raise RuleLoadError(f"{place}: code must be {wanted}, not {code!r}")
    if code.startswith("ALL") and not code[3].isalpha():
        raise RuleLoadError(f"{place}: code must not begin with ALL, which stands for every rule")
    if type(name) is not str or not _NAME.fullmatch(name):
        raise RuleLoadError(f"{place}: name must be lower-case words joined by hyphens, not {name!r}")
    if name == "all":
        raise RuleLoadError(f"{place}: name must not be 'all', which is taken for every rule")
    if not isinstance(getattr(rule, "severity", None), Severity):
        raise RuleLoadError(f"{place}: severity must be a Severity")
    if not isinstance(rule.fixable, Fixable):
        raise RuleLoadError(f"{place}: fixable must be a Fixable")
    if type(rule.group) is not str or (rule.group and not _NAME.fullmatch(rule.group)):
        raise RuleLoadError(f"{place}: group must be lower-case words joined by hyphens, not {rule.group!r}")
    if rule.group == POLICY or rule.group in BY_SLUG:
        raise RuleLoadError(f"{place}: the group {rule.group!r} is kept for sbatchlint itself")
    if not (rule.__doc__ or "").strip() and sys.flags.optimize < 2:  # `python -OO` takes them off
        raise RuleLoadError(f"{place}: it has no docstring, which is its documentation")
