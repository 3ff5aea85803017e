"""Compares a launch plan with what bash really did.

A prediction may say less than what happened, never something else: every value is turned into a regular
expression that what bash had must match, with anything at all where the plan says unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sbatchlint.certainty import Certainty
from sbatchlint.launch.evaluate import plan_launches
from sbatchlint.launch.plan import Arg, LaunchPlan, Program, Step
from sbatchlint.launch.values import Choice, Text, Value, last_part
from sbatchlint.shell.reader import read_script
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source
from tests.launch.bash_harness import Call, Run
from tests.launch.standins import NOTED

_AT_ONCE = re.compile(r"(?<![&>|\\;])&(?![&>0-9])|(?<!\|)\|(?!\|)|<\(")
"""Signs of programs that run at the same time, in any order."""
_ANY = r"[^\x00]*"
_ANY_WORDS = r"(?:[^\x00]*\x00)*"


_OWN = re.compile(
    r"PATH|HOME|IFS|O?L?D?PWD|RANDOM|SECONDS|LINENO|E?UID|PPID|REPLY|LC_ALL|(OPT|BASH|SLURM|STANDIN).*"
)
"""Variables that bash, Slurm or the harness set."""


def plan_of(text: str) -> LaunchPlan:
    """The plan of a script's text."""
    source = Source.from_text(text, "job.sh")
    return plan_launches(read_script(source), read_request(source))


def surroundings(texts: Sequence[str]) -> dict[str, str]:
    """An environment in which every variable that any of *texts* names has a value of its own."""
    names = {name for text in texts for name in re.findall(r"[A-Z][A-Z0-9_]*", text)}
    # An array keeps what a plain variable of its name had: not one script in a thousand means that.
    arrays = r"\b(\w+)(?:\+?=\(|\[)|(?:declare|local) -[aA] (\w+)"
    names -= {name for text in texts for found in re.findall(arrays, text) for name in found}
    return {name: "17" for name in sorted(names) if not _OWN.fullmatch(name)}


@dataclass
class Agreement:
    """How a plan compares with a run."""

    wrong: list[str] = field(default_factory=list)
    words: int = 0
    known: int = 0
    assumed: int = 0


BROKEN_OFF = re.compile(r"syntax error|unexpected EOF|bad substitution|bad array subscript|< 0|No such file")
"""What bash says where it leaves a command half-way or does not start at all: no plan foresees that."""


@dataclass(frozen=True)
class _Expected:
    """One command line that the plan predicts."""

    pattern: re.Pattern[str]
    sure: bool
    environment: Mapping[str, Value]
    shown: str

    def fits(self, call: Call) -> bool:
        """Tell whether the words of *call* are among those foreseen."""
        return self.pattern.fullmatch("".join(word + "\0" for word in call.words)) is not None

    def environment_faults(self, call: Call) -> list[str]:
        """The variables foreseen for sure that *call* really has otherwise."""
        if not self.sure:
            return []
        return [
            f"environment of {self.shown}: {name}={value.text!r}, really {call.environment.get(name)!r}"
            for name, value in self.environment.items()
            if not name.startswith(("SLURM_", "BASH_"))
            and value.text is not None
            and value.certainty is Certainty.KNOWN
            and call.environment.get(name) != value.text
        ]


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
    name = last_part(program.words[0].value) if program.words else None
    return name is None or name in NOTED


# --- calls -------------------------------------------------------------------------------------------


def _compare_calls(found: Agreement, plan: LaunchPlan, run: Run, ordered: bool, bare: bool) -> None:
    others = plan.by_default and not bare

    def match(where: str, expected: list[_Expected], calls: list[Call], ordered: bool) -> None:
        _match(found, where, expected, calls, run, plan, ordered, others=others)

    sruns = [call for call in run.calls if call.words[0] == "srun"]
    inside = any(step.nested for step in plan.steps)
    match("step", [_expect_step(step, bare) for step in plan.steps], sruns, ordered and not inside)
    host = [call for call in run.calls if not call.step and call.words[0] != "srun"]
    match("host", [_expect(p, bare) for p in plan.host_programs if _is_noted(p)], host, ordered)
    tasks = [call for call in run.calls if call.step and call.words[0] != "srun"]
    inner = [
        _expect(program, bare, maybe=step.conditional or (step.assumed and not bare))
        for step in plan.steps
        if not step.nested
        for program in step.programs
        if _is_noted(program)
    ]
    match("task", inner, tasks, ordered)


def _expect(program: Program, bare: bool, *, maybe: bool = False) -> _Expected:
    named = not program.words or last_part(program.words[0].value) is not None  # else it may be no stand-in
    sure = named and not (maybe or program.conditional or (program.assumed and not bare))
    shown = " ".join(word.value.show() for word in program.words)
    return _Expected(_line_pattern(program.words, bare), sure, program.environment, shown)


def _expect_step(step: Step, bare: bool) -> _Expected:
    sure = not (step.conditional or (step.assumed and not bare))
    return _Expected(_line_pattern(step.words, bare), sure, {}, " ".join(w.value.show() for w in step.words))


def _match(
    found: Agreement,
    where: str,
    expected: Sequence[_Expected],
    calls: Sequence[Call],
    run: Run,
    plan: LaunchPlan,
    ordered: bool,
    *,
    others: bool,
) -> None:
    """Explain every call by a prediction, and find a call for every sure prediction.

    A prediction that is not sure may explain any number of calls, or none.  *others* says that the script
    may have gone ways that the plan does not list.
    """
    optional = others or bool(plan.incomplete)
    left_early = not run.reached_end and plan.may_stop
    explained = (_in_order if ordered else _in_any_order)(expected, calls, optional)
    # One that is not sure tells nothing of how far the script came: it may be the trap of another way's end.
    reached = max((e for e in explained if e is not None and expected[e].sure), default=-1)
    for index, call in zip(explained, calls, strict=True):
        if index is not None:
            found.wrong += expected[index].environment_faults(call)
        elif not optional:
            found.wrong.append(f"{where}: bash started {call.words!r}, not foreseen in: {_shown(expected)}")
    for index, prediction in enumerate(expected):
        if prediction.sure and index not in explained and not (left_early and index > reached):
            found.wrong.append(f"{where}: not started: {prediction.shown}")


def _in_order(expected: Sequence[_Expected], calls: Sequence[Call], optional: bool) -> list[int | None]:
    """For each call the prediction that explains it, with as few faults as possible.

    Sure predictions come true in their order; others at any time, since a loop comes back to them.
    """
    # cost[i][j]: the least number of faults in explaining calls[j:] by expected[i:].
    width, height = len(calls), len(expected)
    cost = [[0] * (width + 1) for _ in range(height + 1)]
    step: dict[tuple[int, int], tuple[int, int, int | None]] = {}
    maybe = [_explained_by_one_that_may(expected, call) for call in calls]
    for i in range(height, -1, -1):
        for j in range(width, -1, -1):
            ways: list[tuple[int, int, int, int | None]] = []
            if i < height:
                ways.append((cost[i + 1][j] + 2 * expected[i].sure, i + 1, j, None))
            if j < width:
                ways.append((cost[i][j + 1] + 2 * (not optional), i, j + 1, None))
            if i < height and j < width and expected[i].sure and expected[i].fits(calls[j]):
                faults = bool(expected[i].environment_faults(calls[j]))
                ways.append((cost[i + 1][j + 1] + faults, i + 1, j + 1, i))
            if j < width and maybe[j] is not None:
                ways.append((cost[i][j + 1], i, j + 1, maybe[j]))
            if ways:
                least = min(ways, key=lambda way: (way[0], way[3] is None))
                cost[i][j], step[i, j] = least[0], least[1:]
    found: list[int | None] = [None] * width
    i = j = 0
    while (i, j) in step:
        next_i, next_j, explains = step[i, j]
        if explains is not None:
            found[j] = explains
        i, j = next_i, next_j
    return found


def _explained_by_one_that_may(expected: Sequence[_Expected], call: Call) -> int | None:
    return next((i for i, e in enumerate(expected) if not e.sure and e.fits(call)), None)


def _in_any_order(expected: Sequence[_Expected], calls: Sequence[Call], optional: bool) -> list[int | None]:
    """For each call a prediction that explains it; each sure one explains one call at most."""
    taken: dict[int, int] = {}

    def assign(number: int, seen: set[int]) -> bool:
        for index, prediction in enumerate(expected):
            if index in seen or not prediction.sure or not prediction.fits(calls[number]):
                continue
            if prediction.environment_faults(calls[number]):
                continue
            seen.add(index)
            if index not in taken or assign(taken[index], seen):
                taken[index] = number
                return True
        return False

    maybe = [_explained_by_one_that_may(expected, call) for call in calls]
    # Calls that only a sure prediction explains come first: a call once explained stays so.
    for number in sorted(range(len(calls)), key=lambda number: maybe[number] is not None):
        assign(number, set())
    found = list(maybe)
    for index, number in taken.items():
        found[number] = index
    return found


def _shown(expected: Iterable[_Expected]) -> str:
    return "; ".join(e.shown + ("" if e.sure else " (maybe)") for e in expected) or "nothing"


# --- values as patterns --------------------------------------------------------------------------------


def _line_pattern(words: Sequence[Arg], bare: bool) -> re.Pattern[str]:
    patterns = [_word_pattern(word, bare) for word in words]
    program = last_part(words[0].value) if words else None
    if program is not None:
        name = re.escape(program)
        patterns[0] = name + r"\x00" + (_ANY_WORDS if words[0].splits and not bare else "")
    return re.compile("".join(patterns), re.S)


def _word_pattern(word: Arg, bare: bool) -> str:
    if word.value.certainty is Certainty.ASSUMED and not bare:
        return _ANY_WORDS
    if word.splits and not bare:
        return _ANY_WORDS
    anything = f"{_ANY_WORDS}{_ANY}" if word.open else _ANY
    pattern = value_pattern(word.value, bare, anything) + r"\x00"
    if word.open and not any(isinstance(segment, Text) and segment.text for segment in word.value.segments):
        pattern = _ANY_WORDS
    elif word.optional:
        pattern = f"(?:{pattern})?"
    return pattern


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
        if held is None and (value.text is None or (value.certainty is Certainty.ASSUMED and not bare)):
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
