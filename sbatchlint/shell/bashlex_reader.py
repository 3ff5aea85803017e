"""Structure as bashlex reads it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from sbatchlint.regex import regex
from sbatchlint.shell.bashlex_tables import load_bashlex
from sbatchlint.shell.builder import Builder, Refused, and_or, pipeline, statement
from sbatchlint.shell.lexer import Kind
from sbatchlint.shell.syntax import (
    ArithmeticFor,
    Body,
    Command,
    For,
    Function,
    Group,
    If,
    Redirect,
    Statement,
    Subshell,
    While,
)
from sbatchlint.shell.words import read_quoted
from sbatchlint.source import Span

_RUN = regex(r"_+| +|.", re.S)
_KEPT_LENGTH = 500


def read(builder: Builder, masked: str, base: int, start: int, end: int) -> Body:
    """Read the statements in ``[start, end)`` of the text.

    *masked* is the masked copy and *base* the offset of its first character.  Raises Refused for what
    bashlex refuses or reads in a way that does not fit the tokens.
    """
    runs = [match.span() for match in _RUN.finditer(masked, start - base, end - base)]
    # bashlex is slow by the character, and short copies of simple commands are often the same
    short = "".join([masked[first] for first, _ in runs])
    nodes = _parse_once(short) if len(short) <= _KEPT_LENGTH else _parse(short)
    if isinstance(nodes, str):
        raise Refused(nodes)
    converter = _Converter(builder, runs, base)
    return tuple(found for node in nodes for found in converter.statements(node))


def _parse(code: str) -> list[Any] | str:
    """Give bashlex's nodes, or why it refuses."""
    parse = load_bashlex().parse
    try:
        return list(parse(code))
    except Exception as error:  # bashlex raises AttributeError, NotImplementedError ... beside its own
        return f"bashlex: {type(error).__name__}: {error}"


_parse_once = lru_cache(maxsize=2048)(_parse)


class _Converter:
    """Converts bashlex's nodes; *runs* tells what stretch of the masked copy each character stands for."""

    def __init__(self, builder: Builder, runs: list[tuple[int, int]], base: int) -> None:
        self._builder = builder
        self._runs = runs
        self._base = base

    def _start(self, node: Any) -> int:
        return int(self._runs[node.pos[0]][0] + self._base)

    def _end(self, node: Any) -> int:
        return int(self._runs[node.pos[1] - 1][1] + self._base)

    # --- lists -------------------------------------------------------------------------------

    def statements(self, node: Any) -> list[Statement]:
        """Split a list at ``;``, ``&`` and newlines."""
        if node.kind != "list":
            return [statement(self._negated(node))]
        result: list[Statement] = []
        commands: list[Command] = []
        operators: list[str] = []
        for part in node.parts:
            if part.kind != "operator":
                commands.append(self._negated(part))
            elif part.op in ("&&", "||"):
                operators.append(part.op)
            elif commands:
                result.append(statement(and_or(commands, operators), background=part.op == "&"))
                commands, operators = [], []
        if commands:
            result.append(statement(and_or(commands, operators)))
        return result

    def _negated(self, node: Any) -> Command:
        return self._builder.negated(self.command(node))

    def command(self, node: Any) -> Command:
        """Convert any command node."""
        convert = getattr(self, f"_{node.kind}", None)
        if convert is None:
            raise Refused(f"bashlex: node {node.kind}")
        command: Command = convert(node)
        return command

    def _list(self, node: Any) -> Command:
        found = self.statements(node)
        if len(found) != 1 or found[0].background:
            raise Refused("bashlex: a list where one command is needed")
        return found[0].command

    def _pipeline(self, node: Any) -> Command:
        commands = [self.command(part) for part in node.parts if part.kind != "pipe"]
        return pipeline(commands, [part.pipe for part in node.parts if part.kind == "pipe"])

    def _command(self, node: Any) -> Command:
        start, end = self._start(node.parts[0]), max(self._end(part) for part in node.parts)
        words = [
            self._builder.token_at(self._start(part)).start
            for part in node.parts
            if part.kind in ("word", "assignment")
        ]
        command = self._builder.simple(start, end)
        self._check_tiling(command, words, start, end)
        return command

    def _check_tiling(self, command: Command, words: list[int], start: int, end: int) -> None:
        tokens = self._builder.between(start, end)
        ours: list[int] = []
        target = False
        for token in tokens:
            if token.kind is Kind.REDIRECT:
                target = True
            elif token.kind in (Kind.WORD, Kind.TEST, Kind.ARITHMETIC):
                if not target:
                    ours.append(token.start)
                target = False
        if ours != words:
            raise Refused("bashlex: words do not tile the command")

    # --- compounds ---------------------------------------------------------------------------

    def _compound(self, node: Any) -> Command:
        inner = node.list
        last = max(self._end(part) for part in inner)
        end = max([last, *(self._end(redirect) for redirect in node.redirects)])
        redirects = self._builder.redirects(last, end)
        if inner[0].kind == "reservedword":
            body = tuple(found for part in inner[1:-1] for found in self.statements(part))
            span = Span(self._start(inner[0]), redirects[-1].span.end if redirects else last)
            return (Subshell if inner[0].word == "(" else Group)(span, body, redirects)
        if len(inner) != 1:
            raise Refused("bashlex: an unknown compound")
        return self._with_redirects(inner[0], redirects)

    def _with_redirects(self, node: Any, redirects: tuple[Redirect, ...]) -> Command:
        span = Span(self._start(node), redirects[-1].span.end if redirects else self._end(node))
        if node.kind == "if":
            return self._if(node, span, redirects)
        if node.kind in ("while", "until"):
            condition, body = self._sections(node, ("do",))
            return While(span, condition, body, node.kind == "until", redirects)
        if node.kind == "for":
            return self._for(node, span, redirects)
        raise Refused(f"bashlex: compound {node.kind}")

    def _sections(self, node: Any, separators: tuple[str, ...]) -> list[Body]:
        """Give the lists between the reserved words of *node*."""
        sections: list[list[Statement]] = []
        for part in node.parts:
            if part.kind == "reservedword":
                if part.word in separators or not sections:
                    sections.append([])
            else:
                sections[-1].extend(self.statements(part))
        return [tuple(section) for section in sections]

    def _if(self, node: Any, span: Span, redirects: tuple[Redirect, ...]) -> Command:
        words: list[str] = []
        lists: list[list[Statement]] = []
        for part in _flattened(node.parts):
            if part.kind == "reservedword":
                words.append(part.word)
                lists.append([])
            else:
                lists[-1].extend(self.statements(part))
        bodies = [tuple(found) for found in lists]
        heads = [index for index, word in enumerate(words) if word in ("if", "elif")]
        branches = tuple((bodies[index], bodies[index + 1]) for index in heads)
        otherwise = bodies[words.index("else")] if "else" in words else ()
        return If(span, branches, otherwise, redirects)

    def _for(self, node: Any, span: Span, redirects: tuple[Redirect, ...]) -> Command:
        name = node.parts[1]
        lists = [part for part in node.parts[2:] if part.kind not in ("word", "reservedword")]
        body = tuple(found for part in lists for found in self.statements(part))
        start = self._start(name)
        tokens = self._builder.between(start, start + 1)
        if tokens and tokens[0].kind is Kind.ARITHMETIC:
            header = read_quoted(self._builder.text, Span(tokens[0].start + 2, tokens[0].end - 2))
            return ArithmeticFor(span, header, body, redirects)
        variable = self._builder.word_at(start).literal or ""
        select = self._builder.text.startswith("select", span.start)
        return For(span, variable, self._builder.listed(start), body, select, redirects)

    def _function(self, node: Any) -> Command:
        names = [part for part in node.parts if part.kind == "word"]
        body = self.command(node.parts[-1])
        name = self._builder.word_at(self._start(names[0])).literal
        if not name:
            raise Refused("bashlex: a function without a plain name")
        return Function(Span(self._start(node), body.span.end), name, body)


def _flattened(parts: list[Any]) -> list[Any]:
    """Undo bashlex's nesting of a second ``elif``: it comes as the *word* of a reserved word's node."""
    flat: list[Any] = []
    for part in parts:
        if part.kind == "reservedword" and isinstance(part.word, list):
            flat.extend(_flattened(part.word))
        else:
            flat.append(part)
    return flat
