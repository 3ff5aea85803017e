"""A copy of the text in which only the structure is left, for the two parsers to read.

Every word becomes a run of ``x`` of the same length, comments and here-document bodies become
blanks, every redirection operator becomes a plain ``<``, ``select`` becomes ``for`` and a newline that
ends a command becomes ``;``.  Offsets stay
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
        pieces.append(";" if _ends_command(tokens, index) else _masked(token))
        if token.reserved and token.text == "do":
            _end_head(tokens[index - 1] if index else None, pieces)
        at = token.end
    pieces.append(" " * (stop - at))
    return "".join(pieces)


def _masked(token: Token) -> str:
    length = token.end - token.start
    if token.kind in (Kind.OPERATOR, Kind.NEWLINE):
        return token.text
    if token.kind is Kind.REDIRECT:
        return "<".ljust(length)
    if token.kind in (Kind.COMMENT, Kind.PREFIX):
        return " " * length
    if token.kind is Kind.DESCRIPTOR:
        return "1" * length
    if token.reserved and token.text not in PREFIXES:
        return "for".ljust(length) if token.text == "select" else token.text
    return "x" * length


def _ends_command(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a newline ends a command with arguments.

    Such a newline becomes ``;``: tree-sitter-bash 0.25 reads ``a | b | c`` and, on the next line,
    ``d > e`` as one command.
    """
    if tokens[index].kind is not Kind.NEWLINE or (
        index + 1 < len(tokens) and tokens[index + 1].text[0] in ";&"
    ):
        return False
    last = index - 1
    while last >= 0 and tokens[last].kind is Kind.COMMENT:
        last -= 1
    if last < 0 or tokens[last].reserved or tokens[last].kind not in (Kind.WORD, Kind.TEST, Kind.ARITHMETIC):
        return False
    return last == 0 or not (tokens[last - 1].reserved and tokens[last - 1].text in OPENERS)


def _end_head(before: Token | None, pieces: list[str]) -> None:
    """Put the ``;`` that ``for x do`` may leave out, and tree-sitter needs, into the blank or the head."""
    if before is None or before.reserved or before.kind not in (Kind.WORD, Kind.ARITHMETIC):
        return
    place = -2 if pieces[-2] else -3
    pieces[place] = pieces[place][:-1] + ";"
