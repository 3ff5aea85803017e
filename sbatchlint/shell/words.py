"""What stands inside a word: quotes, escapes, parameters, substitutions, arithmetic.

One reader for both parsers: a word is read from its own source text, never from a parser's nodes.
"""

from __future__ import annotations

import re

from sbatchlint.regex import regex
from sbatchlint.shell import quoting
from sbatchlint.shell.ansi import decode_ansi
from sbatchlint.shell.syntax import (
    Arithmetic,
    ArrayElement,
    Assignment,
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    SingleQuoted,
    Word,
)
from sbatchlint.shell.wordends import array_elements
from sbatchlint.source import Span

_PLAIN_BARE = regex(r"[^\\'\"`$<>]+")
_PLAIN_QUOTED = regex(r"[^\\\"`$]+")
_PLAIN_DOCUMENT = regex(r"[^\\`$]+")
_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_PARAMETER_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!_-]")
_OPERATOR = regex(r":[-=+?]|[-=+?]|##?|%%?|//|/[#%]?|\^\^?|,,?|@[A-Za-z]|:")
_ARRAY = regex(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=\(")
_ASSIGNMENT = regex(r"([A-Za-z_][A-Za-z0-9_]*)(\[)?")


class _Mode:
    """How plain text is read: what a backslash protects and which characters are special."""

    __slots__ = ("ansi", "escapable", "plain", "quotes")

    def __init__(
        self, plain: re.Pattern[str], escapable: str | None, *, quotes: bool, ansi: bool = False
    ) -> None:
        self.plain = plain
        self.escapable = escapable
        self.quotes = quotes
        self.ansi = quotes or ansi


_BARE = _Mode(_PLAIN_BARE, None, quotes=True)
_QUOTED = _Mode(_PLAIN_QUOTED, '$`"\\', quotes=False)
_QUOTED_DEFAULT = _Mode(_PLAIN_QUOTED, '$`"\\}', quotes=False, ansi=True)
"""A default inside double quotes: as quoted text, but inner double quotes group and vanish."""
_DOCUMENT_DEFAULT = _Mode(_PLAIN_QUOTED, '$`"\\}', quotes=False)
"""A default in a here-document: there ``$'`` stays as it is."""
_DOCUMENT = _Mode(_PLAIN_DOCUMENT, "$`\\", quotes=False)
_DEFAULTS = {_DOCUMENT: _DOCUMENT_DEFAULT, _DOCUMENT_DEFAULT: _DOCUMENT_DEFAULT}


def read_word(text: str, span: Span) -> Word:
    """Read the word that *span* covers.

    Raises :class:`~sbatchlint.shell.quoting.Unterminated` where a quote inside is not closed.
    """
    array = _ARRAY.match(text, span.start, span.end)
    if array:
        return Word(span, _array_parts(text, array.end(), span))
    return Word(span, _parts(text, span.start, span.end, _BARE))


def _array_parts(text: str, start: int, span: Span) -> tuple[Part, ...]:
    """Read ``name=( ... )`` as an argument (of ``declare``); comments in it are plain text."""
    parts: list[Part] = []
    at = span.start
    for element in array_elements(text, start, span.end - 1):
        parts.append(Literal(Span(at, element.start), text[at : element.start]))
        parts.extend(_parts(text, element.start, element.end, _BARE))
        at = element.end
    return (*parts, Literal(Span(at, span.end), text[at : span.end]))


def read_quoted(text: str, span: Span) -> Word:
    """Read *span* as if it stood between double quotes (arithmetic, default values)."""
    return Word(span, _parts(text, span.start, span.end, _QUOTED))


def read_document(text: str, span: Span, *, quoted: bool) -> Word:
    """Read the body of a here-document; nothing is special in it if its delimiter was *quoted*."""
    if quoted:
        return Word(span, (Literal(span, text[span.start : span.end]),) if len(span) else ())
    return Word(span, _parts(text, span.start, span.end, _DOCUMENT))


def _parts(text: str, start: int, stop: int, mode: _Mode) -> tuple[Part, ...]:
    parts: list[Part] = []
    at = start
    while at < stop:
        try:
            part, at = _part(text, at, stop, mode)
        except quoting.Unterminated:
            if mode is not _DOCUMENT:
                raise
            # bash looks into a here-document only when it runs, so this is no error in the script's shape
            part, at = Literal(Span(at, at + 1), text[at]), at + 1
        if part is not None:
            parts.append(part)
    return tuple(parts)


def _part(text: str, at: int, stop: int, mode: _Mode) -> tuple[Part | None, int]:
    plain = mode.plain.match(text, at, stop)
    if plain:
        return Literal(Span(at, plain.end()), plain.group()), plain.end()
    char = text[at]
    if char == "\\":
        return _escape(text, at, stop, mode)
    if char == "$":
        return _dollar(text, at, stop, mode)
    if char == "`":
        end = quoting.end_of_backquote(text, at, stop)
        return CommandSubstitution(Span(at, end), Span(at + 1, end - 1), backquoted=True), end
    if char == '"':
        end = quoting.end_of_double(text, at, stop)
        return DoubleQuoted(Span(at, end), _parts(text, at + 1, end - 1, _QUOTED)), end
    if mode.quotes:
        if char == "'":
            end = quoting.end_of_single(text, at, stop)
            return SingleQuoted(Span(at, end), text[at + 1 : end - 1]), end
        if char in "<>" and text.startswith("(", at + 1):
            end = quoting.end_of_parenthesis(text, at + 1, stop)
            return ProcessSubstitution(Span(at, end), char, Span(at + 2, end - 1)), end
    return Literal(Span(at, at + 1), char), at + 1


def _escape(text: str, at: int, stop: int, mode: _Mode) -> tuple[Part | None, int]:
    if at + 1 >= stop:
        return Literal(Span(at, at + 1), "\\"), at + 1
    following = text[at + 1]
    if following == "\n":
        return None, at + 2
    if mode.escapable is None or following in mode.escapable:
        return Literal(Span(at, at + 2), following, escaped=True), at + 2
    return Literal(Span(at, at + 2), "\\" + following), at + 2


def _dollar(text: str, at: int, stop: int, mode: _Mode) -> tuple[Part, int]:
    end = quoting.end_of_dollar(text, at, stop, quoted=not mode.ansi)
    span = Span(at, end)
    following = text[at + 1] if at + 1 < end else ""
    if following == "(":
        if text.startswith("((", at + 1) and quoting.end_of_double_parenthesis(text, at + 1, stop)[1]:
            return Arithmetic(span, read_quoted(text, Span(at + 3, end - 2))), end
        return CommandSubstitution(span, Span(at + 2, end - 1)), end
    if following == "[":
        return Arithmetic(span, read_quoted(text, Span(at + 2, end - 1))), end
    if following == "{":
        return _braced(text, span, mode), end
    if following == "'":
        return SingleQuoted(span, decode_ansi(text[at + 2 : end - 1]), ansi_c=True), end
    if following == '"':
        return DoubleQuoted(span, _parts(text, at + 2, end - 1, _QUOTED)), end
    if end == at + 1:
        return Literal(span, "$"), end
    return Parameter(span, text[at + 1 : end]), end


# --- ${...} ------------------------------------------------------------------------------------


def _braced(text: str, span: Span, mode: _Mode) -> Parameter:
    at, stop = span.start + 2, span.end - 1
    prefix = ""
    if at < stop - 1 and text[at] in "#!" and _PARAMETER_NAME.match(text, at + 1, stop):
        prefix = text[at]
        at += 1
    name = _PARAMETER_NAME.match(text, at, stop)
    if not name:
        return Parameter(span, "", braced=True, operator=text[at:stop])
    at = name.end()
    subscript = None
    if text.startswith("[", at):
        end = quoting.end_of_subscript(text, at, stop)
        subscript = read_quoted(text, Span(at + 1, end - 1))
        at = end
    operator = _OPERATOR.match(text, at, stop)
    if prefix == "!" and text[at:stop] in ("@", "*"):
        return Parameter(span, name.group(), True, prefix, subscript, text[at:stop])
    if not operator:
        return Parameter(span, name.group(), True, prefix, subscript, text[at:stop])
    arguments = _arguments(text, operator, stop, mode)
    return Parameter(span, name.group(), True, prefix, subscript, operator.group(), arguments)


def _arguments(text: str, operator: re.Match[str], stop: int, mode: _Mode) -> tuple[Word, ...]:
    start, kind = operator.end(), operator.group()
    if kind.startswith("@"):
        return ()
    if kind == ":":
        return tuple(read_quoted(text, span) for span in _split(text, start, stop, ":", limit=1))
    if kind.startswith("/"):
        return tuple(read_word(text, span) for span in _split(text, start, stop, "/", limit=1))
    is_pattern = kind[0] in "#%^,"
    inner = _BARE if is_pattern or mode.quotes else _DEFAULTS.get(mode, _QUOTED_DEFAULT)
    return (Word(Span(start, stop), _parts(text, start, stop, inner)),)


def _split(text: str, start: int, stop: int, separator: str, limit: int) -> list[Span]:
    """Cut at the first unquoted *separator*s, as ``${x/a/b}`` and ``${x:1:2}`` are cut."""
    spans: list[Span] = []
    begin = at = start
    depth = 0
    while at < stop:
        char = text[at]
        if char == separator and depth == 0 and len(spans) < limit:
            spans.append(Span(begin, at))
            begin = at = at + 1
        elif char in "'\"`$\\":
            at = _past_quoted(text, at, stop)
        else:
            if separator == ":":  # an arithmetic expression, which may have colons of its own
                depth += (char in "(?") - (char in "):" and depth > 0)
            at += 1
    spans.append(Span(begin, stop))
    return spans


def _past_quoted(text: str, at: int, stop: int) -> int:
    char = text[at]
    if char == "\\":
        return at + 2
    if char == "'":
        return quoting.end_of_single(text, at, stop)
    if char == '"':
        return quoting.end_of_double(text, at, stop)
    if char == "`":
        return quoting.end_of_backquote(text, at, stop)
    return quoting.end_of_dollar(text, at, stop)


# --- assignments -------------------------------------------------------------------------------


def read_assignment(text: str, span: Span) -> Assignment | None:
    """Read the word *span* as an assignment; None if it is not one."""
    head = _ASSIGNMENT.match(text, span.start, span.end)
    if not head:
        return None
    at = head.end(1)
    subscript = None
    if head.group(2):
        try:
            end = quoting.end_of_subscript(text, at, span.end)
        except quoting.Unterminated:
            return None
        subscript = read_quoted(text, Span(at + 1, end - 1))
        at = end
    append = text.startswith("+=", at)
    if not append and not text.startswith("=", at):
        return None
    at += 2 if append else 1
    name = head.group(1)
    if text.startswith("(", at) and at < span.end:
        elements = _elements(text, at + 1, span.end - 1)
        return Assignment(span, name, append, subscript, None, elements)
    value = read_word(text, Span(at, span.end))
    return Assignment(span, name, append, subscript, value)


def _elements(text: str, start: int, stop: int) -> tuple[ArrayElement, ...]:
    """Read what stands between the parentheses of ``name=( ... )``; comments and newlines separate."""
    elements: list[ArrayElement] = []
    for span in array_elements(text, start, stop):
        key, append, value_start = _element_key(text, span)
        value = read_word(text, Span(value_start, span.end))
        elements.append(ArrayElement(span, key, value, append))
    return tuple(elements)


def _element_key(text: str, span: Span) -> tuple[Word | None, bool, int]:
    """Give the key of ``[key]=value``, whether ``+=`` follows it, and where the value begins."""
    if text.startswith("[", span.start):
        end = quoting.end_of_subscript(text, span.start, span.end)
        for operator in ("=", "+="):
            if text.startswith(operator, end, span.end):
                key = read_quoted(text, Span(span.start + 1, end - 1))
                return key, operator == "+=", end + len(operator)
    return None, False, span.start
