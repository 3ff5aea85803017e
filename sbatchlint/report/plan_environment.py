"""The variables that a script exports to a program: which are told first, and which not again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sbatchlint.launch.plan import Program
from sbatchlint.launch.values import Value
from sbatchlint.regex import regex
from sbatchlint.report.plan_layout import shortened
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.report.plan_rows import Rows
from sbatchlint.report.plan_words import Kind, Piece, Speller, Word, bare

_RANKS = regex(
    r"RANK|WORLD_SIZE|LOCAL_RANK|NODE_RANK|GROUP_RANK|LOCAL_WORLD_SIZE|NPROC\w*|NNODES|MASTER_(ADDR|PORT)|PET_\w+"
    r"|SLURM_\w+|SRUN_\w+|CUDA_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES|HIP_VISIBLE_DEVICES"
    r"|[TPCED]P|ETP|VPP|GPUS_PER_NODE|NUM_GPUS|NUM_NODES"
)
_NETWORK = regex(r"(NCCL|RCCL|UCX|UCC|FI|GLOO|IB|SHARP|NVSHMEM|OMPI|PMIX|PMI|MPICH|OFI|HPCX)_\w+")
_FRAMEWORK = regex(
    r"(CUDA|TORCH\w*|PYTORCH|NVTE|TRITON|XLA|JAX|TF|HF|HUGGINGFACE|TRANSFORMERS|WANDB|OMP|MKL|NEMO|MEGATRON"
    r"|DEEPSPEED|DS|ACCELERATE|HYDRA|RAY|VLLM|PYTHON\w*|APPTAINER\w*|SINGULARITY\w*|ENROOT|MIOPEN|HSA)(_\w+)?"
)
_ORDER = (_RANKS, _NETWORK, _FRAMEWORK)
_MOST_VARIABLES = 24
_MOST_GONE = 4
_LONGEST_VALUE = 100
"""Characters of a variable's value that are shown."""
_SHORTEST_VALUE = 20


def importance(name: str) -> int:
    """Return 0 for what decides on ranks, 1 for the network, 2 for frameworks, 3 for anything else."""
    return next((grade for grade, names in enumerate(_ORDER) if names.fullmatch(name)), len(_ORDER))


def important_first(names: Iterable[str]) -> list[str]:
    """Sort *names* by importance; among equals their order stays."""
    return sorted(names, key=importance)


class EnvironmentWriter:
    """Writes the environments of one file's programs in order: what did not change is not said again."""

    def __init__(self, file: PlannedFile, rows: Rows, speller: Speller) -> None:
        self._file = file
        self._rows = rows
        self._speller = speller
        self._told: Mapping[str, str] = {}

    def spelled(self, program: Program) -> dict[str, str]:
        """Return the variables of *program* as they are told, by name."""
        return {name: bare(self.assignment(name, value)) for name, value in self._values(program).items()}

    def write(self, program: Program, *, again: bool) -> Iterator[str]:
        """Write the variables of *program*; with *again*, nothing where none is new."""
        values, spelled = self._values(program), self.spelled(program)
        told, self._told = self._told, spelled
        gone = [name for name in told if name not in spelled]
        new = [name for name in important_first(values) if told.get(name) != spelled[name]]
        same = bool(told) and len(gone) <= _MOST_GONE and len(new) < len(spelled)
        if not spelled or (same and not new and again):
            return
        if same and not new and not gone:
            yield from self._rows.row("environment", f"as above ({_variables(len(spelled))})")
            return
        names = new if same else important_first(values)
        names, vague = _apart(names, values)
        words = [self.assignment(name, values[name]) for name in names[:_MOST_VARIABLES]]
        also = ["and", *names[_MOST_VARIABLES:]] if names[_MOST_VARIABLES:] else []
        also += ["with values that are not known:", *vague] if vague else []
        words += [(Piece(Kind.MARK, self._speller.text(word)),) for word in also]
        if same:
            words[:0] = [(Piece(Kind.MARK, self._as_above(gone, bool(new))),)]
        yield from self._rows.words("environment", words)

    def _as_above(self, gone: list[str], more: bool) -> str:
        without = f" without {' '.join(map(self._speller.text, gone))}" if gone else ""
        return f"as above{without}{', and' if more else ''}"

    def _values(self, program: Program) -> dict[str, Value]:
        return {name: value for name, value, _ in self._file.environment(program)}

    def assignment(self, name: str, value: Value) -> Word:
        """Spell ``NAME=value``, shortened to what a line has room for."""
        word = self._speller.value(value) if value else ()
        room = self._rows.room - len(name) - len("=...") - 2
        most = min(_LONGEST_VALUE, max(room, _SHORTEST_VALUE))
        return (Piece(Kind.KNOWN, f"{self._speller.text(name)}="), *shortened(word, most))


def _apart(names: Iterable[str], values: Mapping[str, Value]) -> tuple[list[str], list[str]]:
    """Set apart the names of which nothing else can be said than themselves."""
    found: tuple[list[str], list[str]] = ([], [])
    for name in names:
        found[values[name].show() == f"${name}"].append(name)
    return found


def _variables(count: int) -> str:
    return "1 variable" if count == 1 else f"{count} variables"


__all__ = ["EnvironmentWriter", "important_first"]
