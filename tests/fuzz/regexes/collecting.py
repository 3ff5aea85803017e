"""Every regular expression of sbatchlint and its rules that is a text in the code, and how it is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from sbatchlint.regex import regex

ROOT = Path(__file__).parents[3]
_PACKAGES = (("sbatchlint", ROOT / "sbatchlint"), ("sbatchlint_rules", ROOT / "rules"))
_FUNCTIONS = frozenset("compile match search fullmatch finditer findall sub subn split".split())
_LAZY: Any = type(regex(""))
_AT_START = frozenset({"match", "fullmatch"})


@dataclass(frozen=True, slots=True)
class Use:
    """A regular expression, where it stands, and what it is asked."""

    place: str
    """File and line."""
    pattern: str | bytes
    flags: int
    ways: frozenset[str]
    """The methods that are called of it; empty where that is not seen."""

    @property
    def at_start(self) -> bool:
        """Whether it is tried at one place of a text alone; else at each."""
        return bool(self.ways) and self.ways <= _AT_START


@dataclass(frozen=True, slots=True)
class Built:
    """A call of :mod:`re` whose expression is put together when it is wanted."""

    place: str
    expression: str


def collect() -> tuple[list[Use], list[Built]]:
    """Return what is found in all modules."""
    uses: dict[Use, None] = {}
    built: list[Built] = []
    methods = _methods()
    for name, path in _modules():
        module = import_module(name)
        for one in _of_code(module, path, methods):
            if isinstance(one, Use):
                uses[one] = None
            else:
                built.append(one)
        for attribute, value in vars(module).items():
            for found in _patterns(value, 3):
                ways = frozenset(methods.get((name, attribute), ()))
                uses[Use(f"{_shown(path)} {attribute}", found.pattern, found.flags, ways)] = None
    return list(uses), built


def _modules() -> Iterator[tuple[str, Path]]:
    for package, folder in _PACKAGES:
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if parts[-1] != "__main__":
                yield ".".join((package, *(part for part in parts if part != "__init__"))), path


def _methods() -> dict[tuple[str, str], set[str]]:
    """Return the methods that are called of each module's names: ``_NAME.search(...)``, here or elsewhere."""
    found: dict[tuple[str, str], set[str]] = {}
    for name, path in _modules():
        tree = ast.parse(path.read_text("utf-8"))
        homes = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        called = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found.setdefault(homes.get(node.value.id, (name, node.value.id)), set()).add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called:
                found.setdefault(homes.get(node.id, (name, node.id)), set()).add("given away")
    return found


def _of_code(
    module: ModuleType, path: Path, methods: dict[tuple[str, str], set[str]]
) -> Iterator[Use | Built]:
    """Yield the calls of functions of :mod:`re`."""
    tree = ast.parse(path.read_text("utf-8"))
    named = {
        id(node.value): node.targets[0].id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(tree):
        function = _function(node)
        if not isinstance(node, ast.Call) or not node.args or function is None:
            continue
        place = f"{_shown(path)}:{node.lineno}"
        if id(node) in named:
            continue  # an attribute of the module
        pattern = _value(node.args[0], module)
        flags = [_value(word.value, module) for word in node.keywords if word.arg == "flags"]
        position = {"sub": 4, "subn": 4, "split": 3, "compile": 1}.get(function, 2)
        flags += [_value(arg, module) for arg in node.args[position : position + 1]]
        known = _compiled(pattern)
        if known is not None:
            pattern, flags = known.pattern, [known.flags]
        if not isinstance(pattern, str | bytes):
            yield Built(f"{_shown(path)} {ast.unparse(node.args[0])}", ast.unparse(node))
            continue
        yield Use(place, pattern, int(flags[0] or 0) if flags else 0, frozenset({function}))


def _function(node: ast.AST) -> str | None:
    """Return which function of :mod:`re` is called; ``regex`` compiles too."""
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func)
    if name == "regex":
        return "compile"
    return name[3:] if name.startswith("re.") and name[3:] in _FUNCTIONS else None


def _compiled(value: object) -> re.Pattern[Any] | None:
    """Return the expression that *value* is, or stands for until it is compiled."""
    if isinstance(value, _LAZY):
        return re.compile(value.pattern, value._flags)
    return value if isinstance(value, re.Pattern) else None


def _value(node: ast.expr, module: ModuleType) -> Any:
    """Work out *node*, which may be made of the module's own constants; None where that can't be done."""
    try:
        return eval(compile(ast.Expression(node), "", "eval"), vars(module))
    except Exception:  # it is made of what is known when it runs
        return None


def _patterns(value: object, depth: int) -> Iterator[re.Pattern[Any]]:
    """Yield the compiled expressions in *value*, also in tables and records."""
    compiled = _compiled(value)
    if compiled is not None:
        yield compiled
    elif depth and isinstance(value, dict):
        for one in (*value, *value.values()):
            yield from _patterns(one, depth - 1)
    elif depth and isinstance(value, tuple | list | frozenset | set):
        for one in value:
            yield from _patterns(one, depth - 1)
    elif depth and not isinstance(value, type) and hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _patterns(getattr(value, name, None), depth - 1)


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT))
