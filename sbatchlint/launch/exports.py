"""What of its environment srun hands on to a step's tasks (``--export``, ``SLURM_EXPORT_ENV``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.combining import join
from sbatchlint.launch.containers import split_at_commas
from sbatchlint.launch.options import tail
from sbatchlint.launch.plan import LayerOption
from sbatchlint.launch.state import State
from sbatchlint.launch.values import Text, Value, unknown
from sbatchlint.launch.variable import UNSET, Variable

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine


def export(machine: Machine, state: State, options: Sequence[LayerOption]) -> None:
    """Leave in *state*, which holds what the srun of *machine* has, what its tasks get.

    Slurm's own variables always pass.  Of a list without ``ALL`` nothing else does (srun(1)).
    """
    listed = _list(machine, options)
    if listed is None:
        return
    items = split_at_commas(listed)
    texts = [_text(item) for item in items]
    names = {text.upper() for text in texts if text is not None}
    if None in texts and "ALL" not in names:
        _restrict(state, texts, sure=False)
    elif "ALL" not in names:
        _restrict(state, texts, sure=True)
    for item, text in zip(items, texts, strict=True):
        name, equals, _ = (text or "").partition("=")
        if equals and name.isidentifier():
            value = tail(item, len(name) + 1)
            held = state.variables.get(name)
            if "ALL" in names and held is not None and held.value is not None:
                # Slurm 22.05 lets what srun has itself win over what the list says.
                value = join([held.value, value], f"${name}")
            elif "ALL" in names and held is None:
                value = value.assumed()
            state.variables[name] = Variable(value, exported=True, written=item.span)


def _list(machine: Machine, options: Sequence[LayerOption]) -> Value | None:
    """The list that counts: the last one on the line, else the environment's; None for everything."""
    for option in reversed(options):
        if option.name == "export" and option.value is not None:
            return option.value
    for name in ("SRUN_EXPORT_ENV", "SLURM_EXPORT_ENV"):
        value, is_set = machine.lookup(name, None)
        if is_set and value is not None and value.segments:
            return value
    return None


def _text(item: Value) -> str | None:
    """An item's text as far as its name goes; None where the name is not known, or quotes come in."""
    text = ""
    for segment in item.segments:
        if not isinstance(segment, Text):
            return text if "=" in text else None
        if "'" in segment.text or '"' in segment.text:
            return None
        text += segment.text
    return text


def _restrict(state: State, texts: Sequence[str | None], *, sure: bool) -> None:
    """Take away what is not named, or make it unknown where the list itself is not wholly known."""
    named = {text for text in texts if text is not None}
    for name, held in state.variables.items():
        if name in named or name.startswith(("SLURM_", "SPANK_")):
            continue
        gone = UNSET if sure else Variable(unknown(f"${name}"), exported=True, maybe_unset=True)
        state.variables[name] = gone if held.first is not None else held


__all__ = ["export"]
