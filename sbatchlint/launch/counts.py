"""Which option of a launcher counts its processes or nodes, by its table."""

from __future__ import annotations

from sbatchlint.launch.command_table import bare
from sbatchlint.launch.plan import Layer, LayerOption
from sbatchlint.launch.tables import TABLES


def processes_option(layer: Layer) -> LayerOption | None:
    """The option that counts the processes on each node (``--nproc-per-node``, ``--num_gpus``)."""
    return _of(layer, TABLES[layer.name].processes) if layer.name in TABLES else None


def world_option(layer: Layer) -> LayerOption | None:
    """The option that counts the processes in all (``accelerate launch --num_processes``, ``mpirun -np``)."""
    return _of(layer, TABLES[layer.name].world) if layer.name in TABLES else None


def machines_option(layer: Layer) -> LayerOption | None:
    """The option that counts the nodes (``--nnodes``, ``--num_machines``)."""
    return _of(layer, TABLES[layer.name].machines) if layer.name in TABLES else None


def _of(layer: Layer, names: frozenset[str]) -> LayerOption | None:
    return layer.get(*bare(names))


__all__ = ["machines_option", "processes_option", "world_option"]
