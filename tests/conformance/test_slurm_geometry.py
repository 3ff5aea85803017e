"""What the steps of real jobs start, against what we say they start.

Every job of the table is run once, and inside it every ``srun`` of the table.  A step that Slurm
refuses says nothing; of one that runs, each number that we tell must be right.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from sbatchlint.slurm.environment import job_variables
from sbatchlint.slurm.geometry import step_geometry
from sbatchlint.slurm.getopt import parse
from sbatchlint.slurm.request import JobRequest, read_request
from sbatchlint.source import Source
from tests.conformance.live_slurm import Slurm

pytestmark = [pytest.mark.slurm, pytest.mark.slow]


JOBS = (
    "-J plain",
    "-N2",
    "-N2 --exclusive",
    "-N2 --exclusive -n16",
    "-N2 --ntasks-per-node=4",
    "-N2 --ntasks-per-node=8 -c8 --gpus-per-node=8",
    "-N2 --gres=gpu:8 --exclusive --ntasks-per-node=1",
    "-N2 --gpus-per-node=8 -n16",
    "-N2 --ntasks-per-node=4 --gpus-per-task=2",
    "-N1 --gpus-per-node=8 --ntasks-per-node=8",
    "-n16 --ntasks-per-node=8 --gpus-per-node=8",
    "-N2 -n8 --ntasks-per-node=8",
    "-N2 --ntasks-per-gpu=1 --gpus-per-node=8",
    "-N3 -n2",
    "-N1-2 --ntasks-per-node=2",
    "--gpus=8 --gpus-per-task=1",
    "-w gpu[01-02] -n4",
)
STEPS = (
    "",
    "-n1",
    "-n2",
    "-n4",
    "-N1",
    "-N2",
    "-N1 -n1",
    "-N2 -n16",
    "--ntasks-per-node=1",
    "--ntasks-per-node=8",
    "-N2 --ntasks-per-node=1",
    "-N2 --ntasks-per-node=8",
    "-N1 --ntasks-per-node=8",
    "-n2 --ntasks-per-node=1",
    "--gpus-per-node=4",
    "--gres=gpu:8",
    "-n2 --gpus-per-task=1",
    "-w gpu01 -N1 -n1",
    "-w gpu01 -n1",
    "-n2 -c4",
    "-r1 -N1 -n1",
)
FIELDS = "$SLURM_NODEID $SLURM_NTASKS $SLURM_NNODES ${CUDA_VISIBLE_DEVICES:-none}"


def script(job: str) -> str:
    """Write a job that runs each step and leaves what its tasks saw in files beside it."""
    lines = ["#!/bin/bash", f"#SBATCH {job}", "env > batch.env"]
    for number, options in enumerate(STEPS):
        lines.append(
            f"timeout 20 srun {options} bash -c 'echo {FIELDS}' > {number}.out 2> {number}.err"
            f" && touch {number}.ok"
        )
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def ran(slurm: Slurm) -> dict[str, Path]:
    """Run all jobs; give the folder of each."""
    folders: dict[str, Path] = {}
    waiting = []
    for number, job in enumerate(JOBS):
        folder = slurm.folder / str(number)
        folder.mkdir()
        (folder / "job.sh").write_text(script(job), "utf-8")
        done = slurm.run("sbatch", "--parsable", "-D", str(folder), "-o", "log", str(folder / "job.sh"))
        assert done.returncode == 0, f"{job}: {done.stderr}"
        folders[job] = folder
        waiting.append(done.stdout.strip())
    last = slurm.run(
        "srun", "--quiet", "-n1", f"--dependency=afterany:{':'.join(waiting)}", "true", timeout=400
    )
    assert last.returncode == 0, last.stderr
    return folders


def request_of(folder: Path, release: str | None) -> JobRequest:
    return read_request(Source.from_bytes((folder / "job.sh").read_bytes(), "job.sh"), release)


def seen(folder: Path, number: int) -> dict[str, object] | None:
    """Return what step *number* really was, or None where Slurm refused it."""
    if not (folder / f"{number}.ok").exists():
        return None
    tasks = [line.split(" ") for line in (folder / f"{number}.out").read_text("utf-8").splitlines()]
    on_node = Counter(task[0] for task in tasks)
    shares = set(on_node.values())
    gpus = {
        node: {gpu for task in tasks if task[0] == node for gpu in task[3].split(",")} for node in on_node
    }
    counts = {len(found - {"none"}) for found in gpus.values()}
    return {
        "nodes": len(on_node),
        "tasks": len(tasks),
        "tasks_per_node": shares.pop() if len(shares) == 1 else "uneven",
        "gpus_per_node": counts.pop() if len(counts) == 1 else "uneven",
    }


@pytest.mark.parametrize("told", [True, False], ids=["release told", "release not told"])
@pytest.mark.parametrize("job", JOBS)
def test_steps_are_what_we_say(job: str, told: bool, ran: dict[str, Path], slurm: Slurm) -> None:
    folder = ran[job]
    request = request_of(folder, slurm.release if told else None)
    checked = 0
    for number, options in enumerate(STEPS):
        real = seen(folder, number)
        if real is None:
            continue
        geometry = step_geometry(request, parse(options.split(), "srun").uses)
        for name, value in real.items():
            count = getattr(geometry, name)
            if count is None:
                continue
            assert count.value == value, f"{name} of srun {options}"
            checked += 1
    assert checked >= 8


@pytest.mark.parametrize("job", JOBS)
def test_batch_shell_has_the_variables_that_we_say(job: str, ran: dict[str, Path]) -> None:
    text = (ran[job] / "batch.env").read_text("utf-8", "replace")
    real = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    for name, variable in job_variables(request_of(ran[job], None)).items():
        if variable.set is not None:
            assert variable.set is (name in real), name
        if variable.value is not None:
            assert variable.value == real[name], name


@pytest.mark.parametrize("job", JOBS)
def test_job_has_the_size_that_we_say(job: str, ran: dict[str, Path]) -> None:
    request = request_of(ran[job], None)
    plain = seen(ran[job], 0)
    assert plain is not None
    if request.ntasks is not None:
        assert request.ntasks.value == plain["tasks"]
    if request.nodes is not None:
        assert request.nodes.value == plain["nodes"]
