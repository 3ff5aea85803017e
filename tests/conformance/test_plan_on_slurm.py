"""What job scripts really start on a Slurm, against what the plan says that they start.

Every script of ``jobs/`` is really run, with stand-ins for its programs.  That the plan says *unknown* is
allowed; what it says must be so: the steps, their nodes and tasks, and each word and variable of each
program in each task.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import replace

import pytest

from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.source import Source
from tests.conformance.job_bench import JobRun, run_jobs
from tests.conformance.job_scripts import JobScript, job_scripts
from tests.conformance.live_slurm import Slurm, running_slurm
from tests.conformance.step_agreement import Comparison, Told

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

SCRIPTS = job_scripts()


@pytest.fixture(scope="module")
def runs() -> dict[str, list[JobRun]]:
    """What Slurm did with each script: one run, or one for each element of an array.

    So many jobs at once may crash a slurmd of 22.05 (seen once): then all of them run in a new one.
    """
    try:
        return _run_all(18200)
    except subprocess.TimeoutExpired:
        return _run_all(18300)


def _run_all(first_port: int) -> dict[str, list[JobRun]]:
    with running_slurm(nodes=4, first_port=first_port) as slurm:
        return run_jobs(slurm, list(SCRIPTS.values()))


def job_of(script: JobScript, release: str | None) -> Job:
    """The script as the plan sees it: told everything, or but how it is submitted where *release* is None."""
    told = LintOptions(release=release, sbatch_args=script.options)
    if release is not None:
        environment = tuple(script.environment.items())
        told = LintOptions(release, script.options, script.arguments, environment)
    return Job(Source.from_text(script.text, "job.sh"), told)


def compared(script: JobScript, run: JobRun, release: str | None) -> Told:
    job = job_of(script, release)
    bare = release is not None or not script.environment
    return Comparison(job.request, job.plan, run, bare).told()


@pytest.mark.parametrize("told", [True, False], ids=["all told", "little told"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_job_starts_what_the_plan_says(
    name: str, told: bool, runs: dict[str, list[JobRun]], slurm: Slurm
) -> None:
    assert runs[name]
    for run in runs[name]:
        found = compared(SCRIPTS[name], run, slurm.release if told else None)
        assert not found.wrong, "\n".join(["", *found.wrong, "--- log:", run.log])


def test_enough_is_known(runs: dict[str, list[JobRun]], slurm: Slurm) -> None:
    total: Counter[str] = Counter(scripts=len(SCRIPTS))
    for name, script in SCRIPTS.items():
        for run in runs[name]:
            total += compared(script, run, slurm.release).counts
    assert total["scripts"] >= 40
    assert total["known"] + total["assumed"] > 0.85 * total["words"]
    assert total["sizes told"] > 0.7 * total["sizes"]  # a job without GPUs is told nothing of them
    assert total["early words"] >= 10
    assert total["words by task"] >= 30


@pytest.mark.parametrize(
    ("name", "written", "instead"),
    [
        ("late_rank", r"--rank \$SLURM_PROCID", "--rank $SLURM_PROCID"),
        ("early_rank", '--rank "$SLURM_PROCID"', "--rank 1"),
        ("early_rank", "--ntasks-per-node=2", "--ntasks-per-node=1"),
        ("fewer_nodes", "srun -N1 -n1 prepare", "prepare"),
        ("ends_in_the_middle", "exit 0", "true"),
        ("document_quoted", "export DATA=/data/wiki", "export DATA=/data/c4"),
        ("step_in_step", "--overlap -N1 -n1 evaluate", "--overlap -N1 -n1 merge"),
        ("export_little", "--export=PATH,STAGE ", ""),
    ],
)
def test_a_wrong_plan_is_noticed(
    name: str, written: str, instead: str, runs: dict[str, list[JobRun]], slurm: Slurm
) -> None:
    script = SCRIPTS[name]
    assert written in script.text
    other = replace(script, text=script.text.replace(written, instead))
    assert all(compared(other, run, slurm.release).wrong for run in runs[name])
