"""Compares a launch plan with what bash really did.

A prediction may say less than what happened, never something else: every value is turned into a regular
expression that what bash had must match, with anything at all where the plan says unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bash_harness import Call, Run
from standins import NOTED

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Arg, LaunchPlan, Program, Step
from sbatchlint.launch.values import Choice, Text, Value

_AT_ONCE = re.compile(r"(?<![&>|\\])&(?![&>0-9])|(?<!\|)\|(?!\|)|<\(")
"""Signs of programs that run at the same time, in any order."""
_ANY = r"[^\x00]*"
_ANY_WORDS = r"(?:[^\x00]*\x00)*"


@dataclass
class Agreement:
    """How a plan compares with a run."""

    wrong: list[str] = field(default_factory=list)
    words: int = 0
    known: int = 0
    assumed: int = 0


@dataclass(frozen=True)
class _Expected:
    """One command line that the plan predicts."""

    pattern: re.Pattern[str]
    sure: bool
    environment: Mapping[str, Value]
    shown: str


def compare(text: str, plan: LaunchPlan, run: Run, *, bare: bool) -> Agreement:
    """Compare; *bare* says that the environment had none of the script's variables, so defaults hold."""
    found = Agreement()
    ordered = not _AT_ONCE.search(text)
    _count(found, plan)
    _compare_calls(found, plan, run, ordered, bare)
    if run.variables is not None and (run.reached_end or not plan.may_stop):
        _compare_variables(found, plan, run.variables, bare)
    return found


def _count(found: Agreement, plan: LaunchPlan) -> None:
    lines = [program.words for _, program in plan.programs() if _is_noted(program)]
    lines += [step.words for step in plan.steps]
    for word in (word for line in lines for word in line):
        found.words += 1
        if word.text is not None:
            found.known += word.value.certainty is Certainty.KNOWN
            found.assumed += word.value.certainty is Certainty.ASSUMED


def _is_noted(program: Program) -> bool:
    name = program.words[0].value.text if program.words else None
    return name is None or name.rsplit("/", 1)[-1] in NOTED


# --- calls -------------------------------------------------------------------------------------------


def _compare_calls(found: Agreement, plan: LaunchPlan, run: Run, ordered: bool, bare: bool) -> None:
    sruns = [call for call in run.calls if call.words[0] == "srun"]
    expected = [_expect_step(step, bare) for step in plan.steps]
    inside = any(step.nested for step in plan.steps)
    _match(found, "step", expected, sruns, run, plan, ordered and not inside)
    host = [call for call in run.calls if not call.step and call.words[0] != "srun"]
    programs = [_expect(program, bare) for program in plan.host_programs if _is_noted(program)]
    _match(found, "host", programs, host, run, plan, ordered)
    tasks = [call for call in run.calls if call.step and call.words[0] != "srun"]
    programs = [
        _expect(program, bare, maybe=step.conditional or (step.assumed and not bare))
        for step in plan.steps
        if not step.nested
        for program in step.programs
        if _is_noted(program)
    ]
    _match(found, "task", programs, tasks, run, plan, ordered)


def _expect(program: Program, bare: bool, *, maybe: bool = False) -> _Expected:
    sure = not (maybe or program.conditional or (program.assumed and not bare))
    shown = " ".join(word.value.show() for word in program.words)
    return _Expected(_line_pattern(program.words, bare, by_name=True), sure, program.environment, shown)


def _expect_step(step: Step, bare: bool) -> _Expected:
    sure = not (step.conditional or (step.assumed and not bare))
    return _Expected(
        _line_pattern(step.words, bare, by_name=True), sure, {}, " ".join(w.value.show() for w in step.words)
    )


def _match(
    found: Agreement,
    where: str,
    expected: Sequence[_Expected],
    calls: Sequence[Call],
    run: Run,
    plan: LaunchPlan,
    ordered: bool,
) -> None:
    """Explain every call by a prediction, and find a call for every sure prediction."""
    left_early = not run.reached_end and plan.may_stop
    rest = list(expected)
    for call in calls:
        line = "".join(word + "\0" for word in call.words)
        index = _explaining(rest, line, ordered)
        if index is None:
            if not plan.incomplete:
                found.wrong.append(f"{where}: bash started {call.words!r}, not foreseen here: {_shown(rest)}")
            continue
        _compare_environment(found, rest[index], call)
        if ordered:
            found.wrong += [f"{where}: not started: {e.shown}" for e in rest[:index] if e.sure]
            rest = rest[index + rest[index].sure :]
        elif rest[index].sure:
            del rest[index]
    if not left_early:
        found.wrong += [f"{where}: not started: {e.shown}" for e in rest if e.sure]


def _explaining(rest: Sequence[_Expected], line: str, ordered: bool) -> int | None:
    """The prediction that fits *line* and passes over the fewest others; sure ones first if unordered."""
    fitting = [index for index, e in enumerate(rest) if e.pattern.fullmatch(line)]
    if not ordered:
        fitting.sort(key=lambda index: not rest[index].sure)
    return fitting[0] if fitting else None


def _shown(expected: Iterable[_Expected]) -> str:
    return "; ".join(e.shown + ("" if e.sure else " (maybe)") for e in expected) or "nothing"


def _compare_environment(found: Agreement, expected: _Expected, call: Call) -> None:
    for name, value in expected.environment.items():
        if name.startswith(("SLURM_", "BASH_")) or value.text is None:
            continue
        if value.certainty is Certainty.KNOWN and call.environment.get(name) != value.text:
            found.wrong.append(
                f"environment of {expected.shown}: {name}={value.text!r}, really {call.environment.get(name)!r}"
            )


# --- values as patterns --------------------------------------------------------------------------------


def _line_pattern(words: Sequence[Arg], bare: bool, *, by_name: bool) -> re.Pattern[str]:
    patterns = [_word_pattern(word, bare) for word in words]
    if by_name and words and words[0].value.text is not None and patterns:
        patterns[0] = re.escape(words[0].value.text.rsplit("/", 1)[-1]) + r"\x00"
    return re.compile("".join(patterns), re.S)


def _word_pattern(word: Arg, bare: bool) -> str:
    if word.value.certainty is Certainty.ASSUMED and not bare:
        return _ANY_WORDS
    if word.open:
        glued = any(isinstance(segment, Text) for segment in word.value.segments)
        pattern = value_pattern(word.value, bare, f"{_ANY_WORDS}{_ANY}") + r"\x00"
        return pattern if glued else _ANY_WORDS
    pattern = value_pattern(word.value, bare) + r"\x00"
    return f"(?:{pattern})?" if word.optional else pattern


def value_pattern(value: Value, bare: bool, anything: str = _ANY) -> str:
    """The regular expression of all texts that *value* allows."""
    pieces: list[str] = []
    for segment in value.segments:
        if isinstance(segment, Text):
            sure = bare or segment.certainty is Certainty.KNOWN
            pieces.append(re.escape(segment.text) if sure else anything)
        elif isinstance(segment, Choice):
            pieces.append(f"(?:{'|'.join(value_pattern(o, bare, anything) for o in segment.options)})")
        else:
            pieces.append(anything)
    return "".join(pieces)


# --- variables -------------------------------------------------------------------------------------------


def _compare_variables(
    found: Agreement, plan: LaunchPlan, real: Mapping[str, str | dict[str, str]], bare: bool
) -> None:
    for name, value in plan.variables.items():
        if name == "IFS":  # the dump needs one of its own
            continue
        held = real.get(name)
        if held is None and value.text is None:
            continue
        first = held.get("0", "") if isinstance(held, dict) else held
        if first is None or not re.fullmatch(value_pattern(value, bare), first, re.S):
            found.wrong.append(f"variable {name}: {value.show()!r} foreseen, really {first!r}")
    for name, items in plan.arrays.items():
        held = real.get(name, {})
        elements = held if isinstance(held, dict) else {"0": held}
        if not _same_elements(items, elements, bare):
            shown = {key: value.show() for key, value in items}
            found.wrong.append(f"array {name}: {shown!r} foreseen, really {elements!r}")


def _same_elements(items: Sequence[tuple[str, Value]], real: Mapping[str, str], bare: bool) -> bool:
    """Tell whether an array foreseen may be the real one; elements that may be missing shift the keys."""
    if any(value.text is None for _, value in items):
        return True
    if not bare and any(value.certainty is not Certainty.KNOWN for _, value in items):
        return True
    return {key: value.text for key, value in items} == dict(real)
