"""Finding the rule classes in a package that is given by name or by folder."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import GenericAlias, ModuleType

from sbatchlint.lint.finding import Severity
from sbatchlint.lint.rule import Fixable, Rule

BUILT_IN = "sbatchlint_rules"
"""The package of the project's own rules."""

_HOUSES = (BUILT_IN, "sbatchlint.")
_HOUSE_CODE = re.compile(r"SB\d{3}")
_GUEST_CODE = re.compile(r"[A-Z]{2,}\d{3}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class RuleLoadError(Exception):
    """A package of rules cannot be used; the message names it and says why."""


def load_rules(package: str) -> list[type[Rule]]:
    """Return the rule classes defined in *package* and its modules, in no particular order.

    *package* is an importable name, or a path (anything with a separator in it, ``./site_rules``) to a
    folder with an ``__init__.py``.  Raises :class:`RuleLoadError` when it cannot be imported or when
    one of its rules is not well-formed.
    """
    root = _import_folder(Path(package)) if _is_path(package) else _import(package, package)
    rules: list[type[Rule]] = []
    for module in _modules(root, package):
        rules.extend(rules_in(module))
    return rules


def rules_in(module: ModuleType) -> list[type[Rule]]:
    """Return the concrete rule classes that *module* itself defines; an underscore hides a class."""
    found = [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and not isinstance(value, GenericAlias)  # Python 3.10 takes `list[int]` for a class
        and issubclass(value, Rule)
        and value.__module__ == module.__name__
        and not inspect.isabstract(value)
        and not name.startswith("_")
    ]
    for rule in found:
        _check_shape(rule)
    return found


def _check_shape(rule: type[Rule]) -> None:
    """Raise :class:`RuleLoadError` if *rule* lacks what every rule must have."""
    where = f"rule {rule.__module__}.{rule.__qualname__}"
    code = getattr(rule, "code", None)
    name = getattr(rule, "name", None)
    built_in = rule.__module__.startswith(_HOUSES)
    if not isinstance(code, str) or not (_HOUSE_CODE if built_in else _GUEST_CODE).fullmatch(code):
        wanted = "SB and three digits" if built_in else "two or more capitals and three digits"
        raise RuleLoadError(f"{where}: code must be {wanted}, not {code!r}")
    if not built_in and _HOUSE_CODE.fullmatch(code):
        raise RuleLoadError(f"{where}: codes like {code!r} are kept for the built-in rules")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise RuleLoadError(f"{where}: name must be lower-case words joined by hyphens, not {name!r}")
    if not isinstance(getattr(rule, "severity", None), Severity):
        raise RuleLoadError(f"{where}: severity must be a Severity")
    if not isinstance(rule.fixable, Fixable):
        raise RuleLoadError(f"{where}: fixable must be a Fixable")
    if not (rule.__doc__ or "").strip():
        raise RuleLoadError(f"{where}: it has no docstring, which is its documentation")


def _modules(root: ModuleType, package: str) -> Iterator[ModuleType]:
    yield root
    for info in pkgutil.walk_packages(getattr(root, "__path__", ()), root.__name__ + ".", _raise):
        yield _import(info.name, package)


def _raise(name: str) -> None:
    raise RuleLoadError(f"cannot import {name}: {sys.exc_info()[1]}")


def _import(name: str, package: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name + ".").startswith(error.name + "."):
            raise RuleLoadError(f"no rule package named {package!r} is installed") from error
        raise RuleLoadError(f"cannot import {name}: {error}") from error
    except Exception as error:  # a plugin's module may raise anything while it is imported
        raise RuleLoadError(f"cannot import {name}: {type(error).__name__}: {error}") from error


def _is_path(package: str) -> bool:
    return "/" in package or "\\" in package


def _import_folder(folder: Path) -> ModuleType:
    """Import the package in *folder* under the folder's own name."""
    folder = folder.resolve()
    init = folder / "__init__.py"
    name = folder.name
    if not name.isidentifier():
        raise RuleLoadError(f"rule folder {folder}: {name!r} cannot be the name of a package")
    if not init.is_file():
        raise RuleLoadError(f"rule folder {folder}: there is no __init__.py in it")
    known = sys.modules.get(name)
    if known is not None:
        if getattr(known, "__file__", None) == str(init):
            return known
        raise RuleLoadError(f"rule folder {folder}: another package named {name!r} is already imported")
    spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise RuleLoadError(f"rule folder {folder}: it cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # a plugin may raise anything; half imported it must not stay
        del sys.modules[name]
        raise RuleLoadError(f"cannot import {folder}: {type(error).__name__}: {error}") from error
    return module
