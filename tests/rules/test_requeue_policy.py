"""SB367: a requeue that Slurm refuses."""

from __future__ import annotations

import pytest

from sbatchlint.cluster.profile import Profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, job, lines

CODE = "SB367"
TRAP = "trap 'scontrol requeue $SLURM_JOB_ID' USR1"


@pytest.mark.parametrize(
    "body",
    [
        TRAP,
        'scontrol requeue "$SLURM_JOB_ID"',
        "scontrol requeue ${SLURM_JOBID}",
        "scontrol -v requeuehold $SLURM_JOB_ID",
        "again() { scontrol requeue $SLURM_JOB_ID; }; trap again USR1",
        "scontrol requeue ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}",
    ],
)
def test_a_job_that_forbids_it_is_told(body: str) -> None:
    assert lines(job(body, no_requeue=True), CODE) == [(3, "error")]


def test_the_last_of_two_options_counts() -> None:
    assert lines(job("#SBATCH --no-requeue", TRAP, requeue=True), CODE) == [(4, "error")]
    assert lines(job("#SBATCH --requeue", TRAP, no_requeue=True), CODE) == []


@pytest.mark.parametrize(
    "body",
    [
        "scontrol requeue $OTHER_JOB",
        "scontrol show job $SLURM_JOB_ID",
        "# scontrol requeue $SLURM_JOB_ID",
        "scontrol update jobid=$SLURM_JOB_ID requeue=1",
        "echo requeue $SLURM_JOB_ID",
    ],
)
def test_other_commands_are_left_in_peace(body: str) -> None:
    assert lines(job(body, no_requeue=True), CODE) == []


@pytest.mark.parametrize(
    ("site", "options", "found"),
    [(False, {}, ["warning"]), (True, {}, []), (None, {}, []), (False, {"requeue": True}, [])],
)
def test_the_site_decides_where_the_job_does_not(
    site: bool | None, options: dict[str, object], found: list[str]
) -> None:
    profile = Profile.model_validate({"settings": {"job_requeue": site}})
    source = Source.from_text(job(TRAP, **options), "job.sh")
    result = lint_source(source, all_rules(), LintOptions(cluster=profile))
    assert [one.severity.value for one in result.findings if one.code == CODE] == found
