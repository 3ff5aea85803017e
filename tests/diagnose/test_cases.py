"""Logs with the right diagnosis."""

from __future__ import annotations

import pytest

from sbatchlint.diagnose.diagnosis import Confidence, State
from tests.diagnose.scenes import EXPECTED, LOGS, diagnose

MEANINGS = {
    "02-gpu-oom-then-watchdog.log": "Python exception",
    "03-host-oom-kill.log": "the memory of the node",
    "04-time-limit.log": "the time limit",
    "07-pyxis-import-no-space.log": "a plugin of Slurm",
    "08-packed-data-not-shared.log": "Python exception",
    "09-every-node-rank-zero.log": "a launcher",
    "10-gated-model-rank0.log": "Python exception",
    "11-stale-handle-hidden-by-watchdog.log": "Python exception",
    "14-healthy-noisy.log": "success",
}
RULES = {
    "mem-missing": "SB235",
    "time-over-limit": "SB902",
    "signal-delivery": "SB355",
    "container-registry-import-per-node": "SB512",
    "enroot-path-home": "SB513",
    "cache-not-shared": "SB601",
    "early-expansion-in-bash-c": "SB401",
    "node-rank-batch-scope": "SB310",
    "hf-offline-token-conflict": "SB620",
    "cache-shared-race": "SB603",
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_right_answer(name: str) -> None:
    wanted = EXPECTED[name]
    found = diagnose((LOGS / name).read_bytes())
    cause = found.cause
    assert (cause.id if cause else None) == wanted["root_signature"]
    assert found.where.node == wanted["first_node"]
    assert found.where.rank == wanted["first_rank"]
    assert "first_task" not in wanted or found.where.task == wanted["first_task"]
    assert found.exit is not None
    assert found.exit.code == wanted["exit_code"]
    assert MEANINGS[name] in found.exit.meaning
    assert set(wanted.get("cascade_signatures", ())) <= {group.id for group in found.cascade}
    assert set(wanted.get("noise_signatures", ())) <= {group.id for group in found.noise}
    assert found.lines == wanted["lines"]
    if cause is not None:
        assert cause.seen is not None
        assert cause.seen.place.line == wanted["root_line"]
        assert {RULES[slug] for slug in wanted["rules"]} <= set(cause.rules)
        assert found.confidence is Confidence.KNOWN


def test_a_healthy_log_is_healthy() -> None:
    found = diagnose((LOGS / "14-healthy-noisy.log").read_bytes())
    assert found.state is State.NO_FAILURE
    assert not found.suspects


def test_the_missing_rank_behind_a_watchdog() -> None:
    found = diagnose((LOGS / "11-stale-handle-hidden-by-watchdog.log").read_bytes())
    assert found.missing == (21,)


def test_without_the_late_traceback_the_missing_rank_is_still_named() -> None:
    lines = (LOGS / "11-stale-handle-hidden-by-watchdog.log").read_text("utf-8").splitlines()
    found = diagnose("\n".join(line for line in lines if "[rank21]" not in line))
    assert found.cause is None
    assert found.confidence is Confidence.CASCADE
    assert found.where.rank == 21
