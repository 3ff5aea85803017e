"""Launchers that are started once on each node: what they are told of the job, what they no longer need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.convert.reading import Given, option_words
from sbatchlint.convert.refusal import Note
from sbatchlint.digits import whole_number
from sbatchlint.launch.layers import Arg, Layer, LayerOption
from sbatchlint.records import dataclass

_TORCHRUN = frozenset(
    "nproc-per-node nnodes node-rank master-addr master-port standalone rdzv-backend rdzv-endpoint rdzv-id "
    "rdzv-conf local-addr".split()
)
_ACCELERATE = frozenset(
    "num-processes num-machines machine-rank main-process-ip main-process-port rdzv-backend rdzv-conf "
    "same-network gpu-ids".split()
)
_DEEPSPEED = frozenset(
    "num-gpus num-accelerators num-nodes hostfile H include i exclude e master-addr master-port node-rank "
    "no-ssh launcher launcher-args force-multi ssh-port".split()
)
_REPLACED = {"accelerate": _ACCELERATE, "deepspeed": _DEEPSPEED}
_COUNTS = ("nproc-per-node", "num-processes", "num-gpus", "num-accelerators")
_NEVER_OF_PROGRAMS = ("nproc-per-node", "nnodes", "node-rank", "rdzv-endpoint", "rdzv-backend")
_NODE_COUNTS = ("nnodes", "num-machines", "num-nodes")
_OF_TARGET = frozenset({"m", "module", "no-python"})
"""What says how the target is started."""
HEAD_NODE = '"$HEAD_NODE"'
HEAD_PORT = '"$HEAD_PORT"'
_NODES = '"$SLURM_JOB_NUM_NODES"'
_NODE = '"$SLURM_NODEID"'


@dataclass(frozen=True, slots=True)
class Launch:
    """What is put between a launcher's name and its target."""

    lines: tuple[str, ...]
    """Options in shell words, a line each, which expand in the task."""
    hosts: bool = False
    """Whether it reads a file of the job's nodes."""


def told_to(launcher: str, gpus: int, given: Given) -> Launch:
    """Return what *launcher* is told of the job with *gpus* processes on each node."""
    if launcher == "accelerate":
        lines = [
            f'--num_processes="$((SLURM_JOB_NUM_NODES * {gpus}))" --num_machines={_NODES}',
            f"--machine_rank={_NODE} --main_process_ip={HEAD_NODE} --main_process_port={HEAD_PORT}",
        ]
        lines += _for_accelerate(given)
        return Launch(tuple(lines))
    if launcher == "deepspeed":
        return Launch(
            (
                f'--no_ssh --hostfile="$HOSTFILE" --num_gpus={gpus} --node_rank={_NODE}',
                f"--master_addr={HEAD_NODE} --master_port={HEAD_PORT}",
            ),
            hosts=True,
        )
    return Launch(
        (
            f"--nnodes={_NODES} --node_rank={_NODE} --nproc_per_node={gpus}",
            f"--master_addr={HEAD_NODE} --master_port={HEAD_PORT}",
        )
    )


def _for_accelerate(given: Given) -> Iterator[str]:
    """What accelerate does otherwise on many nodes, by default or by its file (commands/launch.py)."""
    layer, config = given.launcher, given.config
    if layer is None:
        return
    kind = "" if config is None else config.distributed_type
    if (layer.get("use-deepspeed") or kind == "DEEPSPEED") and not layer.get("deepspeed-multinode-launcher"):
        yield "--deepspeed_multinode_launcher=standard"  # else pdsh
    if kind == "NO":
        yield "--multi_gpu"  # else one process on each node, alone


def processes(given: Given) -> int | None:
    """Return how many processes the launcher starts on each node; None where that is not told as a number."""
    layer, config = given.launcher, given.config
    if layer is None:
        return None
    for name in _COUNTS:
        option = layer.get(name)
        if option is not None and option.value is not None:
            count = whole_number(option.value.text or "") or None
            return _each(count, machines(given)) if name == "num-processes" else count
    if config is not None and config.processes is not None:
        return _each(config.processes, machines(given))
    chosen = layer.get("include", "i")
    if layer.name == "deepspeed" and chosen is not None and chosen.value is not None:
        _, colon, gpus = (chosen.value.text or "").partition(":")
        return len(gpus.split(",")) if colon and gpus else None
    return None


def machines(given: Given) -> int | None:
    """Return the number of nodes that the command is for already, if it tells one."""
    layer = given.launcher
    for name in _NODE_COUNTS if layer is not None else ():
        option = layer.get(name) if layer is not None else None
        if option is not None and option.value is not None:
            return whole_number((option.value.text or "").rpartition(":")[2]) or None
    return None if given.config is None else given.config.machines


def _each(count: int | None, nodes: int | None) -> int | None:
    """Accelerate counts the processes of all machines together."""
    return count if count is None or not nodes or count % nodes else count // nodes


def kept_words(layer: Layer) -> list[Arg | str]:
    """Return the words of *layer*'s options that the job leaves as they are."""
    return option_words([one for one in _on_line(layer) if one.name not in _replaced(layer)])


def dropped_by_launcher(layer: Layer) -> Iterator[Note]:
    """Say what stands for each option that is replaced on the launcher's line."""
    for option in _on_line(layer):
        if option.name in _replaced(layer):
            yield Note(_shown(option), f"replaced: {_stands_for(option.name)}")


def dropped_by_srun(layer: Layer) -> Iterator[Note]:
    """Say what becomes of each option of *layer* where srun starts the ranks without it."""
    for option in _on_line(layer):
        if option.name in _COUNTS:
            yield Note(_shown(option), "left out: --ntasks-per-node stands for it, and srun starts the ranks")
        elif option.name in _replaced(layer):
            yield Note(_shown(option), f"left out: {layer.name} is not used, the program asks Slurm")
        elif option.name not in _OF_TARGET:
            yield Note(_shown(option), f"left out: only {layer.name} has it (--mode torchrun keeps it)")


def behind_target(layer: Layer, arguments: Sequence[Arg]) -> Iterator[Note]:
    """Say which options of *layer* are words of the program, for they stand behind its name."""
    for arg in arguments:
        name = (arg.text or "").partition("=")[0]
        if name.startswith("--") and name[2:].replace("_", "-") in _NEVER_OF_PROGRAMS:
            yield Note(
                name, f"stands behind the program's name: it is the program's word, not {layer.name}'s"
            )


def _on_line(layer: Layer) -> Iterator[LayerOption]:
    """The options of the command line, without those that variables stand for."""
    return (one for one in layer.options if (one.arg.text or "-").startswith("-"))


def _replaced(layer: Layer) -> frozenset[str]:
    return _REPLACED.get(layer.name, _TORCHRUN)


def _stands_for(name: str) -> str:
    if name in _COUNTS:
        return "the job says how many processes a node has"
    if name == "standalone":
        return "it means one node"
    return "the job's nodes, their ranks and their address are passed"


def _shown(option: LayerOption) -> str:
    words = option_words([option])
    return " ".join(word if isinstance(word, str) else word.value.show() for word in words)
