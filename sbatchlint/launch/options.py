"""Reads the options of wrappers and launchers by their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbatchlint.launch.code import is_placeholder, render
from sbatchlint.launch.command_table import CommandTable, bare
from sbatchlint.launch.plan import Arg, LayerOption, Way
from sbatchlint.launch.tables import SHELLS, table_for
from sbatchlint.launch.together import one_word
from sbatchlint.launch.values import Choice, Text, Value, holds_more, last_part
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_OPTIONS_NAME = regex(r"(?i)arg|opt|flag|mount|param|extra|container|distributed|srun|bind|conf")
_COMMAND_NAME = regex(r"(?i)cmd|command|prog|exec|python|launch|\brun|script|\bbin")
_IMAGE_OPTIONS = regex(r"(?i)arg|opt|flag|mount|param|extra|bind|conf")
_IMAGE_NAME = regex(r"(?i)image|img|sif|sqsh|container")
_IMAGE_FILE = regex(r"\.(?:sif|simg|img|sqsh)$|:")
_ITSELF = regex(r"\$0\b|BASH_SOURCE")
_SWITCHED = ("true", "false", "yes", "no", "on", "off")


@dataclass(frozen=True, slots=True)
class Read:
    """The options at the beginning of a command line."""

    options: tuple[LayerOption, ...]
    rest: int
    """Index of the first operand."""
    complete: bool
    """False where unknown words were taken for options."""
    subcommand: str = ""
    """The words that say what the command does (``run``, ``job submit``)."""


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
    if (not arg.open and not arg.optional) or last_part(arg.value):
        return False  # a path to something is no option
    shown = arg.value.show()
    following = args[index + 1] if index + 1 < len(args) else None
    if following is None or _ITSELF.search(shown):
        return False
    if _is_command(following) or _OPTIONS_NAME.search(shown):
        return True
    return not arg_text(following).startswith("-") and not _COMMAND_NAME.search(shown)


def _is_command(arg: Arg) -> bool:
    """Tell whether a word is known to name something that is started, rather than an image or a value."""
    name = arg_text(arg).rsplit("/", 1)[-1]
    return bool(table_for(name)) or name in SHELLS or name.endswith((".py", ".sh"))


def may_be_image_options(arg: Arg) -> bool:
    """Tell whether an unknown word goes by a name of options, as they stand before an image."""
    return _IMAGE_OPTIONS.search(arg.value.show()) is not None


def _unknown_before_image(args: Sequence[Arg], index: int) -> bool:
    """Decide whether the unknown word at *index* stands for options, of which an image has to follow.

    An image is needed, so with a command right behind it the unknown word is the image:
    ``singularity exec $CONTAINER bash -c``.
    """
    arg = args[index]
    following = args[index + 1] if index + 1 < len(args) else None
    if (not arg.open and not arg.optional) or last_part(arg.value) or following is None:
        return False
    text = arg_text(following)
    if _is_command(following):
        return False
    if may_be_image_options(arg) or _IMAGE_FILE.search(text):
        return True
    if not text or not is_placeholder(text[0]) or _IMAGE_NAME.search(arg.value.show()):
        return False
    second = following.value.show()
    starts_something = index + 2 < len(args) and _is_command(args[index + 2])
    return bool(_IMAGE_NAME.search(second)) or (starts_something and not _COMMAND_NAME.search(second))


def read_options(args: Sequence[Arg], start: int, table: CommandTable) -> Read:
    """Read options from index *start* on, up to the first operand."""
    options: list[LayerOption] = []
    complete = True
    index = start
    last = bare(table.module_options) | bare(table.code_options)
    stands_for_options = _unknown_before_image if table.image_operand else unknown_is_options
    while index < len(args):
        text = arg_text(args[index])
        if text == "--" or (text == table.argument_mark and text):
            index += 1
            break
        if text and is_placeholder(text[0]):
            choice = _one_of_options(args[index])
            if not choice and not stands_for_options(args, index):
                break
            options += choice
            complete = complete and bool(choice)
            index += 1
            continue
        if len(text) < 2 or text[0] != "-":
            break
        found, taken = _options(args, index, text, table)
        options += found
        complete = complete and not any(holds_more(arg.value) for arg in args[index : index + taken])
        index += taken
        if found[-1].name in last:
            break
    return Read(tuple(options), index, complete)


def alternatives(arg: Arg, most: int = 4) -> list[Value]:
    """Return what a word is one of; it alone where that is not told."""
    value = arg.value
    if arg.optional or arg.open or not value.segments or not isinstance(value.segments[0], Choice):
        return [value]
    return value.alternatives(most) or [value]


def as_options(arg: Arg) -> list[Arg]:
    """Return a word that is one of several options as so many words that may be there; else nothing."""
    options = alternatives(arg)
    if len(options) < 2 or not all(render(option.segments)[0].startswith("-") for option in options):
        return []
    return [
        replace(arg, value=option, optional=True, way=Way(arg.value, number, len(options)))
        for number, option in enumerate(options)
    ]


def _one_of_options(arg: Arg) -> list[LayerOption]:
    """Read a word that is one of several options, none of which has its value in another word."""
    found = []
    for word in as_options(arg):
        head, equals, _ = arg_text(word).partition("=")
        value = tail(word.value, len(head) + 1) if equals else None
        found.append(LayerOption(head.lstrip("-"), value, word, word if equals else None))
    return found


def _options(
    args: Sequence[Arg], index: int, text: str, table: CommandTable
) -> tuple[list[LayerOption], int]:
    """Read the option at *index*, or the bundle of them; tell how many words it takes."""
    arg = args[index]
    head, equals, _ = text.partition("=")
    name = _full_name(head, table)
    if equals:
        return [LayerOption(name.lstrip("-"), tail(arg.value, len(head) + 1), arg, arg)], 1
    following, size = _following(args, index + 1)
    if name in table.double and following is not None:
        second = args[index + 2] if not _pair(following) and index + 2 < len(args) else None
        pair = LayerOption(name.lstrip("-"), following.value, arg, following, second)
        return [pair], 2 if _pair(following) else 3
    if name in table.switches and following is not None and following.text in _SWITCHED:
        return [LayerOption(name.lstrip("-"), following.value, arg, following)], 2
    if name in table.takes:
        value = None if following is None else following.value
        return [LayerOption(name.lstrip("-"), value, arg, following)], 1 + size
    if text.startswith("--"):
        return [LayerOption(name.lstrip("-"), None, arg)], 1
    return _short(args, index, text, table)


def _following(args: Sequence[Arg], index: int) -> tuple[Arg | None, int]:
    """Return the word that is an option's value, and how many of the words that is."""
    if index >= len(args):
        return None, 0
    return one_word(args, index) or (args[index], 1)


def _pair(arg: Arg) -> bool:
    """Tell whether a name and its value stand in one word (``-genv NAME=VALUE``)."""
    return "=" in arg_text(arg)


def _full_name(head: str, table: CommandTable) -> str:
    """The name of an option as its table has it: Python's launchers take a part of it, too."""
    if not table.underscores or not head.startswith("--"):
        return head
    name = head.replace("_", "-")
    if name in table.takes or name in table.flags | table.module_flags | table.program_flags:
        return name
    longer = [known for known in table.takes if known.startswith(name)]
    return longer[0] if len(longer) == 1 and len(name) > 4 else name


def _short(args: Sequence[Arg], index: int, text: str, table: CommandTable) -> tuple[list[LayerOption], int]:
    """Read ``-n4``, ``-np4`` or, where letters may share a dash, ``-itv /a:/b``."""
    arg = args[index]
    for end in range(len(text) - 1, 2, -1):
        if text[:end] in table.takes and text[end:].isdigit():
            return [LayerOption(text[1:end], tail(arg.value, end), arg, arg)], 1
    if len(text) > 2 and text[:2] in table.takes:
        return [LayerOption(text[1], tail(arg.value, 2), arg, arg)], 1
    if not table.bundles:
        return [LayerOption(text.lstrip("-"), None, arg)], 1
    found: list[LayerOption] = []
    for at, letter in enumerate(text[1:], 1):
        if f"-{letter}" not in table.takes:
            found.append(LayerOption(letter, None, arg))
        elif at + 1 < len(text):
            return [*found, LayerOption(letter, tail(arg.value, at + 1), arg, arg)], 1
        elif index + 1 < len(args):
            following = args[index + 1]
            return [*found, LayerOption(letter, following.value, arg, following)], 2
        else:
            found.append(LayerOption(letter, None, arg))
    return found, 1
