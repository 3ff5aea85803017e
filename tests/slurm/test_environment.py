"""The variables of the batch shell, as real jobs of Slurm 22.05.8 had them."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.slurm.environment import PER_TASK, STEP_VARIABLES, JobVariable, job_variables
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source


def variable(options: str, name: str, path: str = "jobs/train.sh") -> JobVariable:
    text = f"#!/bin/bash\n#SBATCH {options}\n"
    return job_variables(read_request(Source.from_text(text, path)))[name]


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        ("-N2", "SLURM_NNODES", "2"),
        ("-N2", "SLURM_JOB_NUM_NODES", "2"),
        ("-N4 -n2", "SLURM_NNODES", "2"),
        ("-N2 -n8", "SLURM_NTASKS", "8"),
        ("-N2 --ntasks-per-node=4", "SLURM_NPROCS", "8"),
        ("-N2 --ntasks-per-node=4", "SLURM_NTASKS_PER_NODE", "4"),
        ("-N2 --ntasks-per-node=4", "SLURM_TASKS_PER_NODE", "4(x2)"),
        ("-N1 --ntasks-per-node=4", "SLURM_TASKS_PER_NODE", "4"),
        ("-c 016", "SLURM_CPUS_PER_TASK", "16"),
        ("-N2 --gpus-per-node=h100:8", "SLURM_GPUS_PER_NODE", "h100:8"),
        ("-N2 --gpus-per-node=8", "SLURM_GPUS_ON_NODE", "8"),
        ("-G8", "SLURM_GPUS", "8"),
        ("-J a", "SLURM_JOB_NAME", "a"),
        ("-N2", "SLURM_JOB_NAME", "train.sh"),
        ("-p batch", "SLURM_JOB_PARTITION", "batch"),
        ("--export=NONE", "SLURM_EXPORT_ENV", "NONE"),
        ("-N2", "SLURM_PROCID", "0"),
    ],
)
def test_set_and_known(options: str, name: str, value: str) -> None:
    found = variable(options, name)
    assert (found.value, found.set) == (value, True)
    assert found.certainty is not Certainty.UNKNOWN


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ("-N2", "SLURM_NTASKS"),
        ("-N2", "SLURM_NTASKS_PER_NODE"),
        ("-N2", "SLURM_CPUS_PER_TASK"),
        ("-N2 --gres=gpu:8", "SLURM_GPUS_PER_NODE"),
        ("-N2 --gpus-per-node=8", "SLURM_GPUS"),
        ("-N2", "SLURM_GPUS_ON_NODE"),
        ("-N2", "SLURM_ARRAY_TASK_ID"),
        ("-N2", "SLURM_STEP_ID"),
        ("--export=ALL", "SLURM_EXPORT_ENV"),
    ],
)
def test_not_set(options: str, name: str) -> None:
    found = variable(options, name)
    assert (found.value, found.set) == (None, False)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ("-N1-2", "SLURM_NNODES"),
        ("-N2", "SLURM_JOB_ID"),
        ("-a 0-3", "SLURM_ARRAY_TASK_ID"),
        ("-p a,b", "SLURM_JOB_PARTITION"),
        ("-N2 -n8 --ntasks-per-node=8", "SLURM_TASKS_PER_NODE"),
        ("-N2", "SLURMD_NODENAME"),
    ],
)
def test_set_and_not_known(options: str, name: str) -> None:
    found = variable(options, name)
    assert (found.value, found.set, found.certainty) == (None, True, Certainty.UNKNOWN)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ("-N2 --hint=nomultithread", "SLURM_NTASKS"),
        ("--gpus-per-task=1 -n8", "SLURM_GPUS_PER_TASK"),
        ("-c4", "SLURM_TRES_PER_TASK"),
        ("--exclusive", "SLURM_GPUS_ON_NODE"),
        ("-N2", "SLURM_JOB_ACCOUNT"),
    ],
)
def test_nothing_known(options: str, name: str) -> None:
    assert variable(options, name).set is None


def test_name_of_a_script_from_standard_input_is_not_told() -> None:
    assert variable("-N2", "SLURM_JOB_NAME", "-").value is None


def test_other_systems_lines_that_are_refused_make_sizes_unknown() -> None:
    source = Source.from_text("#!/bin/bash\n#SBATCH -N2 -n4 -c2\n#PBS -l nodes=4 -Z\n")
    found = job_variables(read_request(source))
    assert found["SLURM_NNODES"].value is None
    assert found["SLURM_NTASKS"].set is None
    assert found["SLURM_CPUS_PER_TASK"].set is None


def test_option_that_decides_is_named() -> None:
    source = Source.from_text("#!/bin/bash\n#SBATCH -N2 -J x\n")
    span = job_variables(read_request(source))["SLURM_JOB_NAME"].span
    assert span is not None
    assert source.slice(span) == "-J x"


def test_per_task_and_step_variables_are_apart() -> None:
    assert not set(PER_TASK) & STEP_VARIABLES
    assert {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID"} <= set(PER_TASK)
