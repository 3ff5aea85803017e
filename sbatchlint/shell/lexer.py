"""Shell text cut into tokens, the way bash's own lexer cuts it.

The two parsers are given only the structure of a script to read; words, comments and here-documents
are found here, once, for both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell import quoting
from sbatchlint.shell.conditional import end_of_test
from sbatchlint.shell.documents import DocumentBody, find_body
from sbatchlint.shell.grammar import CLOSERS, COMPOUND, NESTING, PREFIXES, Grammar, Place
from sbatchlint.shell.quoting import Excess, Unterminated
from sbatchlint.shell.wordends import end_of_word


class Kind(Enum):
    """What a token is."""

    WORD = "word"
    DESCRIPTOR = "descriptor"
    """The ``2`` or ``{fd}`` before a redirection operator."""
    OPERATOR = "operator"
    REDIRECT = "redirect"
    NEWLINE = "newline"
    COMMENT = "comment"
    ARITHMETIC = "arithmetic"
    """``((...))`` where a command can begin, or after ``for``."""
    TEST = "test"
    """``[[ ... ]]`` where a command can begin."""
    PREFIX = "prefix"
    """``time`` or ``coproc NAME`` before a compound command, which the syntax tree does not show."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token with its text; ``reserved`` where a word is a reserved word."""

    kind: Kind
    start: int
    end: int
    text: str
    reserved: bool = False


_OPERATOR = regex(r"&&|\|\||;;&|;;|;&|\|&|[;|()]|&(?!>)")
_REDIRECT = regex(r"&>>|&>|<<<|<<-|<<|<&|>&|<>|>>|>\||<(?!\()|>(?!\()")
_BLANK = regex(r"(?:[ \t]|\\\n)+")
_DESCRIPTOR = regex(r"(?:[0-9]+|\{[A-Za-z_][A-Za-z0-9_]*(?:\[[A-Za-z0-9_@*]+\])?\})(?=[<>])")
_ASSIGNMENT = regex(r"[A-Za-z_][A-Za-z0-9_]*(?:\[.*?\])?\+?=", re.S)
_TEST_OPENER = regex(r"\[\[(?=[ \t\n]|\\\n)")


MOST_TOKENS = 400_000
"""So many are read of one text: what comes behind them would take longer than anybody waits for."""


class Lexer:
    """Cuts ``text[start:stop]`` into tokens; here-document bodies are collected in ``documents``.

    *nested* tells that the text continues behind a ``)`` that nothing in it opens (``$(...)``).
    Iterating raises :class:`~sbatchlint.shell.quoting.Unterminated` at a quote that is never closed, and
    :class:`~sbatchlint.shell.quoting.Excess` where there are too many tokens.
    """

    def __init__(self, text: str, start: int, stop: int, *, nested: bool = False) -> None:
        self.text = text
        self.at = start
        self.stop = stop
        self.documents: list[DocumentBody] = []
        self.at_outer_parenthesis = False
        """Set once a ``)`` has been given that closes a parenthesis opened before the text."""
        self._nested = nested
        self._grammar = Grammar()
        self._pending: list[tuple[int, str]] = []
        self._document_operator: int | None = None
        self._target_follows = False

    def __iter__(self) -> Iterator[Token]:
        count = 0
        while True:
            blank = _BLANK.match(self.text, self.at, self.stop)
            if blank:
                self.at = blank.end()
            if self.at >= self.stop:
                self._read_documents()
                return
            token = self._next()
            count += 1
            if count > MOST_TOKENS:
                raise Excess(token.start, f"more than {MOST_TOKENS} words, comments and operators")
            self.at = token.end
            self._after(token)
            yield token

    # --- one token ---------------------------------------------------------------------------

    def _next(self) -> Token:
        text, at = self.text, self.at
        char = text[at]
        if char in "\n#":
            if char == "\n":
                return self._token(Kind.NEWLINE, at + 1)
            end = text.find("\n", at, self.stop)
            return self._token(Kind.COMMENT, self.stop if end < 0 else end)
        if char in "([":
            special = self._special()
            if special:
                return special
        if char in "<>&;|()":
            redirect = _REDIRECT.match(text, at, self.stop)
            if redirect:
                return self._token(Kind.REDIRECT, redirect.end())
            operator = _OPERATOR.match(text, at, self.stop)
            if operator:
                return self._token(Kind.OPERATOR, operator.end())
        elif char in "0123456789{":
            descriptor = _DESCRIPTOR.match(text, at, self.stop)
            if descriptor and _REDIRECT.match(text, descriptor.end(), self.stop):
                return self._token(Kind.DESCRIPTOR, descriptor.end())
        return self._word()

    def _word(self) -> Token:
        grammar, at = self._grammar, self.at
        target = self._target_follows
        first = grammar.place is Place.COMMAND and not target
        end = end_of_word(self.text, at, self.stop, assignable=grammar.assignable and not target, first=first)
        word = self.text[at:end]
        return Token(Kind.WORD, at, end, word, not target and grammar.is_reserved(word))

    def _token(self, kind: Kind, end: int) -> Token:
        return Token(kind, self.at, end, self.text[self.at : end])

    def _special(self) -> Token | None:
        text, at, grammar = self.text, self.at, self._grammar
        if self._target_follows:
            return None
        if grammar.arithmetic and text.startswith("((", at, self.stop):
            end = quoting.end_of_arithmetic(text, at, self.stop)
            if end is not None:
                return self._token(Kind.ARITHMETIC, end)
        elif grammar.place is Place.COMMAND and _TEST_OPENER.match(text, at, self.stop):
            return self._token(Kind.TEST, end_of_test(text, at, self.stop))
        return None

    # --- what a token means for the next one ---------------------------------------------------

    def _after(self, token: Token) -> None:
        kind, grammar = token.kind, self._grammar
        if kind is Kind.WORD:
            self._after_word(token)
        elif kind is Kind.NEWLINE:
            self._read_documents()
            grammar.after_newline()
            self._target_follows = False
        elif kind is Kind.OPERATOR:
            self._target_follows = False
            self.at_outer_parenthesis = grammar.after_operator(token.text)
        elif kind is Kind.REDIRECT:
            self._target_follows = True
            self._document_operator = token.start if token.text in ("<<", "<<-") else None
        elif kind in (Kind.ARITHMETIC, Kind.TEST):
            grammar.after_special(token.text)

    def _after_word(self, token: Token) -> None:
        if self._target_follows:
            self._target_follows = False
            if self._document_operator is not None:
                self._pending.append((self._document_operator, token.text))
            self._grammar.after_target()
        elif token.reserved:
            self._grammar.after_reserved(token.text)
        else:
            self._grammar.after_word(token.text, assigns=_ASSIGNMENT.match(token.text) is not None)

    def _read_documents(self) -> None:
        for operator, word in self._pending:
            body = find_body(self.text, self.at, self.stop, operator, word, nested=self._nested)
            self.documents.append(body)
            self.at = body.close
        self._pending.clear()


def hide_prefixes(tokens: Sequence[Token]) -> list[Token]:
    """Mark ``time`` and ``coproc NAME`` as prefixes where a compound command follows.

    Before a simple command they stay its first words.
    """
    marked = list(tokens)
    compound = False
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        before = tokens[index - 1] if index else token
        if token.kind is not Kind.WORD:
            compound = token.kind in (Kind.ARITHMETIC, Kind.TEST) or token.text == "("
        elif token.reserved and token.text not in PREFIXES:
            compound = token.text in COMPOUND
        elif compound and (token.reserved or _belongs_to_prefix(token, before)):
            marked[index] = replace(token, kind=Kind.PREFIX)
        else:
            compound = False
    return marked


def deep_places(tokens: Sequence[Token], limit: int) -> list[int]:
    """Give the offsets of the tokens at which more than *limit* compound commands are open."""
    deep: list[int] = []
    depth = 0
    for token in tokens:
        if (token.reserved and token.text in NESTING) or (token.kind is Kind.OPERATOR and token.text == "("):
            depth += 1
            if depth > limit:
                deep.append(token.start)
        elif (token.reserved and token.text in CLOSERS) or (
            token.kind is Kind.OPERATOR and token.text == ")"
        ):
            depth = max(depth - 1, 0)
    return deep


def _belongs_to_prefix(token: Token, before: Token) -> bool:
    """Tell whether *token* is ``-p`` behind ``time``, or a name behind ``coproc``."""
    if before.text == "coproc":
        return before.reserved
    return token.text in ("-p", "--") and before.text in ("time", "-p")


@lru_cache(maxsize=4096)
def end_of_commands(text: str, start: int, stop: int) -> int | None:
    """Give the offset of the ``)`` that closes the commands beginning at *start*, or None.

    Remembered, because each enclosing construct asks again and the cost would double at each level.
    """
    lexer = Lexer(text, start, stop, nested=True)
    for token in lexer:
        if lexer.at_outer_parenthesis:
            return token.start
    return None


__all__ = ["DocumentBody", "Kind", "Lexer", "Token", "Unterminated", "end_of_commands", "hide_prefixes"]
