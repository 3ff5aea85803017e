"""Values that look like something else."""

from __future__ import annotations

import pytest

from tests.rules.values.asking import directives, none, one


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("48:00", True),
        ("24:00", True),
        ("86400", True),
        ("60:00", False),
        ("90:00", False),
        ("1440", False),
        ("48:30", False),
        ("UNLIMITED", False),
    ],
)
def test_a_time_that_looks_like_another(time: str, told: bool) -> None:
    assert none(directives(f"--time={time}"), "SB203") is not told


@pytest.mark.parametrize(("memory", "told"), [("100", True), ("999", True), ("1000", False), ("100M", False)])
def test_memory_without_a_unit(memory: str, told: bool) -> None:
    assert none(directives("-c 16", f"--mem={memory}"), "SB205") is not told
    assert none(directives("-c 1", f"--mem={memory}"), "SB205")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1 day, 4:00:00", "1-04:00:00"),
        ("01:00:00:00", "1-00:00:00"),
        ("2hours", "02:00:00"),
        ("1.5h", "01:30:00"),
        ("30s", "00:00:30"),
    ],
)
def test_what_time_was_meant(written: str, meant: str) -> None:
    finding = one(directives(f'--time="{written}"'), "SB202")
    assert finding.fix is not None
    assert finding.fix.edits[0].text == meant


@pytest.mark.parametrize("written", ["3600.0", "soon", "1:2:3:4:5", "2x", "00:99:00:00"])
def test_where_no_time_is_clear_none_is_proposed(written: str) -> None:
    assert one(directives(f"--time={written}"), "SB202").fix is None


@pytest.mark.parametrize(
    "name",
    [
        "--parttion=x",
        "--ntask-pernode=4",
        "--nodse=2",
        "--Gpus=2",
        "--cpu-per-tasks=2",
        "--gpu-type=a100",
        "--walltime=1:00",
        "--queue=x",
        "--node=2",
        "--mail-users=x",
        "--exlcusive",
    ],
)
def test_a_slip_in_a_name_is_an_error(name: str) -> None:
    assert one(directives(name), "SB108").severity.value == "error"


@pytest.mark.parametrize("name", ["--bogus", "--beegfs-create=size", "--gpu_cmode=shared", "--workspace=x"])
def test_a_name_like_no_other_may_be_one_of_a_plugin(name: str) -> None:
    assert one(directives(name), "SB108").severity.value == "warning"
    assert one(directives(name), "SB108", release="24.05").severity.value == "error"


@pytest.mark.parametrize(
    ("name", "prominent"),
    [
        ("--argos=no", False),
        ("--monitor_all=YES", False),
        ("--turbo=on", False),
        ("--turbo=off", False),
        ("--frobnicate=/x", True),
        ("--exclusiv3=yes", True),
        ("--requeues=no", True),
    ],
)
def test_a_switch_of_a_site_is_shown_to_the_pedantic(name: str, prominent: bool) -> None:
    assert one(directives(name), "SB108").prominent is prominent
    assert one(directives(name), "SB108", release="24.05").prominent


@pytest.mark.parametrize("name", ["--quotatype=reserved", "--uenv=x", "--container-image=x"])
def test_an_option_of_a_known_plugin_is_in_order(name: str) -> None:
    assert none(directives(name), "SB108")


@pytest.mark.parametrize("name", ["--cpus-per-node=8", "--ntasks-per-cpu=1", "--cpus-per-socket=1"])
def test_cpus_are_never_taken_for_gpus(name: str) -> None:
    finding = one(directives(name), "SB108")
    assert finding.fix is None
    assert "gpu" not in finding.help


@pytest.mark.parametrize(
    "line",
    [
        "--account=project_2001736# Project for billing",
        "--output=test.out# the name of the log",
        "--job-name=fit# of, and for, the group",
        "--partition=gpu#",
        "--job-name=a##  remark",
    ],
)
def test_a_remark_glued_to_a_value_does_no_harm(line: str) -> None:
    assert none(directives(line), "SB105")


@pytest.mark.parametrize(
    "line",
    [
        "--job-name=a#1",
        "--job-name=fit# of the group --nodes=2",
        "--container-image=nvcr.io#nvidia/pytorch:25.01-py3 --nodes=2",
        "--output=run#2 of a series",
        "--container-image=nvcr.io#nvidia/pytorch:25.01-py3 of May",
    ],
)
def test_a_value_that_is_cut_short_does(line: str) -> None:
    assert one(directives(line), "SB105")


@pytest.mark.parametrize("comment", ["", "# copy one of these", "# TASK=a\n#\n"])
def test_a_list_of_blocks_to_copy_from_overrides_nothing(comment: str) -> None:
    text = f"#!/bin/bash\n#SBATCH --time=1:00\n{comment}\n#SBATCH --time=2:00\n"
    assert none(text, "SB113")
    assert not none(text + "srun hostname\n", "SB113")


def test_what_has_no_effect_is_not_called_needless() -> None:
    found = one(directives("--nodes=1", "--ntasks-per-core=1", "--hint=nomultithread"), "SB215")
    assert found.label == "without effect"
    assert "of the two" in (found.help or "")
