"""The real Megatron-Core, in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_AT_ONCE = 2
_PATIENCE = 900.0


class MegatronCore:
    """Answers many questions at once, each process a share of them."""

    def __init__(self, python: Path) -> None:
        self._python = python

    def ask(self, questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers in the order of *questions*; see ``ask.py`` for what both hold."""
        shares = [questions[start::_AT_ONCE] for start in range(_AT_ONCE)]
        answers: list[dict[str, Any]] = [{}] * len(questions)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for start, share in enumerate(pool.map(self._ask, shares)):
                answers[start::_AT_ONCE] = share
        return answers

    def _ask(self, questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        done = subprocess.run(
            [self._python, HERE / "ask.py"],
            input="".join(f"{json.dumps(question)}\n" for question in questions),
            env=os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return [json.loads(line) for line in done.stdout.splitlines()]


def megatron_core(folder: Path) -> MegatronCore:
    """Megatron-Core for the Python that SBATCHLINT_MEGATRON_PYTHON names, else for one made in *folder*."""
    named = os.environ.get("SBATCHLINT_MEGATRON_PYTHON")
    return MegatronCore(Path(named) if named else _environment(folder))


def _environment(folder: Path) -> Path:
    python, complete = folder / "bin" / "python", folder / "complete"
    if not complete.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        complete.touch()
    return python
