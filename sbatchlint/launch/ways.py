"""Command lines of which the script does not decide every word: ``srun $LAUNCH train.py`` after an ``if``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbatchlint.launch.command_start import command_start
from sbatchlint.launch.options import alternatives
from sbatchlint.launch.plan import Arg, LayerKind, Way
from sbatchlint.launch.tables import CommandTable, table_for
from sbatchlint.launch.values import Value, last_part

_MOST = 4
Line = list[Arg]


def lines(args: Line) -> list[Line]:
    """Return every command line that *args* may be, as far as its first words tell which command it is.

    Ways that start the same command stay one line, in which what only some of them have is optional.
    """
    first = args[0]
    if first.way is not None:
        ways = [_taken(args, first.way.choice, number) for number in range(first.way.of)]
        merged = _with_one_head(ways, args) or _with_one_command(ways, first.way.choice)
        if merged is not None:
            return [merged] if merged[0].way is None or merged == args else lines(merged)
        return [line for way in ways for line in ([way] if not way or way == args else lines(way))][:_MOST]
    options = alternatives(first)
    if len(options) < 2 or _same_table(options) is not None:
        return [args]
    return [[replace(first, value=option), *args[1:]] for option in options]


def table_of(arg: Arg) -> CommandTable | None:
    """Return the table of a command word, one that is several spellings of it included."""
    return _same_table(alternatives(arg))


def across(args: Sequence[Arg], rest: int) -> Value | None:
    """Return the choice that gives words both before and behind *rest*, if there is one."""
    before = {arg.way.choice for arg in args[:rest] if arg.way is not None}
    return next((arg.way.choice for arg in args[rest:] if arg.way and arg.way.choice in before), None)


def split(args: Line, choice: Value) -> list[Line]:
    """Return *args* as each way of *choice* has it."""
    of = next(arg.way.of for arg in args if arg.way is not None and arg.way.choice == choice)
    return [_taken(args, choice, number) for number in range(of)]


def _same_table(options: Sequence[Value]) -> CommandTable | None:
    names = map(last_part, options)
    found = {table_for(name) if name is not None else None for name in names}
    return found.pop() if len(found) == 1 else None


def _taken(args: Line, choice: Value, number: int) -> Line:
    """Return the line as it is where *choice* goes the way *number*."""
    line = []
    for arg in args:
        if arg.way is None or arg.way.choice != choice:
            line.append(arg)
        elif arg.way.number == number:
            line.append(replace(arg, optional=arg.way.optional, way=None))
    return line


def _with_one_head(ways: Sequence[Line], args: Line) -> Line | None:
    """Return one line where every way begins with the same word."""
    first = args[0]
    if first.way is None or any(not way or way[0].text is None for way in ways):
        return None
    if len({way[0].text for way in ways}) > 1:
        return None
    own = [arg for arg in args if arg.way is not None and arg.way.choice == first.way.choice]
    heads: dict[int, Arg] = {}
    for arg in own:
        if arg.way is not None:
            heads.setdefault(arg.way.number, arg)
    if len(heads) < len(ways):
        return None  # one way has no word here, and what follows happens to be the same
    gone = {id(arg) for arg in heads.values()}
    return [replace(first, optional=False, way=None), *(arg for arg in args if id(arg) not in gone)]


def _with_one_command(ways: Sequence[Line], choice: Value) -> Line | None:
    """Return one line where the ways differ in nothing but the wrappers before the command."""
    starts = [_behind_wrappers(way) for way in ways]
    rests = {tuple(arg.value for arg in way[start:]) for way, start in zip(ways, starts, strict=True)}
    shown = {tuple(value.show() for value in rest) for rest in rests}
    if len(shown) > 1 or not next(iter(shown)):
        return None
    number = max(range(len(ways)), key=lambda index: starts[index])
    way, start = ways[number], starts[number]
    mark = Way(choice, number, len(ways))
    return [*(replace(arg, optional=True, way=mark) for arg in way[:start]), *way[start:]]


def _behind_wrappers(line: Line) -> int:
    """Return the index of the first word that is no wrapper's."""
    index = 0
    while index < len(line):
        name = last_part(line[index].value)
        table = table_for(name) if name is not None else None
        if table is None or table.kind is not LayerKind.WRAPPER or table.name == "exec":
            break
        found = command_start(table, line[index:])
        if found is None:
            break
        index += found.command
    return index


__all__ = ["across", "lines", "split", "table_of"]
