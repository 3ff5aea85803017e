"""``read``, ``mapfile`` and ``getopts``: what a script reads, where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch.combining import slice_value
from sbatchlint.launch.fields import Fields, settled
from sbatchlint.launch.input_lines import is_assumed, pieces_of, take_line
from sbatchlint.launch.nodes import all_nodes
from sbatchlint.launch.outcomes import FAILURE, OPEN, SUCCESS, Outcome
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import EMPTY, OUTPUT, Text, Value, text_value, unknown
from sbatchlint.records import dataclass

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_VALUED = "adinNptu"
_MOST_LINES = 4096


@dataclass(slots=True)
class _Read:
    """The options of ``read``."""

    raw: bool = False
    delimiter: str | None = "\n"
    array: str = ""
    plain: bool = True
    """False where an option is used whose effect is not followed."""
    names: tuple[str, ...] = ()


def read(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """``read``: the next line of a known input; else the names are set to what nobody knows."""
    options = _options(args[1:])
    line, found = _line(machine, options)
    assumed = line is not None and is_assumed(line)
    if options.array:
        _fill_array(machine, options.array, line, raw=options.raw)
    elif line is None:
        for name in options.names or ("REPLY",):
            machine.assign(name, unknown(f"${name}", span), span)
    elif not options.names:
        text = line if options.raw else None
        machine.assign("REPLY", text if text is not None else unknown("$REPLY", span), span)
    else:
        values = pieces_of(line, len(options.names), machine.separators(), raw=options.raw)
        for name, value in zip(options.names, values, strict=True):
            value = unknown(f"${name}", span) if value is None else value
            machine.assign(name, value.assumed() if assumed else value, span)
    if found is None:
        return OPEN
    return Outcome(found, assumed=assumed)


def _options(args: Sequence[Arg]) -> _Read:
    options = _Read()
    index = 0
    while index < len(args):
        text = args[index].text
        if text is None or not text.startswith("-") or len(text) < 2:
            break
        index += 1
        if text == "--":
            break
        for at, letter in enumerate(text[1:], 1):
            if letter == "r":
                options.raw = True
            if letter not in _VALUED:
                options.plain = options.plain and letter in "rs"
                continue
            value = text[at + 1 :] or None
            if value is None and index < len(args):
                value = args[index].text
                index += 1
            if letter == "a":
                options.array = value or ""
            elif letter == "d":
                options.delimiter = None if value is None else value[:1] or "\0"
            elif letter != "p":
                options.plain = False
            break
    names = [arg.text for arg in args[index:]]
    options.names = tuple(name for name in names if name and name.isidentifier())
    options.plain = options.plain and None not in names
    return options


def _line(machine: Machine, options: _Read) -> tuple[Value | None, bool | None]:
    """Take a line off the input; give it and whether it had its end."""
    held = machine.stdin
    if held is None:
        return None, None
    machine.stdin = unknown(OUTPUT)
    if not options.plain or options.delimiter is None:
        return None, None
    line, left, found = take_line(held, options.delimiter)
    last = line.segments[-1] if line.segments else None
    if found and not options.raw and isinstance(last, Text) and last.text.endswith("\\"):
        return None, None  # the line goes on
    if found is None and not any(isinstance(leaf, Text) for leaf in line.leaves()):
        return None, None
    machine.stdin = left
    return line, found


def _fill_array(machine: Machine, name: str, line: Value | None, *, raw: bool) -> None:
    if not name.isidentifier():
        return
    separators = machine.separators()
    if line is None or line.text is None or separators is None or (not raw and "\\" in line.text):
        machine.forget(name, opaque=True)
        return
    fields = Fields(None, separators, globs=False)
    fields.split(line)
    values = settled(fields.finish())
    machine.set_items(name, {str(index): value for index, value in enumerate(values or ())}, None)


def mapfile(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """``mapfile -t name``: an array of the input's lines."""
    texts = [arg.text for arg in args[1:]]
    names = [text for text in texts if text and text.isidentifier()]
    name = names[-1] if names else "MAPFILE"
    held = machine.stdin
    simple = all(text in ("-t", name) for text in texts)
    if held is None or not simple or "-t" not in texts:
        machine.forget(name, opaque=True)
        machine.stdin = None if held is None else unknown(OUTPUT)
        return SUCCESS
    lines, more = _all_lines(held, name)
    machine.set_items(name, {str(index): line for index, line in enumerate(lines)}, span, more=more)
    machine.stdin = EMPTY
    return SUCCESS


def _all_lines(held: Value, name: str) -> tuple[list[Value], Value | None]:
    """The lines of *held* without their ends, and what stands for those behind them that are not known."""
    lines: list[Value] = []
    left = held
    while left.text != "":
        if len(lines) >= _MOST_LINES:
            return lines, unknown(f"${{{name}[@]}}")
        line, rest, found = take_line(left, "\n")
        if found is None:
            return lines, all_nodes(left) or unknown(f"${{{name}[@]}}")
        lines.append(line.weakened(Certainty.ASSUMED) if is_assumed(left) else line)
        left = rest
    return lines, None


# --- getopts ---------------------------------------------------------------------------------------


def getopts(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """``getopts spec name [words]``, word by word as far as the words are known."""
    spec = args[1].text if len(args) > 1 else None
    name = args[2].text if len(args) > 2 else None
    if name is None or not name.isidentifier():
        return OPEN
    words = settled(args[3:]) if len(args) > 3 else machine.state.arguments
    place = _place(machine)
    texts = None if words is None else [word.text for word in words]
    if spec is None or texts is None or place is None or None in texts or words is None:
        return _unknown(machine, name, span)
    if any(word.certainty is Certainty.ASSUMED for word in words):
        return _unknown(machine, name, span)
    return _next_option(machine, spec, name, words, place, span)


def _unknown(machine: Machine, name: str, span: Span) -> Outcome:
    for variable in (name, "OPTARG", "OPTIND"):
        machine.assign(variable, unknown(f"${variable}"), span)
    return OPEN


def _place(machine: Machine) -> tuple[int, int] | None:
    """The word and the letter in it that come next; bash keeps the letter to itself."""
    held = machine.state.variables.get("OPTIND")
    if held is None or held.value is None:
        return 1, machine.state.letter
    text = held.value.text
    number = whole_number(text or "")
    if number is None or held.maybe_unset:
        return None
    if machine.state.letter and text != str(machine.state.letter_word):
        machine.state.letter = 0
    return max(number, 1), machine.state.letter


def _next_option(
    machine: Machine, spec: str, name: str, words: tuple[Value, ...], place: tuple[int, int], span: Span
) -> Outcome:
    index, letter_at = place
    quiet = spec.startswith(":")
    text = words[index - 1].text or "" if index <= len(words) else ""
    if not letter_at:
        if index > len(words) or not text.startswith("-") or text == "-":
            return _done(machine, name, index, span)
        if text == "--":
            return _done(machine, name, index + 1, span)
        letter_at = 1
    letter = text[letter_at]
    takes = letter != ":" and letter in spec and spec.partition(letter)[2].startswith(":")
    known = letter != ":" and letter in spec
    value: Value | None = None
    following, next_letter = (index, letter_at + 1) if letter_at + 1 < len(text) else (index + 1, 0)
    if takes and next_letter:
        value = slice_value(words[index - 1], next_letter, len(text))
        following, next_letter = index + 1, 0
    elif takes and following <= len(words):
        value = words[following - 1]
        following += 1
    elif takes:
        known = False
    machine.state.letter, machine.state.letter_word = next_letter, following
    machine.assign("OPTIND", text_value(str(following)), span)
    machine.assign(name, text_value(letter if known else ":" if quiet and takes else "?"), span)
    if value is None and quiet and not known:
        value = text_value(letter)
    machine.state.set("OPTARG", value, span=span)
    return SUCCESS


def _done(machine: Machine, name: str, index: int, span: Span) -> Outcome:
    machine.state.letter = 0
    machine.assign("OPTIND", text_value(str(index)), span)
    machine.assign(name, text_value("?"), span)
    machine.state.set("OPTARG", None, span=span)
    return FAILURE
