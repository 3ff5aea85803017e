"""Where on a command line the options end and the command that is started begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbatchlint.launch.command_table import CommandTable, bare
from sbatchlint.launch.options import Read, arg_text, may_be_image_options, read_options
from sbatchlint.launch.plan import Arg, LayerOption
from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Start:
    """Where on a command line its options, its operands and the command that it starts are."""

    read: Read
    subcommand: str = ""
    image: Arg | None = None
    command: int = 0
    """Index of the first word of what is started; the number of words where there is none."""
    operands: int = 0
    """How many words before it are operands of the command itself."""


def command_start(table: CommandTable, args: Sequence[Arg]) -> Start | None:
    """Read the line of a command by its table; None where it is used to start nothing that is followed."""
    start, subcommand = 1, ""
    before: tuple[LayerOption, ...] = ()
    if table.subcommands:
        general = read_options(args, 1, table)
        before, start = general.options, general.rest
        subcommand = _subcommand(table, args, start)
        if not subcommand:
            return None
        start += len(subcommand.split())
    read = read_options(args, start, table)
    read = replace(read, options=before + read.options, subcommand=subcommand)
    if table.argument_mark and arg_text(args[read.rest - 1]) not in (table.argument_mark, "--"):
        return Start(read, subcommand, None, len(args))
    rest = read.rest
    image = None
    if table.image_operand and rest < len(args):
        image, rest = args[rest], rest + 1
        if image.open and may_be_image_options(image):
            read = replace(read, complete=False)  # the options and the image in one variable
    if table.assignments:
        while rest < len(args) and _is_assignment(args[rest]):
            rest += 1
    operands = _operands(table, read, args[rest:])
    rest += operands
    if table.late:
        late = read_options(args, rest, table)
        read = replace(read, options=read.options + late.options)
        operands = 0 if late.rest > rest else operands
        rest = late.rest
    return Start(read, subcommand, image, rest, operands)


def _is_assignment(arg: Arg) -> bool:
    """Tell whether a word of ``env`` sets a variable."""
    name, equals, _ = arg_text(arg).partition("=")
    return bool(equals) and name.isidentifier()


def _operands(table: CommandTable, read: Read, args: Sequence[Arg]) -> int:
    """Return how many words stand between the options and the command."""
    if {option.name for option in read.options} & bare(table.instead):
        return 0
    if table.operand_words and args and args[0].text not in table.operand_words:
        return 0
    return table.operands


def _subcommand(table: CommandTable, args: Sequence[Arg], start: int) -> str:
    words = [arg.value.text or "" for arg in args[start : start + 2]]
    for count in (2, 1):
        text = " ".join(words[:count])
        if len(words) >= count and text in table.subcommands:
            return text
    return ""
