"""A copy of the text in which only the structure is left, for the two parsers to read.

Every word becomes a run of ``_`` of the same length, comments and here-document bodies become
blanks, so do ``time`` and ``!`` (see :meth:`.Builder.negated`); every redirection operator becomes a
plain ``<``, ``select`` becomes ``for`` and a newline that ends a command becomes ``;``.  Offsets stay
as they are and the copy is ASCII, so that bytes and characters count the same.  What a parser refuses
or misreads inside words (quotes in substitutions, ``$((...))``, ``[[ ]]``, array elements, quoted
delimiters) never reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.shell.grammar import OPENERS, PREFIXES
from sbatchlint.shell.lexer import Kind, Token


def mask(tokens: Sequence[Token], start: int, stop: int) -> str:
    """Return the masked copy of the text between *start* and *stop*, from which *tokens* were cut."""
    pieces: list[str] = []
    at = start
    for index, token in enumerate(tokens):
        pieces.append(" " * (token.start - at))
        pieces.append(_newline(tokens, index) if token.kind is Kind.NEWLINE else _masked(token))
        if token.reserved and token.text == "do":
            _end_head(tokens[index - 1] if index else None, pieces)
        at = token.end
    pieces.append(" " * (stop - at))
    return "".join(pieces)


def _masked(token: Token) -> str:
    length = token.end - token.start
    if token.kind is Kind.OPERATOR:
        return token.text
    if token.kind is Kind.REDIRECT:
        return "<".ljust(length)
    if token.kind in (Kind.COMMENT, Kind.PREFIX) or (token.reserved and token.text == "!"):
        return " " * length
    if token.kind is Kind.DESCRIPTOR:
        return "1" * length
    if token.reserved and token.text not in PREFIXES:
        return "for".ljust(length) if token.text == "select" else token.text
    return "_" * length  # not a letter: tree-sitter misreads `a)b` in `case`


def _newline(tokens: Sequence[Token], index: int) -> str:
    """Mask a newline: ``;`` where it ends a command with arguments, a blank before ``in``.

    tree-sitter-bash 0.25 reads ``a | b | c`` and, on the next line, ``d > e`` as one command, and does
    not know ``for x`` with ``in`` on the next line.
    """
    following = _neighbour(tokens, index, 1)
    if following is not None and following.reserved and following.text == "in":
        return " "
    last = _neighbour(tokens, index, -1)
    if last is None or last.reserved or last.kind not in (Kind.WORD, Kind.TEST, Kind.ARITHMETIC):
        return "\n"
    begins_with_name = index > 1 and tokens[index - 2].reserved and tokens[index - 2].text in OPENERS
    stays = following is None or following.text[0] in ";&" or begins_with_name
    return "\n" if stays else ";"


def _neighbour(tokens: Sequence[Token], index: int, step: int) -> Token | None:
    """Give the next token in the direction *step* that is neither a comment nor a newline."""
    index += step
    while 0 <= index < len(tokens):
        if tokens[index].kind not in (Kind.COMMENT, Kind.NEWLINE):
            return tokens[index]
        if step < 0 and tokens[index].kind is Kind.NEWLINE:
            return None
        index += step
    return None


def _end_head(before: Token | None, pieces: list[str]) -> None:
    """Put the ``;`` that ``for x do`` may leave out, and tree-sitter needs, into the blank or the head."""
    if before is None or before.reserved or before.kind not in (Kind.WORD, Kind.ARITHMETIC):
        return
    place = -2 if pieces[-2] else -3
    pieces[place] = pieces[place][:-1] + ";"
