"""Values that one cluster refuses."""

from __future__ import annotations

import pytest

from sbatchlint.cluster.load import read_profile
from sbatchlint.cluster.profile import Profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, job
from tests.rules.values.asking import CLUSTER, PROFILE, directives, none, one


@pytest.mark.parametrize(
    ("option", "code", "message"),
    [
        ("-p gpuu", "SB901", "the cluster refuses the job: there is no partition gpuu"),
        ("-C a100", "SB901", "the cluster refuses the job: no node has the feature a100"),
        ("--gres=foo:1", "SB901", "the cluster refuses the job: it has no resource called foo"),
        (
            "-t 3-00:00:00",
            "SB902",
            "the cluster refuses the job: partition batch allows a time of 2-00:00:00, not 3-00:00:00",
        ),
        (
            "-p interactive -N 2",
            "SB902",
            "the cluster refuses the job: partition interactive gives a job at most 1 node, not 2",
        ),
        ("-p down", "SB903", "the job waits for ever: partition down is DOWN and starts no jobs"),
        ("-p batch -w cpu01", "SB903", "the cluster refuses the job: cpu01 is not in partition batch"),
        (
            "--gpus-per-node=h200:8",
            "SB904",
            "the cluster refuses the job: no node of partition batch has GPUs of the type h200",
        ),
        (
            "--gpus-per-node=9",
            "SB904",
            "the cluster refuses the job: 9 GPUs on a node, where partition batch has 8",
        ),
        (
            "-p cpu --mem=1 --gpus-per-node=1",
            "SB904",
            "the cluster refuses the job: 1 GPU on a node, where partition cpu has none",
        ),
        (
            "--mem=3000G",
            "SB904",
            "the cluster refuses the job: 3000G of memory on a node, where partition batch has 2000000M",
        ),
        (
            "--gpus-per-task=5 -n 20",
            "SB904",
            "the cluster refuses the job: 20 tasks with 5 GPUs each, where partition batch has room for 16",
        ),
    ],
)
def test_what_the_cluster_has_against_a_job_is_a_sentence(option: str, code: str, message: str) -> None:
    finding = one(directives(option), code, cluster=CLUSTER)
    assert finding.message == message
    assert finding.severity.value == "error"


def test_an_unknown_resource_is_told_of_once() -> None:
    assert none(directives("--gres=foo:1"), "SB904", cluster=CLUSTER)


def _lenient() -> Profile:
    text = PROFILE.read_text("utf-8").replace('"ALL"', '"NO"')
    return read_profile(Source.from_text(text, "cluster.toml"))


def test_of_a_job_that_waits_no_refusal_is_quoted() -> None:
    long = directives("-t 3-00:00:00")
    assert one(long, "SB902", cluster=CLUSTER).notes[0].startswith("sbatch: error: Requested time limit")
    waiting = one(long, "SB902", cluster=_lenient())
    assert waiting.message.startswith("the job waits for ever")
    assert waiting.notes == ("squeue gives the reason PartitionTimeLimit",)


def test_a_job_that_fits_is_left_in_peace() -> None:
    text = job("srun hostname", nodes=2, ntasks_per_node=8, gpus_per_node="h100:8", time="1-00:00:00")
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(cluster=CLUSTER))
    assert result.findings == ()
