"""Checking an expression before any script is seen: names, fields, types, calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from lark import Token, Tree

from sbatchlint.policy.check_calls import check_call, check_macro, check_method
from sbatchlint.policy.check_operators import check_binary, check_ternary, check_unary
from sbatchlint.policy.check_parts import check_field, check_index, check_list, check_map, check_name
from sbatchlint.policy.syntax import TOO_DEEP, Fault, Faulty, extent, literal_text, parse, peeled
from sbatchlint.policy.types import ANY, BOOL, DOUBLE, INT, STRING, Type, agree
from sbatchlint.records import dataclass

_LITERALS = {
    "INT_LIT": INT,
    "FLOAT_LIT": DOUBLE,
    "STRING_LIT": STRING,
    "MLSTRING_LIT": STRING,
    "BOOL_LIT": BOOL,
}
_OPERATIONS = ("conditionalor", "conditionaland", "relation", "addition", "multiplication")


@dataclass
class Checker:
    """Goes through one expression; what it finds wrong is in ``faults``."""

    text: str
    faults: list[Fault] = field(default_factory=list)
    reads: list[tuple[str, str]] = field(default_factory=list)
    """Fields that are read, as thing and field (``job``, ``time``); options as (``options``, name)."""
    roots: set[str] = field(default_factory=set)
    """Variables that are read."""

    def type(self, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
        """Return the type of *tree*; ANY where something is wrong, which has been noted then."""
        tree = peeled(tree)
        if tree.data == "literal":
            return self._literal(tree)
        if tree.data in _OPERATIONS:
            return check_binary(self, tree, scope)
        found = _BY_NODE.get(str(tree.data))
        if found is not None:
            return found(self, tree, scope)
        return self.fault(tree, "this part of CEL is not used here")

    def fault(self, tree: Tree[Token], message: str, help: str = "") -> Type:
        """Note that *tree* is wrong."""
        start, end = extent(tree, self.text)
        self.faults.append(Fault(message, start, end, help))
        return ANY

    def fault_at(self, token: Token, message: str, help: str = "") -> Type:
        """Note that *token* is wrong."""
        start = token.start_pos if token.start_pos is not None else 0
        self.faults.append(Fault(message, start, start + len(token), help))
        return ANY

    def want(self, tree: Tree[Token], scope: Mapping[str, Type], wanted: Type, what: str) -> None:
        """Note it if *tree* is not of the type *wanted*; *what* says whose it is."""
        found = self.type(tree, scope)
        if not agree(found, wanted):
            self.fault(tree, f"{what} is {wanted.described}, not {found.described}")

    def source(self, tree: Tree[Token]) -> str:
        """Return how *tree* is written, in one line."""
        start, end = extent(tree, self.text)
        return " ".join(self.text[start:end].split())

    def _literal(self, tree: Tree[Token]) -> Type:
        token = tree.children[0]
        kind = _LITERALS.get(token.type) if isinstance(token, Token) else None
        if kind is None:
            help = "a value that is not given is empty: job.account == ''" if str(token) == "null" else ""
            return self.fault(tree, f"{token} is not used here", help)
        if kind is INT and not _fits(str(token)):
            return self.fault(tree, "this is too large a number")
        if kind is STRING and literal_text(tree) is None:
            return self.fault(tree, "this text holds an escape that stands for no character")
        return kind


_BY_NODE = {
    "expr": check_ternary,
    "unary": check_unary,
    "ident": check_name,
    "member_dot": check_field,
    "member_index": check_index,
    "member_dot_arg": lambda checker, tree, scope: (
        check_macro(checker, tree, scope) or check_method(checker, tree, scope)
    ),
    "ident_arg": check_call,
    "list_lit": check_list,
    "map_lit": check_map,
}


def _fits(digits: str) -> bool:
    """Tell whether a whole number has 64 bits; one of thousands of digits is not even read."""
    return len(digits) < 40 and int(digits, 0 if "x" in digits else 10) < 2**63


@dataclass(frozen=True, slots=True)
class Checked:
    """A sound expression."""

    text: str
    tree: Tree[Token]
    reads: tuple[tuple[str, str], ...]
    roots: frozenset[str]


def check(text: str) -> Checked | tuple[Fault, ...]:
    """Return the expression *text*, which is a sound one of true and false; else what is wrong in it."""
    try:
        tree = parse(text)
    except Faulty as faulty:
        return (faulty.fault,)
    checker = Checker(text)
    try:
        found = checker.type(tree, {})
    except RecursionError:
        return (Fault(TOO_DEEP, 0, len(text)),)
    if not agree(found, BOOL):
        checker.fault(tree, f"this is {found.described}; an expression that is true or false is wanted")
    if checker.faults:
        return tuple(_distinct(checker.faults))
    return Checked(text, tree, tuple(dict.fromkeys(checker.reads)), frozenset(checker.roots))


def _distinct(faults: list[Fault]) -> Iterator[Fault]:
    yield from sorted(dict.fromkeys(faults), key=lambda fault: (fault.start, fault.end))
