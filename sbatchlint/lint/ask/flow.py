"""Where a piece of a script's text goes: to the tasks of its steps alone, or to the batch shell as well.

Text that a fix changes may be used more than once.  ``R=$SLURM_NODEID`` in the command of a step is one
use; ``[ "$R" = 0 ]`` or ``mkdir logs_$R`` on the batch host is another, which the fix must not touch.
The question is answered from the text: each mention of a variable that carries the text has to be one of
a few that are known to be harmless, and one that is not understood counts against the fix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sbatchlint.launch.plan import Step
from sbatchlint.lint.ask.nodes import Place, walk
from sbatchlint.lint.ask.settings import DECLARING
from sbatchlint.lint.ask.shell_modes import may_switch_on
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import (
    Arithmetic,
    Assignment,
    CommandSubstitution,
    Function,
    Parameter,
    Pipeline,
    Redirect,
    Simple,
    Test,
    Word,
)
from sbatchlint.source import Span

_PRINTING = frozenset(("echo", "printf"))
_WRITING = frozenset(("cat", "tee"))
_SHELLS = frozenset(("bash", "sh", "eval"))
_WHOLE = frozenset(("", ":-", "-", ":+", "+", ":?", "?"))
"""Operators of ``${...}`` that leave the value as it is."""
_TARGET = regex(r"(\w+)(?:\[[^\]]*\])?\+?=")
_ARGUMENTS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "@", "*")


def reaches_only_steps(job: Job, span: Span) -> bool:
    """Whether the text at *span* goes to tasks, to the terminal or into a file, and nowhere else."""
    return _Flow(job).starts_well(span)


class _Flow:
    def __init__(self, job: Job) -> None:
        self._job = job
        self._places = list(walk(job.script))  # what stands in a substitution is not looked into
        self._functions = {p.node.name: p.node for p in self._places if isinstance(p.node, Function)}
        self._checked: set[tuple[str, Span]] = set()

    def starts_well(self, span: Span) -> bool:
        """Tell whether the innermost node at *span*, and what takes its text from there, are harmless."""
        inside = [place for place in self._places if span in getattr(place.node, "span", Span(0, 0))]
        if not inside:
            return False
        if any(isinstance(place.node, CommandSubstitution) and place.node.backquoted for place in inside):
            return False  # backquotes take a backslash away before the command in them is read
        place = max(inside, key=lambda one: len(one.around))
        return self._is_harmless(Place(place.node, (*place.around, place.node)), span)

    # --- one mention -------------------------------------------------------------------------------

    def _is_harmless(self, place: Place, span: Span) -> bool:
        simple = place.nearest(Simple)
        if simple is None or any(_computes(node, span) for node in place.around):
            return False
        steps = [step for step in self._job.plan.steps if _starts(simple, step)]
        redirect = place.nearest(Redirect)
        if redirect is not None and redirect in simple.redirects:
            fed = redirect.document is not None or redirect.operator == "<<<"
            return fed and (bool(steps) or simple.name in _WRITING)
        target = _assigned(simple, place, span)
        if target is not None:
            name, alone = target
            return not (alone and self._is_exported(name, simple)) and self._spreads_well(name)
        if steps or self._would_start(simple):
            return not any(_is_option(step, span) for step in steps)
        return self._is_harmless_word(place, simple)

    def _would_start(self, simple: Simple) -> bool:
        """Tell whether *simple* gives code to a step on a way through the script that is not taken."""
        first = simple.words[0].parts[0] if simple.words else None
        named = isinstance(first, Parameter) and "srun" in first.name.lower()
        literals = [word.literal for word in simple.words]
        return (named or "srun" in literals) and any(
            shell in _SHELLS and (option or "").startswith("-") and (option or "").endswith("c")
            for shell, option in pairwise(literals)
        )

    def _is_harmless_word(self, place: Place, simple: Simple) -> bool:
        name = simple.name
        if name in self._functions:
            body = self._functions[name].span
            return all(self._spreads_well(argument, body) for argument in _ARGUMENTS)
        pipeline = place.nearest(Pipeline)
        if name in _PRINTING and not any(word.literal == "-v" for word in simple.words[1:2]):
            return pipeline is None or self._prints(pipeline)
        return name in _SHELLS and pipeline is None

    def _prints(self, pipeline: Pipeline) -> bool:
        """Tell whether what is printed only goes through ``tee`` and the like, or into a step."""
        into_step = any(step.line_span in pipeline.span for step in self._job.plan.steps)
        names = [one.name if isinstance(one, Simple) else None for one in pipeline.commands]
        return into_step or all(name in _PRINTING | _WRITING for name in names)

    # --- all mentions of a variable ----------------------------------------------------------------

    def _spreads_well(self, name: str, region: Span | None = None) -> bool:
        """Tell whether every mention of the variable *name* in *region* is harmless."""
        region = region or self._job.script.span
        if (name, region) in self._checked:
            return True
        self._checked.add((name, region))
        known = list(self._targets(name))
        for place in self._places:
            node = place.node
            if isinstance(node, Parameter) and node.name == name and node.span in region:
                whole = not node.prefix and node.operator in _WHOLE
                if not whole or not self._is_harmless(place, node.span):
                    return False
                known.append(node.span)
        text = self._job.source.text
        written = re.compile(
            rf"(?<![\w-]){re.escape(name)}(?!\w)"
            if name[0].isalpha() or name[0] == "_"
            else rf"\$\{{?{re.escape(name)}(?!\w)"
        )
        for match in written.finditer(text, region.start, region.end):
            here = Span(match.start(), match.end())
            if not any(here in span for span in known) and not self._job.script.is_comment(here):
                return False
        return True

    def _targets(self, name: str) -> Iterator[Span]:
        """Where *name* is written as what an assignment sets or a declaration names."""
        for place in self._places:
            node = place.node
            if isinstance(node, Assignment) and node.name == name:
                yield Span(node.span.start, node.span.start + len(name))
            elif isinstance(node, Simple) and node.name in DECLARING:
                for word in node.words[1:]:
                    text = self._job.source.slice(word.span)
                    match = _TARGET.match(text)
                    if text == name or (match is not None and match[1] == name):
                        yield Span(word.span.start, word.span.start + len(name))

    def _is_exported(self, name: str, simple: Simple) -> bool:
        """Tell whether programs may read the variable, which is then more than a piece of a command."""
        if simple.words and simple.name not in DECLARING:
            return True
        exports = re.compile(rf"\b(?:export|declare -x|typeset -x)\b[^\n;]{{0,500}}\b{name}\b")
        exported = exports.search(self._job.source.text) is not None
        return exported or may_switch_on(self._job, "allexport")


def _computes(node: object, span: Span) -> bool:
    """Whether *node* tests the text at *span* or works something out from it: a number, an index, a part."""
    if isinstance(node, Parameter):
        return span != node.span and (node.operator not in _WHOLE or span not in Span(*_tail(node)))
    return isinstance(node, (Arithmetic, Test))


def _tail(node: Parameter) -> tuple[int, int]:
    """The bounds of the word behind the operator."""
    return (node.arguments[0].span.start, node.span.end) if node.arguments else (0, 0)


def _assigned(simple: Simple, place: Place, span: Span) -> tuple[str, bool] | None:
    """The variable that takes the text at *span*, and whether it takes nothing else; None for none."""
    for assignment in simple.assignments:
        if span in assignment.span:
            return assignment.name, assignment.value is not None and _is_alone(assignment.value, span)
    if simple.name in DECLARING:
        for word in simple.words[1:]:
            first = word.literal if word.literal is not None else getattr(word.parts[0], "text", "")
            match = _TARGET.match(first)
            if span in word.span and match is not None:
                size = word.span.end - word.span.start - len(match[0])
                return match[1], size <= span.end - span.start + 2
    return None


def _is_alone(word: Word, span: Span) -> bool:
    """Whether *word* is the text at *span*, in quotes or not."""
    return word.span.end - word.span.start <= span.end - span.start + 2


def _is_option(step: Step, span: Span) -> bool:
    words = [arg.span for use in step.options for arg in (use.arg, use.value_arg) if arg is not None]
    return any(word is not None and span in word for word in words)


def _starts(simple: Simple, step: Step) -> bool:
    """Whether *simple* is the command that starts *step*, whose ``srun`` may be written elsewhere."""
    return step.line_span in simple.span or simple.span in step.line_span
