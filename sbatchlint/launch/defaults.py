"""Options of launchers that the environment gives where the line does not (``PET_NPROC_PER_NODE``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sbatchlint.launch.command_table import CommandTable
from sbatchlint.launch.plan import Arg, Layer, LayerOption

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine


def by_environment(machine: Machine, table: CommandTable, layer: Layer) -> Iterator[LayerOption]:
    """Yield the options of *layer* that exported variables of the script stand for.

    torchrun's are read by torch/distributed/argparse_util.py: ``env`` takes the text, ``check_env`` a number
    of which 0 means no.
    """
    if not table.environment:
        return
    given = {option.name for option in layer.options}
    flags = {*table.module_flags, *table.program_flags, "--standalone", "--run-path"}
    for option in sorted(name for name in table.valued | flags if name.startswith("--")):
        name = option.lstrip("-")
        if name in given or option in table.unread:
            continue
        held = machine.state.variables.get(table.environment + name.upper().replace("-", "_"))
        if held is None or not held.exported or held.value is None:
            continue
        if option in flags and held.value.text == "0":
            continue
        word = Arg(held.value, held.written, optional=held.maybe_unset)
        yield LayerOption(name, None if option in flags else held.value, word, word)


__all__ = ["by_environment"]
