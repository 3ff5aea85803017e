"""Checking calls of functions, methods and macros."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lark import Token, Tree

from sbatchlint.policy.calls import FUNCTIONS, MACROS, METHODS, REFUSED, Call, bad_literal
from sbatchlint.policy.check_parts import near
from sbatchlint.policy.syntax import arguments, literal_text, name_of
from sbatchlint.policy.types import ANY, BOOL, STRING, Type, agree, list_of
from sbatchlint.policy.variables import BY_NAME

if TYPE_CHECKING:
    from sbatchlint.policy.check import Checker


def check_call(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``f(a)``."""
    name = tree.children[0]
    assert isinstance(name, Token)
    call = FUNCTIONS.get(name)
    if call is None:
        return _unknown(checker, name, "function", [*FUNCTIONS])
    return _called(checker, name, call, arguments(tree), scope)


def check_method(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``a.f(b)``."""
    owner, name = tree.children[:2]
    assert isinstance(owner, Tree) and isinstance(name, Token)
    held = checker.type(owner, scope)
    call = METHODS.get(name)
    if call is None:
        return _unknown(checker, name, "method", [*METHODS, *MACROS])
    if held != ANY and not any(agree(held, one) for one in call.of):
        wanted = " or ".join(one.described for one in call.of)
        help = ""
        if name == "contains" and held.name in ("list", "map"):
            help = f"write ... in {checker.source(owner)}"
        checker.fault_at(name, f"{name}() is asked of {wanted}, not of {held.described}", help)
        return call.gives
    return _called(checker, name, call, arguments(tree), scope)


def _unknown(checker: Checker, name: Token, kind: str, known: list[str]) -> Type:
    if name in REFUSED:
        return checker.fault_at(name, f"{name}() is not used here", REFUSED[name])
    return checker.fault_at(name, f"there is no {kind} {str(name)!r}", near(name, known))


def _called(
    checker: Checker, name: Token, call: Call, given: list[Tree[Token]], scope: Mapping[str, Type]
) -> Type:
    if len(given) != len(call.takes):
        plural = "" if len(call.takes) == 1 else "s"
        checker.fault_at(name, f"{name}() takes {len(call.takes)} argument{plural}, not {len(given)}")
        return call.gives
    for argument, allowed in zip(given, call.takes, strict=True):
        found = checker.type(argument, scope)
        if not any(agree(found, one) for one in allowed):
            wanted = " or ".join(one.described for one in allowed)
            checker.fault(argument, f"{name}() takes {wanted}, not {found.described}")
        elif found == STRING:
            _check_literal(checker, str(name), argument)
    return call.gives


def _check_literal(checker: Checker, name: str, argument: Tree[Token]) -> None:
    text = literal_text(argument)
    wrong = None if text is None else bad_literal(name, text)
    if wrong is not None:
        checker.fault(argument, wrong)
    elif text is None and name in ("duration", "memory"):
        checker.fault(argument, f"{name}() takes a text that is written out: {name}('...')")


def check_macro(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type | None:
    """Return the type of ``list.all(x, condition)`` and its like; None where it is no macro."""
    owner, name = tree.children[:2]
    assert isinstance(owner, Tree) and isinstance(name, Token)
    if name not in MACROS:
        return None
    held = checker.type(owner, scope)
    given = arguments(tree)
    if len(given) != 2:
        return checker.fault_at(name, f"{name}() takes a name and an expression: .{name}(x, ...)")
    if held != ANY and held.name not in ("list", "map"):
        return checker.fault(owner, f"{checker.source(owner)} is {held.described}, not a list or map")
    own = name_of(given[0])
    if own is None:
        return checker.fault(given[0], f"{name}() takes a name here: .{name}(x, ...)")
    if own in scope or own in BY_NAME:
        return checker.fault(given[0], f"{own!r} has a meaning already; take another name")
    element = STRING if held.name == "map" else held.of or ANY
    inner = {**scope, own: element}
    if name == "map":
        return list_of(checker.type(given[1], inner))
    checker.want(given[1], inner, BOOL, f"the condition of {name}()")
    return list_of(element) if name == "filter" else BOOL
