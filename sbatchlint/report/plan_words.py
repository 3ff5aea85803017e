"""Words of a planned command line as people read them.

What is known is quoted as a shell would need it, so what stands unquoted and looks like a mark is one:
``$NAME`` and ``<$(command)>`` are not known, ``[word]`` may be left out, ``{a|b}`` is one of the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import Choice, Segment, Text, Value
from sbatchlint.report.cells import cells, shown
from sbatchlint.report.mask import HIDDEN, Mask
from sbatchlint.report.style import Style

_SAFE = re.compile(r"[\w@%+=:,./~^-]*", re.ASCII)
_OPTION = re.compile(r"(?:--?|\+{0,2})[A-Za-z][\w.-]*=", re.ASCII)
_PLAIN_NAME = re.compile(r"\$(?:\w+|[#@*?$!-]|\{[\w\[\]@*#!.:-]+\})", re.ASCII)
_VARIABLE = re.compile(r"\$\w+", re.ASCII)
_LONGEST_TEXT = 400
_LONGEST_CODE = 80
_LONGEST_NAME = 70
_CUT = "..."


class Kind(Enum):
    """What a piece of a word is."""

    KNOWN = auto()
    ASSUMED = auto()
    UNKNOWN = auto()
    MARK = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a word, fit for a terminal."""

    kind: Kind
    text: str


Word = tuple[Piece, ...]
"""One word; never broken between lines."""


class Speller:
    """Spells values without the secrets of their file."""

    def __init__(self, mask: Mask) -> None:
        self._mask = mask

    def word(self, arg: Arg) -> Word:
        """Spell one word of a command line."""
        word = self.value(arg.value)
        return (Piece(Kind.MARK, "["), *word, Piece(Kind.MARK, "]")) if arg.optional else word

    def words(self, args: Iterable[Arg]) -> list[Word]:
        """Spell a command line."""
        return [self.word(arg) for arg in args]

    def value(self, value: Value) -> Word:
        """Spell a value that is one word."""
        return tuple(self._pieces(value.segments)) or (Piece(Kind.KNOWN, "''"),)

    def literal(self, text: str) -> Word:
        """Spell known text as one word."""
        return (Piece(Kind.KNOWN, self._quoted(text, first=True) or "''"),)

    def plain(self, value: Value) -> Word:
        """Spell a value that is no word of a command line, such as an image: nothing is quoted."""
        return tuple(self._pieces(value.segments, quote=False))

    def text(self, text: str) -> str:
        """Return known text fit for one line, nothing quoted."""
        return shown(self._mask.text(text))

    def name(self, name: str, *, braces: bool = False) -> str:
        """Return the name of something that is not known; *braces* where the text behind runs on."""
        name = self._mask.text(name)
        if braces and _VARIABLE.fullmatch(name):
            return f"${{{name[1:]}}}"
        name = shown(" ".join(name.split()))
        if _PLAIN_NAME.fullmatch(name) or (name.startswith("{") and len(name) <= _LONGEST_NAME):
            return name
        return f"<{name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - len(_CUT)] + _CUT}>"

    def _pieces(self, segments: Sequence[Segment], *, quote: bool = True) -> Iterator[Piece]:
        merged = _merged(segments)
        for index, segment in enumerate(merged):
            if isinstance(segment, Text):
                text = self._quoted(segment.text, first=not index) if quote else self.text(segment.text)
                yield Piece(_grade(segment), text)
            elif isinstance(segment, Choice):
                yield from self._choice(segment, quote=quote)
            else:
                yield Piece(Kind.UNKNOWN, self.name(segment.name, braces=_runs_on(merged, index)))

    def _choice(self, choice: Choice, *, quote: bool) -> Iterator[Piece]:
        yield Piece(Kind.MARK, "{")
        for index, option in enumerate(choice.options):
            if index:
                yield Piece(Kind.MARK, "|")
            yield from self._pieces(option.segments, quote=quote)
        yield Piece(Kind.MARK, "}")

    def _quoted(self, text: str, *, first: bool) -> str:
        """Quote known text as far as a shell needs it; of ``--option=value`` the value alone."""
        text = self._mask.text(text)
        most = _LONGEST_CODE if "\n" in text else _LONGEST_TEXT
        rest = len(text) - most
        if rest > 0:
            text = text[:most]
        option = _OPTION.match(text) if first else None
        head = option.group() if option else ""
        body = text[len(head) :]
        if not _SAFE.fullmatch(body.replace(HIDDEN, "")):
            body = _in_quotes(body)
        return head + body + (f"{_CUT}(+{rest} characters)" if rest > 0 else "")


def _in_quotes(text: str) -> str:
    visible = shown(text)
    if visible == text:
        return "'" + text.replace("'", "'\\''") + "'"
    return "$'" + shown(text.replace("\\", "\\\\").replace("'", "\\'")) + "'"


def _merged(segments: Sequence[Segment]) -> list[Segment]:
    """Join neighbouring texts of one grade: a secret may have been put together of pieces."""
    found: list[Segment] = []
    for segment in segments:
        last = found[-1] if found else None
        if isinstance(segment, Text) and isinstance(last, Text) and last.certainty is segment.certainty:
            found[-1] = Text(last.text + segment.text, last.span, last.certainty)
        else:
            found.append(segment)
    return found


def _runs_on(segments: Sequence[Segment], index: int) -> bool:
    """Tell whether the text behind a segment would be read as a part of a variable's name."""
    following = segments[index + 1] if index + 1 < len(segments) else None
    return isinstance(following, Text) and re.match(r"\w", following.text, re.ASCII) is not None


def _grade(segment: Text) -> Kind:
    return Kind.KNOWN if segment.certainty is Certainty.KNOWN else Kind.ASSUMED


def bare(word: Word) -> str:
    """Return the word without colours."""
    return "".join(piece.text for piece in word)


def painted(word: Word, style: Style) -> str:
    """Return the word with what is not known set apart."""
    paint: dict[Kind, Callable[[str], str]] = {
        Kind.KNOWN: str,
        Kind.ASSUMED: style.assumed,
        Kind.UNKNOWN: style.unknown,
        Kind.MARK: style.unknown,
    }
    return "".join(paint[piece.kind](piece.text) for piece in word)


def columns(word: Word) -> int:
    """Return how many columns of a terminal the word takes."""
    return sum(cell.width for cell in cells(bare(word)))


def shortened(word: Word, most: int) -> Word:
    """Return the first *most* characters of a word, or a few more, and a mark where it is cut."""
    kept: list[Piece] = []
    room = most
    for piece in word:
        if len(piece.text) > room:
            return (*kept, Piece(piece.kind, piece.text[:room]), Piece(Kind.MARK, _CUT))
        kept.append(piece)
        room -= len(piece.text)
    return word


def wrapped(words: Sequence[Word], width: int, style: Style, *, end: str = " \\") -> list[str]:
    """Set words in lines of at most *width* columns where they allow it; an option keeps its value.

    *end* is put behind every line but the last.
    """
    lines: list[list[Word]] = [[]]
    used = 0
    for group in _groups(words):
        size = sum(map(columns, group)) + len(group) - 1
        if lines[-1] and used + 1 + size > width - len(end):
            lines.append([])
            used = 0
        used += size + (1 if lines[-1] else 0)
        lines[-1] += group
    texts = [" ".join(painted(word, style) for word in line) for line in lines]
    return [text + end for text in texts[:-1]] + texts[-1:]


def _groups(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Keep ``--option value`` together."""
    index = 0
    while index < len(words):
        takes = bare(words[index]).lstrip("[").startswith("-") and "=" not in bare(words[index])
        follows = index + 1 < len(words) and not bare(words[index + 1]).lstrip("[").startswith("-")
        size = 2 if takes and follows else 1
        yield list(words[index : index + size])
        index += size


__all__ = ["Kind", "Piece", "Speller", "Word", "bare", "columns", "painted", "shortened", "wrapped"]
