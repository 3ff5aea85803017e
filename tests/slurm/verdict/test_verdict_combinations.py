"""Options together: what Slurm refuses, by release.

The expectations are section by section those of live Slurms 22.05.8 and 26.05.3, and for releases between
those of their sources.
"""

from __future__ import annotations

import pytest

from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.options import SUPPORTED_RELEASES, Release
from sbatchlint.slurm.verdict import ComplaintKind, Effect, Verdict, judge
from sbatchlint.source import Source

ALL = SUPPORTED_RELEASES
GPUS = "--gpus"


def verdict_on(options: str, release: str | None = None) -> Verdict:
    lines = "".join(f"#SBATCH {line}\n" for line in options.splitlines())
    return judge(Source.from_text(f"#!/bin/sh\n{lines}"), release)


def since(first: Release) -> tuple[Release, ...]:
    return tuple(release for release in ALL if release >= first)


REFUSED = [
    ("--mem=1G --mem-per-cpu=1G", "mutually exclusive", ALL),
    ("--mem-per-gpu=1G --mem-per-cpu=1G --gpus=1", "mutually exclusive", ALL),
    ("--gpus=8 --gpus-per-task=1 -n4", "differ from -n/--ntasks", ALL),
    ("--gpus=8 --gpus-per-task=3", "--gpus not multiple of --gpus-per-task", ALL),
    ("--gpus=8 --gpus-per-node=3 -N2", "--gpus is not multiple of --gres=gpu/--gpus-per-node", ALL),
    ("--gpus=8 --gpus-per-node=8 -N2", "required nodes (1) doesn't fall between", ALL),
    ("--gpus=1 -N2", "--gpus < -N", ALL),
    ("--gpus-per-task=1", "is not allowed", ALL),
    ("--gpus-per-socket=1", "requires --sockets-per-node", ALL),
    (
        "--gpus-per-node=8 --gpus-per-task=2 --ntasks-per-node=8 -N1",
        "number of tasks per node differ from --ntasks-per-node",
        ALL,
    ),
    ("--gpus=2 --gpus-per-node=4", "Failed to ensure --gpus", ALL),
    ("--mem-per-gpu=2G", "did not request any GPU", since((21, 8))),
    ("--cpus-per-gpu=2", "did not request any GPU", since((23, 2))),
    ("--cpus-per-gpu=2 -c2 --gpus=1", "mutually exclusive", since((21, 8))),
    ("--gres=gpu:8 --gpus-per-node=8", "--gpus-per-node and --gres=gpu are mutually exclusive", ((26, 5),)),
    ("--gres=gpu:h100:8 --gpus=8", "with and without type", ALL),
    ("--ntasks-per-gpu=1 --gpus-per-task=1 --gpus=2", "--gpus-per-task is mutually exclusive", ALL),
    ("--ntasks-per-gpu=1 --ntasks-per-node=1 --gpus=2", "--ntasks-per-node is mutually exclusive", ALL),
    ("--exclusive --oversubscribe", "mutually exclusive", since((23, 2))),
    ("--ntasks-per-core=2 --threads-per-core=1", "can not be bigger", since((23, 2))),
    ("--core-spec=1 --thread-spec=1", "mutually exclusive", since((21, 8))),
    ("-m plane=4 -N2 -n4", "Too few processes", ALL),
    ("-m arbitrary", "you need to specify a nodelist or hostfile", ALL),
    ("--tres-per-task=cpu=4 -c4", "please use one or the other", since((24, 5))),
    ("--segment=3 -N4", "does not fit the job size", ((26, 5),)),
    ("-w gpu[01-03] -N2", "invalid number of nodes (-N 3-2)", ((20, 11), (21, 8), (22, 5))),
    ("-w gpu[01-03] -x gpu02", "Invalid node name specified", ALL),
    ("-t 10 --time-min=20", "Invalid time-min specification", ALL),
    ("--begin=2030-02-01 --deadline=2030-01-01", "Incompatible begin and deadline", ALL),
    ("--batch=a --constraint=b", "Job --batch option is invalid", ALL),
]


@pytest.mark.parametrize(("options", "said", "releases"), REFUSED)
def test_refused(options: str, said: str, releases: tuple[Release, ...]) -> None:
    found = [one for one in verdict_on(options).refusals if said in one.said]
    assert found, [one.said for one in verdict_on(options).refusals]
    holding = {release for one in found for release in one.releases}
    assert holding == set(releases)


@pytest.mark.parametrize(
    "options",
    [
        "--gpus=8 --gpus-per-task=1",
        "--gpus=8 --gpus-per-node=4",
        "-n8 -N2 --ntasks-per-node=8",
        "-N2 --ntasks-per-node=8 --gpus-per-node=8",
        "-N4 -n2",
        "-N1-4 -n2",
        "-N2 --gpus-per-node=8 --ntasks-per-node=8 --gpus-per-task=1",
        "-N2 --gres=gpu:h100:8 -c 8",
        "--ntasks-per-gpu=2 --gpus=8 -n16",
        "--requeue --no-requeue",
        "--hint=nomultithread --ntasks-per-core=1",
        "-m plane=2 -N2 -n4",
        "-w gpu[01-02] -N2",
        "-t 20 --time-min=10",
        "-t 0 --time-min=10",
        "--begin=now+1hour --deadline=2030-01-01",
        "--batch=a --constraint=a&b",
        "--gres=gpu:8,nvme:1 --cpus-per-gpu=8",
        "--mem=1G\nhetjob\n--mem=2G",
    ],
)
def test_taken_by_all_releases(options: str) -> None:
    assert verdict_on(options).refusals == ()


def test_one_mistake_hides_no_other() -> None:
    verdict = verdict_on("-t 1h --mem=1.5G\n--bogus\n--mem-per-cpu=1G --mem-per-gpu=1G --gpus=1")
    kinds = [one.kind for one in verdict.refusals]
    assert kinds == [
        ComplaintKind.BAD_VALUE,
        ComplaintKind.BAD_VALUE,
        ComplaintKind.UNKNOWN_OPTION,
        ComplaintKind.EXCLUSIVE_OPTIONS,
    ]


@pytest.mark.parametrize(
    "options",
    [
        "--gpus-per-task=1 -n x",
        "--gpus-per-task=1 --ntask 8",
        "--gpus=8 --gpus-per-node=x:y:z -N3",
        "-N2 -n8 --ntasks-per-node=0",
    ],
)
def test_no_complaint_follows_from_what_cannot_be_read(options: str) -> None:
    found = verdict_on(options).refusals
    assert {one.kind for one in found} <= {
        ComplaintKind.BAD_VALUE,
        ComplaintKind.AMBIGUOUS_OPTION,
        ComplaintKind.STRAY_WORD,
    }
    assert found


def test_tasks_that_fit_on_no_nodes_are_taken_and_never_run() -> None:
    verdict = verdict_on("-n8 -N2 --ntasks-per-node=2", "22.05")
    assert not verdict.refused
    assert verdict.never_runs
    assert [one.stage for one in verdict.refusals] == [Stage.NODES]


def test_values_that_count_late_may_be_wrong_where_they_are_overridden() -> None:
    assert verdict_on("--gres=gpu:1,gpu:h100:1\n--gres=gpu:1", "22.05").refusals == ()
    assert verdict_on("-w gpu[03-01]\n-w gpu01", "22.05").refusals == ()
    assert verdict_on("--hint=x -B1", "22.05").refusals == ()
    assert verdict_on("-t x\n-t 5", "22.05").refused


def test_warning_of_fewer_tasks_than_nodes() -> None:
    (found,) = verdict_on("-N4 -n2", "26.05").complaints
    assert found.effect is Effect.WARNED
    assert found.said == "can't run 2 processes on 4 nodes, setting nnodes to 2"
    assert found.options == ("nodes", "ntasks")


def test_tasks_are_counted_by_gpus() -> None:
    found = [
        one
        for one in verdict_on("--ntasks-per-gpu=2 --gpus=8 -n8").complaints
        if one.kind is ComplaintKind.TASKS_BY_GPUS
    ]
    assert [one.effect for one in found] == [Effect.DIFFERENT]
    assert "16 tasks" in found[0].detail


def test_components_inherit_and_are_blamed_once() -> None:
    verdict = verdict_on("--mem=1G -t 1h\nhetjob\n--mem-per-cpu=1G\nhetjob\n-N2", "26.05")
    assert [(one.kind, one.component) for one in verdict.refusals] == [
        (ComplaintKind.EXCLUSIVE_OPTIONS, 1),
        (ComplaintKind.BAD_VALUE, 0),
    ]


def test_a_variable_gives_way_to_the_script() -> None:
    source = Source.from_text("#!/bin/sh\n#SBATCH --mem-per-cpu=1G\n")
    assert judge(source, environment=[("SBATCH_MEM_PER_GPU", "1G")]).refusals == ()
    both = [("SBATCH_MEM_PER_GPU", "1G"), ("SBATCH_MEM_PER_NODE", "1G")]
    (found,) = judge(Source.from_text("#!/bin/sh\n#SBATCH --gpus=1\n"), environment=both).refusals
    assert found.kind is ComplaintKind.EXCLUSIVE_OPTIONS
    assert found.variable == "SBATCH_MEM_PER_NODE"


def test_gpus_that_tasks_imply_are_counted_too() -> None:
    (found,) = verdict_on("--ntasks-per-gpu=4 -n8 -N3", "22.05").refusals
    assert "--gpus < -N" in found.said


def test_sums_of_the_controller_are_the_same_complaint() -> None:
    (every,) = verdict_on("--gpus=1 -N2").refusals
    assert every.releases == ALL
    assert (every.stage, every.said.splitlines()[0]) == (
        Stage.CLIENT,
        "Failed to validate job spec, --gpus < -N",
    )
    (oldest,) = verdict_on("--gpus=1 -N2", "20.11").refusals
    assert oldest.stage is Stage.CONTROLLER
    assert oldest.said == "Batch job submission failed: Invalid generic resource (gres) specification"
