"""What becomes of a variable: whether the script does something with its value, and how surely."""

from __future__ import annotations

import re
from enum import IntEnum

from sbatchlint.lint.ask.code_text import found_in_code
from sbatchlint.lint.ask.environment import reads_settings
from sbatchlint.lint.ask.nodes import Place, nodes_of
from sbatchlint.lint.ask.settings import DECLARING
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import (
    AndOr,
    Assignment,
    Case,
    CommandSubstitution,
    Function,
    If,
    Parameter,
    Pipeline,
    Simple,
)

_PASSING = frozenset("basename cd cut dirname echo printf pwd readlink realpath sed tr".split())
"""Commands that in a substitution only make one text of another."""
_PRINTING = frozenset(("echo", "printf"))
_DEFAULTS = (":-", "-", ":=", "=")


class Use(IntEnum):
    """How surely something is done with a value."""

    NONE = 0
    MAYBE = 1
    """In a branch or a function, as a default, or by a file or a program that may look for the variable."""
    SURE = 2


def use_of_variable(job: Job, name: str, seen: frozenset[str] = frozenset()) -> Use:
    """Return what is done with *name*, be it through other variables; printing it is nothing."""
    reads = [(node, place) for node, place in nodes_of(job, Parameter) if node.name == name]
    uses = [_use(job, place, seen | {name}) for _, place in reads]
    places = {node.span.start for node, _ in reads}
    mention = re.compile(rf"\$(?:{name}\b|\{{[#!]?{name}\b)")
    if any(span.start not in places for span in found_in_code(job, mention)):
        uses.append(Use.SURE)  # in text that another shell expands
    found = max(uses, default=Use.NONE)
    if found is Use.NONE and (reads_settings(job) or _is_exported(job, name)):
        searched = name.endswith("PATH") and _is_exported(job, name)
        return Use.SURE if searched and not _is_found_without(job, name) else Use.MAYBE
    return found


def is_conditional(place: Place) -> bool:
    """Tell whether something at *place* may not be done: in a branch, in a function, as a default."""
    if place.inside(If, Case, Function):
        return True
    outer = [node for node in place.around if isinstance(node, (AndOr, Parameter))]
    if any(isinstance(node, Parameter) and node.operator in _DEFAULTS for node in outer):
        return True
    # `cd "$(dirname "$0")" && pwd` in a substitution asks without a condition.
    inside = False
    for node in place.around:
        if isinstance(node, CommandSubstitution):
            inside = True
        if isinstance(node, AndOr) and not inside:
            return "||" in node.operators
    return False


def set_by(job: Job, place: Place) -> str | None:
    """The variable that text at *place* becomes the value of; None where something else is done with it."""
    for node in reversed(place.around):
        if isinstance(node, Assignment):
            outer = (one for one in place.around if isinstance(one, Simple) and node in one.assignments)
            return node.name if any(not one.words for one in outer) else None
        if isinstance(node, Simple) and node.words:
            if node.name in DECLARING:
                return _declared(job, node, place)
            if node.name not in _PASSING or not place.inside(CommandSubstitution):
                return None
    return None


def _declared(job: Job, declaring: Simple, place: Place) -> str | None:
    for word in declaring.words[1:]:
        if any(word is node for node in (*place.around, place.node)):
            name, equals, _ = job.source.slice(word.span).partition("=")
            return name if equals and name.isidentifier() else None
    return None


def _use(job: Job, place: Place, seen: frozenset[str]) -> Use:
    simple = place.nearest(Simple)
    printed = simple is not None and simple.name in _PRINTING and not simple.redirects
    if printed and not place.inside(CommandSubstitution, Pipeline):
        return Use.NONE
    name = set_by(job, place)
    if name in seen:
        return Use.NONE
    found = Use.SURE if name is None else use_of_variable(job, name, seen)
    return min(found, Use.MAYBE) if is_conditional(place) else found


def _is_found_without(job: Job, name: str) -> bool:
    """Tell whether Python may find its modules without *name*: ``-m`` looks into the working folder."""
    programs = [program for _, program in job.plan.programs() if program.is_module]
    scripts = [program for _, program in job.plan.programs() if program.target.show().endswith(".py")]
    return name == "PYTHONPATH" and bool(programs) and all(program.is_module for program in scripts)


def _is_exported(job: Job, name: str) -> bool:
    exports = rf"\b(?:export|(?:declare|typeset) -x)\b[^\n;]{{0,500}}\b{name}\b"
    exports += r"|\bset -(?:\w*a\w*|o allexport)\b"
    return next(found_in_code(job, re.compile(exports)), None) is not None


__all__ = ["Use", "is_conditional", "set_by", "use_of_variable"]
