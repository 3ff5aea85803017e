"""Builds nodes of the syntax tree from a range of tokens; shared by the two readers.

A reader says where a command or a compound begins and ends; the words and redirections in that
range are taken from the tokens.  A range that holds anything else does not *tile*, and is refused.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from sbatchlint.shell.conditional import test_words
from sbatchlint.shell.documents import DocumentBody
from sbatchlint.shell.grammar import PREFIXES
from sbatchlint.shell.lexer import Kind, Token
from sbatchlint.shell.quoting import Unterminated
from sbatchlint.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    Assignment,
    Command,
    HereDocument,
    Pipeline,
    Redirect,
    Simple,
    Statement,
    Test,
    Word,
)
from sbatchlint.shell.words import read_assignment, read_document, read_quoted, read_word
from sbatchlint.source import Span


class Refused(ValueError):
    """A reader's structure does not fit the tokens, or the reader does not know the construct."""


class Builder:
    """Makes nodes from the tokens of one text."""

    def __init__(self, text: str, tokens: Sequence[Token], documents: Iterable[DocumentBody]) -> None:
        self.text = text
        self.tokens = tokens
        self._starts = [token.start for token in tokens]
        self._documents = {document.operator: document for document in documents}

    def _index(self, start: int) -> int:
        """Give the index of the first token that ends behind *start*."""
        index = bisect_left(self._starts, start)
        return index - 1 if index and self.tokens[index - 1].end > start else index

    def between(self, start: int, end: int) -> Sequence[Token]:
        """Return the tokens that lie in ``[start, end)``, among them one that begins before *start*."""
        return self.tokens[self._index(start) : bisect_left(self._starts, end)]

    def token_at(self, start: int) -> Token:
        """Return the token that covers *start*; raises Refused where none does."""
        index = self._index(start)
        if index == len(self.tokens) or self.tokens[index].start > start:
            raise Refused("a node begins where no token does")
        return self.tokens[index]

    def word_at(self, start: int) -> Word:
        """Return the word that begins at *start*; raises Refused where none does."""
        return self.word(self.token_at(start))

    def word(self, token: Token) -> Word:
        """Read one word token; raises Refused for any other kind."""
        if token.kind is not Kind.WORD:
            raise Refused(f"{token.text!r} stands where a word is needed")
        return read_word(self.text, Span(token.start, token.end))

    def listed(self, name: int) -> tuple[Word, ...] | None:
        """Return the words that a loop over the variable named at *name* lists; None without ``in``."""
        index = bisect_left(self._starts, name) + 1
        while index < len(self.tokens) and self.tokens[index].kind in (Kind.NEWLINE, Kind.COMMENT):
            index += 1
        if index == len(self.tokens) or not (self.tokens[index].reserved and self.tokens[index].text == "in"):
            return None
        words: list[Word] = []
        for token in self.tokens[index + 1 :]:
            if token.kind is not Kind.WORD:
                break
            words.append(self.word(token))
        return tuple(words)

    # --- commands ----------------------------------------------------------------------------

    def simple(self, start: int, end: int) -> Command:
        """Make the simple command, ``[[ ]]`` or ``(( ))`` that covers ``[start, end)``."""
        tokens = self.between(start, end)
        if not tokens:
            raise Refused("a command without words")
        if tokens[0].kind in (Kind.TEST, Kind.ARITHMETIC):
            redirects = self.redirects(tokens[0].end, end)
            return self._special(tokens[0], redirects)
        words, redirects = self._words_and_redirects(tokens)
        assignments: list[Assignment] = []
        while len(assignments) < len(words):
            assignment = read_assignment(self.text, words[len(assignments)])
            if assignment is None:
                break
            assignments.append(assignment)
        rest = tuple(read_word(self.text, span) for span in words[len(assignments) :])
        span = Span(tokens[0].start, tokens[-1].end)
        return Simple(span, tuple(assignments), rest, redirects)

    def _special(self, token: Token, redirects: tuple[Redirect, ...]) -> Command:
        span = Span(token.start, redirects[-1].span.end if redirects else token.end)
        inner = Span(token.start + 2, token.end - 2)
        if token.kind is Kind.ARITHMETIC:
            return ArithmeticCommand(span, read_quoted(self.text, inner), redirects)
        spans = test_words(self.text, inner.start, inner.end)
        return Test(span, tuple(read_word(self.text, word) for word in spans), redirects)

    def redirects(self, start: int, end: int) -> tuple[Redirect, ...]:
        """Make the redirections in ``[start, end)``; raises Refused if anything else stands there."""
        words, redirects = self._words_and_redirects(self.between(start, end))
        if words:
            raise Refused("words behind a compound command")
        return redirects

    def _words_and_redirects(self, tokens: Sequence[Token]) -> tuple[list[Span], tuple[Redirect, ...]]:
        words: list[Span] = []
        redirects: list[Redirect] = []
        descriptor: Token | None = None
        operator: Token | None = None
        for token in tokens:
            if token.reserved and token.text not in PREFIXES:
                raise Refused(f"the reserved word {token.text!r} inside a command")
            if token.kind is Kind.WORD and operator is not None:
                redirects.append(self._redirect(descriptor, operator, token))
                descriptor = operator = None
            elif token.kind is Kind.WORD:
                words.append(Span(token.start, token.end))
            elif token.kind is Kind.DESCRIPTOR and operator is None:
                descriptor = token
            elif token.kind is Kind.REDIRECT and operator is None:
                operator = token
            elif token.kind is Kind.NEWLINE and operator is not None:
                raise Refused(f"no file follows {operator.text!r}; a placeholder to fill in?")
            elif token.kind is not Kind.COMMENT:
                raise Refused(f"{token.text!r} inside a command")
        if operator is not None:
            raise Refused(f"{operator.text!r} without a target")
        return words, tuple(redirects)

    def negated(self, command: Command) -> Command:
        """Apply to a pipeline the ``!`` that stand before it, which neither parser is shown.

        tree-sitter-bash reads ``! { a; }`` as a command named ``{``.
        """
        index = bisect_left(self._starts, command.span.start) - 1
        start, bangs = command.span.start, 0
        while index >= 0:
            token = self.tokens[index]
            if token.reserved and token.text == "!":
                start, bangs = token.start, bangs + 1
            elif token.kind is not Kind.PREFIX:
                break
            index -= 1
        if not bangs:
            return command
        span, negated = Span(start, command.span.end), bangs % 2 == 1
        if isinstance(command, Pipeline):
            return Pipeline(span, command.commands, command.operators, negated)
        return Pipeline(span, (command,), (), negated)

    def _redirect(self, descriptor: Token | None, operator: Token, target: Token) -> Redirect:
        start = descriptor.start if descriptor else operator.start
        body = self._documents.get(operator.start)
        document = None
        if body is not None:
            inner = Span(body.start, body.end)
            content = read_document(self.text, inner, quoted=body.quoted)
            document = HereDocument(inner, body.delimiter, body.quoted, body.strip_tabs, content)
        word = read_word(self.text, Span(target.start, target.end))
        text = descriptor.text if descriptor else ""
        return Redirect(Span(start, target.end), text, operator.text, word, document)


# --- lists -------------------------------------------------------------------------------------


def pipeline(commands: Sequence[Command], operators: Sequence[str]) -> Command:
    """Join *commands* to a pipeline; one command alone is none."""
    if len(commands) == 1:
        return commands[0]
    span = Span(commands[0].span.start, commands[-1].span.end)
    return Pipeline(span, tuple(commands), tuple(operators))


def and_or(commands: Sequence[Command], operators: Sequence[str]) -> Command:
    """Join *commands* by ``&&`` and ``||``, flattening what is nested on the left."""
    if len(commands) == 1:
        return commands[0]
    first = commands[0]
    if isinstance(first, AndOr):
        commands = [*first.commands, *commands[1:]]
        operators = [*first.operators, *operators]
    return AndOr(Span(commands[0].span.start, commands[-1].span.end), tuple(commands), tuple(operators))


def statement(command: Command, *, background: bool = False) -> Statement:
    """Wrap *command* as a member of a list."""
    return Statement(command.span, command, background)


__all__ = ["Builder", "Refused", "Unterminated", "and_or", "pipeline", "statement"]
