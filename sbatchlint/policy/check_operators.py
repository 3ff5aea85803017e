"""Checking operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lark import Token, Tree

from sbatchlint.policy.check_parts import note_key
from sbatchlint.policy.syntax import literal_text
from sbatchlint.policy.types import (
    ANY,
    BOOL,
    DOUBLE,
    DURATION,
    INT,
    ORDERED,
    STRING,
    Type,
    agree,
    joined,
)

if TYPE_CHECKING:
    from sbatchlint.policy.check import Checker

_SIGNS = {
    "relation_lt": "<", "relation_le": "<=", "relation_gt": ">", "relation_ge": ">=", "relation_eq": "==",
    "relation_ne": "!=", "relation_in": "in", "addition_add": "+", "addition_sub": "-",
    "multiplication_mul": "*", "multiplication_div": "/", "multiplication_mod": "%",
}  # fmt: skip
_TAKES = {
    "+": (INT, DOUBLE, STRING, DURATION),
    "-": (INT, DOUBLE, DURATION),
    "*": (INT, DOUBLE),
    "/": (INT, DOUBLE),
    "%": (INT,),
}


def check_binary(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``a && b``, ``a < b``, ``a + b`` and their like."""
    head, right = _trees(tree)
    if tree.data in ("conditionalor", "conditionaland"):
        sign = "||" if tree.data == "conditionalor" else "&&"
        for side in (head, right):
            checker.want(side, scope, BOOL, f"each side of {sign}")
        return BOOL
    sign = _SIGNS[str(head.data)]
    left = _trees(head)[0]
    one, other = checker.type(left, scope), checker.type(right, scope)
    if sign == "in":
        return _inside(checker, left, right, one, other)
    if sign in _TAKES:
        return _sum(checker, tree, sign, one, other)
    return _compared(checker, tree, left, right, one, other, sign)


def _inside(checker: Checker, left: Tree[Token], right: Tree[Token], item: Type, held: Type) -> Type:
    if held == ANY:
        return BOOL
    if held.name not in ("list", "map"):
        help = f"write {checker.source(right)}.contains({checker.source(left)})" if held == STRING else ""
        checker.fault(right, f"{checker.source(right)} is {held.described}, not a list or map", help)
        return BOOL
    wanted = STRING if held.name == "map" else held.of or ANY
    if not agree(item, wanted):
        checker.fault(
            left, f"{checker.source(right)} holds values of type {wanted}, and this is {item.described}"
        )
    elif not wanted.plain:
        checker.fault(right, f"{checker.source(right)} holds things with fields; ask with exists")
    key = literal_text(left)
    if key is not None and held.name == "map":
        note_key(checker, right, held, key, left)
    return BOOL


def _sum(checker: Checker, tree: Tree[Token], sign: str, one: Type, other: Type) -> Type:
    allowed = _TAKES[sign]
    found = joined(one, other) if agree(one, other) else None
    if found is not None and (found == ANY or found in allowed):
        return found
    checker.fault(tree, f"{one.described} {sign} {other.described} can't be worked out", _mixed(one, other))
    return ANY


def _compared(
    checker: Checker,
    tree: Tree[Token],
    left: Tree[Token],
    right: Tree[Token],
    one: Type,
    other: Type,
    sign: str,
) -> Type:
    if not agree(one, other):
        message = f"{checker.source(left)} is {one.described}, compared with {other.described}"
        checker.fault(tree, message, _mixed(one, other))
        return BOOL
    found = joined(one, other)
    if sign in ("==", "!="):
        if not found.plain:
            checker.fault(tree, f"{found.described} can't be compared")
    elif found != ANY and found not in ORDERED:
        checker.fault(tree, f"{found.described} has no order: {sign} can't compare it")
    return BOOL


def _mixed(one: Type, other: Type) -> str:
    if {one, other} == {INT, DOUBLE}:
        return "write double(...) around the int"
    if DURATION in (one, other):
        return "write a duration as duration('4h')"
    return ""


def check_unary(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``!a`` and ``-a``."""
    sign, value = _trees(tree)
    if sign.data == "unary_not":
        checker.want(value, scope, BOOL, "what stands behind !")
        return BOOL
    found = checker.type(value, scope)
    if found in (INT, DOUBLE, ANY):
        return found
    return checker.fault(tree, f"there is no -{found.name}")


def check_ternary(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``a ? b : c``."""
    asked, yes, no = _trees(tree)
    checker.want(asked, scope, BOOL, "what stands before ?")
    one, other = checker.type(yes, scope), checker.type(no, scope)
    if agree(one, other):
        return joined(one, other)
    return checker.fault(tree, f"both answers are of one type: {one} is not {other}", _mixed(one, other))


def _trees(tree: Tree[Token]) -> list[Tree[Token]]:
    return [child for child in tree.children if isinstance(child, Tree)]
