"""From words as written to the words that a command gets (bash(1), EXPANSION)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch import computing, parameters, substitution
from sbatchlint.launch.braces import expand_braces
from sbatchlint.launch.branching import perhaps, weakly
from sbatchlint.launch.code import is_placeholder
from sbatchlint.launch.combining import without_absent
from sbatchlint.launch.fields import Fields
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import EMPTY, Segment, Text, Unknown, Value, concatenated, text_value, unknown
from sbatchlint.regex import regex
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

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

_TILDE = regex(r"~[A-Za-z0-9_.+-]*(?=[/:]|$)")
_WITHOUT_FILES = ("nullglob", "failglob")
"""Options of ``shopt`` by which a pattern that matches no file does not stay as it is."""
_PLAIN = regex(r"[A-Za-z0-9_./:@%+=,-]+")
_SETTING = regex(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


def expand_words(machine: Machine, words: Iterable[Word]) -> list[Arg]:
    """Expand and split *words* as a command's arguments."""
    return expand_list(machine, words)[0]


def expand_list(machine: Machine, words: Iterable[Word]) -> tuple[list[Arg], bool]:
    """Expand and split *words*; tell whether they are none only because defaults are empty."""
    args: list[Arg] = []
    dropped = False
    for word in words:
        plain = _plain(machine, word)
        if plain is not None:
            args.append(replace(plain, splits=True) if dropped else plain)
            dropped = False
            continue
        for single in expand_braces(word):
            fields = _fields(machine, single)
            assigned = _looks_assigned(single)
            for index, part in enumerate(single.parts):
                _add_part(machine, fields, part, first=index == 0, assigned=assigned)
            found = fields.finish()
            if found and dropped:
                found[0] = replace(found[0], splits=True)
                dropped = False
            args.extend(found)
            # Assumed text that is empty leaves its mark on a neighbour: in truth there may be words.
            if fields.splits and not found and args:
                args[-1] = replace(args[-1], splits=True)
            elif fields.splits and not found:
                dropped = True
    return args, dropped


def _plain(machine: Machine, word: Word) -> Arg | None:
    """A word in which nothing is expanded, as most are; None for any other."""
    part = word.parts[0] if len(word.parts) == 1 else None
    if not isinstance(part, Literal) or part.escaped or not _PLAIN.fullmatch(part.text):
        return None
    return Arg(Value(_literal_segments(machine, part)), machine.code.locate(word.span))


def _fields(machine: Machine, word: Word) -> Fields:
    options = machine.state.options
    return Fields(
        machine.code.locate(word.span),
        machine.separators(),
        globs="noglob" not in options,
        keeps=options.isdisjoint(_WITHOUT_FILES),
    )


def _looks_assigned(word: Word) -> bool:
    """Tell whether an argument looks like ``name=value``: then ``~`` expands in it as in an assignment."""
    first = word.parts[0] if word.parts else None
    return isinstance(first, Literal) and not first.escaped and _SETTING.match(first.text) is not None


def expand_value(machine: Machine, word: Word, *, assigned: bool = False) -> Value:
    """Expand *word* without splitting; *assigned*: as an assignment's right side, where ``:~`` expands."""
    return concatenated(
        _unsplit(machine, part, first=index == 0, assigned=assigned) for index, part in enumerate(word.parts)
    )


def expand_quoted(machine: Machine, word: Word) -> Value:
    """Expand *word* as if it stood in double quotes."""
    return _quoted_value(machine, word.parts)


def _literal_segments(machine: Machine, part: Literal | SingleQuoted) -> tuple[Segment, ...]:
    """The segments that a literal piece stands for; unknown text in nested code shows here again."""
    span = part.span
    if isinstance(part, SingleQuoted) and not part.ansi_c:
        return machine.code.segments(span.start + 1, span.end - 1, frozen=True)
    if isinstance(part, Literal) and len(part.text) == len(span) and not part.escaped:
        return machine.code.segments(span.start, span.end)
    machine.code.segments(span.start, span.end, frozen=True)  # what stands in it is not expanded again
    if any(is_placeholder(char) for char in part.text):
        return unknown(machine.shown(span), machine.code.locate(span)).segments
    return text_value(part.text, machine.code.locate(span)).segments


# --- without splitting ---------------------------------------------------------------------------


def _unsplit(
    machine: Machine, part: Part, *, first: bool = False, assigned: bool = False, quoted: bool = False
) -> Value:
    if isinstance(part, Literal):
        value = Value(_literal_segments(machine, part))
        return value if part.escaped else _tilde(value, at_start=first, after_colons=assigned)
    if isinstance(part, SingleQuoted):
        return Value(_literal_segments(machine, part))
    if isinstance(part, DoubleQuoted):
        return _quoted_value(machine, part.parts)
    return _expansion(machine, part, quoted=quoted)


def _quoted_value(machine: Machine, parts: Sequence[Part]) -> Value:
    """Concatenate parts that stand in double quotes."""
    return concatenated(_unsplit(machine, part, quoted=True) for part in parts)


def _expansion(machine: Machine, part: Part, *, quoted: bool = False) -> Value:
    """The value of one expansion, lists joined."""
    if isinstance(part, Parameter):
        return parameters.expand_joined(machine, part)
    if isinstance(part, CommandSubstitution):
        return substitution.substitute(machine, part, quoted=quoted)
    if isinstance(part, Arithmetic):
        return computing.arithmetic_value(machine, part)
    assert isinstance(part, ProcessSubstitution)
    return unknown("<(...)", machine.code.locate(part.span))


def _tilde(value: Value, *, at_start: bool, after_colons: bool) -> Value:
    """Put the unknown home folder for a ``~`` at the start, or behind a colon of an assigned value."""
    if not value.segments or not isinstance(value.segments[0], Text):
        return value
    first = value.segments[0]
    if "~" not in first.text:
        return value
    pieces: list[Segment] = []
    at = 0
    for match in _TILDE.finditer(first.text):
        start = match.start()
        before = first.text[:start]
        named = at_start and _SETTING.fullmatch(before)
        if not (at_start and not before) and not (after_colons and (before.endswith(":") or named)):
            continue
        if start > at:
            pieces.append(first.slice(at, start))
        name = "$HOME" if match.group() == "~" else match.group()
        pieces.append(Unknown(name, first.slice(start, match.end()).span))
        at = match.end()
    if at < len(first.text):
        pieces.append(first.slice(at, len(first.text)))
    return Value((*pieces, *value.segments[1:]))


# --- with splitting ------------------------------------------------------------------------------


def _add_part(
    machine: Machine, fields: Fields, part: Part, *, first: bool, inner: bool = False, assigned: bool = False
) -> None:
    """Add one part of a word; *inner* for the word of a default, whose bare text is split too."""
    if isinstance(part, Literal):
        _add_literal(machine, fields, part, first=first, inner=inner, assigned=assigned)
    elif isinstance(part, SingleQuoted):
        fields.add(_literal_segments(machine, part), quoted=True)
    elif isinstance(part, DoubleQuoted):
        _add_quoted(machine, fields, part)
    elif isinstance(part, Parameter):
        _add_parameter(machine, fields, part)
    else:
        fields.split(_expansion(machine, part))


def _add_literal(
    machine: Machine, fields: Fields, part: Literal, *, first: bool, inner: bool, assigned: bool
) -> None:
    segments = _literal_segments(machine, part)
    if part.escaped:
        fields.add(segments, quoted=True)
        return
    value = _tilde(Value(segments), at_start=first, after_colons=assigned)
    for segment in value.segments:
        if inner or (not isinstance(segment, Text) and segment in segments):
            fields.split(Value((segment,)))
        else:
            fields.add((segment,))


def _add_parameter(machine: Machine, fields: Fields, part: Parameter) -> None:
    chosen = parameters.choose(machine, part)
    if chosen is None:
        _add_list(fields, parameters.expand(machine, part))
    elif chosen.word is None:
        _add_list(fields, chosen.own or parameters.Expanded(()))
    elif chosen.own is None:
        word, assumed = chosen.word, chosen.certainty is Certainty.ASSUMED
        before, fields.at_best = fields.at_best, max(fields.at_best, chosen.certainty)
        weakly(machine, assumed, lambda: _add_inner(machine, fields, word))
        fields.at_best = before
        if not word.parts and assumed:
            fields.split(EMPTY.assumed())
    else:
        word, alone = chosen.word, _fields(machine, chosen.word)
        perhaps(machine, lambda: _add_inner(machine, alone, word))
        own = _fields(machine, chosen.word)
        _add_list(own, chosen.own)
        apart = not chosen.own.values and not chosen.own.open
        name = unknown(machine.shown(part.span), machine.code.locate(part.span))
        fields.one_of([(alone.finish(), False), (own.finish(), apart)], name)


def _add_inner(machine: Machine, fields: Fields, word: Word) -> None:
    for index, part in enumerate(word.parts):
        _add_part(machine, fields, part, first=index == 0, inner=True)


def _add_list(fields: Fields, found: parameters.Expanded) -> None:
    _add_each(fields, found, fields.split)


def _add_quoted(machine: Machine, fields: Fields, part: DoubleQuoted) -> None:
    """Add ``"..."``; ``"$@"`` and ``"${a[@]}"`` in it give a word each."""
    if not part.parts:
        fields.add((), quoted=True)
    if not any(isinstance(piece, Parameter) and parameters.is_list(machine, piece) for piece in part.parts):
        for piece in part.parts:
            fields.add(_unsplit(machine, piece, quoted=True).segments, quoted=True)
        return
    pieces = [_quoted_piece(machine, piece) for piece in part.parts]
    # A list without elements takes the word with it, unless something else stands between the quotes.
    sure = any(_makes_word(piece) for piece in pieces)
    for found in pieces:
        if isinstance(found, parameters.Expanded):
            _add_each(fields, found, fields.add_element)
        elif sure:
            fields.add(found.segments, quoted=True)
        elif found.text != "" or found.certainty is not Certainty.KNOWN:
            fields.add_open(found.segments)


def _quoted_piece(machine: Machine, piece: Part) -> Value | parameters.Expanded:
    """What one part between double quotes gives: a value, or a word for each element of a list."""
    if not isinstance(piece, Parameter) or not parameters.is_list(machine, piece):
        return _unsplit(machine, piece, quoted=True)
    chosen = parameters.choose(machine, piece)
    if chosen is None or chosen.word is None:
        return (chosen and chosen.own) or parameters.expand(machine, piece)
    if chosen.own is not None:
        return parameters.Expanded((unknown(machine.shown(piece.span)),), open=True)
    return parameters.Expanded((parameters.expand_joined(machine, piece),))


def _makes_word(piece: Value | parameters.Expanded) -> bool:
    """Tell whether *piece* makes a word between double quotes even beside a list without elements."""
    if isinstance(piece, parameters.Expanded):
        return not piece.open and any(not without_absent(value)[1] for value in piece.values)
    return any(isinstance(segment, Text) and segment.text for segment in piece.segments)


def _add_each(fields: Fields, found: parameters.Expanded, add: Callable[[Value], None]) -> None:
    """Add the values as words of their own; *add* takes one that is no open text.

    Text that stands beside an element that may be missing belongs to its neighbour then.
    """
    missing = any(without_absent(value)[1] for value in found.values)
    whole = unknown(" ".join(value.show() for value in found.values)) if missing else EMPTY
    if missing and fields.in_word:
        fields.add_open(whole.segments)
        return
    start = fields.count
    for index, value in enumerate(found.values):
        if index:
            fields.flush()
        if found.open:
            fields.add_open(value.segments)
        else:
            add(value)
    _add_more(fields, found)
    if missing:
        fields.loosen(start, whole)


def _add_more(fields: Fields, found: parameters.Expanded) -> None:
    if found.more is not None:
        if found.values:
            fields.flush()
        fields.add_open(replace(s, many=True) if isinstance(s, Unknown) else s for s in found.more.segments)
