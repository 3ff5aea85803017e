"""Numbers of more digits than Python turns into an integer: read as C reads them, everywhere."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.submit_environment import SUBMIT_VARIABLES
from sbatchlint.slurm.verdict import judge
from sbatchlint.source import Source

LONG = "9" * 5000
SMALL = "0" * 5000 + "2"
FORMS = (
    "#SBATCH -N2 -n4 -m plane={}",
    "#SBATCH --nodes={}",
    "#SBATCH --gres=gpu:{}",
    "#SBATCH --time={}:{}",
    "#SBATCH --nodelist=gpu[1-{}]",
    "#PBS -l nodes={}:ppn={}",
    "#PBS -l select=2:ncpus={}:mpiprocs={}",
    "#PBS -l select={}:ncpus=8:mpiprocs=4",
    "#PBS -l naccelerators={}",
    "#PBS -l nodes=1:gpus={}",
    "#BSUB -n {}",
    "#BSUB -M {}",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("number", [LONG, SMALL])
def test_in_a_line(form: str, number: str) -> None:
    for release in ("22.05", "26.05", None):
        judge(Source.from_text(f"#!/bin/sh\n{form.replace('{}', number)}\ntrue\n"), release)


@pytest.mark.parametrize("number", [LONG, SMALL])
def test_in_every_variable(number: str) -> None:
    environment = [(variable.name, number) for variable in SUBMIT_VARIABLES]
    judge(Source.from_text("#!/bin/sh\ntrue\n"), "26.05", environment=environment)


def test_zeros_in_front_do_not_count() -> None:
    def said(number: str) -> list[str]:
        text = f"#!/bin/sh\n#SBATCH -N2 -n2 -m plane={number}\ntrue\n"
        return [one.said for one in judge(Source.from_text(text), "22.05").refusals]

    assert said(SMALL) == said("2") != []
