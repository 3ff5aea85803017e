"""Compares a launch plan with what a real Slurm made of the script, step by step and task by task.

What a program was called with and saw is compared by the vocabulary of the harness against bash: a
prediction may say less than what happened, never something else.  A word that the plan marks as differing
by task is held against each task's own variables, so it is no wildcard here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import permutations

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Arg, LaunchPlan, Program, Step
from sbatchlint.launch.session import Place, Session
from sbatchlint.launch.tables import SHELLS
from sbatchlint.launch.values import Choice, Segment, Text, Unknown, Value
from sbatchlint.slurm.environment import PER_TASK, STEP_VARIABLES, JobVariable, job_variables
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.getopt import parse
from sbatchlint.slurm.option_use import Count
from sbatchlint.slurm.request import JobRequest
from sbatchlint.slurm.step_environment import step_variables
from tests.conformance.job_bench import JobRun, RealStep, Started, Task
from tests.conformance.job_stand_ins import NOTED
from tests.launch.agreement import Agreement, compare
from tests.launch.bash_harness import Call, Run

_MISSED = 100
"""A step without its like counts as so many faults."""
_ONE_VALUE = ("SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_JOB_ID")
"""Unknown to the plan, but the same wherever the script names them."""


Pairs = tuple[tuple["int | None", "int | None"], ...]
"""Steps of the plan and real ones that belong together, by number; None for one without its like."""


@dataclass
class Told:
    """What was compared, and what was wrong."""

    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def count(self, found: Agreement) -> None:
        """Add the words of one command line."""
        self.counts.update(words=found.words, known=found.known, assumed=found.assumed)
        self.wrong += found.wrong


@dataclass(frozen=True)
class Comparison:
    """One plan against one run."""

    request: JobRequest
    plan: LaunchPlan
    run: JobRun
    bare: bool
    """Whether nothing around the script overrides its defaults, so that what is assumed must be true."""

    def told(self) -> Told:
        """Compare everything."""
        found = Told()
        self._programs(found, self.plan.host_programs, self.run.host, "", "batch host")
        outermost = list(_joined(step for step in self.plan.steps if not step.nested))
        self._steps(found, outermost, [step for step in self.run.steps if not step.outer], "", {})
        return found

    # --- steps ---------------------------------------------------------------------------------------

    def _steps(
        self,
        found: Told,
        planned: Sequence[Step],
        real: Sequence[RealStep],
        where: str,
        around: Mapping[str, JobVariable],
    ) -> None:
        """Find for each step that the plan is sure of the one that it became, and compare the two.

        *around* is what an outer step has set for them.
        """
        each = [[self._step(p, r, f"{where}step {i}", around) for r in real] for i, p in enumerate(planned)]
        sure = [not self._may_not_run(step) for step in planned]
        early = self.plan.may_stop and not self.run.reached_end
        orders: Iterator[tuple[int, ...]] = iter([tuple(range(len(real)))])
        if any(step.background for step in planned):
            assert len(real) <= 6, "too many steps at once to try their orders"
            orders = permutations(range(len(real)))
        pairs = min((_aligned(each, sure, order, early) for order in orders), key=lambda way: way[0])[1]
        for index, number in pairs:
            if index is None:
                words = [[p.words for p in task.programs] for task in real[number or 0].tasks]
                found.wrong.append(f"{where}a step ran that the plan has not: {words}")
            elif number is None:
                shown = " ".join(word.value.show() for word in planned[index].words)
                found.wrong.append(f"{where}a step did not run: {shown}")
            else:
                found.wrong += each[index][number].wrong
                found.counts += each[index][number].counts
                found.counts["steps"] += 1

    def _may_not_run(self, step: Step) -> bool:
        return step.conditional or bool(self.plan.incomplete) or (step.assumed and not self.bare)

    def _step(self, step: Step, real: RealStep, where: str, around: Mapping[str, JobVariable]) -> Told:
        found = Told()
        variables = {**around, **self._variables_of(step)}
        self._size(found, step, real, where)
        programs, inside = self._inside(step)
        seen: list[list[tuple[Program, Started]]] = []
        for task in real.tasks:
            place = f"{where}, task {task.environment['SLURM_PROCID']}: "
            found.counts["tasks"] += 1
            self._variables(found, step, variables, task, place)
            seen.append(self._programs(found, programs, task.programs, place, "in it"))
            inner = [other for other in self.run.steps if other.outer == task.name]
            self._steps(found, inside, inner, place, variables)
        _over_tasks(found, seen, where)
        return found

    def _inside(self, step: Step) -> tuple[list[Program], list[Step]]:
        """What the step starts itself, and the steps that it starts."""
        own = {id(program) for program in step.programs}
        inside = [
            other
            for other in _joined(self.plan.steps)
            if other.nested and other is not step and any(id(program) in own for program in other.programs)
        ]
        theirs = {id(program) for other in inside for program in other.programs}
        return [program for program in step.programs if id(program) not in theirs], inside

    @staticmethod
    def _size(found: Told, step: Step, real: RealStep, where: str) -> None:
        on_node = Counter(task.environment["SLURMD_NODENAME"] for task in real.tasks)
        shares = set(on_node.values())
        truth: dict[str, int | str] = {
            "nodes": len(on_node),
            "tasks": len(real.tasks),
            "tasks_per_node": shares.pop() if len(shares) == 1 else "uneven",
            "gpus_per_node": _gpus_per_node(real),
        }
        for name, value in truth.items():
            found.counts["sizes"] += 1
            count = getattr(step.geometry, name)
            if count is None:
                continue
            found.counts["sizes told"] += 1
            if count.value != value:
                found.wrong.append(f"{where}: {count.value} {name}, really {value}")

    def _variables(
        self, found: Told, step: Step, variables: Mapping[str, JobVariable], task: Task, where: str
    ) -> None:
        """What code inside the step would be told of each of Slurm's variables."""
        place = Place(Session(self.request, job_variables(self.request)), step.geometry, variables)
        given = {name for program in step.programs for name in program.environment}
        for name in sorted({*job_variables(self.request), *STEP_VARIABLES} - given):
            told = place.lookup(name, None)
            real = task.environment.get(name)
            if told is None or name in PER_TASK:
                continue
            value, is_set = told
            found.counts["variables"] += 1
            found.counts["variables told"] += value is None or value.text is not None
            if is_set is not None and is_set is not (real is not None):
                found.wrong.append(f"{where}{name} {'is' if is_set else 'is not'} set, really {real!r}")
            elif value is not None and value.text is not None and is_set and value.text != real:
                found.wrong.append(f"{where}{name} is {value.text!r}, really {real!r}")

    def _variables_of(self, step: Step) -> Mapping[str, JobVariable]:
        uses = parse([word.value.show() for word in step.words[1:]], "srun", self.request.release).uses
        return step_variables(
            self.request, job_variables(self.request), step.geometry, uses, complete=step.options_complete
        )

    # --- programs ------------------------------------------------------------------------------------

    def _programs(
        self, found: Told, planned: Sequence[Program], real: Sequence[Started], place: str, where: str
    ) -> list[tuple[Program, Started]]:
        """Compare the programs of the batch host or of one task; give the pairs that are clear."""
        noted = [program for program in planned if _is_noted(program)]
        left_open = any(_may_start_others(program) for program in planned)
        around = real[0].environment if real else {}
        expected = tuple(_seen_from(program, around) for program in noted)
        plan = LaunchPlan(
            host_programs=expected,
            incomplete="a script" if left_open else self.plan.incomplete,
            may_stop=self.plan.may_stop,
        )
        calls = tuple(Call("", str(i), call.words, call.environment) for i, call in enumerate(real))
        text = "&" if any(step.background for step in self.plan.steps) else ""
        found_here = compare(text, plan, Run(calls, None, self.run.reached_end), bare=self.bare)
        found_here.wrong = [f"{place}{where}: {fault}" for fault in found_here.wrong]
        found.count(found_here)
        if found_here.wrong or len(noted) != len(real) or text:
            return []
        pairs = list(zip(noted, real, strict=True))
        for program, call in pairs:
            found.wrong += [f"{place}{fault}" for fault in _slurm_variables(program, call)]
        return pairs


def _gpus_per_node(real: RealStep) -> int | str:
    """How many GPUs the tasks on a node see together."""
    seen: dict[str, set[str]] = {}
    for task in real.tasks:
        listed = task.environment.get("CUDA_VISIBLE_DEVICES", "")
        seen.setdefault(task.environment["SLURMD_NODENAME"], set()).update(filter(None, listed.split(",")))
    counts = {len(gpus) for gpus in seen.values()}
    return counts.pop() if len(counts) == 1 else "uneven"


def _aligned(
    each: Sequence[Sequence[Told]], sure: Sequence[bool], order: Sequence[int], early: bool
) -> tuple[int, Pairs]:
    """Pair the plan's steps with the real ones in their order, with as few faults as can be.

    A step that the plan is not sure of may have run any number of times, or never.
    """

    @lru_cache(None)
    def best(i: int, j: int) -> tuple[int, Pairs]:
        ways: list[tuple[int, Pairs]] = [(0, ())] if i == len(each) and j == len(order) else []
        if i < len(each):
            free = not sure[i] or (early and j == len(order))
            cost, rest = best(i + 1, j)
            ways.append((cost + (0 if free else _MISSED), rest if free else ((i, None), *rest)))
        if j < len(order):
            cost, rest = best(i, j + 1)
            ways.append((cost + _MISSED, ((None, order[j]), *rest)))
        if i < len(each) and j < len(order):
            cost, rest = best(i + 1 if sure[i] else i, j + 1)
            ways.append((cost + len(each[i][order[j]].wrong), ((i, order[j]), *rest)))
        return min(ways, key=lambda way: way[0])

    return best(0, 0)


def _joined(steps: Iterable[Step]) -> Iterator[Step]:
    """Make one step of the parts of ``srun A : B``, as Slurm does: each of its tasks runs one of them."""
    parts: list[Step] = []
    for step in steps:
        if parts and not step.component:
            yield _whole(parts)
            parts = []
        parts.append(step)
    if parts:
        yield _whole(parts)


def _whole(parts: Sequence[Step]) -> Step:
    if len(parts) == 1:
        return parts[0]
    programs = tuple(replace(program, conditional=True) for part in parts for program in part.programs)
    words = tuple(word for part in parts for word in part.words)
    nodes = _sum([part.geometry.nodes for part in parts])
    geometry = Geometry(nodes, _sum([part.geometry.tasks for part in parts]))
    return replace(
        parts[0], words=words, programs=programs, geometry=geometry, background=parts[-1].background
    )


def _sum(counts: Sequence[Count | None]) -> Count | None:
    known = [count for count in counts if count is not None]
    return Count(sum(count.value for count in known)) if len(known) == len(counts) else None


def _name(program: Program) -> str | None:
    name = program.words[0].value.text if program.words else None
    return None if name is None else name.rsplit("/", 1)[-1]


def _is_noted(program: Program) -> bool:
    return _name(program) in NOTED


def _may_start_others(program: Program) -> bool:
    """Tell whether it is a script that the plan does not look into."""
    return _name(program) in (None, *SHELLS)


# --- by task -----------------------------------------------------------------------------------------


def _seen_from(program: Program, environment: Mapping[str, str]) -> Program:
    """The program as the plan foresees it for the task that has *environment*."""
    words = tuple(replace(word, value=_filled(word.value, environment)) for word in program.words)
    return replace(program, words=words)


def _filled(value: Value, environment: Mapping[str, str]) -> Value:
    """Put the task's own values where the plan names what differs by task."""

    def one(segment: Segment) -> Segment:
        if isinstance(segment, Choice):
            return Choice(tuple(_filled(option, environment) for option in segment.options))
        if isinstance(segment, Text):
            return segment
        name = segment.name.removeprefix("$")
        named = segment.per_task or (segment.early is None and name in _ONE_VALUE)
        return Text(environment[name]) if named and name in environment else segment

    return Value(tuple(one(segment) for segment in value.segments))


def _slurm_variables(program: Program, call: Started) -> Iterator[str]:
    """Variables of Slurm that the script exports and the program sees otherwise."""
    for name, value in program.environment.items():
        known = value.text is not None and value.certainty is Certainty.KNOWN
        if name.startswith("SLURM_") and known and call.environment.get(name) != value.text:
            yield f"{name} is {value.text!r}, really {call.environment.get(name)!r}"


def _over_tasks(found: Told, seen: Sequence[Sequence[tuple[Program, Started]]], where: str) -> None:
    """A word that differs by task differs between all tasks; one that was expanded early is one."""
    if len({len(pairs) for pairs in seen}) != 1:
        return
    for number, (program, _) in enumerate(seen[0]):
        lines = [pairs[number][1].words for pairs in seen]
        if len({len(line) for line in lines} | {len(program.words)}) != 1:
            continue
        for index, word in enumerate(program.words):
            texts = {line[index] for line in lines}
            if _any(word, lambda leaf: isinstance(leaf, Unknown) and leaf.per_task):
                found.counts["words by task"] += 1
                if _any(word, lambda leaf: isinstance(leaf, Unknown) and leaf.name == "$SLURM_PROCID"):
                    found.counts["ranks"] += len(texts)
                    if len(texts) != len(lines):
                        found.wrong.append(
                            f"{where}: {word.value.show()} is the same in several tasks: {texts}"
                        )
            elif _any(word, lambda leaf: leaf.early is not None):
                found.counts["early words"] += 1
                if len(texts) != 1:
                    found.wrong.append(f"{where}: {word.value.show()} was expanded early, but gives {texts}")


def _any(word: Arg, holds: Callable[[Text | Unknown], bool]) -> bool:
    return any(holds(leaf) for leaf in word.value.leaves())
