"""Correct scripts are left in peace, and told of when they are broken in one of many ways."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings
from tests.rules.mutations.mutation import Mutation
from tests.rules.mutations.table import MUTATIONS, SCRIPTS, Trial, as_table, trials

MISSES: dict[tuple[str, str], str] = {}
"""What is not found, by mutation and script, and why not."""


@pytest.fixture(scope="module")
def done() -> list[Trial]:
    """Each script broken at one place by each mutation that applies."""
    return [trial for mutation in MUTATIONS for trial in trials(mutation, everywhere=False)]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_correct_script_is_left_in_peace(name: str) -> None:
    assert [f"{found.code} {found.message}" for found in findings(SCRIPTS[name])] == []


def test_the_table_is_large_enough(done: list[Trial]) -> None:
    assert len(SCRIPTS) >= 12
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 40
    assert {trial.mutation.name for trial in done} == {mutation.name for mutation in MUTATIONS}


def test_a_broken_script_is_told_of(done: list[Trial]) -> None:
    print(as_table(done))
    missed = [trial for trial in done if not trial.found]
    unknown = [str(trial) for trial in missed if _key(trial) not in MISSES]
    assert unknown == []
    assert len(missed) <= 0.05 * len(done)


def test_a_miss_that_is_listed_is_one() -> None:
    found = {_key(trial): trial.found for mutation in MUTATIONS for trial in _listed(mutation)}
    assert {key: found.get(key) for key in MISSES} == dict.fromkeys(MISSES, False)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name.replace(" ", "-"))
def test_it_is_told_of_wherever_it_is_broken(mutation: Mutation) -> None:
    done = list(trials(mutation, everywhere=True))
    assert [str(trial) for trial in done if not trial.found and _key(trial) not in MISSES] == []


def _listed(mutation: Mutation) -> list[Trial]:
    if all(name != mutation.name for name, _ in MISSES):
        return []
    return [trial for trial in trials(mutation, everywhere=True) if not trial.found]


def _key(trial: Trial) -> tuple[str, str]:
    return trial.mutation.name, trial.script
