"""The world that Lightning's own numbers tell: NeMo multiplies ``trainer.num_nodes`` and ``trainer.devices``.

Sources: lightning/fabric/plugins/environments of Lightning-AI/pytorch-lightning@7f0c3436: below srun each
task is a rank and the numbers must be Slurm's (``slurm.py``, ``validate_settings``); without srun it starts
the processes of its own node itself (``lightning.py``).
"""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import LayerKind, Program, Step
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.worlds.world import Term, World


def trainer_agrees(world: World, quantities: Quantities) -> bool:
    """Tell whether *world* is what the program's own numbers of nodes and GPUs make, where it has them."""
    nodes, gpus = quantities[Quantity.NODES], quantities[Quantity.GPUS_PER_NODE]
    if not nodes.given and not gpus.given:
        return True
    if nodes.value is None or gpus.value is None:
        return gpus.value is not None and world.per_node == gpus.value
    return nodes.value * gpus.value == world.ranks


def world_of_trainer(step: Step | None, program: Program, quantities: Quantities) -> World | None:
    """Return the world that the trainer's numbers make, where Slurm's are not told; else None."""
    nodes, gpus = quantities[Quantity.NODES], quantities[Quantity.GPUS_PER_NODE]
    if not (nodes.given and gpus.given) or nodes.value is None or gpus.value is None:
        return None
    if any(layer.kind in (LayerKind.LAUNCHER, LayerKind.CONTAINER) for layer in program.layers):
        return None
    if program.conditional and step is not None and not step.conditional:
        return None  # not every task may come here
    if nodes.value != 1 if step is None else step.geometry.tasks is not None:
        return None
    ranks = nodes.value * gpus.value
    text = f"{_factor(nodes)} x {_factor(gpus)} = {ranks} ranks"
    return World(ranks, Certainty.ASSUMED, text, (*_term(nodes), *_term(gpus)), gpus.value)


def _factor(reading: Reading) -> str:
    return f"{reading.spelling} {reading.value}"


def _term(reading: Reading) -> tuple[Term, ...]:
    return () if reading.span is None else (Term(reading.span, _factor(reading)),)
