"""A copy of the text in which only the structure is left, for the two parsers to read.

Every word becomes a run of ``_`` of the same length, comments and here-document bodies become
blanks, so do ``time`` and ``!`` (see :meth:`.Builder.negated`); every redirection operator becomes a
plain ``<``, ``select`` becomes ``for`` and a newline that ends a command becomes ``;``.  Offsets stay
as they are and the copy is ASCII, so that bytes and characters count the same.  What a parser refuses
or misreads inside words (quotes in substitutions, ``$((...))``, ``[[ ]]``, array elements, quoted
delimiters) never reaches it.  Of many ``)`` in a row that close nothing only the first are left:
tree-sitter takes a time in the square of their number.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.shell.grammar import OPENERS, PREFIXES
from sbatchlint.shell.lexer import Kind, Token

_COMMENTS = frozenset((Kind.COMMENT,))
_BETWEEN = frozenset((Kind.COMMENT, Kind.NEWLINE))
_ENDS = frozenset((Kind.WORD, Kind.TEST, Kind.ARITHMETIC))
_CLOSING = 100
"""So many ``)`` in a row are left where none of them closes anything."""


def mask(tokens: Sequence[Token], start: int, stop: int) -> str:
    """Return the masked copy of the text between *start* and *stop*, from which *tokens* were cut."""
    pieces: list[str] = []
    at = start
    surplus = _surplus(tokens)
    for index, (token, following) in enumerate(zip(tokens, _following(tokens), strict=True)):
        pieces.append(" " * (token.start - at))
        if index in surplus:
            pieces.append(" ")
        elif token.kind is Kind.NEWLINE:
            pieces.append(_newline(tokens, index, following))
        elif token.reserved and token.text == "in" and _lists_nothing(tokens, index):
            pieces.append("  ")  # `for x in;` is unknown to tree-sitter
        elif token.kind is Kind.ARITHMETIC and index and token.start == at and tokens[index - 1].reserved:
            pieces.append(_masked(token).replace("_", " ", 1))  # `for((`, `if((`
        else:
            pieces.append(_masked(token))
        if token.reserved and token.text == "do":
            _end_head(tokens[index - 1] if index else None, pieces)
        at = token.end
    pieces.append(" " * (stop - at))
    return "".join(pieces)


def _surplus(tokens: Sequence[Token]) -> frozenset[int]:
    """Return the numbers of the ``)`` behind many others that close nothing."""
    found: list[int] = []
    opened = row = 0
    for index, token in enumerate(tokens):
        if token.kind is not Kind.OPERATOR or token.text != ")":
            opened += token.kind is Kind.OPERATOR and token.text == "("
            row = 0
        elif opened:
            opened -= 1
        else:
            row += 1
            if row > _CLOSING:
                found.append(index)
    return frozenset(found)


def _following(tokens: Sequence[Token]) -> list[Token | None]:
    """Give for each token the next one that is neither a newline nor a comment."""
    found: list[Token | None] = []
    following: Token | None = None
    for token in reversed(tokens):
        found.append(following)
        if token.kind not in _BETWEEN:
            following = token
    return found[::-1]


def _lists_nothing(tokens: Sequence[Token], index: int) -> bool:
    name = _skip_back(tokens, index, _BETWEEN)
    following = tokens[index + 1].kind if index + 1 < len(tokens) else Kind.NEWLINE
    return name > 0 and tokens[name - 1].text != "case" and following is not Kind.WORD


def _masked(token: Token) -> str:
    length = token.end - token.start
    if token.kind is Kind.OPERATOR:  # `;&` and `;;&` before `esac` are unknown to tree-sitter
        return ";;".ljust(length) if token.text in (";&", ";;&") else token.text
    if token.kind is Kind.REDIRECT:
        return "<".ljust(length)
    if token.kind in (Kind.COMMENT, Kind.PREFIX) or (token.reserved and token.text == "!"):
        return " " * length
    if token.kind is Kind.DESCRIPTOR:
        return "1" * length
    if token.reserved and token.text not in PREFIXES:
        return "for".ljust(length) if token.text == "select" else token.text
    return "_" * length  # not a letter: tree-sitter misreads `a)b` in `case`


def _newline(tokens: Sequence[Token], index: int, following: Token | None) -> str:
    """Mask a newline: ``;`` where it ends a command with arguments, a blank before ``in``.

    tree-sitter-bash 0.25 reads ``a | b | c`` and, on the next line, ``d > e`` as one command, and does
    not know ``for x`` with ``in`` on the next line.
    """
    if following is None:
        return "\n"
    if following.reserved and following.text == "in":
        return " "
    last = _skip_back(tokens, index, _COMMENTS)
    if last < 0 or following.text[0] in ";&":
        return "\n"
    ends = tokens[last].kind in _ENDS and not tokens[last].reserved
    named = last > 0 and _is_opener(tokens[last - 1])
    return ";" if ends and not named else "\n"


def _skip_back(tokens: Sequence[Token], index: int, kinds: frozenset[Kind]) -> int:
    """Give the index of the token before that at *index* that is of none of the *kinds*, or -1."""
    index -= 1
    while index >= 0 and tokens[index].kind in kinds:
        index -= 1
    return index


def _is_opener(token: Token) -> bool:
    return token.reserved and token.text in OPENERS


def _end_head(before: Token | None, pieces: list[str]) -> None:
    """Put the ``;`` that ``for x do`` may leave out, and tree-sitter needs, into the blank or the head."""
    if before is None or before.reserved or before.kind not in (Kind.WORD, Kind.ARITHMETIC):
        return
    place = -2 if pieces[-2] else -3
    pieces[place] = pieces[place][:-1] + ";"
