"""Which type of GPU a job names, in the words of its cluster."""

from __future__ import annotations

from sbatchlint.slurm.option_values import readings
from sbatchlint.slurm.resources import Resources
from sbatchlint.slurm.values import gres_of

_OPTIONS = ("gpus-per-node", "gpus", "gres", "gpus-per-task", "gpus-per-socket", "tres-per-task")


def gpu_type(request: Resources) -> str:
    """Return the type that the job's options give its GPUs (``h100``); empty where none or several do."""
    found: set[str] = set()
    for name in _OPTIONS:
        use = request.get(name)
        for reading in readings(name, use.value or "") if use is not None else ():
            gres = gres_of(reading)
            found.update(gres.types() if gres is not None else ())
    return found.pop() if len(found) == 1 else ""
