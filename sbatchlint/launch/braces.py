"""Brace expansion: ``{a,b}`` and ``{1..3}`` make several words of one, before anything else happens."""

from __future__ import annotations

import re
from itertools import islice, pairwise

from sbatchlint.digits import signed_number
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Literal, Parameter, Part, Word
from sbatchlint.source import Span

_NUMBERS = regex(r"([-+]?\d+)\.\.([-+]?\d+)(?:\.\.([-+]?\d+))?\Z")
_LETTERS = regex(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?\d+))?\Z")
_MOST_WORDS = 1024


@dataclass(frozen=True, slots=True)
class _Piece:
    """One bare character, or one part that braces do not look into."""

    char: str
    part: Part


_Pieces = tuple[_Piece, ...]


def expand_braces(word: Word) -> list[Word]:
    """The words that *word* becomes; itself alone where there is nothing to expand."""
    if not any(isinstance(part, Literal) and not part.escaped and "{" in part.text for part in word.parts):
        return [word]
    expanded = _expand(_pieces(word))
    return [word] if len(expanded) == 1 else [_word(word, pieces) for pieces in expanded[:_MOST_WORDS]]


def _pieces(word: Word) -> _Pieces:
    found: list[_Piece] = []
    for part in word.parts:
        if isinstance(part, Literal) and not part.escaped:
            plain = len(part.text) == len(part.span)
            for index, char in enumerate(part.text):
                start = part.span.start + index
                span = Span(start, start + 1) if plain else part.span
                found.append(_Piece(char, Literal(span, char)))
        else:
            found.append(_Piece("", part))
    return tuple(found)


def _word(word: Word, pieces: _Pieces) -> Word:
    parts: list[Part] = []
    for piece in pieces:
        last = parts[-1] if parts else None
        parts[-1:] = [piece.part] if last is None else _glued(last, piece)
    return Word(word.span, tuple(parts))


def _glued(last: Part, piece: _Piece) -> list[Part]:
    """Make one literal of two that were written one after the other."""
    part = piece.part
    if isinstance(last, Parameter) and _reads_on(last, piece):
        return [Parameter(last.span, last.name + piece.char)]
    if not piece.char or not isinstance(last, Literal) or not isinstance(part, Literal) or last.escaped:
        return [last, part]
    if last.span.end != part.span.start or len(part.span) != 1:
        return [last, part]
    return [Literal(Span(last.span.start, part.span.end), last.text + part.text)]


def _reads_on(last: Parameter, piece: _Piece) -> bool:
    """Braces expand before names are read: ``{$A,$B}z`` is ``$Az $Bz``."""
    return not last.braced and last.name.isidentifier() and (last.name + (piece.char or ".")).isidentifier()


def _expand(pieces: _Pieces) -> list[_Pieces]:
    for start, end in _pairs(pieces):
        options = _options(pieces, start, end, _commas(pieces, start, end))
        if options is None:
            continue
        tails = _expand(pieces[end + 1 :])
        heads = [pieces[:start] + option for option in options]
        return list(islice((head + tail for head in heads for tail in tails), _MOST_WORDS))
    return [pieces]


def _pairs(pieces: _Pieces) -> list[tuple[int, int]]:
    """The indices of the braces that belong together, in the order in which they open."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    for index, piece in enumerate(pieces):
        if piece.char == "{":
            opened.append(index)
        elif piece.char == "}" and opened:
            found.append((opened.pop(), index))
    return sorted(found)


def _commas(pieces: _Pieces, start: int, end: int) -> list[int]:
    """The indices of the commas between two braces, but for those in other braces between them."""
    depth = 0
    commas: list[int] = []
    for index in range(start + 1, end):
        char = pieces[index].char
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            commas.append(index)
    return commas


def _options(pieces: _Pieces, start: int, end: int, commas: list[int]) -> list[_Pieces] | None:
    if commas:
        bounds = [start, *commas, end]
        parts = [pieces[a + 1 : b] for a, b in pairwise(bounds)]
        return [option for part in parts for option in _expand(part)]
    inside = pieces[start + 1 : end]
    if not inside or not all(piece.char for piece in inside):
        return None
    texts = _range("".join(piece.char for piece in inside))
    if texts is None:
        return None
    first, last = inside[0].part.span, inside[-1].part.span
    span = Span(first.start, max(first.end, last.end))
    # Characters that are not written stand for the whole range: such a literal is never cut further.
    return [(_Piece("", Literal(span, text, escaped=True)),) for text in texts]


def _range(text: str) -> list[str] | None:
    found = _NUMBERS.match(text)
    if found:
        first, last, step = signed_number(found[1]), signed_number(found[2]), signed_number(found[3] or "1")
        if first is None or last is None or step is None:
            return None
        padded = any(re.match(r"[-+]?0\d", found[group]) for group in (1, 2))
        width = max(len(found[1]), len(found[2])) if padded else 0
        return [str(number).zfill(width) for number in _steps(first, last, abs(step) or 1)]
    found = _LETTERS.match(text)
    step = signed_number(found[3] or "1") if found else None
    if found and step is not None and found[1].isupper() == found[2].isupper():
        return [chr(code) for code in _steps(ord(found[1]), ord(found[2]), abs(step) or 1)]
    return None


def _steps(first: int, last: int, step: int) -> range:
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return numbers[:_MOST_WORDS]
