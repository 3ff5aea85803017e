"""Which variables srun reads in place of options, by release."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.options import option_table
from sbatchlint.slurm.srun_environment import SRUN_VARIABLES


def test_each_stands_for_an_option_of_srun() -> None:
    table = option_table()
    for variable in SRUN_VARIABLES.values():
        match = table.find_long(variable.option, "srun", None)
        assert match.spec is not None, variable
        assert match.spec.long == variable.option


@pytest.mark.parametrize(
    ("name", "release", "read"),
    [
        ("SLURM_CPUS_PER_TASK", (21, 8), True),
        ("SLURM_CPUS_PER_TASK", (22, 5), False),
        ("SLURM_CPUS_PER_TASK", (23, 2), False),
        ("SLURM_CPUS_PER_TASK", (23, 11), True),
        ("SLURM_CPUS_PER_TASK", None, None),
        ("SRUN_CPUS_PER_TASK", (21, 8), False),
        ("SRUN_CPUS_PER_TASK", (22, 5), True),
        ("SRUN_CPUS_PER_TASK", (23, 11), False),
        ("SLURM_MPI_TYPE", None, True),
        ("SLURM_TRES_PER_TASK", (22, 5), False),
        ("SLURM_TRES_PER_TASK", (27, 5), True),
        ("SRUN_OUTPUT", (23, 2), True),
    ],
)
def test_by_release(name: str, release: tuple[int, int] | None, read: bool | None) -> None:
    assert SRUN_VARIABLES[name].read_by(release) is read
