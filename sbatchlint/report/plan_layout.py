"""Sets the words of a plan in lines of a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sbatchlint.report.cells import cells
from sbatchlint.report.plan_words import Kind, Piece, Word, bare
from sbatchlint.report.style import Style

_CUT = "..."


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
        takes = bare(words[index]).lstrip("[{").startswith("-") and "=" not in bare(words[index])
        follows = index + 1 < len(words) and not bare(words[index + 1]).lstrip("[{").startswith("-")
        size = 2 if takes and follows else 1
        yield list(words[index : index + size])
        index += size


__all__ = ["columns", "painted", "shortened", "wrapped"]
