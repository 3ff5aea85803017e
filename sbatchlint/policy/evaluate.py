"""Evaluating a checked expression with celpy, where values may be unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any, cast

from celpy.celtypes import BoolType
from celpy.evaluation import Activation, CELEvalError, Evaluator
from lark import Token, Tree

from sbatchlint.policy.calls import MACROS
from sbatchlint.policy.check import Checked
from sbatchlint.policy.functions import FUNCTIONS, both, either
from sbatchlint.policy.syntax import TOO_DEEP, arguments, name_of
from sbatchlint.policy.values import UNKNOWN, Items, Object, cel, elements
from sbatchlint.records import dataclass

MOST_ROUNDS = 10_000
"""So often may the expressions of macros be worked out for one script: a second or two."""
TOO_LONG = "it takes too long to work out"


class _TooLong(Exception):
    """Macros inside macros go through lists so often that nobody would wait for it."""


_OPERATORS = {
    "conditionalor": "_||_", "conditionaland": "_&&_",
    "relation_lt": "_<_", "relation_le": "_<=_", "relation_gt": "_>_", "relation_ge": "_>=_",
    "relation_eq": "_==_", "relation_ne": "_!=_", "relation_in": "_in_",
    "addition_add": "_+_", "addition_sub": "_-_",
    "multiplication_mul": "_*_", "multiplication_div": "_/_", "multiplication_mod": "_%_",
}  # fmt: skip

Verdict = tuple[Any, bool]
"""What a macro's expression is for an element, and whether the element is surely there."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an expression came to."""

    verdict: bool | None
    """None where that is not known."""
    why: str = ""
    """Why it is not known."""
    decisive: tuple[Object, ...] = ()
    """Elements for which ``all`` did not hold or ``exists`` did: the innermost first."""
    keys: tuple[str, ...] = ()
    """The same of maps, whose elements are their keys."""


def evaluate(expression: Checked, variables: Mapping[str, Any]) -> Outcome:
    """Evaluate *expression*; *variables* holds at least those that it reads."""
    decisive: list[Object | str] = []
    activation = Activation(functions=dict(FUNCTIONS))
    evaluator = _Evaluator(expression.tree, activation, variables, decisive, count())
    try:
        value = evaluator.visit(expression.tree)
    except CELEvalError as error:  # celpy raises some of those that it makes itself
        value = error
    except _TooLong:
        return Outcome(None, TOO_LONG)
    except RecursionError:
        return Outcome(None, TOO_DEEP)
    if isinstance(value, BoolType):
        things = tuple(one for one in decisive if isinstance(one, Object))
        return Outcome(bool(value), "", things, tuple(one for one in decisive if isinstance(one, str)))
    return Outcome(None, getattr(value, "why", "") or "it can't be worked out")


class _Evaluator(Evaluator):
    """celpy's evaluator with macros that know of unknown elements, and with names looked up here."""

    def __init__(
        self,
        ast: Tree[Token],
        activation: Activation,
        scope: Mapping[str, Any],
        decisive: list[Object | str],
        rounds: Iterator[int],
    ) -> None:
        super().__init__(ast, activation)
        self._rounds = rounds
        self._scope = scope
        self._decisive = decisive

    def ident_value(self, name: str, root_scope: bool = False) -> Any:
        return self._scope[name]

    def _operation(self, tree: Tree[Token]) -> Any:
        """Work out ``a < b`` and its like.

        celpy's own methods make new generic types on each call, which takes most of the time.
        """
        head, right = cast("tuple[Tree[Token], Tree[Token]]", tuple(tree.children))
        function = FUNCTIONS.get(_OPERATORS.get(str(tree.data), ""))
        left = head
        if function is None:
            function = FUNCTIONS[_OPERATORS[str(head.data)]]
            left = cast("Tree[Token]", head.children[0])
        try:
            return function(self.visit(left), self.visit(right))
        except TypeError:
            return UNKNOWN

    conditionalor = conditionaland = relation = addition = multiplication = _operation

    def member_dot_arg(self, tree: Tree[Token]) -> Any:
        owner, name = cast("tuple[Tree[Token], Token]", tuple(tree.children[:2]))
        if name not in MACROS:
            return super().member_dot_arg(tree)
        held = self.visit(owner)
        if isinstance(held, CELEvalError):
            return held
        found, more = elements(held)
        named, body = arguments(tree)
        own = str(name_of(named))
        verdicts = [(self._inner(body, own, element), sure) for element, sure in found]
        if name in ("filter", "map"):
            return _TO_LIST[name](found, verdicts, more)
        if not isinstance(held, Items) or any(isinstance(element, Object) for element, _ in found):
            self._note(str(name), found, verdicts)
        return _TO_BOOL[name](verdicts, more)

    def _inner(self, body: Tree[Token], name: str, element: Any) -> Any:
        if next(self._rounds) >= MOST_ROUNDS:
            raise _TooLong
        outside = self._scope
        self._scope = {**outside, name: element}
        try:
            return self.visit(body)
        except CELEvalError as error:
            return error
        finally:
            self._scope = outside

    def _note(self, name: str, found: list[tuple[Any, bool]], verdicts: list[Verdict]) -> None:
        """Remember the elements that decide, for the place of a finding."""
        decides = name != "all"
        for (element, sure), (verdict, _) in zip(found, verdicts, strict=True):
            known = sure and isinstance(element, Object | str) and isinstance(verdict, BoolType)
            if known and bool(verdict) is decides and not any(element is one for one in self._decisive):
                self._decisive.append(element)


def _all(verdicts: list[Verdict], more: bool) -> Any:
    answer: Any = UNKNOWN if more else BoolType(True)
    for verdict, sure in verdicts:
        holds = isinstance(verdict, BoolType) and bool(verdict)
        answer = both(answer, verdict if sure or holds else UNKNOWN)
    return answer


def _exists(verdicts: list[Verdict], more: bool) -> Any:
    answer: Any = UNKNOWN if more else BoolType(False)
    for verdict, sure in verdicts:
        fails = isinstance(verdict, BoolType) and not verdict
        answer = either(answer, verdict if sure or fails else UNKNOWN)
    return answer


def _exists_one(verdicts: list[Verdict], more: bool) -> Any:
    surely = sum(1 for verdict, sure in verdicts if sure and isinstance(verdict, BoolType) and verdict)
    if surely > 1:
        return BoolType(False)
    perhaps = any(not isinstance(verdict, BoolType) or (verdict and not sure) for verdict, sure in verdicts)
    return UNKNOWN if more or perhaps else BoolType(surely == 1)


def _filter(found: list[tuple[Any, bool]], verdicts: list[Verdict], more: bool) -> Any:
    kept = [
        (element, sure and isinstance(verdict, BoolType))
        for (element, sure), (verdict, _) in zip(found, verdicts, strict=True)
        if not isinstance(verdict, BoolType) or verdict
    ]
    return Items([element for element, _ in kept], [not sure for _, sure in kept], more=more)


def _map(found: list[tuple[Any, bool]], verdicts: list[Verdict], more: bool) -> Any:
    values = [UNKNOWN if isinstance(value, CELEvalError) else cel(value) for value, _ in verdicts]
    return Items(values, [not sure for _, sure in verdicts], more=more)


_TO_BOOL: dict[str, Callable[[list[Verdict], bool], Any]] = {
    "all": _all,
    "exists": _exists,
    "exists_one": _exists_one,
}
_TO_LIST: dict[str, Callable[[list[tuple[Any, bool]], list[Verdict], bool], Any]] = {
    "filter": _filter,
    "map": _map,
}
