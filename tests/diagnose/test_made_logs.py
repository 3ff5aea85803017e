"""Logs of jobs that really failed, on a real Slurm and with the real torchrun, against what was done to them.

``made/expected.json`` says of each what was done; ``making/`` has the jobs and makes the logs again.
"""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.diagnose.accounting import Accounting, read_accounting
from sbatchlint.diagnose.diagnosis import Diagnosis, State
from sbatchlint.diagnose.judging import judge
from sbatchlint.diagnose.running import gather

MADE = Path(__file__).with_name("made")
EXPECTED: dict[str, dict[str, Any]] = json.loads((MADE / "expected.json").read_text("utf-8"))
PLACE = {"first_node": "node", "first_task": "task", "first_rank": "rank"}


def logs_of(name: str) -> list[Path]:
    return sorted([*MADE.glob(f"{name}.log"), *MADE.glob(f"{name}.gpu*.log")])


def accounting_of(name: str) -> Accounting | None:
    saved = MADE / f"{name}.sacct"
    return read_accounting(saved.read_text("utf-8")) if saved.exists() else None


def complain(path: str, told: str) -> None:
    pytest.fail(f"{path}: {told}")


def diagnosis_of(name: str, accounting: Accounting | None) -> Diagnosis:
    facts, _ = gather([str(path) for path in logs_of(name)], BytesIO(), complain, complain)
    return judge(facts, accounting)


def cases() -> list[Any]:
    """Every case by its logs alone, and once more with the accounting where there is one."""
    found = []
    for name in EXPECTED:
        if logs_of(name):
            found.append(pytest.param(name, None, id=name))
        if accounting_of(name) is not None:
            found.append(pytest.param(name, accounting_of(name), id=f"{name}+sacct"))
    return found


@pytest.mark.parametrize(("name", "accounting"), cases())
def test_diagnosis_says_what_was_done(name: str, accounting: Accounting | None) -> None:
    told, found = EXPECTED[name], diagnosis_of(name, accounting)
    if not told.get("failed", True):
        assert found.state is State.NO_FAILURE
        assert found.cause is None
        return
    assert found.state is State.FAILED
    assert _cause(found) == told["root_signature"]
    seen = found.cause.seen if found.cause else None
    assert seen is None or told.get("root_text", "") in seen.text
    for key, field in PLACE.items():
        if key in told:
            assert getattr(found.where, field) == told[key], key
    if "exit" in told:
        assert found.exit is not None
        assert (found.exit.signal or found.exit.code) == told["exit"]
    assert set(told.get("cascade", ())) <= {group.id for group in found.cascade}


def _cause(found: Diagnosis) -> str | None:
    """The id of the cause; none where it is but that a process ended badly."""
    return found.cause.id if found.cause is not None else None


def test_every_log_has_an_answer() -> None:
    stems = {path.name.partition(".")[0] for path in MADE.iterdir()} - {"expected"}
    assert stems == set(EXPECTED)
    assert len(stems) >= 40


def test_logs_name_nobodys_machine() -> None:
    for path in MADE.iterdir():
        text = path.read_bytes()
        for trace in (
            b"/home/",
            b"/root/",
            b"/tmp/pytest",
            bytes(Path.home()),
            bytes(Path(__file__).parents[2]),
        ):
            assert trace not in text, path.name
