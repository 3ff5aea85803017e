"""From words as written to the words that a command gets (bash(1), EXPANSION)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch import computing, parameters, substitution
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import EMPTY, Choice, Segment, Text, Unknown, Value, text_value
from sbatchlint.shell.syntax import (
    Arithmetic,
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    SingleQuoted,
    Word,
)
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

_BLANKS = re.compile(r"[ \t\n]+")
_TILDE = re.compile(r"~[A-Za-z0-9_.-]*(?=/|$)")
_BRACE = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?\Z")


def expand_words(machine: Machine, words: Iterable[Word]) -> list[Arg]:
    """Expand and split *words* as a command's arguments."""
    return [arg for word in words for arg in expand_word(machine, word)]


def expand_word(machine: Machine, word: Word) -> list[Arg]:
    """Expand one word to the words it becomes: none, one or several."""
    braces = _braces(machine, word)
    if braces is not None:
        return braces
    fields = _Fields(machine.code.locate(word.span))
    for index, part in enumerate(word.parts):
        _add_part(machine, fields, part, first=index == 0)
    return fields.finish()


def expand_value(machine: Machine, word: Word) -> Value:
    """Expand *word* without splitting, as the right side of an assignment is."""
    result = EMPTY
    for index, part in enumerate(word.parts):
        result += _unsplit(machine, part, first=index == 0)
    return result


def literal_segments(
    machine: Machine, part: Literal | SingleQuoted, *, frozen: bool = False
) -> tuple[Segment, ...]:
    """The segments that a literal piece stands for; unknown text in nested code shows here again."""
    span = part.span
    if isinstance(part, SingleQuoted):
        if part.ansi_c:
            return text_value(part.text, machine.code.locate(span)).segments
        return machine.code.segments(span.start + 1, span.end - 1, frozen=True)
    if len(part.text) == len(span) and not part.escaped:
        return machine.code.segments(span.start, span.end, frozen=frozen)
    return text_value(part.text, machine.code.locate(span)).segments


# --- without splitting ---------------------------------------------------------------------------


def _unsplit(machine: Machine, part: Part, *, first: bool = False) -> Value:
    if isinstance(part, Literal):
        return _tilde(Value(literal_segments(machine, part)), first and not part.escaped)
    if isinstance(part, SingleQuoted):
        return Value(literal_segments(machine, part))
    if isinstance(part, DoubleQuoted):
        return quoted_value(machine, part.parts)
    return _expansion(machine, part, quoted=True)


def quoted_value(machine: Machine, parts: Sequence[Part]) -> Value:
    """Concatenate parts that stand in double quotes."""
    result = EMPTY
    for part in parts:
        result += _unsplit(machine, part)
    return result


def _expansion(machine: Machine, part: Part, *, quoted: bool) -> Value:
    """The value of one expansion, arrays joined by blanks."""
    if isinstance(part, Parameter):
        values = parameters.expand(machine, part, quoted=quoted)
        return _joined(values)
    if isinstance(part, CommandSubstitution):
        return substitution.substitute(machine, part)
    if isinstance(part, Arithmetic):
        return computing.arithmetic_value(machine, part)
    assert isinstance(part, ProcessSubstitution)
    return Value((Unknown("<(...)", machine.code.locate(part.span)),))


def _joined(values: Sequence[Value]) -> Value:
    result = EMPTY
    for index, value in enumerate(values):
        result = result + text_value(" ") + value if index else value
    return result


def _tilde(value: Value, at_start: bool) -> Value:
    if not at_start or not value.segments or not isinstance(value.segments[0], Text):
        return value
    first = value.segments[0]
    match = _TILDE.match(first.text)
    if not match:
        return value
    name = "$HOME" if match.group() == "~" else match.group()
    home = Unknown(name, first.slice(0, match.end()).span)
    rest = first.slice(match.end(), len(first.text))
    return Value((home, *((rest,) if rest.text else ()), *value.segments[1:]))


# --- with splitting ------------------------------------------------------------------------------


def _add_part(machine: Machine, fields: _Fields, part: Part, *, first: bool) -> None:
    if isinstance(part, Literal):
        value = _tilde(Value(literal_segments(machine, part)), first and not part.escaped)
        for segment in value.segments:
            if isinstance(segment, Text) or segment not in literal_segments(machine, part):
                fields.add((segment,))
            else:
                fields.split(Value((segment,)))
    elif isinstance(part, SingleQuoted):
        fields.add(literal_segments(machine, part), quoted=True)
    elif isinstance(part, DoubleQuoted):
        _add_quoted(machine, fields, part)
    elif isinstance(part, Parameter):
        values = parameters.expand(machine, part, quoted=False)
        for index, value in enumerate(values):
            if index:
                fields.flush()
            fields.split(value)
    else:
        fields.split(_expansion(machine, part, quoted=False))


def _add_quoted(machine: Machine, fields: _Fields, part: DoubleQuoted) -> None:
    """Add ``"..."``; ``"$@"`` and ``"${a[@]}"`` in it give a word each."""
    if not part.parts:
        fields.add((), quoted=True)
    for piece in part.parts:
        if isinstance(piece, Parameter) and parameters.is_list(piece):
            values = parameters.expand(machine, piece, quoted=True)
            if not values and len(part.parts) > 1:
                fields.add((), quoted=True)
            for index, value in enumerate(values):
                if index:
                    fields.flush()
                fields.add_element(value)
        else:
            fields.add(_unsplit(machine, piece).segments, quoted=True)


class _Fields:
    """Collects segments into words."""

    def __init__(self, span: Span | None) -> None:
        self._span = span
        self._done: list[Arg] = []
        self._current: list[Segment] = []
        self._present = False
        self._open = False
        self._optional = False

    def finish(self) -> list[Arg]:
        """Close the last word and give all."""
        self.flush()
        return self._done

    def flush(self) -> None:
        """End the current word, if there is one."""
        if self._present or self._current:
            value = Value(tuple(self._current))
            self._done.append(Arg(value, self._span, self._optional, self._open))
        self._current = []
        self._present = self._open = self._optional = False

    def add(self, segments: Iterable[Segment], *, quoted: bool = False) -> None:
        """Add to the current word without splitting; a quoted nothing still makes a word."""
        self._current.extend(segments)
        self._present = self._present or quoted

    def add_element(self, value: Value) -> None:
        """Add an array's element as a quoted word; one that may be missing makes the word optional."""
        if len(value.segments) == 1 and isinstance(value.segments[0], Choice):
            options = value.segments[0].options
            filled = tuple(option for option in options if option.segments)
            if len(filled) < len(options):
                self._optional = True
                value = filled[0] if len(filled) == 1 else Value((Choice(filled),))
        self.add(value.segments, quoted=True)

    def split(self, value: Value) -> None:
        """Add an unquoted expansion, cut at blanks."""
        for segment in value.segments:
            if isinstance(segment, Text):
                self._split_text(segment)
            elif isinstance(segment, Unknown):
                self._current.append(segment)
                self._open = True
            else:
                self._split_choice(segment)

    def _split_text(self, segment: Text) -> None:
        at = 0
        for blank in _BLANKS.finditer(segment.text):
            if blank.start() > at:
                self._current.append(segment.slice(at, blank.start()))
            self.flush()
            at = blank.end()
        if at < len(segment.text):
            self._current.append(segment.slice(at, len(segment.text)))

    def _split_choice(self, choice: Choice) -> None:
        lists = [_split_alone(option, self._span) for option in choice.options]
        glued = [option for option in choice.options if option.segments and not _begins_blank(option)]
        if all(len(words) == 1 and not words[0].open for words in lists) and len(glued) == len(lists):
            self._current.append(Choice(tuple(words[0].value for words in lists)))
            return
        if self._current and glued:
            self._current.append(Unknown(Value((choice,)).show()))
            self._open = True
            return
        self.flush()
        for words in lists:
            self._done.extend(Arg(word.value, word.span, True, word.open) for word in words)


def _split_alone(value: Value, span: Span | None) -> list[Arg]:
    fields = _Fields(span)
    fields.split(value)
    return fields.finish()


def _begins_blank(value: Value) -> bool:
    first = value.segments[0]
    return isinstance(first, Text) and first.text[:1] in (" ", "\t", "\n")


# --- braces --------------------------------------------------------------------------------------


def _braces(machine: Machine, word: Word) -> list[Arg] | None:
    """Expand ``{a,b}`` and ``{1..3}`` in a word that is otherwise literal; None where there are none."""
    if not word.parts or not all(isinstance(part, Literal) and not part.escaped for part in word.parts):
        return None
    text = "".join(part.text for part in word.parts if isinstance(part, Literal))
    texts = _brace_texts(text)
    if texts == [text]:
        return None
    span = machine.code.locate(word.span)
    return [Arg(text_value(piece, span), span) for piece in texts]


def _brace_texts(text: str) -> list[str]:
    for match in _BRACE.finditer(text):
        body = match.group(1)
        numbers = _RANGE.match(body)
        if numbers:
            options = _numbers(numbers)
        elif "," in body:
            options = body.split(",")
        else:
            continue
        head, tail = text[: match.start()], text[match.end() :]
        return [done for option in options for done in _brace_texts(head + option + tail)][:256]
    return [text]


def _numbers(match: re.Match[str]) -> list[str]:
    first, last = int(match.group(1)), int(match.group(2))
    step = abs(int(match.group(3) or 1)) or 1
    padded = re.match(r"-?0\d", match.group(1)) or re.match(r"-?0\d", match.group(2))
    width = max(len(match.group(1)), len(match.group(2))) if padded else 0
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return [str(number).zfill(width) for number in numbers[:256]]
