"""``${array[$i]}`` where the subscript is not known: one of the elements (``$SLURM_ARRAY_TASK_ID``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch.combining import join, without_absent
from sbatchlint.launch.computing import MOST_CHOICES, several_numbers
from sbatchlint.launch.values import EMPTY, Choice, Segment, Unknown, Value, text_value
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Word

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.memory import Found
    from sbatchlint.slurm.request import JobRequest

_TASK = "SLURM_ARRAY_TASK_ID"
_RANGE = regex(r"(\d+)(?:-(\d+)(?::(\d+))?)?")


def one_of_elements(machine: Machine, name: str, word: Word, shown: str) -> Found | None:
    """The element that an unknown subscript takes, as a choice; None where the elements are not known.

    A subscript of which nothing is known may take an element that is not set, which gives nothing.
    """
    elements = machine.elements(name)
    if not elements or len(elements) > MOST_CHOICES or machine.more_of(name) is not None:
        return None
    if any(without_absent(value)[1] for _, value in elements):
        return None
    keys = _keys(machine, name, word)
    if keys is None:
        return join([*(value for _, value in elements), EMPTY], shown, MOST_CHOICES + 1), None
    found = [(machine.element(name, key, None), certainty) for key, certainty in keys]
    sure = all(is_set and certainty is Certainty.KNOWN for (_, is_set), certainty in found)
    values = [(value or EMPTY).weakened(certainty) for (value, _), certainty in found]
    return join(values, shown, MOST_CHOICES), True if sure else None


def _keys(machine: Machine, name: str, word: Word) -> list[tuple[str, Certainty]] | None:
    """The keys that the subscript may be, and how sure each is; None where it may be any."""
    value = _with_array_tasks(machine, machine.value(word))
    if machine.is_associative(name):
        options = value.alternatives(MOST_CHOICES) or []
        known = [(option.text, option.certainty) for option in options if option.text is not None]
        return known if known and len(known) == len(options) else None
    numbers = several_numbers(machine, value, lambda held: _with_array_tasks(machine, held))
    return None if numbers is None else [(str(number), certainty) for number, certainty in numbers]


def _with_array_tasks(machine: Machine, value: Value) -> Value:
    """The value with the number of the array's task as one of those that ``--array`` lists."""
    tasks = _array_tasks(machine.session.request)
    if not tasks:
        return value
    choice = Choice(tuple(text_value(str(task)) for task in tasks))
    segments: list[Segment] = [
        choice if isinstance(segment, Unknown) and segment.name == f"${_TASK}" else segment
        for segment in value.segments
    ]
    return Value(tuple(segments))


def _array_tasks(request: JobRequest) -> list[int]:
    """The task numbers of ``--array=0-6:2,9%4`` (sbatch(1)); none where they are not told, or many."""
    use = request.get("array")
    text = (use.value or "") if use is not None else ""
    tasks: list[int] = []
    for piece in text.partition("%")[0].split(","):
        match = _RANGE.fullmatch(piece)
        if match is None:
            return []
        first = whole_number(match[1])
        last, step = whole_number(match[2] or match[1]), whole_number(match[3] or "1")
        if first is None or last is None or step is None:
            return []
        span = range(first, last + 1, max(step, 1))
        if len(tasks) + len(span) > MOST_CHOICES:
            return []
        tasks.extend(span)
    return tasks
