"""Reads TP, PP, batch sizes and their like from a program's arguments.

What is unknown in the arguments may change what is read: a quantity that is not given then has no
default, and one that is given may be overridden by what follows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sbatchlint.certainty import Certainty
from sbatchlint.launch.code import is_placeholder
from sbatchlint.launch.options import arg_text, tail
from sbatchlint.launch.plan import Arg, Program
from sbatchlint.launch.values import Text, Value
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span
from sbatchlint.training.dialects import Dialect, Quantity, Spelling, Style, dialect
from sbatchlint.training.frameworks import Framework


@dataclass(frozen=True, slots=True)
class Reading:
    """What a program's arguments say of one quantity."""

    quantity: Quantity
    values: tuple[int, ...] = ()
    """What it may be, in the order of the script's branches; empty where it is not known."""
    certainty: Certainty = Certainty.UNKNOWN
    given: bool = False
    """True where an option says it, False for the program's default."""
    span: Span | None = None
    """The option, where its text was written."""
    value_span: Span | None = None
    """Where the number was written, if elsewhere: ``TP=4``."""
    spelling: str = ""
    """The option's name as written."""
    overridable: bool = False
    """True where unknown words behind the option may hold it again."""
    absent: bool = False
    """True where it is known that no option says it, and the program goes without."""
    recipe: str = ""
    """The recipe that sets it, where no option does."""

    @property
    def value(self) -> int | None:
        """The number, if it can be only one."""
        return self.values[0] if len(self.values) == 1 else None

    @property
    def known(self) -> bool:
        """Whether anything is known of it."""
        return bool(self.values)

    @property
    def told(self) -> bool:
        """Whether an option says it or a recipe sets it, be the number known or not."""
        return self.given or bool(self.recipe)

    def show(self) -> str:
        """``TP 4``, or ``TP 4 or 8``."""
        return f"{self.quantity.symbol} {' or '.join(map(str, self.values))}"


class Quantities:
    """The readings of one program; one that nothing is known of is there too, without values."""

    def __init__(self, readings: Mapping[Quantity, Reading]) -> None:
        self._readings = readings

    def __getitem__(self, quantity: Quantity) -> Reading:
        return self._readings.get(quantity) or Reading(quantity)

    @property
    def complete(self) -> bool:
        """Whether every option is seen, so that what is not seen is not given: none in a file, or unknown."""
        return any(reading.absent for reading in self._readings.values())

    def filled(self, readings: Mapping[Quantity, Reading]) -> Quantities:
        """Return these with *readings* for those that are neither given nor known."""
        own = {q: one for q, one in self._readings.items() if one.given or one.known or one.absent}
        return Quantities({**readings, **own})

    def given(self) -> tuple[Reading, ...]:
        """Every quantity that an option says."""
        return tuple(reading for reading in self._readings.values() if reading.given)


_OVERRIDING = frozenset(("--use-checkpoint-args", "--use-mp-args-from-checkpoint-args", "--yaml-cfg"))
"""Options of Megatron-LM with which a checkpoint or a file decides, whatever the command line says."""
_SECOND_GRID = regex(
    r"--encoder-(tensor|pipeline)-model-parallel-size|--ds-sequence-parallel-size"
    r"|--(expert-)?tensor-parallel-num-weight-shards"
    r"|[+~]*(dist\.eval_context_parallel_size|model\.(dist_train|(expert_)?tensor_parallel_num_weight_shards))"
)
"""Options that lay the ranks out in a way of their own: nothing that is known of grids holds then.

With the first (Megatron-Core 0.9 to 0.11) the encoder has ranks beside the decoder's, with the second
(Megatron-DeepSpeed) sequences have, the third (Megatron-Core 0.20) spreads weights over more ranks than TP.
"""
_FILLING = frozenset(
    "--config -c --config-file --config_file --config-name --config-path --config-dir --yaml --yaml-file "
    "--cfg".split()
)
"""Options that name a file which may set what the command line does not."""
_SEVERAL = regex(r"(?i)\$\{?(?:\w*(?:arg|opt|flag|extra|param|override|conf|cli)|[@*])")
"""Variables that hold options rather than one value, by their names."""


def read_quantities(program: Program, framework: Framework) -> Quantities:
    """Read all that *program*'s arguments tell, in the spellings that *framework* knows."""
    if not framework.dialects:
        return Quantities({})
    return _Reader(program.arguments, dialect(framework.dialects)).read()


class _Reader:
    def __init__(self, args: Sequence[Arg], table: Dialect) -> None:
        self._args = args
        self._texts = [arg_text(arg) for arg in args]
        self._table = table
        self._found: dict[Quantity, tuple[Reading, int, Style]] = {}

    def read(self) -> Quantities:
        for index in range(len(self._args)):
            self._read_word(index)
        unclear = self._unclear_words()
        readings = {q: self._doubted(*found, unclear) for q, found in self._found.items()}
        if not unclear and _FILLING.isdisjoint(self._names()):
            self._add_defaults(readings)
        if not _OVERRIDING.isdisjoint(self._names()) or any(map(_SECOND_GRID.match, self._texts)):
            readings = {}
        return Quantities(readings)

    def _names(self) -> set[str]:
        return {text.partition("=")[0] for text in self._texts}

    # --- one word ------------------------------------------------------------------------------

    def _read_word(self, index: int) -> None:
        arg, text = self._args[index], self._texts[index]
        name, glued, _ = text.partition("=")
        spelling = self._table.flags.get(name) or self._table.overrides.get(name.lstrip("+"))
        if spelling is None:
            self._read_alternatives(arg, index)
        elif glued and spelling.style is not Style.SWITCH:
            self._note(spelling, index, arg, tail(arg.value, len(name) + 1), arg)
        elif spelling.style is Style.FLAG:
            holder = self._args[index + 1] if index + 1 < len(self._args) else None
            self._note(spelling, index, arg, holder.value if holder else Value(), holder)
        elif spelling.style is Style.SWITCH:
            self._note(spelling, index, arg, Value((Text("1"),)), None)

    def _read_alternatives(self, arg: Arg, index: int) -> None:
        """A word that is one of several: where one of them names a quantity, it is not known."""
        for leaf in arg.value.leaves():
            if not isinstance(leaf, Text) or len(arg.value.segments) > 1:
                continue
            name = leaf.text.partition("=")[0]
            spelling = self._table.flags.get(name) or self._table.overrides.get(name.lstrip("+~"))
            if spelling is not None:
                reading = Reading(spelling.quantity, given=True, span=arg.place, spelling=spelling.text)
                self._found[spelling.quantity] = (reading, index, spelling.style)

    def _note(self, spelling: Spelling, index: int, arg: Arg, value: Value, holder: Arg | None) -> None:
        before = self._found.get(spelling.quantity)
        if before is not None and before[2] is Style.OVERRIDE and spelling.style is not Style.OVERRIDE:
            return  # key=value beats the flag, wherever it stands
        optional = arg.optional or (holder is not None and (holder.optional or holder.open))
        values, certainty = ((), Certainty.UNKNOWN) if optional else _numbers(value)
        span = arg.place
        value_span = value.span
        if span is not None and value_span is not None and span.start <= value_span.start <= span.end + 2:
            span, value_span = span.cover(value_span), None
        reading = Reading(spelling.quantity, values, certainty, True, span, value_span, spelling.text)
        self._found[spelling.quantity] = (reading, index, spelling.style)

    # --- what is not known ---------------------------------------------------------------------

    def _unclear_words(self) -> list[int]:
        return [index for index in range(len(self._args)) if self._is_unclear(index)]

    def _is_unclear(self, index: int) -> bool:
        """Tell whether the word may hold options that are not seen."""
        arg, text = self._args[index], self._texts[index]
        if not text or not is_placeholder(text[0]):
            return False
        if all(isinstance(leaf, Text) for leaf in arg.value.leaves()):
            return False  # one of several known words
        before = self._texts[index - 1] if index else ""
        is_value = before.startswith("-") and "=" not in before and before not in self._switches()
        return not is_value or (arg.open and _SEVERAL.match(arg.value.show()) is not None)

    def _switches(self) -> set[str]:
        return {text for text, spelling in self._table.flags.items() if spelling.style is Style.SWITCH}

    def _doubted(self, reading: Reading, index: int, style: Style, unclear: Sequence[int]) -> Reading:
        """Weaken what unknown words may override: those behind it, for a flag in Bridge's scripts any."""
        anywhere = style is not Style.OVERRIDE and bool(self._table.overrides)
        if not any(anywhere or word > index for word in unclear):
            return reading
        return replace(reading, certainty=max(reading.certainty, Certainty.ASSUMED), overridable=True)

    def _add_defaults(self, readings: dict[Quantity, Reading]) -> None:
        for quantity, default in self._table.defaults.items():
            if quantity in readings:
                continue
            if default is None:
                readings[quantity] = Reading(quantity, certainty=Certainty.KNOWN, absent=True)
            elif isinstance(default, int):
                readings[quantity] = Reading(quantity, (default,), Certainty.KNOWN)
            elif default in readings:
                other = readings[default]
                readings[quantity] = Reading(quantity, other.values, other.certainty)


def _numbers(value: Value) -> tuple[tuple[int, ...], Certainty]:
    """Return what *value* may be as numbers; nothing if any alternative is not a number of use."""
    found: dict[int, None] = {}
    certainty = Certainty.KNOWN
    for alternative in value.alternatives() or [Value()]:
        number = _number(alternative.text)
        if number is None:
            return (), Certainty.UNKNOWN
        found[number] = None
        certainty = max(certainty, alternative.certainty)
    return tuple(found), certainty


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    text = text.strip()
    if text.lower() in ("true", "false"):
        return int(text.lower() == "true")
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) and int(text) else None
