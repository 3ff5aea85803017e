"""Binding to CPUs, memory and GPUs, clock rates, and the flags of srun that go with them."""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import lower
from sbatchlint.slurm.grammar.frequencies import CPU_FREQ, GPU_FREQ
from sbatchlint.slurm.grammar.gres_binding import GPU_BIND, TRES_BIND
from sbatchlint.slurm.grammar.task_binding import CPU_BIND, MEM_BIND

_NO_MIC = (21, 8)


@dataclass(frozen=True, slots=True)
class AccelBinding:
    """``--accel-bind``: what each task is bound to."""

    closest_gpu: bool
    closest_nic: bool
    verbose: bool


def _flags(text: str, context: Context) -> AccelBinding:
    known = "vgn" if context.release >= _NO_MIC else "vgnm"
    if not set(text) & set(known):
        raise Refused("Invalid --accel-bind specification", "it takes the letters g, n and v")
    return AccelBinding("g" in text, "n" in text, "v" in text)


@dataclass(frozen=True, slots=True)
class X11Forwarding:
    """``--x11``: to which nodes X11 is forwarded; empty where the word is unknown and nothing happens."""

    nodes: str


def _x11(text: str, context: Context) -> X11Forwarding:
    word = lower(text)
    return X11Forwarding(word if word in ("all", "batch", "first", "last") else "")


GRAMMARS = (
    CPU_BIND,
    MEM_BIND,
    GPU_BIND,
    TRES_BIND,
    CPU_FREQ,
    GPU_FREQ,
    Grammar(
        "flags",
        "letters for what each task is bound to",
        (("g", "the nearest GPU"), ("n", "the nearest network card"), ("v", "report it")),
        ("g", "gn", "v", "gxyz"),
        ("x", ""),
        _flags,
        ("Other letters beside these are ignored.",),
    ),
    Grammar(
        "optional_x11",
        "nodes that X11 is forwarded to",
        (("all", "all nodes of the job (the default)"), ("first", "the first; also last, batch")),
        ("all", "first", "last", "batch", "FIRST"),
        (),
        _x11,
        ("An unknown word is taken, and nothing is forwarded.",),
    ),
)
