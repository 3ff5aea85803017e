"""Whole numbers that options of launchers and programs give."""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch.plan import LayerOption, Program
from sbatchlint.records import dataclass
from sbatchlint.source import Span


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number that an option of a launcher or of srun gives, and where."""

    value: int
    certainty: Certainty
    option: LayerOption


def number_of(option: LayerOption | None) -> Number | None:
    """The plain number that *option* gives, where it is on the line whatever way the script goes."""
    value = option.value if option is not None and option.certain else None
    number = whole_number((value.text or "").strip()) if value is not None else None
    if option is None or value is None or number is None:
        return None
    return Number(number, value.certainty, option)


@dataclass(frozen=True, slots=True)
class ToldNumber:
    """A number that a program's own option gives it, and where."""

    value: int
    certainty: Certainty
    span: Span | None
    name: str


def option_numbers(program: Program, names: Sequence[str]) -> list[ToldNumber]:
    """Return the plain numbers that *program* is given by options called *names*.

    ``--name N`` and ``--name=N``; a name with a dot is a Hydra override and may stand without dashes.
    """
    found = []
    arguments = program.arguments
    for index, argument in enumerate(arguments):
        text = argument.text
        if text is None:
            continue
        option, equals, value = text.partition("=")
        bare = option.lstrip("-+~")
        dashed = option.startswith("--")
        if bare not in names or not (dashed or ("." in bare and equals)):
            continue
        certainty, span = argument.value.certainty, argument.place
        if not equals:
            following = arguments[index + 1] if index + 1 < len(arguments) else None
            if following is None or following.text is None:
                continue
            value, certainty = following.text, max(certainty, following.value.certainty)
        number = whole_number(value)
        if number is not None:
            found.append(ToldNumber(number, certainty, span, bare))
    return found
