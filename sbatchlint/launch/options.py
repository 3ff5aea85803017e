"""Reads the options of wrappers and launchers by their tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sbatchlint.launch.code import is_placeholder, render
from sbatchlint.launch.plan import Arg, LayerOption
from sbatchlint.launch.tables import SHELLS, CommandTable, table_for
from sbatchlint.launch.values import Choice, Text, Value

_OPTIONS_NAME = re.compile(r"(?i)arg|opt|flag|mount|param|extra|container|distributed|srun|bind|conf")
_COMMAND_NAME = re.compile(r"(?i)cmd|command|prog|exec|python|launch|\brun|script|\bbin")


@dataclass(frozen=True, slots=True)
class Read:
    """The options at the beginning of a command line."""

    options: tuple[LayerOption, ...]
    rest: int
    """Index of the first operand."""
    complete: bool
    """False where unknown words were taken for options."""


def arg_text(arg: Arg) -> str:
    """The word with one placeholder character for each unknown piece."""
    return render(arg.value.segments)[0]


def tail(value: Value, start: int) -> Value:
    """The value from character *start* on, unknown pieces counting as one character each."""
    segments = []
    at = 0
    for segment in value.segments:
        length = len(segment.text) if isinstance(segment, Text) else 1
        if at >= start:
            segments.append(segment)
        elif at + length > start:
            assert isinstance(segment, Text)
            segments.append(segment.slice(start - at, length))
        at += length
    return Value(tuple(segments))


def unknown_is_options(args: Sequence[Arg], index: int) -> bool:
    """Decide whether the unknown word at *index* stands for options rather than for the command.

    The name that it goes by and the word behind it tell: ``srun $SRUN_ARGS python x`` and
    ``srun $CMD --lr 1``.
    """
    arg = args[index]
    if not arg.open and not arg.optional:
        return False
    shown = arg.value.show()
    following = args[index + 1] if index + 1 < len(args) else None
    if following is None:
        return False
    text = arg_text(following)
    if text and not is_placeholder(text[0]) and not text.startswith("-"):
        name = text.rsplit("/", 1)[-1]
        if table_for(name) or name in SHELLS or name.endswith((".py", ".sh")):
            return True
    if _OPTIONS_NAME.search(shown):
        return True
    return not text.startswith("-") and not _COMMAND_NAME.search(shown)


def read_options(args: Sequence[Arg], start: int, table: CommandTable) -> Read:
    """Read options from index *start* on, up to the first operand."""
    options: list[LayerOption] = []
    complete = True
    index = start
    while index < len(args):
        arg = args[index]
        text = arg_text(arg)
        if text == "--":
            index += 1
            break
        if text and is_placeholder(text[0]):
            if not unknown_is_options(args, index):
                break
            complete = False
            index += 1
            continue
        if len(text) < 2 or text[0] not in "-":
            break
        option, taken = _option(args, index, text, table)
        options.append(option)
        index += taken
        if option.name in _bare(table.module_options) | _bare(table.code_options):
            break
    return Read(tuple(options), index, complete)


def _bare(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.lstrip("-") for name in names)


def _option(args: Sequence[Arg], index: int, text: str, table: CommandTable) -> tuple[LayerOption, int]:
    arg = args[index]
    head, equals, _ = text.partition("=")
    name = head.replace("_", "-") if table.underscores and head.startswith("--") else head
    takes = table.valued | table.module_options | table.code_options
    if equals:
        value = tail(arg.value, len(head) + 1)
        return LayerOption(name.lstrip("-"), value, arg, arg), 1
    if name in takes:
        if index + 1 < len(args):
            following = args[index + 1]
            return LayerOption(name.lstrip("-"), following.value, arg, following), 2
        return LayerOption(name.lstrip("-"), None, arg), 1
    if not text.startswith("--") and len(text) > 2 and text[:2] in takes:
        return LayerOption(text[1], tail(arg.value, 2), arg, arg), 1
    return LayerOption(name.lstrip("-"), None, arg), 1


def has_choice(value: Value) -> bool:
    """Tell whether the value has alternatives."""
    return any(isinstance(segment, Choice) for segment in value.segments)
