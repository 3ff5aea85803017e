"""Checking names, fields, indices and literals with parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lark import Token, Tree

from sbatchlint.policy.syntax import arguments, literal_text, peeled
from sbatchlint.policy.types import ANY, INT, STRING, Type, agree, joined, list_of, map_of
from sbatchlint.policy.variables import BY_NAME, THINGS
from sbatchlint.spelling import nearest

if TYPE_CHECKING:
    from sbatchlint.policy.check import Checker


def check_name(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of a variable, or of a macro's own name."""
    name = _token(tree.children[0])
    if name in scope:
        return scope[name]
    variable = BY_NAME.get(name)
    if variable is None:
        return checker.fault_at(name, f"there is no variable {str(name)!r}", near(name, [*scope, *BY_NAME]))
    checker.roots.add(variable.name)
    return variable.type


def near(name: str, known: list[str]) -> str:
    """Return the help for a wrong *name*: the nearest right one, else all."""
    found = nearest(name, known)
    return f"did you mean {found!r}?" if found else f"known here: {', '.join(known)}"


def check_field(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``a.b``."""
    owner = _tree(tree.children[0])
    name = _token(tree.children[1])
    held = checker.type(owner, scope)
    thing = THINGS.get(held.name)
    if held == ANY:
        return ANY
    if held.name == "map":
        note_key(checker, owner, held, str(name), tree)
        return held.of or ANY
    if held.name == "list":
        help = f"ask {checker.source(owner)}.all(x, x.{name} ...) or {checker.source(owner)}.exists(x, ...)"
        return checker.fault_at(
            name, f"{checker.source(owner)} is a list, which has no field {str(name)!r}", help
        )
    if thing is None:
        return checker.fault_at(name, f"{checker.source(owner)} is {held.described}, which has no fields")
    field = thing.get(name)
    if field is None:
        help = near(name, [one.name for one in thing.fields])
        return checker.fault_at(name, f"{thing.name} has no field {str(name)!r}", help)
    checker.reads.append((thing.name, field.name))
    return field.type


def check_index(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``a[b]``."""
    owner, index = _tree(tree.children[0]), _tree(tree.children[1])
    held = checker.type(owner, scope)
    if held.name == "list":
        checker.want(index, scope, INT, "the index of a list")
        return held.of or ANY
    if held.name == "map":
        checker.want(index, scope, STRING, "the key of a map")
        key = literal_text(index)
        if key is not None:
            note_key(checker, owner, held, key, index)
        return held.of or ANY
    checker.type(index, scope)
    return (
        ANY
        if held == ANY
        else checker.fault(owner, f"{checker.source(owner)} is {held.described}, not a list or map")
    )


def note_key(checker: Checker, owner: Tree[Token], held: Type, key: str, at: Tree[Token]) -> None:
    """Note that *key* of the map *owner* is read; an option that Slurm does not have can never be given."""
    inner = peeled(owner)
    if inner.data != "member_dot" or str(inner.children[1]) != "options" or held != map_of(STRING):
        return
    from sbatchlint.slurm.options import option_table

    table = option_table()
    try:
        long = table.get(key).long
    except KeyError:
        long = None
    if long == key:
        checker.reads.append(("options", key))
        return
    found = long or nearest(key.strip("-"), [spec.long for spec in table])
    help = f"did you mean {found!r}?" if found else "write its long name without dashes: 'account'"
    checker.fault(at, f"no option is called {key!r} in job.options", help)


def check_list(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``[a, b]``."""
    return list_of(_common(checker, arguments(tree), scope, "the elements of a list"))


def check_map(checker: Checker, tree: Tree[Token], scope: Mapping[str, Type]) -> Type:
    """Return the type of ``{'a': 1}``, whose keys are texts."""
    inits = _tree(tree.children[0]).children if tree.children else []
    parts = [part for part in inits if isinstance(part, Tree)]
    for key in parts[::2]:
        checker.want(key, scope, STRING, "the key of a map")
    texts = [literal_text(key) for key in parts[::2]]
    for number, text in enumerate(texts):
        if text is not None and text in texts[:number]:
            checker.fault(parts[2 * number], f"the key {text!r} stands there twice")
    return map_of(_common(checker, parts[1::2], scope, "the values of a map"))


def _common(checker: Checker, parts: list[Tree[Token]], scope: Mapping[str, Type], what: str) -> Type:
    found = ANY
    for part in parts:
        one = checker.type(part, scope)
        if not agree(found, one):
            checker.fault(
                part, f"{what} are of one type: this is {one.described}, the one before {found.described}"
            )
            return ANY
        found = joined(found, one)
    return found


def _tree(child: Tree[Token] | Token) -> Tree[Token]:
    assert isinstance(child, Tree)
    return child


def _token(child: Tree[Token] | Token) -> Token:
    assert isinstance(child, Token)
    return child
