"""What a Python file tells of how it wants to be started.  It is read as a syntax tree and never imported."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Iterator

from sbatchlint.records import dataclass
from sbatchlint.training.entrypoints import LaunchClass

_MOST_BYTES = 2_000_000
_RANK = frozenset({"SLURM_PROCID"})
_WORLD = frozenset({"SLURM_NTASKS", "SLURM_NPROCS"})
_TORCH_WORLD = frozenset({"WORLD_SIZE"})
_TORCH = frozenset({"RANK", "WORLD_SIZE", "LOCAL_RANK"})
_BRIDGE = frozenset({"pretrain", "finetune", "initialize_megatron", "maybe_initialize_distributed"})
"""Functions of Megatron-Bridge that fall back to what Slurm says."""
_LIGHTNING = ("lightning", "pytorch_lightning", "lightning_fabric")
_ASKS_SLURM = "which reads Slurm's variables"
_GROUPS = frozenset({"init_process_group", "init_distributed", "init_device_mesh"})


@dataclass(frozen=True, slots=True)
class Told:
    """What the file tells."""

    launch: LaunchClass
    why: str
    """What it was seen by: ``train.py reads SLURM_PROCID (line 12)``."""
    lightning: bool = False
    """Whether Lightning counts the ranks, which compares its own numbers with Slurm's."""
    meets: bool = False
    """Whether the ranks may want to be told where they meet: Slurm sets no variable for that."""


def told_by_file(path: str) -> Told | None:
    """Return what the Python file at *path* tells; None where it is not there, no Python, or says nothing."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _MOST_BYTES:
            return None
        with open(path, "rb") as file:
            data = file.read()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of strings in somebody else's file
            tree = ast.parse(data)
        return _told(tree, os.path.basename(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _told(tree: ast.Module, name: str) -> Told | None:
    seen = _Seen(tree)
    rank, world = seen.reads(_RANK), seen.reads(_WORLD)
    if rank is not None and (world is not None or seen.reads(_TORCH_WORLD) is None):
        return Told(LaunchClass.NATIVE, f"{name} reads {rank}", meets=True)
    if rank is not None:  # with a number of ranks that Slurm sets under another name
        place = seen.reads(_TORCH_WORLD)
        return Told(LaunchClass.ENV_REQUIRED, f"{name} reads {place}, whatever it makes of {rank}")
    if (place := seen.calls(_BRIDGE, ("megatron.bridge",))) is not None:
        return Told(
            LaunchClass.NATIVE, f"{name} calls {place} of Megatron-Bridge, which reads Slurm's variables"
        )
    if (place := seen.calls(frozenset({"Trainer", "Fabric", "LightningCLI"}), _LIGHTNING)) is not None:
        return Told(
            LaunchClass.NATIVE, f"{name} calls {place} of Lightning, which reads Slurm's variables", True
        )
    if (place := seen.calls(_GROUPS, ())) is not None:
        return Told(LaunchClass.ENV_REQUIRED, f"{name} calls {place} and reads no variable of Slurm")
    for names, modules in (
        (frozenset({"Accelerator"}), ("accelerate",)),
        (frozenset({"initialize"}), ("deepspeed",)),
        (frozenset({"Trainer", "Seq2SeqTrainer"}), ("transformers",)),
        (frozenset({"SFTTrainer", "DPOTrainer", "GRPOTrainer", "RewardTrainer"}), ("trl",)),
    ):
        if (place := seen.calls(names, modules)) is not None:
            return Told(LaunchClass.ENV_REQUIRED, f"{name} calls {place} of {modules[0]}, which reads RANK")
    if (place := seen.reads(_TORCH)) is not None:
        return Told(LaunchClass.ENV_REQUIRED, f"{name} reads {place}")
    return None if world is None else Told(LaunchClass.NATIVE, f"{name} reads {world}", meets=True)


class _Seen:
    """The imports and calls of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self._nodes = list(ast.walk(tree))
        self._homes = dict(_homes(self._nodes))

    def reads(self, variables: frozenset[str]) -> str | None:
        """Return the first of *variables* that ``os.environ`` or ``getenv`` is asked for, and where."""
        for node in self._nodes:
            if isinstance(node, ast.Subscript) and _ends(node.value) == "environ":
                keys: list[ast.expr] = [node.slice]
            elif isinstance(node, ast.Call) and _ends(node.func) in ("getenv", "get", "pop"):
                of_environ = not isinstance(node.func, ast.Attribute) or _ends(node.func.value) in (
                    "environ",
                    "os",
                )
                keys = node.args[:1] if of_environ else []
            elif isinstance(node, ast.Compare) and any(_ends(one) == "environ" for one in node.comparators):
                keys = [node.left]
            else:
                continue
            for key in keys:
                if isinstance(key, ast.Constant) and key.value in variables:
                    return f"{key.value} (line {key.lineno})"
        return None

    def calls(self, names: frozenset[str], modules: tuple[str, ...]) -> str | None:
        """Return the first call of one of *names*, from one of *modules* if there are any, and where."""
        for node in self._nodes:
            name = _ends(node.func) if isinstance(node, ast.Call) else ""
            if not isinstance(node, ast.Call) or not name:
                continue
            original = self._original(node.func, name)
            if original in names and (not modules or self._is_from(node.func, modules)):
                return f"{original}() (line {node.lineno})"
        return None

    def _original(self, function: ast.expr, name: str) -> str:
        """The name that the module has for what is called *name* here."""
        if isinstance(function, ast.Name) and name in self._homes:
            return self._homes[name].rpartition(".")[2]
        return name

    def _is_from(self, function: ast.expr, modules: tuple[str, ...]) -> bool:
        root = function
        while isinstance(root, ast.Attribute):
            root = root.value
        home = self._homes.get(root.id, "") if isinstance(root, ast.Name) else ""
        return any(home == module or home.startswith(module + ".") for module in modules)


def _homes(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the names that imports make, and what each stands for in full."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _ends(node: ast.expr) -> str:
    """The last name of ``a.b.c``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
