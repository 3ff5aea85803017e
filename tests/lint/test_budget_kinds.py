"""Scripts that nest, recur, grow or go on without end: done in seconds, in a gigabyte, and told of."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.lint.budget_kinds import UNFOLLOWED, UNREAD, Kind, kinds

ROOT = Path(__file__).parents[2]
SECONDS = 8.0
"""Of the processor; alone on a machine most kinds take less than one."""
SLOW = frozenset(
    "braces brace-products chain chain-of-arguments commands conditions conjunctions elements fors "
    "functions-in-functions growing-eval here-documents ifs ifs-by-line line loops-in-loops "
    "shells-in-quotes source srun-in-srun statements whiles wrappers".split()
)


def _run(names: list[str]) -> dict[str, Any]:
    """Lint the kinds in a process of their own; return what became of each."""
    command = [sys.executable, "-m", "tests.lint.budget_runner", *names]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stderr == ""
    return {one["name"]: one for one in map(json.loads, told.stdout.splitlines())}


@pytest.fixture(scope="module")
def quick() -> dict[str, Any]:
    return _run([name for name, _, _ in kinds() if name not in SLOW])


@pytest.fixture(scope="module")
def slow() -> dict[str, Any]:
    return _run(sorted(SLOW))


def _check(told: dict[str, Any], code: str) -> None:
    assert told["status"] == 0, "it was killed, or died of something"
    assert told["errors"] == []
    assert told["seconds"] < SECONDS
    assert "SB108" in told["codes"], "what was wrong before stands"
    left_out = {UNREAD, UNFOLLOWED} & set(told["codes"])
    assert code in left_out if code else not left_out


def _ids(wanted: bool) -> list[Any]:
    return [pytest.param(kind, id=kind[0]) for kind in kinds() if (kind[0] in SLOW) is wanted]


@pytest.mark.slow
@pytest.mark.parametrize("kind", _ids(False))
def test_it_ends_and_is_told_of(kind: Kind, quick: dict[str, Any]) -> None:
    _check(quick[kind[0]], kind[2])


@pytest.mark.slow
@pytest.mark.parametrize("kind", _ids(True))
def test_it_ends_and_is_told_of_in_the_long_run(kind: Kind, slow: dict[str, Any]) -> None:
    _check(slow[kind[0]], kind[2])
