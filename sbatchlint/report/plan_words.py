"""Words of a planned command line as people read them.

What is known is quoted as a shell would need it, so what stands unquoted and looks like a mark is one:
``$NAME`` and ``<$(command)>`` are not known, ``[word]`` may be left out, ``{a|b}`` is one of the two,
``{first node}`` is that node of the job.
A word of both kinds stands in double quotes where it needs any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from itertools import groupby

from sbatchlint.certainty import Certainty
from sbatchlint.launch.nodes import for_people
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import Choice, Segment, Text, Unknown, Value
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.report.cells import shown
from sbatchlint.report.mask import HIDDEN, Mask

_SAFE = regex(r"[\w@%+=:,./~^-]*", re.ASCII)
_OPTION = regex(r"(?:--?|\+{0,2})[A-Za-z][\w.-]*=", re.ASCII)
_PLAIN_NAME = regex(r"\$(?:\w+|[#@*?$!-]|\{[\w\[\]@*#!.:-]+\})", re.ASCII)
_IN_DOUBLE_QUOTES = regex(r'[\\"$`]')
_VARIABLE = regex(r"\$\w+", re.ASCII)
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
        """Spell a command line; of words that stand on different ways through the script, the ways."""
        words: list[Word] = []
        for choice, run in groupby(args, lambda arg: arg.way and arg.way.choice):
            own = list(run)
            words += (choice is not None and self._ways(own)) or map(self.word, own)
        return words

    def _ways(self, args: Sequence[Arg]) -> list[Word]:
        """Spell the words of one choice as ``{a b|c}``; nothing where some of its words are elsewhere."""
        ways = [arg.way for arg in args if arg.way is not None]
        numbers = [way.number for way in ways]
        if not ways or numbers != sorted(numbers) or set(numbers) != set(range(ways[0].of)):
            return []
        words: list[Word] = []
        for before, arg in zip([None, *ways], args, strict=False):
            assert arg.way is not None
            word = self.value(arg.value)
            if arg.way.optional:
                word = (Piece(Kind.MARK, "["), *word, Piece(Kind.MARK, "]"))
            if before is None:
                word = (Piece(Kind.MARK, "{"), *word)
            elif before.number != arg.way.number:
                word = (*words.pop(), Piece(Kind.MARK, "|"), *word)
            words.append(word)
        words[-1] = (*words[-1], Piece(Kind.MARK, "}"))
        return words

    def value(self, value: Value) -> Word:
        """Spell a value that is one word."""
        pieces = self._mixed(value.segments) or self._pieces(value.segments)
        return self._without_torn_secrets(tuple(pieces)) or (Piece(Kind.KNOWN, "''"),)

    def literal(self, text: str) -> Word:
        """Spell known text as one word."""
        return (Piece(Kind.KNOWN, self._quoted(text, first=True) or "''"),)

    def plain(self, value: Value) -> Word:
        """Spell a value that is no word of a command line, such as an image: nothing is quoted."""
        return self._without_torn_secrets(tuple(self._pieces(value.segments, quote=False)))

    def _without_torn_secrets(self, word: Word) -> Word:
        """Return *word*, in which a secret may be of two pieces: ``$X`` with a token right behind it."""
        whole = "".join(piece.text for piece in word)
        hidden = self._mask.text(whole)
        return word if hidden == whole else (Piece(Kind.KNOWN, hidden),)

    def text(self, text: str) -> str:
        """Return known text fit for one line, nothing quoted."""
        return shown(self._mask.text(text))

    def name(self, name: str, *, braces: bool = False) -> str:
        """Return the name of something that is not known; *braces* where the text behind runs on."""
        name = self._mask.text(name)
        if braces and _VARIABLE.fullmatch(name):
            return f"${{{name[1:]}}}"
        name = for_people(shown(" ".join(name.split())))
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

    def _mixed(self, segments: Sequence[Segment]) -> list[Piece]:
        """Spell known text with unknown text in it between double quotes, where it needs quotes."""
        merged = _merged(segments)
        texts = [self._mask.text(segment.text) for segment in merged if isinstance(segment, Text)]
        plain = all(_SAFE.fullmatch(text.replace(HIDDEN, "")) for text in texts)
        if len(merged) < 2 or plain or any(isinstance(segment, Choice) for segment in merged):
            return []
        if any(shown(text) != text for text in texts) or sum(map(len, texts)) > _LONGEST_TEXT:
            return []
        pieces: list[Piece] = []
        for index, segment in enumerate(merged):
            if isinstance(segment, Text):
                text = self._mask.text(segment.text)
                head = _option_head(text) if not index else ""
                body = _IN_DOUBLE_QUOTES.sub(r"\\\g<0>", text[len(head) :])
                pieces.append(Piece(_grade(segment), f'{head}"{body}' if not index else body))
            else:
                assert isinstance(segment, Unknown)
                name = self.name(segment.name, braces=_runs_on(merged, index))
                pieces += [Piece(Kind.KNOWN, '"')] if not index else []
                pieces.append(Piece(Kind.UNKNOWN, name))
        return [*pieces, Piece(Kind.KNOWN, '"')]

    def _choice(self, choice: Choice, *, quote: bool) -> Iterator[Piece]:
        options = [tuple(self._pieces(option.segments, quote=quote)) for option in choice.options]
        different = list({bare(option): option for option in options}.values())
        if len(different) == 1:
            yield from different[0]
            return
        for mark, option in zip(["{", *"|" * len(different)], different, strict=False):
            yield from (Piece(Kind.MARK, mark), *option)
        yield Piece(Kind.MARK, "}")

    def _quoted(self, text: str, *, first: bool) -> str:
        """Quote known text as far as a shell needs it; of ``--option=value`` the value alone."""
        text = self._mask.text(text)
        most = _LONGEST_CODE if "\n" in text else _LONGEST_TEXT
        rest = len(text) - most
        if rest > 0:
            text = text[:most]
        head = _option_head(text) if first else ""
        body = text[len(head) :]
        if not _SAFE.fullmatch(body.replace(HIDDEN, "")):
            body = _in_quotes(body)
        return head + body + (f"{_CUT}(+{rest} characters)" if rest > 0 else "")


def _option_head(text: str) -> str:
    """Return ``--option=`` of a word that begins so; of code that does, as ``h=1; f(h)``, nothing."""
    option = _OPTION.match(text)
    if option is None or (not text.startswith("-") and re.search(r"\s", text)):
        return ""
    return option.group()


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


__all__ = ["Kind", "Piece", "Speller", "Word", "bare"]
