"""Options of srun that variables of the script give where its line does not (``SLURM_MPI_TYPE=pmix``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.launch.plan import Arg, LayerOption
from sbatchlint.launch.slurm_line import SlurmLine
from sbatchlint.slurm.options import parse_release
from sbatchlint.slurm.srun_environment import SRUN_VARIABLES

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine


def environment_options(machine: Machine, line: SlurmLine) -> tuple[LayerOption, ...]:
    """Return what the script's own variables say for the srun of *line*, as its release reads them."""
    release = parse_release(machine.session.request.release)
    own = {option.name for option in line.options if option.certain}
    found: dict[str, LayerOption] = {}
    for name, variable in SRUN_VARIABLES.items():
        held = machine.state.variables.get(name)
        read = variable.read_by(release)
        if held is None or not held.exported or held.value is None or read is False or variable.option in own:
            continue
        unsure = held.maybe_unset or read is None
        word = Arg(held.value, held.written, optional=unsure)
        found[variable.option] = LayerOption(variable.option, held.value, word, word)
    return tuple(found.values())


__all__ = ["environment_options"]
