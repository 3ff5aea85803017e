"""``SBATCH_*``: which are read, by which release, and what a flag's variable means."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.option_use import Origin
from sbatchlint.slurm.options import option_table
from sbatchlint.slurm.request import read_request
from sbatchlint.slurm.submit_environment import SUBMIT_VARIABLES, settings, unread
from sbatchlint.source import Source

HEAD = "#!/bin/sh\n"


def test_every_variable_stands_for_an_option_of_sbatch() -> None:
    assert len({variable.name for variable in SUBMIT_VARIABLES}) == len(SUBMIT_VARIABLES)
    for variable in SUBMIT_VARIABLES:
        assert option_table().get(variable.option).accepted("sbatch")


@pytest.mark.parametrize("text", ["", "yes", "YES", "1", "-3", " 7"])
def test_flag_is_set(text: str) -> None:
    (found,) = settings([("SBATCH_REQUEUE", text)], (22, 5))
    assert (found.spec.long, found.value, found.unset) == ("requeue", None, False)


@pytest.mark.parametrize("text", ["0", "no", "true", "1x", "00"])
def test_flag_is_taken_back(text: str) -> None:
    source = Source.from_text(HEAD + "#SBATCH --requeue\n")
    assert read_request(source, "22.05").requeue is True
    assert read_request(source, "22.05", environment=[("SBATCH_REQUEUE", text)]).requeue is None


def test_order_is_sbatchs_and_not_that_of_the_environment() -> None:
    found = settings([("SBATCH_HINT", "a"), ("SLURM_HINT", "b"), ("SBATCH_ACCOUNT", "c")], None)
    assert [one.value for one in found] == ["c", "b", "a"]


def test_empty_variable_of_an_option_whose_value_may_be_missing() -> None:
    (found,) = settings([("SBATCH_EXCLUSIVE", "")], (22, 5))
    assert found.value is None


def test_layers_in_order() -> None:
    source = Source.from_text(HEAD + "#SBATCH -t 1\n#PBS -l walltime=2\n")
    environment = [("SBATCH_TIMELIMIT", "3")]
    limits = [
        read_request(source, None, args, env).time_limit
        for args, env in (((), ()), ((), environment), (("-t", "4"), environment))
    ]
    assert [limit.minutes for limit in limits if limit is not None] == [2, 3, 4]
    use = read_request(source, None, (), environment).get("time")
    assert use is not None
    assert (use.origin, use.variable, use.span, use.line) == (
        Origin.ENVIRONMENT,
        "SBATCH_TIMELIMIT",
        None,
        None,
    )


def test_ignoring_lines_of_other_systems_by_a_variable() -> None:
    source = Source.from_text(HEAD + "#PBS -N x\n")
    assert read_request(source).job_name == "x"
    assert read_request(source, environment=[("SBATCH_IGNORE_PBS", "1")]).job_name is None


def test_unread_variables_and_newer_ones() -> None:
    environment = [("SBATCH_NTASKS", "2"), ("SBATCH_OUTPUT", "x"), ("SBATCH_WAIT4SWITCH", "1"), ("HOME", "/")]
    assert [name for name, _ in unread(environment, (22, 5))] == ["SBATCH_NTASKS"]
    assert [name for name, _ in unread(environment, (21, 8))] == ["SBATCH_NTASKS", "SBATCH_OUTPUT"]
    assert settings(environment, (21, 8)) == ()
