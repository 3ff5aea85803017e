"""Which ``SLURM_`` names Slurm knows, and which one was meant."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.environment import job_variables
from sbatchlint.slurm.request import read_request
from sbatchlint.slurm.srun_environment import SRUN_VARIABLES
from sbatchlint.slurm.submit_environment import SUBMIT_VARIABLES
from sbatchlint.slurm.variable_names import JOB_NAMES, KNOWN_NAMES, is_known, nearest
from sbatchlint.source import Source


def test_what_other_tables_hold_is_known() -> None:
    request = read_request(Source.from_text("#!/bin/bash\n#SBATCH --nodes=1\n", "job.sh"))
    names = {*SRUN_VARIABLES, *job_variables(request), *(variable.name for variable in SUBMIT_VARIABLES)}
    assert {name for name in names if name.startswith("SLURM") and not is_known(name)} == set()
    assert JOB_NAMES <= KNOWN_NAMES


@pytest.mark.parametrize(
    "name",
    [
        "SLURM_JOB_NODELIST_HET_GROUP_0",
        "SLURM_NTASKS_PACK_GROUP_12",
        "SLURM_SPANK__SLURM_SPANK_OPTION_PYXIS_IMAGE",
        "SLURM_PMIX_DIRECT_CONN",
        "SLURM_RLIMIT_NOFILE",
    ],
)
def test_families_are_known(name: str) -> None:
    assert is_known(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SLURM_NTASK", "SLURM_NTASKS"),
        ("SLURM_JOB_NODELSIT", "SLURM_JOB_NODELIST"),
        ("SLURM_PROC_ID", "SLURM_PROCID"),
        ("SLURM_CPU_PER_TASK", "SLURM_CPUS_PER_TASK"),
        ("SLURM_LOCAL_RANK", "SLURM_LOCALID"),
        ("SLURM_TASK_ID", None),
        ("SLURM_TMPDIR", None),
        ("SLURM_RESULTS", None),
    ],
)
def test_a_slip_is_put_right_and_a_name_of_someone_else_is_not(name: str, meant: str | None) -> None:
    assert not is_known(name)
    assert nearest(name) == meant
