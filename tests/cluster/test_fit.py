"""What keeps a job from a cluster, and what never does.  A live Slurm is asked in tests/conformance."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.fit import fit
from sbatchlint.cluster.load import read_profile
from sbatchlint.cluster.misfit import Misfit, MisfitKind, Outcome
from sbatchlint.cluster.profile import Profile
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source

CLUSTER = """\
name = "test"
release = "24.05"
accounts = ["physics"]
[licenses]
matlab = 10
[settings]
enforce-part-limits = "ALL"
max-array-size = 1001
select-type-parameters = ["CR_Core_Memory"]
gres-types = ["gpu", "nvme"]
accounting = true
accounting-enforce = ["associations", "limits", "qos"]
[[partitions]]
name = "batch"
nodes = "gpu[01-08]"
default = true
max-time = "2-00:00:00"
max-nodes = 4
allow-accounts = ["physics", "art"]
[[partitions]]
name = "small"
nodes = "old[1-2]"
max-time = "UNLIMITED"
max-memory-per-node-mib = 100000
[[partitions]]
name = "closed"
nodes = "old[1-2]"
state = "DRAIN"
[[partitions]]
name = "down"
nodes = "old[1-2]"
state = "DOWN"
[[partitions]]
name = "reserved"
nodes = "old[1-2]"
requires-reservation = true
[[node-types]]
hosts = "gpu[01-08]"
cpus = 64
memory-mib = 500000
features = ["h100", "ib"]
gpus = { h100 = 8 }
gres = { nvme = 2 }
[[node-types]]
hosts = "old[1-2]"
cpus = 16
memory-mib = 200000
features = ["v100"]
gpus = { v100 = 4 }
gres = {}
[[qos]]
name = "normal"
max-gpus = 16
[[qos]]
name = "long"
flags = ["PartitionTimeLimit", "DenyOnLimit"]
max-time = "7-00:00:00"
"""


def cluster(text: str = CLUSTER) -> Profile:
    return read_profile(Source.from_text(text, "cluster.toml"))


def misfits(options: str, profile: Profile | None = None) -> tuple[Misfit, ...]:
    lines = "".join(f"#SBATCH {line}\n" for line in options.split("; "))
    source = Source.from_text(f"#!/bin/sh\n{lines}true\n", "job.sh")
    return fit(read_request(source, "24.05"), profile or cluster())


REFUSED = [
    ("-p bach", MisfitKind.UNKNOWN_PARTITION, "bach", ""),
    ("-t 3-0", MisfitKind.TIME_LIMIT, "3-00:00:00", "2-00:00:00"),
    ("-N 5", MisfitKind.TOO_MANY_NODES, "5", "4"),
    ("-N 1-5", MisfitKind.TOO_MANY_NODES, "1 to 5", "4"),
    ("-p closed", MisfitKind.PARTITION_CLOSED, "closed", "DRAIN"),
    ("-p reserved", MisfitKind.RESERVATION_NEEDED, "reserved", ""),
    ("-p small -N 3", MisfitKind.TOO_MANY_NODES, "3", "2"),
    ("-p small --mem=150000", MisfitKind.MEMORY_LIMIT, "150000M", "100000M"),
    ("--mem=600000", MisfitKind.MEMORY_PER_NODE, "600000M", "500000M"),
    ("--mem-per-cpu=10000 --ntasks-per-node=60", MisfitKind.MEMORY_PER_NODE, "600000M", "500000M"),
    ("--gpus-per-node=v100:1", MisfitKind.GPU_TYPE, "v100", "h100"),
    ("--gpus-per-node=9", MisfitKind.GPUS_PER_NODE, "9", "8"),
    ("--gres=gpu:h100:9", MisfitKind.GPUS_PER_NODE, "9 h100", "8"),
    ("--gpus=33", MisfitKind.TOTAL_GPUS, "33", "32"),
    ("-n 5 --gpus-per-task=8", MisfitKind.TOTAL_GPUS, "5 tasks with 8 GPUs each", "room for 4"),
    ("--ntasks-per-node=65", MisfitKind.CPUS_PER_NODE, "65", "64"),
    ("-n 2 -c 65", MisfitKind.CPUS_PER_NODE, "65", "64"),
    ("-n 257", MisfitKind.TOTAL_CPUS, "257", "256"),
    ("-C ibx", MisfitKind.UNKNOWN_FEATURE, "ibx", ""),
    ("-C !ib", MisfitKind.UNKNOWN_FEATURE, "!ib", ""),
    ("-C v100", MisfitKind.FEATURES, "v100", "h100,ib"),
    ("-C 'h100&v100'", MisfitKind.FEATURES, "h100&v100", "h100,ib"),
    ("-w gpu1", MisfitKind.UNKNOWN_NODE, "gpu1", ""),
    ("-w old1", MisfitKind.NODE_OUTSIDE_PARTITION, "old1", "gpu[01-08]"),
    ("-N 4 -x gpu[01-05]", MisfitKind.NOT_ENOUGH_NODES, "4 nodes", "3 nodes"),
    ("--gres=nvme:3", MisfitKind.GRES_PER_NODE, "nvme:3", "2"),
    ("--gres=disk:1", MisfitKind.UNKNOWN_GRES, "disk", ""),
    ("-L matlab:11", MisfitKind.TOO_MANY_LICENSES, "11 matlab", "10"),
    ("-L comsol", MisfitKind.UNKNOWN_LICENSE, "comsol", ""),
    ("-a 1-1001", MisfitKind.ARRAY_INDEX, "1001", "1000"),
    ("-A fysics", MisfitKind.UNKNOWN_ACCOUNT, "fysics", ""),
    ("-q nightly", MisfitKind.UNKNOWN_QOS, "nightly", ""),
    ("-q long -t 8-0", MisfitKind.QOS_LIMIT, "8-00:00:00", "7-00:00:00"),
]


@pytest.mark.parametrize(("options", "kind", "asked", "offered"), REFUSED)
def test_what_is_refused(options: str, kind: MisfitKind, asked: str, offered: str) -> None:
    found = {misfit.kind: misfit for misfit in misfits(options)}
    assert (found[kind].asked, found[kind].offered) == (asked, offered)
    assert found[kind].said


@pytest.mark.parametrize(
    "options",
    [
        "-J x",
        "-N 4 --gpus-per-node=h100:8 --mem=0 -t 2-0",
        "--gpus=32",
        "-N 4 --ntasks-per-node=64",
        "-w gpu[01-04]",
        "-C 'h100|v100'",
        "-C '[h100|v100]'",
        "-p small,batch --gpus-per-node=h100:8 --mem=90G",
        "-q long -t 6-0",
        "-a 0-1000",
        "-A PHYSICS",
        "-M elsewhere -p nope",
        "-p reserved --reservation=course --mem=1G",
        "-t nonsense --mem=1.5G",
        "--overcommit -n 1000",
        "-L matlab:10",
        "-N 1-9 --gpus=16 --gres=gpu:8",
        "--mem-per-cpu=400000 --mincpus=64",
        "--gpus-per-node=h100:9 --gres=gpu:h100:8",
    ],
)
def test_what_fits(options: str) -> None:
    assert misfits(options) == ()


SHAPED = CLUSTER.replace(
    "cpus = 64\n", "cpus = 64\nsockets = 2\ncores-per-socket = 32\nthreads-per-core = 1\n"
)


@pytest.mark.parametrize("hint", ["nomultithread", "multithread", "compute_bound", "memory_bound"])
@pytest.mark.parametrize("shape", ["--sockets-per-node=3", "--cores-per-socket=33"])
def test_a_hint_wipes_out_the_shape_unless_it_is_overruled(shape: str, hint: str) -> None:
    """As a live 22.05 showed."""
    kinds = {
        more: [misfit.kind for misfit in misfits(f"{shape} {more}", cluster(SHAPED))]
        for more in (
            "",
            f"--hint={hint}",
            f"--hint={hint} --threads-per-core=1",
            f"--hint={hint} --ntasks-per-core=1",
        )
    }
    assert [bool(found) for found in kinds.values()] == [True, False, True, True]
    assert misfits(f"-B 3 --hint={hint}", cluster(SHAPED))


def test_what_is_not_known_is_never_in_the_way() -> None:
    demanding = (
        "-p any -N 900 --gpus-per-node=x:99 --mem=99T -t UNLIMITED -C x -A x -q x -L x -w x9 -a 1-9999"
    )
    assert misfits(demanding, Profile()) == ()
    text = '[[partitions]]\nname = "any"\nnodes = "x[1-999]"\n[[node-types]]\nhosts = "x1"\n'
    assert misfits(demanding, cluster(text)) == ()


def test_a_guess_at_the_name_and_the_places() -> None:
    (misfit,) = misfits("--ntasks=1 -p bach")
    assert (misfit.near, misfit.outcome, misfit.options) == ("batch", Outcome.REFUSED, ("partition",))
    assert misfit.choices == ("batch", "closed", "down", "reserved", "small")
    assert misfit.span is not None and len(misfit.span) == len("-p bach")
    (misfit,) = misfits("-N 1; -n 2; -c 33")
    assert misfit.kind is MisfitKind.CPUS_PER_NODE and len(misfit.related) == 2


@pytest.mark.parametrize(
    ("enforce", "options", "outcome"),
    [
        ("ALL", "-p small,batch -t 3-0 --mem=1G", Outcome.REFUSED),
        ("ANY", "-p small,batch -t 3-0 --mem=1G", None),
        ("NO", "-p small,batch -t 3-0 --mem=1G", None),
        ("ANY", "-t 3-0", Outcome.REFUSED),
        ("NO", "-t 3-0", Outcome.WAITS),
        ("NO", "-t 3-0 --time-min=1-0", None),
        ("NO", "--gpus-per-node=9", Outcome.REFUSED),
        ("NO", "-w old1", Outcome.REFUSED),
        (None, "-t 3-0", Outcome.UNSURE),
        (None, "--gpus-per-node=9", Outcome.REFUSED),
        ("ALL", "-p down --mem=1G", Outcome.WAITS),
        ("ALL", "-p down,batch --mem=1G", None),
    ],
)
def test_what_becomes_of_it(enforce: str | None, options: str, outcome: Outcome | None) -> None:
    line = f'enforce-part-limits = "{enforce}"\n' if enforce else ""
    found = misfits(options, cluster(CLUSTER.replace('enforce-part-limits = "ALL"\n', line)))
    assert {misfit.outcome for misfit in found} == ({outcome} if outcome else set())
    assert all(bool(misfit.reason) == (misfit.outcome is not Outcome.REFUSED) for misfit in found)


def test_how_sure_it_is() -> None:
    assert [misfit.certainty for misfit in misfits("-t 3-0")] == [Certainty.KNOWN]
    unknown_qos = cluster(CLUSTER.partition("[[qos]]")[0])
    assert [misfit.certainty for misfit in misfits("-t 3-0 -q any", unknown_qos)] == [Certainty.ASSUMED]
    plugin = cluster(CLUSTER.replace("[settings]", '[settings]\njob-submit-plugins = ["lua"]'))
    assert [misfit.certainty for misfit in misfits("-t 3-0", plugin)] == [Certainty.ASSUMED]
    assert [misfit.certainty for misfit in misfits("-p batch -t 3-0", plugin)] == [Certainty.KNOWN]


def test_a_limit_of_a_qos_makes_the_job_wait() -> None:
    (misfit,) = misfits("-q normal -N 3 --gpus-per-node=8")
    assert (misfit.outcome, misfit.reason) == (Outcome.WAITS, "QOSMaxGRESPerJob")


def test_a_job_without_memory_gets_the_whole_node_where_there_is_no_default() -> None:
    text = CLUSTER.replace("[settings]", '[settings]\ndefault-memory-per-node-mib = "UNLIMITED"')
    (misfit,) = misfits("-p small", cluster(text))
    assert (misfit.kind, misfit.asked, misfit.options) == (MisfitKind.MEMORY_LIMIT, "200000M", ("partition",))
    assert misfits("-p small --mem=1G", cluster(text)) == ()


def test_components_of_a_heterogeneous_job() -> None:
    (misfit,) = misfits("-p batch; hetjob; -p small --gpus-per-node=h100:1 --mem=1G")
    assert (misfit.component, misfit.kind) == (1, MisfitKind.GPU_TYPE)


def test_nodes_without_names() -> None:
    text = (
        '[[partitions]]\nname = "a"\ndefault = true\nnode-types = ["n"]\n'
        '[[node-types]]\nname = "n"\ncount = 3\ngpus = 4\n'
    )
    assert [misfit.kind for misfit in misfits("-N 4", cluster(text))] == [MisfitKind.TOO_MANY_NODES]
    assert [misfit.kind for misfit in misfits("--gpus-per-node=5", cluster(text))] == [
        MisfitKind.GPUS_PER_NODE
    ]
    assert misfits("-N 3 --gpus-per-node=4", cluster(text)) == ()


def test_types_that_may_be_any() -> None:
    text = CLUSTER.replace("{ h100 = 8 }", '{ "*" = 8 }')
    assert misfits("--gpus-per-node=b200:8", cluster(text)) == ()
    assert [misfit.kind for misfit in misfits("--gpus-per-node=b200:9", cluster(text))] == [
        MisfitKind.GPUS_PER_NODE
    ]
