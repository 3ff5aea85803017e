"""Reading CEL: celpy's parser, with every fault at its place in the expression."""

from __future__ import annotations

from celpy.celparser import CELParseError, CELParser
from lark import Token, Tree

from sbatchlint.policy.quotes import endless_text
from sbatchlint.records import dataclass

_SINGLE = frozenset(
    "expr conditionalor conditionaland relation addition multiplication unary member primary"
    " paren_expr".split()
)
"""Nodes that mean what their only child means."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an expression, between two places of its text."""

    message: str
    start: int
    end: int
    help: str = ""


class Faulty(Exception):
    """An expression is not CEL; ``fault`` says where."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


_ENDLESS = "no valid CEL: a text begins here that does not end"
MOST_CHARACTERS = 10_000
"""A longer expression would take a second to read."""
TOO_DEEP = "this is nested too deeply"
MOST_NESTED = 100
"""More nodes inside one another might take the evaluation to the end of Python's stack."""


def parse(text: str) -> Tree[Token]:
    """Return the tree of the expression *text*, without nodes that say nothing.  Raises Faulty."""
    if not text.strip():
        raise Faulty(Fault("an expression is wanted here", 0, len(text)))
    if len(text) > MOST_CHARACTERS:
        raise Faulty(
            Fault(f"an expression has at most {MOST_CHARACTERS} characters", 0, 1, "part the policy")
        )
    endless = endless_text(text)
    if endless is not None:
        raise Faulty(Fault(_ENDLESS, endless, len(text.rstrip())))
    try:
        tree = CELParser().parse(text)
    except CELParseError as error:
        raise Faulty(_fault(text, error)) from None
    return _thinned(tree, text)


def _thinned(tree: Tree[Token], text: str) -> Tree[Token]:
    """Put in the place of each node that only holds another that other one.  Raises Faulty.

    A pair of parentheses is ten such nodes, each of which would take room on the stack.
    """
    whole: Tree[Token] = Tree("whole", [tree])
    waiting = [(whole, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MOST_NESTED:
            start, end = extent(node, text)
            help = "write x in [a, b] for x == a || x == b, or part the policy"
            raise Faulty(Fault(TOO_DEEP, start, end, help))
        for number, child in enumerate(node.children):
            if isinstance(child, Tree):
                node.children[number] = inner = _bare(child)
                waiting.append((inner, depth + 1))
    (found,) = whole.children
    assert isinstance(found, Tree)
    return found


def _bare(tree: Tree[Token]) -> Tree[Token]:
    """Return the first node inside *tree* that the evaluation needs: names keep their ``primary``."""
    while tree.data in _SINGLE and len(tree.children) == 1:
        child = tree.children[0]
        if not isinstance(child, Tree) or (tree.data == "primary" and child.data != "paren_expr"):
            break
        tree = child
    return tree


def _fault(text: str, error: CELParseError) -> Fault:
    """Say what stands where the parser stops: its own words list dozens of tokens that it would take."""
    start = _offset(text, error.line, error.column)
    rest = text[start:]
    end = len(text.rstrip())
    if error.line is None or start >= end or not rest.strip():
        return Fault("no valid CEL: the expression ends too early", max(end - 1, 0), end)
    word = _word(rest)
    if word[0] in "'\"" and word[0] not in rest[1:].split("\n")[0]:
        return Fault(_ENDLESS, start, end)
    if _stops_early(text, start, word):
        return Fault("no valid CEL: the expression ends too early", start, start + len(word))
    hint = _HINTS.get(word, "")
    if word in _CLOSING and text[:start].rstrip().endswith(","):
        hint = f"leave out the comma before {word}"
    return Fault(f"no valid CEL: {word!r} can't stand here", start, start + len(word), hint)


_HINTS = {
    "=": "values are compared with ==",
    "and": "write &&",
    "or": "write ||",
    "not": "write !",
    "&": "write &&",
    "|": "write ||",
    "AND": "write &&",
    "OR": "write ||",
}


def _stops_early(text: str, start: int, word: str) -> bool:
    """Tell whether *word* is the last one and more is wanted behind it: the parser blames it then."""
    return not text[start + len(word) :].strip() and word in _OPENING


_CLOSING = (")", "]", "}")
_OPENING = frozenset("< <= > >= == != + - * / % && || ! ? : . , ( [ { in".split())


def _word(rest: str) -> str:
    two = rest[:2]
    if two in ("==", "!=", "<=", ">=", "&&", "||"):
        return two
    length = 0
    while length < len(rest) and (rest[length].isalnum() or rest[length] == "_"):
        length += 1
    return rest[: max(length, 1)]


def _offset(text: str, line: int | None, column: int | None) -> int:
    if line is None or column is None or line < 1 or column < 1:
        return len(text)
    lines = text.split("\n")
    return min(sum(len(one) + 1 for one in lines[: line - 1]) + column - 1, len(text))


def peeled(tree: Tree[Token]) -> Tree[Token]:
    """Return the node inside *tree* that says something: parentheses and single children are passed over."""
    while tree.data in _SINGLE and len(tree.children) == 1:
        child = tree.children[0]
        if not isinstance(child, Tree):
            break
        tree = child
    return tree


def extent(tree: Tree[Token], text: str) -> tuple[int, int]:
    """Return where *tree* starts and ends in *text*; ``true`` and ``false`` have no place of their own."""
    metas = [one.meta for one in tree.iter_subtrees() if not one.meta.empty]
    starts = [meta.start_pos for meta in metas if getattr(meta, "start_pos", None) is not None]
    ends = [meta.end_pos for meta in metas if getattr(meta, "end_pos", None) is not None]
    if not starts:
        return 0, len(text)
    return min(starts), max(ends) if ends else len(text)


def arguments(tree: Tree[Token]) -> list[Tree[Token]]:
    """Return the expressions between the parentheses of a call, or of a list."""
    lists = [child for child in tree.children if isinstance(child, Tree) and child.data == "exprlist"]
    return [child for child in lists[0].children if isinstance(child, Tree)] if lists else []


def name_of(tree: Tree[Token]) -> str | None:
    """Return the identifier that *tree* is; None where it is more."""
    inner = peeled(tree)
    return str(inner.children[0]) if inner.data == "ident" else None


def literal_text(tree: Tree[Token]) -> str | None:
    """Return the text that *tree* is a literal of; None where it is none."""
    from celpy.evaluation import celstr

    inner = peeled(tree)
    token = inner.children[0] if inner.data == "literal" else None
    if not isinstance(token, Token) or token.type not in ("STRING_LIT", "MLSTRING_LIT"):
        return None
    try:
        return str(celstr(token))
    except ValueError:
        return None
