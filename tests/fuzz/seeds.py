"""What the fuzzing begins with: scripts, logs and settings of the tests, and the examples of the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.fuzz.table import SCRIPTS

ROOT = Path(__file__).parents[2]
LONGEST = 6_000
"""Bytes of a seed: a longer one is cut, since each of its mutations would take as long."""


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """Return the seeds of the target called *name*, each once, in an order that is always the same."""
    found = (_scripts if name in SCRIPTS else _MAKERS[name])()
    return tuple(sorted({data[:LONGEST] for data in found}))


def _files(folders: Iterable[str], *endings: str) -> Iterator[bytes]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in endings and path.is_file():
                yield path.read_bytes()


def _scripts() -> Iterator[bytes]:
    yield from _files(("tests", "examples"), ".sh", ".sbatch", ".slurm")
    from sbatchlint.lint.docs import read_doc
    from sbatchlint.lint.registry import Registry

    for rule in Registry.load().rules:
        doc = read_doc(rule)
        yield from (text.encode() for text in (*doc.bad, *doc.good))
    for page in _files(("docs",), ".md"):
        yield from re.findall(rb"^```(?:sbatch|bash|sh)\n.*?^```$", page, re.MULTILINE | re.DOTALL)


def _option_values() -> Iterator[bytes]:
    from sbatchlint.slurm.grammar.registry import grammar_of
    from tests.fuzz.targets.slurm import OPTIONS

    for number, spec in enumerate(OPTIONS):
        grammar = grammar_of(spec)
        assert grammar is not None
        yield from (bytes([number % 256]) + text.encode() for text in (*grammar.good, *grammar.bad))


def _command_lines() -> Iterator[bytes]:
    words = "-N2\0--gpus-per-node=8\0--wrap\0srun a\0-t\0001-0\0job.sh\0a b\0:\0--account=x\0--export=ALL,A=1"
    parts = words.split("\0")
    yield from ("\0".join(parts[start : start + 6]).encode() for start in range(len(parts)))


def _logs() -> Iterator[bytes]:
    for data in _files(("tests/diagnose",), ".log", ".out", ".txt"):
        yield data[:LONGEST]
        yield data[-LONGEST:]
    from sbatchlint.diagnose.signatures import signatures

    yield from (f"{one.positive}\n{one.negative}\n".encode() for one in signatures().values())


def _outputs() -> Iterator[bytes]:
    from tests.cluster import test_import

    yield from (value.encode() for value in vars(test_import).values() if isinstance(value, str))


def _expressions() -> Iterator[bytes]:
    for data in _files(("examples", "tests/policy", "tests/config"), ".toml"):
        yield from re.findall(rb'^(?:require|when|message|help) *= *"+([^"]+)"', data, re.MULTILINE)
    yield from (
        b"steps.all(s, s.tasks <= 8)",
        b"env.exists(x, x.startsWith('NCCL'))",
        b"job.time <= duration('1h')",
    )


def _baselines() -> Iterator[bytes]:
    from sbatchlint.adopt.baseline_file import baseline_text
    from sbatchlint.adopt.marks import Mark

    marks = {Mark("SB101", "a", "b", "c"): 1, Mark("SB102", "\udcff", "é", ""): 2}
    yield from (baseline_text(counts).encode() for counts in ({}, {"a/b.sh": marks}, {"a": marks, "b": {}}))


def _python() -> Iterator[bytes]:
    yield from (
        b"import os\nfrom accelerate import Accelerator as A\nr = int(os.environ['SLURM_PROCID'])\nA()\n",
        b"import lightning as L\nif __name__ == '__main__':\n    L.Trainer(devices=8).fit(x)\n",
        b"from megatron.bridge.training.pretrain import pretrain\npretrain(c)\nos.getenv('RANK', '0')\n",
        b"from torch.distributed import init_process_group\ninit_process_group('nccl')\nf'{a!r:>{w}}'\n",
    )


def _kept() -> Iterator[bytes]:
    yield b"1 1:3 2:2\nabcdeS\0/nowhere\0!2"
    yield b'{"key":[20000,[["S","/nowhere","!2"]],[[],true,null]]}'
    yield b'[["",["Finding","SB101","a",["Severity","error"],"m",["Span",0,1]]],[""],0,[""]]'


_MAKERS: dict[str, Callable[[], Iterable[bytes]]] = {
    "option_values": _option_values,
    "command_line": _command_lines,
    "sacct": lambda: _files(("tests/diagnose",), ".sacct", ".json"),
    "cluster_outputs": _outputs,
    "log": _logs,
    "python_file": _python,
    "config": lambda: _files(("examples", "tests/config", "tests/policy", "tests/rules"), ".toml"),
    "cluster_profile": lambda: _files(("tests", "examples"), ".toml"),
    "policy": _expressions,
    "baseline": _baselines,
    "kept_run": _kept,
    "kept_results": _kept,
}
