"""The reference of what a policy's expression may speak of, as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.policy.calls import FUNCTIONS, MACROS, METHODS, Call
from sbatchlint.policy.types import Type
from sbatchlint.policy.variables import THINGS, VARIABLES

Row = tuple[str, str, str]


def variables_text() -> str:
    """Return the reference in columns."""
    return "\n".join(_table(title, rows) for title, rows in _sections())


def variables_markdown() -> str:
    """Return the reference as it stands in the documentation."""
    parts = []
    for title, rows in _sections():
        lines = [f"### {_escaped(title)}", "", "| | | |", "|---|---|---|"]
        lines += [f"| `{name}` | {type} | {_escaped(says)} |" for name, type, says in rows]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _table(title: str, rows: list[Row]) -> str:
    names, types = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = [title, *(f"  {name:<{names}}  {type:<{types}}  {says}" for name, type, says in rows)]
    return "\n".join(lines) + "\n"


def _sections() -> Iterator[tuple[str, list[Row]]]:
    yield "Variables", [(one.name, str(one.type), one.says) for one in VARIABLES]
    for thing in THINGS.values():
        yield (
            f"{thing.name}: {thing.says}",
            [(one.name, str(one.type), one.says) for one in thing.fields],
        )
    yield "Functions", [*(_function(name, call) for name, call in FUNCTIONS.items())]
    yield "Methods", [*(_method(name, call) for name, call in METHODS.items())]
    yield "Macros of lists and maps", [(f"list.{name}(x, ...)", "", says) for name, says in MACROS.items()]


def _function(name: str, call: Call) -> Row:
    return f"{name}({_arguments(call)})", str(call.gives), call.says


def _method(name: str, call: Call) -> Row:
    return f"{_either(call.of)}.{name}({_arguments(call)})", str(call.gives), call.says


def _arguments(call: Call) -> str:
    return ", ".join(_either(allowed) for allowed in call.takes)


def _either(types: tuple[Type, ...]) -> str:
    return "/".join(map(str, types))
