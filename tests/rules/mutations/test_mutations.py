"""Correct scripts are left in peace, and told of when they are broken in one of many ways."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings
from tests.rules.mutations.mutation import Mutation
from tests.rules.mutations.table import MUTATIONS, SCRIPTS, Trial, as_table, trials

_SITE = "the site binds folders of its own into every container, shared ones as a rule"
_NO_SIGN = "nothing on the command line says that the program needs a GPU"
MISSES: dict[tuple[str, str], str] = {
    ("bind dropped", "evaluate_each_line.slurm"): _SITE,
    ("bind dropped", "torchrun_apptainer.slurm"): _SITE,
    ("srun inside the container", "torchrun_apptainer.slurm"): (
        "a step does not know which container srun was called in, unless that is one of Pyxis"
    ),
    ("no GPUs asked for", "lightning_conda.slurm"): _NO_SIGN,
    ("no GPUs asked for", "steps_side_by_side.slurm"): "its steps ask for GPUs, so the job may have some",
    ("no GPUs asked for", "evaluate_each_line.slurm"): "the loop may run no step at all",
    ("CUDA_VISIBLE_DEVICES over Slurm's", "sweep_array.slurm"): (
        "--gpus without --nodes does not say how many GPUs a node has"
    ),
    ("step without its number of tasks", "steps_side_by_side.slurm"): (
        "each step may be meant to have all tasks of the job"
    ),
    ("environment cut off", "server_and_trainer_hetjob.slurm"): (
        "of a program that is called by its path it is not known what it needs: a matter for --pedantic"
    ),
    ("home folder left to the site", "nemo_named_container.sbatch"): "pip alone is not taken for Python",
}
"""What is not found, by mutation and script, and why not."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_correct_script_is_left_in_peace(name: str) -> None:
    assert [f"{found.code} {found.message}" for found in findings(SCRIPTS[name])] == []


def test_the_table_is_large_enough() -> None:
    assert len(SCRIPTS) >= 12
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 40
    idle = [m.name for m in MUTATIONS if not any(list(m.mutants(text)) for text in SCRIPTS.values())]
    assert idle == []


@pytest.mark.slow
def test_a_broken_script_is_told_of() -> None:
    done = [trial for mutation in MUTATIONS for trial in trials(mutation, everywhere=False)]
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
