"""A question of size, and its answer: does this model fit so, and what would."""

from __future__ import annotations

from collections.abc import Mapping

from sbatchlint.records import dataclass
from sbatchlint.training.constraints import CONSTRAINTS, WASTEFUL
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.architecture import Architecture
from sbatchlint.training.size.fitting import IF_UNEVEN, Fit, Machine, complete, fitting, is_uneven, remedies
from sbatchlint.training.size.memory import Load, Memory, memory_of

_KEPT = (Quantity.CP, Quantity.ETP, Quantity.GBS, Quantity.MBS, Quantity.VPP, Quantity.SEQ_LENGTH)
"""Numbers that the search for other layouts leaves as they are told."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked."""

    name: str
    """Of the model, for people."""
    shape: Architecture
    load: Load
    machine: Machine
    layout: Mapping[Quantity, int]
    """The numbers that are told; empty where any layout will do."""
    uncertain: tuple[str, ...] = ()
    """What the number of parameters leaves open."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes of it."""

    question: Question
    numbers: Mapping[Quantity, int] | None
    """The layout with all its numbers; None where none was told."""
    broken: tuple[str, ...]
    """With what it does not start."""
    wasteful: tuple[str, ...]
    """With what it wastes time."""
    memory: Memory | None
    """What the fullest GPU holds; None where the ranks can't be laid out."""
    remedies: tuple[tuple[Quantity, Fit], ...]
    """What one greater number does for a layout that does not fit."""
    fits: tuple[Fit, ...]
    """Layouts that fit, those on the fewest nodes first."""

    @property
    def uneven(self) -> bool:
        """Whether the stages of the layout differ, and so have to be written one by one."""
        return self.numbers is not None and is_uneven(self.question.shape, self.numbers)

    @property
    def holds(self) -> bool | None:
        """Whether the layout fits; None where that can't be told."""
        return None if self.memory is None else self.question.machine.holds(self.memory)


def _stages(layout: Mapping[Quantity, int]) -> Mapping[Quantity, int]:
    """Stages that differ are written one by one; not with VPP, which shares them out itself."""
    return {} if Quantity.VPP in layout else {Quantity.LAYOUT: IF_UNEVEN}


def answer(question: Question) -> Answer:
    """Work out what *question* asks."""
    shape, load, machine = question.shape, question.load, question.machine
    kept = {quantity: n for quantity, n in question.layout.items() if quantity in _KEPT}
    fits = tuple(fitting(shape, load, machine, kept))
    if not question.layout:
        return Answer(question, None, (), (), None, (), fits)
    numbers = complete(shape, {**_stages(question.layout), **question.layout})
    checks = [(one, one.check(numbers)) for one in (*CONSTRAINTS, *WASTEFUL)]
    broken = tuple(text for one, text in checks if text is not None and one not in WASTEFUL)
    wasteful = tuple(text for one, text in checks if text is not None and one in WASTEFUL)
    try:
        memory = memory_of(shape, numbers, load)
    except ValueError:
        return Answer(question, numbers, broken, wasteful, None, (), fits)
    helped = () if machine.holds(memory) else tuple(remedies(shape, load, machine, numbers))
    return Answer(question, numbers, broken, wasteful, memory, helped, fits)
