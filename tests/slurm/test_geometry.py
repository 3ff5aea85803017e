"""Sizes of steps.  The conformance test runs such a table on a real Slurm; here are the corners."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.geometry import Geometry, step_geometry
from sbatchlint.slurm.getopt import parse
from sbatchlint.slurm.option_use import Count, OptionUse
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source


def step(
    job: str, srun: str = "", release: str | None = None, env: dict[str, str | None] | None = None
) -> Geometry:
    request = read_request(Source.from_text(f"#!/bin/bash\n#SBATCH {job}\n"), release)
    return step_geometry(request, parse(srun.split(), "srun").uses, env)


def shown(count: Count | None) -> str:
    return "-" if count is None else f"{count.value}{'?' if count.certainty else ''}"


def sizes(geometry: Geometry) -> str:
    return " ".join(map(shown, (geometry.nodes, geometry.tasks, geometry.tasks_per_node)))


@pytest.mark.parametrize(
    ("job", "srun", "expected"),
    [
        ("-N2 --ntasks-per-node=8", "", "2 16 8"),
        ("-N2 --ntasks-per-node=8", "-n2", "2 2 1"),
        ("-N2 --ntasks-per-node=8", "-n1", "1 1 1"),
        ("-N2 --ntasks-per-node=8", "-N2", "2 16 8"),
        ("-N2 --ntasks-per-node=8", "--ntasks-per-node=1", "2 16 8?"),
        ("-N2 --ntasks-per-node=8", "-N1", "1 - -"),
        ("-N2 --ntasks-per-node=8", "-N2 --ntasks-per-node=1", "2 - -"),
        ("-N2 --ntasks-per-node=8", "-N1 -n1", "1 1 1"),
        ("-N2", "", "2 2? 1?"),
        ("-N2", "--ntasks-per-node=8", "2 16 8"),
        ("-N2", "-N1", "1 1? 1?"),
        ("-N2", "-c 4", "2 - -"),
        ("-N2 -n16", "", "2 16 -"),
        ("-N2 -n16 --exclusive", "", "2 16 8?"),
        ("-N2 -n2", "", "2 2 1"),
        ("-n16 --ntasks-per-node=8", "", "2? 16 8?"),
        ("-N2-4 --ntasks-per-node=8", "", "- - 8"),
        ("-N2-4", "--ntasks-per-node=2", "- - 2"),
        ("-N2-4", "-N 2 --ntasks-per-node=2", "2 4 2"),
        ("--gpus=8", "", "- - -"),
        ("-N2", "-w gpu01", "2 2? 1?"),
        ("-N2", "-w gpu[01-03]", "- - -"),
        ("-N2", "-n \ue000", "2 - -"),
        ("-N2 --ntasks-per-node=8", "-N \ue000", "- - -"),
        ("-N2", "-N \ue000 --ntasks-per-node=1", "- - 1"),
        ("-N2 --ntasks-per-node=8", "--jobid=5", "- - -"),
        ("-N2 --ntasks-per-node=8", "-m arbitrary", "- - -"),
        ("-N2 --ntasks-per-gpu=1 --gpus-per-node=8", "", "2 16 8?"),
        ("-N2 --ntasks-per-gpu=1 --gpus-per-node=8", "-n1", "- - -"),
    ],
)
def test_without_a_release(job: str, srun: str, expected: str) -> None:
    assert sizes(step(job, srun)) == expected


@pytest.mark.parametrize(
    ("release", "expected"), [("22.05", "2 16 8?"), ("23.02", "2 - -"), ("24.05", "2 2 1"), (None, "2 - -")]
)
def test_release_decides_whether_nodes_on_sruns_line_overrule(release: str | None, expected: str) -> None:
    assert sizes(step("-N2 --ntasks-per-node=8", "-N2 --ntasks-per-node=1", release)) == expected


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"SLURM_NTASKS": "4"}, "2 4 2?"),
        ({"SLURM_NTASKS": "16"}, "2 16 8"),
        ({"SLURM_NTASKS": None}, "2 - -"),
        ({"SLURM_NTASKS": "", "SLURM_NPROCS": ""}, "2 16 8"),
        ({"SLURM_JOB_NUM_NODES": "1"}, "1 16 16"),
    ],
)
def test_what_the_script_sets_itself(env: dict[str, str | None], expected: str) -> None:
    assert sizes(step("-N2 --ntasks-per-node=8", env=env)) == expected


def test_what_decided() -> None:
    job = "-N2 --ntasks-per-node=8"
    inherited = step(job)
    assert isinstance(inherited.tasks_per_node_from, OptionUse)
    assert inherited.tasks_per_node_from.spec.long == "ntasks-per-node"
    assert inherited.tasks_per_node is not None
    assert len(inherited.tasks_per_node.spans) == 1
    own = step("-N2", "--ntasks-per-node=8")
    assert own.tasks_per_node_from is not None
    assert not isinstance(own.tasks_per_node_from, OptionUse)
    assert own.tasks_per_node is not None
    assert own.tasks_per_node.spans == ()
    assert step("-N2").tasks_per_node_from is None
    count = step(job, "-n2")
    assert count.tasks_from is not None
    assert count.tasks_from.spec.long == "ntasks"


@pytest.mark.parametrize(
    ("job", "srun", "gpus"),
    [
        ("-N2 --gpus-per-node=8", "", "8"),
        ("-N2 --gpus-per-node=8", "--gpus-per-node=4", "4"),
        ("-N2 --gres=gpu:8", "--gres=gpu:2", "2"),
        ("-N2 --gres=gpu:8", "--gres=none", "0"),
        ("-N2 --gpus-per-node=8", "--gpus=8", "-"),
        ("-N1 --gpus-per-node=8", "--gpus=4", "-"),
        ("-N2 --ntasks-per-node=4 --gpus-per-task=2", "", "8"),
        ("-N2 --ntasks-per-node=4 --gpus-per-task=2", "-n2", "2"),
        ("-N2 --ntasks-per-node=4 --gpus-per-node=8", "--gpus-per-task=1", "-"),
        ("-N2 --ntasks-per-node=4 --gres=gpu:8", "--gpus-per-task=1", "4"),
        ("-N2 --ntasks-per-gpu=1 --gpus-per-node=8", "", "8"),
        ("-N2 --ntasks-per-gpu=1 --gpus-per-node=8", "-n2", "-"),
        ("-N2", "", "-"),
    ],
)
def test_gpus(job: str, srun: str, gpus: str) -> None:
    assert shown(step(job, srun).gpus_per_node) == gpus
