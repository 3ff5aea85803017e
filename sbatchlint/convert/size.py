"""How many nodes, tasks and GPUs the job asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import lcm

from sbatchlint.convert.launchers import machines, processes
from sbatchlint.convert.reading import Given
from sbatchlint.convert.refusal import Note, Refused
from sbatchlint.convert.shape import Choice, Shape
from sbatchlint.convert.site import BLANK, Site
from sbatchlint.digits import whole_number
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.training.recipe_readings import recipe_gpus

_USUAL_GPUS = 8
_NUM_NODES = regex(r"[+~]*trainer\.num_nodes=(\d{1,9})")
_DEVICES = regex(r"[+~]*trainer\.devices=(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Size:
    """The size of the job."""

    nodes: int | None
    """None where it is left to be filled in."""
    gpus: int
    """GPUs of each node."""
    tasks: int
    """Tasks on each node."""
    notes: tuple[Note, ...]


def size_of(given: Given, choice: Choice, site: Site) -> Size:
    """Return the size of the job that runs *given*.

    Without a number of nodes in *site* it is the recipe's, or the least one that the layout needs if that
    is more than one node; where nothing tells, it stays open.  Raises Refused for many nodes of one process.
    """
    notes: list[Note] = []
    if choice.shape is Shape.SINGLE:
        if site.nodes is not None and site.nodes > 1:
            raise Refused(
                f"--nodes={site.nodes}",
                f"{choice.why}: on more nodes it would run as many times, each alone; "
                "if it forms a process group, say how with --mode native or --mode torchrun",
            )
        return Size(1, site.gpus_per_node or 1, 1, ())
    gpus = _gpus(given, site, notes)
    nodes = site.nodes or _nodes(given, gpus, notes)
    if choice.lightning:
        notes += _lightning_notes(given, nodes, gpus)
    return Size(nodes, gpus, gpus if choice.shape is Shape.NATIVE else 1, tuple(notes))


def _gpus(given: Given, site: Site, notes: list[Note]) -> int:
    told = _started(given)
    if site.gpus_per_node is not None:
        if told is not None and told != site.gpus_per_node:
            notes.append(
                Note(
                    f"--gpus-per-node={site.gpus_per_node}",
                    f"the command starts {told} processes on its node; the job starts {site.gpus_per_node}",
                )
            )
        return site.gpus_per_node
    if told is not None:
        return told
    notes.append(
        Note(
            "--gpus-per-node",
            f"the command does not tell how many GPUs a node has; {_USUAL_GPUS} are assumed",
        )
    )
    return _USUAL_GPUS


def _started(given: Given) -> int | None:
    """How many processes the command starts on its node; None where that is not told."""
    told = processes(given) if given.launcher is not None else _word(given, _DEVICES)
    chosen = given.program.environment.get("CUDA_VISIBLE_DEVICES")
    if told is None and chosen is not None and chosen.text:
        return len([one for one in chosen.text.split(",") if one.strip()]) or None
    return told


def _nodes(given: Given, gpus: int, notes: list[Note]) -> int | None:
    recipe = recipe_gpus(given.program, given.framework)
    if recipe is not None:
        nodes = -(-recipe.gpus // gpus)
        notes.append(Note(f"--nodes={nodes}", f"the recipe is made for {recipe.gpus} GPUs"))
        return nodes
    told = machines(given)
    if told is not None and told > 1:
        notes.append(Note(f"--nodes={told}", "the command is for so many already"))
        return told
    told = _word(given, _NUM_NODES)
    if told is not None and told > 1:
        notes.append(Note(f"--nodes={told}", "trainer.num_nodes says so"))
        return told
    if given.least_world is not None and given.least_world > gpus:
        nodes = lcm(given.least_world, gpus) // gpus
        why = f"the layout needs {given.least_world} ranks, or a multiple"
        notes.append(Note(f"--nodes={nodes}", f"{why}; this is the least"))
        return nodes
    notes.append(
        Note("--nodes", f"left to be filled in ({BLANK}): any number does, as far as the command tells")
    )
    return None


def _lightning_notes(given: Given, nodes: int | None, gpus: int) -> Iterator[Note]:
    for pattern, option, number in ((_NUM_NODES, "nodes", nodes), (_DEVICES, "devices", gpus)):
        name = "trainer.num_nodes" if option == "nodes" else "trainer.devices"
        told = _word(given, pattern)
        if told is None:
            yield Note(
                name,
                f"must be the number of {option} of the job, which Lightning compares: {number or BLANK}",
            )
        elif number is not None and told != number:
            yield Note(
                f"{name}={told}",
                f"Lightning refuses to start, for the job has {number}; change it in the command",
            )


def _word(given: Given, pattern: re.Pattern[str]) -> int | None:
    """The last number that a word of the program gives by *pattern*."""
    found = [match[1] for arg in given.program.arguments if (match := pattern.fullmatch(arg.text or ""))]
    return whole_number(found[-1]) if found else None
