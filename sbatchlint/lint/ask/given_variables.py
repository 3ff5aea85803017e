"""The environment variables that a script sets for the programs that it starts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.fix.edit import Edit
from sbatchlint.launch.layered import Met
from sbatchlint.launch.plan import Program, Step
from sbatchlint.launch.values import Text, Value
from sbatchlint.lint.ask.code_text import found_in_code
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.ask.settings import VariableSetting, settings_of
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

_EXPORTS = regex(r"\b(?:export|(?:declare|typeset)[ \t]+-\w*x\w*)[ \t][^;&|\n]*$")
_LITERAL = regex(r"""(["']?)([\w.,:;^=+/@%-]*)\1""")
_HANDS_ON = regex(
    r"(?:\b(?:export|unset)[ \t][^\n;|&$]*|(?<!\S)-x[ \t]|--(?:export|container-env)[= ][^\n$]*)$"
)
"""What stands before the bare name of a variable that is handed on or taken away, and not read."""


@dataclass(frozen=True, slots=True)
class GivenVariable:
    """One place where a script sets a variable."""

    name: str
    span: Span
    """``NAME=value``."""
    value: Value | None
    """None where it is not known: it is exported in a branch, say, and is more than plain text."""
    sure: bool
    """Whether a program certainly gets it; where no program is known at all, whether all would."""


@asked_once
def given_variables(job: Job) -> Iterator[GivenVariable]:
    """Yield what the script sets and hands to a program, in the order of the script."""
    values: dict[tuple[Span, str], Value] = {}
    certain: set[tuple[Span, str]] = set()
    met: dict[bool, Met] = {True: {}, False: {}}
    for step, program in job.plan.programs():
        doubtful = program.doubtful or (step is not None and step.doubtful)
        for name in program.environment_spans.new_names(met[doubtful]):
            span, value = program.environment_spans[name], program.environment.get(name)
            if value is None:
                continue
            values[span, name] = value
            if not doubtful:
                certain.add((span, name))
    found = {
        (span, name): GivenVariable(name, span, value, (span, name) in certain)
        for (span, name), value in values.items()
    }
    nothing_known = not found
    for setting in settings_of(job):
        if (setting.span, setting.name) not in found and _is_exported(job, setting):
            sure = nothing_known and not setting.conditional
            one = GivenVariable(setting.name, setting.span, _literal(job, setting), sure)
            found[setting.span, setting.name] = one
    return iter(sorted(found.values(), key=lambda one: (one.span, one.name)))


def programs_given(job: Job, one: GivenVariable) -> list[tuple[Step | None, Program]]:
    """Return the programs that get *one*; none where the plan does not tell of any."""
    return [
        (step, program)
        for step, program in job.plan.programs()
        if program.environment_spans.get(one.name) == one.span
    ]


def _is_exported(job: Job, setting: VariableSetting) -> bool:
    line = job.source.line_around(setting.span.start)
    return _EXPORTS.search(job.source.text[line.start : setting.span.start]) is not None


def _literal(job: Job, setting: VariableSetting) -> Value | None:
    match = None if setting.value is None else _LITERAL.fullmatch(job.source.slice(setting.value))
    return None if match is None else Value((Text(match[2], setting.value),))


def renamed(job: Job, name: str, other: str) -> tuple[Edit, ...]:
    """The edits that call *name* *other* wherever it is set or handed on; none where it is read."""
    places = list(found_in_code(job, re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")))
    if any(_is_read(job, place) for place in places):
        return ()
    return tuple(Edit(place, other) for place in places)


def _is_read(job: Job, place: Span) -> bool:
    text = job.source.text
    line = job.source.line_around(place.start)
    before, after = text[line.start : place.start], text[place.end : line.end]
    if before.endswith(("$", "${", "${!", "${#")):
        return True
    if re.match(r"\+?=(?!=)|\+?==\w", after):
        return False
    return _HANDS_ON.search(before) is None
