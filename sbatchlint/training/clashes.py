"""Options of Megatron that it refuses together, or one without another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from sbatchlint.certainty import Certainty
from sbatchlint.training.clash_rows import BRIDGE, MEGATRON_LM, Excludes, Limits, Needs, Row
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import FrameworkName
from sbatchlint.training.option_words import GivenOption, GivenOptions
from sbatchlint.training.runs import TrainingRun


@dataclass(frozen=True, slots=True)
class Clash:
    """An option that can't stand as it does, and what is in its way."""

    option: GivenOption
    text: str
    """What is wrong, in words."""
    help: str
    says: str = ""
    """What the framework says when it stops; empty where it stops in words of its own for each case."""
    other: GivenOption | None = None
    """The option that excludes it."""
    always: bool = True
    """False where older releases let it pass."""


_NOT_CHECKED = ("--skip-train", "--yaml-cfg")
_SCHEDULES = ("--train-iters", "--train-samples")
_HIERARCHY = "--hierarchical-context-parallel-sizes"


def clashes(run: TrainingRun) -> Iterator[Clash]:
    """Yield what Megatron refuses among the options of *run*, whose script has to be known."""
    if not run.framework.by_script:
        return
    given = GivenOptions(run.program.arguments)
    if run.framework.name is FrameworkName.MEGATRON_BRIDGE:
        rows = BRIDGE
    elif run.framework.name is FrameworkName.MEGATRON_LM:
        rows = MEGATRON_LM
        yield from _hierarchy(run, given)
    else:
        return
    for row in rows:
        found = _check(row, run, given)
        if found is not None:
            yield found


def _check(row: Row, run: TrainingRun, given: GivenOptions) -> Clash | None:
    option = _find(given, row.option)
    if option is None:
        return None
    if isinstance(row, Excludes):
        return _excluded(row, option, given)
    if isinstance(row, Needs):
        return _lonely(row, option, run, given)
    return _limited(row, option, run, given)


def _excluded(row: Excludes, option: GivenOption, given: GivenOptions) -> Clash | None:
    other = _find(given, row.other)
    if other is None or (row.other in _SCHEDULES and given.may_have(_NOT_CHECKED)):
        return None
    text = f"{option.shown} and {other.shown} can't be given together"
    return Clash(option, text, "leave one of them out", row.says, other, row.always)


def _lonely(row: Needs, option: GivenOption, run: TrainingRun, given: GivenOptions) -> Clash | None:
    if not run.quantities.complete or any(_may_be(given, one) for one in (*row.unless, *row.others)):
        return None
    wanted = " or ".join(other.replace("=", " ") for other in row.others)
    text = f"{option.shown} is only taken together with {wanted}"
    return Clash(option, text, f"add {wanted}, or leave {option.shown} out", row.says, None, row.always)


def _limited(row: Limits, option: GivenOption, run: TrainingRun, given: GivenOptions) -> Clash | None:
    reading = run.layout[row.quantity]
    if reading.certainty is not Certainty.KNOWN or not reading.known:
        return None
    if row.unless and (not run.quantities.complete or given.may_have(row.unless)):
        return None
    if any((value == 1) is row.one for value in reading.values):
        return None
    what = f"is not taken together with {reading.show()}"
    if not row.one:
        what = f"is only taken together with {row.quantity.symbol} above 1"
    help = row.help or f"leave {option.shown} out"
    return Clash(option, f"{option.shown} {what}", help, row.says, None, row.always)


def _hierarchy(run: TrainingRun, given: GivenOptions) -> Iterator[Clash]:
    """The two levels of context parallelism: how many ranks each has must be told, and come to CP."""
    option, sizes = given.get("--cp-comm-type"), given.get(_HIERARCHY)
    two_levels = option is not None and any(value.text == "a2a+p2p" for value in option.values)
    if option is not None and two_levels and run.quantities.complete and not given.may_have((_HIERARCHY,)):
        text = f"--cp-comm-type a2a+p2p is only taken together with {_HIERARCHY}"
        yield Clash(option, text, f"add {_HIERARCHY}", f"{_HIERARCHY} must be set when a2a+p2p is used")
    cp, numbers = run.layout[Quantity.CP], [value.text or "" for value in sizes.values] if sizes else []
    if sizes is None or cp.value is None or not all(map(str.isdecimal, numbers)):
        return
    if cp.certainty is Certainty.KNOWN and prod(map(int, numbers)) != cp.value:
        text = f"{_HIERARCHY} {' x '.join(numbers)} = {prod(map(int, numbers))} is not CP {cp.value}"
        yield Clash(sizes, text, "give two numbers whose product is CP")


def _find(given: GivenOptions, pattern: str) -> GivenOption | None:
    """The option that *pattern* names, if it is given, with the value that the pattern asks for."""
    name, _, wanted = pattern.partition("=")
    option = given.get(name)
    if option is None or not wanted:
        return option
    value = option.value
    if value is None or (value.lower() == wanted.lstrip("!")) is wanted.startswith("!"):
        return None
    return option


def _may_be(given: GivenOptions, pattern: str) -> bool:
    """Tell whether *pattern* may hold: what is not known of the option, or of its value, may be so."""
    name, _, wanted = pattern.partition("=")
    option = given.get(name)
    if option is None:
        return given.may_have((name,))
    return not wanted or option.value is None or _find(given, pattern) is not None
