"""Structure as tree-sitter-bash reads it.  The only module that imports tree-sitter."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable
from functools import cache
from types import FrameType
from typing import Any

from sbatchlint.shell.builder import Builder, Refused, and_or, pipeline, statement
from sbatchlint.shell.lexer import Kind
from sbatchlint.shell.syntax import (
    ArithmeticFor,
    Body,
    Case,
    CaseItem,
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

_PIECE = 1 << 16
"""Bytes that tree-sitter is given at a time."""
_ENDING = tuple(getattr(signal, name) for name in ("SIGALRM", "SIGINT") if hasattr(signal, name))
"""The alarm first: it is the one that may ring at any time."""


@cache
def _parser() -> Any:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def top_level(masked: str) -> list[Any]:
    """Parse the masked copy; give the nodes of its top level, separators among them.

    Where nothing makes sense to tree-sitter as a whole, that is one node with an error.
    """
    root = _parsed(masked.encode("ascii", "replace")).root_node
    return [root] if root.is_error else list(root.children)


def _parsed(text: bytes) -> Any:
    """Return the tree of *text*; an alarm or Ctrl-C ends the parsing.

    What tree-sitter does to go on behind an error can take a time in the square of the text, and it hears
    of no signal.  So it is made to ask now and then whether to go on.  Those before 0.26 crash where they
    are told not to; with them, and in a thread, which hears of no signal either, the end is waited for.
    """
    parser = _parser()
    if hasattr(parser, "timeout_micros") or threading.current_thread() is not threading.main_thread():
        return parser.parse(text)
    with _Turn() as turn:
        try:
            return parser.parse(lambda at, _: text[at : at + _PIECE], progress_callback=turn.ends_it)
        except ValueError:
            parser.reset()  # or the next text would be taken for the rest of this one
            if turn.raised is None:
                raise
            raise turn.raised from None


class _Turn:
    """Answers signals while tree-sitter asks, and never in between: it can't bear an exception then."""

    def __init__(self) -> None:
        self.raised: BaseException | None = None
        self._answers: dict[int, Callable[[int, FrameType | None], object]] = {}
        self._rung: list[int] = []

    def __enter__(self) -> _Turn:
        for number in _ENDING:  # whatever an alarm raises in here is raised before anything is changed
            answer = signal.getsignal(number)
            if callable(answer):
                self._answers[number] = answer
                signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number in reversed(_ENDING):
            if number in self._answers:
                signal.signal(number, self._answers[number])
        if self._rung and self.raised is None:
            self._answer(self._rung.pop())

    def ends_it(self, *_: object) -> bool:
        """Answer what rang meanwhile; tell whether that asks to end."""
        try:
            while self._rung:
                self._answer(self._rung.pop())
        except BaseException as error:  # kept, and raised where it can be
            self.raised = error
        return self.raised is not None

    def _note(self, number: int, _: FrameType | None) -> None:
        self._rung.append(number)

    def _answer(self, number: int) -> None:
        self._answers[number](number, None)


def is_separator(node: Any) -> bool:
    """Tell whether a top-level node is ``;``, ``&`` or a newline."""
    return not node.is_named and node.type in (";", "&", "\n", ";;")


_SIMPLE = frozenset(
    ("command", "variable_assignment", "variable_assignments", "declaration_command", "unset_command")
)


_JOINED = frozenset(("list", "pipeline"))


class _Chain:
    """Commands and the operators between them, in the order of the text."""

    def __init__(self) -> None:
        self.commands: list[Any] = []
        self.operators: list[Any] = []

    def add(self, node: Any) -> None:
        body = node.child_by_field_name("body") if node.type == "redirected_statement" else None
        if body is not None and body.type in _JOINED:
            self.add(body)
        elif node.type not in _JOINED:
            self.commands.append(node)
        else:
            for child in node.children:
                if child.is_named:
                    self.add(child)
                else:
                    self.operators.append(child)


class Converter:
    """Converts tree-sitter's nodes; *base* is the offset of the masked copy's first character.

    *inner* reads one statement inside a compound: so the other reader can be asked first, and what
    neither can read costs that statement alone.
    """

    def __init__(self, builder: Builder, base: int, inner: Callable[[Any], Statement] | None = None) -> None:
        self._builder = builder
        self._base = base
        self._inner = inner

    def span(self, node: Any) -> Span:
        """Give the node's span in the text."""
        return Span(node.start_byte + self._base, node.end_byte + self._base)

    # --- lists -------------------------------------------------------------------------------

    def statements(self, nodes: Iterable[Any]) -> Body:
        """Convert the members of a list; ``&`` marks the one before it."""
        result: list[Statement] = []
        for node in nodes:
            if node.is_named:
                result.append(self._inner(node) if self._inner else self.statement(node))
            elif node.type == "&" and result:
                last = result[-1]
                result[-1] = Statement(last.span, last.command, True)
        return tuple(result)

    def statement(self, node: Any) -> Statement:
        """Convert one statement; raises Refused where the node has an error or does not tile."""
        return statement(self._builder.negated(self.command(node)))

    def command(self, node: Any, end: int | None = None) -> Command:
        """Convert any command node.

        *end* is where its redirections end: tree-sitter binds those of a list's last command to the list.
        """
        span = self.span(node)
        stop = span.end if end is None else end
        if node.type in _SIMPLE or node.type == "file_redirect":
            return self._builder.simple(span.start, stop)
        if node.type == "redirected_statement":
            body = node.child_by_field_name("body")
            return self._builder.simple(span.start, stop) if body is None else self.command(body, stop)
        if node.type in _JOINED:
            return self._joined(node, stop)
        if node.type == "function_definition":
            return self._function(node, stop)
        convert = getattr(self, f"_{node.type}", None)
        if convert is None or node.is_missing:
            raise Refused(f"tree-sitter: node {node.type}")
        command: Command = convert(node, self._builder.redirects(span.end, stop))
        return command

    def _joined(self, node: Any, end: int) -> Command:
        """Convert what ``|``, ``&&`` and ``||`` join.

        tree-sitter nests ``a <f | b | c && d`` wrongly at times (a list inside a pipeline), so only the
        order of commands and operators is taken from it.
        """
        chain = _Chain()
        chain.add(node)
        stops = [*(self._base + operator.start_byte for operator in chain.operators), end]
        commands = [self.command(leaf, stop) for leaf, stop in zip(chain.commands, stops, strict=True)]
        pipelines: list[Command] = []
        operators: list[str] = []
        first = 0
        for index, operator in enumerate([*(found.type for found in chain.operators), "&&"]):
            if operator in ("&&", "||"):
                pipelines.append(self._one_pipeline(chain, commands, first, index))
                operators.append(operator)
                first = index + 1
        return and_or(pipelines, operators[:-1])

    def _one_pipeline(self, chain: _Chain, commands: list[Command], first: int, last: int) -> Command:
        operators = [operator.type for operator in chain.operators[first:last]]
        return self._builder.negated(pipeline(commands[first : last + 1], operators))

    # --- compounds ---------------------------------------------------------------------------

    def _covering(self, node: Any, redirects: tuple[Redirect, ...]) -> Span:
        span = self.span(node)
        return Span(span.start, redirects[-1].span.end) if redirects else span

    def _subshell(self, node: Any, redirects: tuple[Redirect, ...]) -> Command:
        body = self.statements(node.children[1:-1])
        return Subshell(self._covering(node, redirects), body, redirects)

    def _compound_statement(self, node: Any, redirects: tuple[Redirect, ...]) -> Command:
        body = self.statements(node.children[1:-1])
        return Group(self._covering(node, redirects), body, redirects)

    def _if_statement(self, node: Any, redirects: tuple[Redirect, ...]) -> Command:
        branches = [self._branch(node)]
        otherwise: Body = ()
        for child in node.children:
            if child.type == "elif_clause":
                branches.append(self._branch(child))
            elif child.type == "else_clause":
                otherwise = self.statements(child.children[1:])
        return If(self._covering(node, redirects), tuple(branches), otherwise, redirects)

    def _branch(self, node: Any) -> tuple[Body, Body]:
        then = next((i for i, child in enumerate(node.children) if child.type == "then"), None)
        if then is None:
            raise Refused("tree-sitter: if without then")
        body = [
            child for child in node.children[then + 1 :] if child.type not in ("elif_clause", "else_clause")
        ]
        return self.statements(node.children[1:then]), self.statements(body)

    def _while_statement(self, node: Any, redirects: tuple[Redirect, ...]) -> Command:
        condition = self.statements(node.children[1:-1])
        until = node.children[0].type == "until"
        return While(self._covering(node, redirects), condition, self._do(node), until, redirects)

    def _do(self, node: Any) -> Body:
        group = node.children[-1]
        if group.type != "do_group":
            raise Refused("tree-sitter: a loop without do")
        return self.statements(group.children[1:-1])

    def _for_statement(self, node: Any, redirects: tuple[Redirect, ...]) -> Command:
        span = self._covering(node, redirects)
        body = self._do(node)
        name = node.children[1]
        start = self.span(name).start
        tokens = self._builder.between(start, start + 1)
        if tokens and tokens[0].kind is Kind.ARITHMETIC:
            header = read_quoted(self._builder.text, Span(tokens[0].start + 2, tokens[0].end - 2))
            return ArithmeticFor(span, header, body, redirects)
        variable = self._builder.word_at(start).literal or ""
        select = self._builder.text.startswith("select", span.start)
        return For(span, variable, self._builder.listed(start), body, select, redirects)

    def _case_statement(self, node: Any, redirects: tuple[Redirect, ...]) -> Command:
        subject = self._builder.word_at(self.span(node.children[1]).start)
        items = tuple(self._item(child) for child in node.children if child.type == "case_item")
        return Case(self._covering(node, redirects), subject, items, redirects)

    def _item(self, node: Any) -> CaseItem:
        closing = next((i for i, child in enumerate(node.children) if child.type == ")"), None)
        if closing is None:
            raise Refused("tree-sitter: case item without )")
        limit = self.span(node.children[closing]).start
        heads = self._builder.between(self.span(node).start, limit)
        patterns = tuple(self._builder.word(token) for token in heads if token.kind is Kind.WORD)
        rest = node.children[closing + 1 :]
        ending = next((child for child in rest if child.type == ";;"), None)
        terminator = self._builder.token_at(self.span(ending).start).text if ending else ""
        body = self.statements(child for child in rest if child.type != ";;")
        return CaseItem(self.span(node), patterns, body, terminator)

    def _function(self, node: Any, end: int) -> Command:
        names = [child for child in node.children if child.type == "word"]
        index = next(
            (i for i, child in enumerate(node.children) if child.is_named and child.type != "word"), None
        )
        if not names or index is None:
            raise Refused("tree-sitter: a function without a name or a body")
        body_node = node.children[index]
        redirects = self._builder.redirects(self.span(body_node).end, end)
        convert = getattr(self, f"_{body_node.type}", None)
        if convert is None:
            raise Refused(f"tree-sitter: function body {body_node.type}")
        body: Command = convert(body_node, redirects)
        name = self._builder.word_at(self.span(names[0]).start).literal
        if not name:
            raise Refused("tree-sitter: a function without a plain name")
        return Function(Span(self.span(node).start, body.span.end), name, body)
