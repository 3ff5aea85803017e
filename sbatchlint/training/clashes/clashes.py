"""Options of Megatron that it refuses together, or one without another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.training.clashes.option_words import GivenOption, GivenOptions
from sbatchlint.training.clashes.rows import BRIDGE, MEGATRON_LM, Excludes, Limits, Needs, Row
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import FrameworkName
from sbatchlint.training.runs import TrainingRun
from sbatchlint.training.size.models import find_recipe


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
_HIERARCHY_OF_BRIDGE = "model.hierarchical_context_parallel_sizes"
_FINETUNES = regex(r"finetune|sft|peft")
_OF_FINETUNING = (
    Limits(
        "model.calculate_per_token_loss=false",
        Quantity.CP,
        True,
        "When finetuning with CP>1, calculate_per_token_loss must be True",
    ),
    Limits(
        "ddp.average_in_collective=true",
        Quantity.CP,
        True,
        "When finetuning with CP>1, average_in_collective must be False",
    ),
)
_RUN_RECIPE = "scripts/training/run_recipe.py"
_WEIGHTS = ("--pretrained_checkpoint", "checkpoint.pretrained_checkpoint")
_NO_WEIGHTS = "PEFT requires a pretrained checkpoint path"
_LENGTHS = ("model.seq_length", "dataset.seq_length")
_SAME_LENGTH = "Please ensure sequence length configuration in model config and dataset config match."
_RUNNERS = "scripts/"
"""Bridge's own runners give the model the length of the data, and set what finetuning with CP needs.

The scripts of its examples do neither.
"""


def clashes(run: TrainingRun) -> Iterator[Clash]:
    """Yield what Megatron refuses among the options of *run*, whose script has to be known."""
    if not run.framework.by_script:
        return
    given = GivenOptions(run.program.arguments)
    if run.framework.name is FrameworkName.MEGATRON_BRIDGE:
        rows = (*BRIDGE, *_OF_FINETUNING) if _finetunes(run) else BRIDGE
        yield from _other_product(run, given, _HIERARCHY_OF_BRIDGE)
        yield from _lengths(run, given)
        yield from _without_weights(run, given)
    elif run.framework.name is FrameworkName.MEGATRON_LM:
        rows = MEGATRON_LM
        yield from _hierarchy(run, given)
        yield from _other_product(run, given, _HIERARCHY)
        yield from _without_overlap(run, given)
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
    if row.beside and not any(_is_set(given, name) for name in row.beside):
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
    """The two levels of context parallelism: how many ranks each has must be told."""
    option = given.get("--cp-comm-type")
    two_levels = option is not None and any(value.text == "a2a+p2p" for value in option.values)
    if option is not None and two_levels and run.quantities.complete and not given.may_have((_HIERARCHY,)):
        text = f"--cp-comm-type a2a+p2p is only taken together with {_HIERARCHY}"
        yield Clash(option, text, f"add {_HIERARCHY}", f"{_HIERARCHY} must be set when a2a+p2p is used")


def _other_product(run: TrainingRun, given: GivenOptions, name: str) -> Iterator[Clash]:
    """The ranks of all levels of context parallelism must come to CP."""
    cp, sizes = run.layout[Quantity.CP], given.get(name)
    words = " ".join(value.text or "?" for value in sizes.values) if sizes is not None else ""
    numbers = re.split(r"[,\s]+", words.strip("[]() "))
    if sizes is None or cp.value is None or not all(map(str.isdecimal, numbers)):
        return
    if cp.certainty is Certainty.KNOWN and prod(map(int, numbers)) != cp.value:
        text = f"{name} {' x '.join(numbers)} = {prod(map(int, numbers))} is not CP {cp.value}"
        yield Clash(sizes, text, "give two numbers whose product is CP")


def _without_overlap(run: TrainingRun, given: GivenOptions) -> Iterator[Clash]:
    """Virtual stages need a third stage where the messages between stages do not overlap."""
    option = given.get("--no-overlap-p2p-communication")
    vpp, pp = run.layout[Quantity.VPP], run.layout[Quantity.PP]
    if option is None or max(vpp.certainty, pp.certainty) is not Certainty.KNOWN or pp.value != 2:
        return
    if vpp.value is not None and vpp.value > 1:
        text = f"{option.shown} is not taken together with {vpp.show()} and {pp.show()}"
        says = "When interleaved schedule is used and p2p communication overlap is disabled"
        yield Clash(option, text, f"leave {option.shown} out, or take PP above 2", says)


def _finetunes(run: TrainingRun) -> bool:
    script = run.framework.script
    return not script.startswith(_RUNNERS) and _FINETUNES.search(script.rsplit("/", 1)[-1]) is not None


def _lengths(run: TrainingRun, given: GivenOptions) -> Iterator[Clash]:
    """The model and its data must have the same sequence length."""
    of_model, of_data = (given.get(name) for name in _LENGTHS)
    if of_model is None or of_data is None or run.framework.script.startswith(_RUNNERS):
        return
    values = [whole_number(one.value or "") for one in (of_model, of_data)]
    if None not in values and values[0] != values[1]:
        text = f"{of_model.shown} and {of_data.shown} differ"
        yield Clash(of_data, text, "give both the same length", _SAME_LENGTH, of_model)


def _without_weights(run: TrainingRun, given: GivenOptions) -> Iterator[Clash]:
    """Adapters are trained on weights that are there: no recipe names any, but for one whose caller does."""
    recipe, mode = given.get("--recipe"), given.get("--mode")
    known = find_recipe(recipe.value or "") if recipe is not None else None
    if recipe is None or known is None or "_peft_" not in known.name or "qwen2_audio" in known.name:
        return
    if run.framework.script != _RUN_RECIPE or not run.framework.is_native_bridge:
        return
    told = given.may_have(_WEIGHTS) or not run.quantities.complete
    if not told and (mode is None or mode.value in ("lora", "dora")):
        text = f"{recipe.shown} is only taken together with {_WEIGHTS[0]}"
        yield Clash(recipe, text, f"add {_WEIGHTS[0]} and the folder of the weights", _NO_WEIGHTS)


def _is_set(given: GivenOptions, name: str) -> bool:
    option = given.get(name)
    return option is not None and (option.value or "").lower() not in ("null", "none")


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
