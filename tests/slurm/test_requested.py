"""Typed values of a job's options."""

from __future__ import annotations

from sbatchlint.slurm.grammar.hosts import HostList
from sbatchlint.slurm.request import JobRequest, read_request
from sbatchlint.source import Source


def read(options: str, release: str | None = None) -> JobRequest:
    lines = "".join(f"#SBATCH {line}\n" for line in options.splitlines())
    return read_request(Source.from_text(f"#!/bin/sh\n{lines}"), release)


def test_nothing_given() -> None:
    request = read("")
    names = (
        "node_count time_limit time_min memory_per_node memory_per_cpu memory_per_gpu gpus_of_job "
        "gres_of_node gres_of_task partitions account qos reservation constraint licenses nodelist excluded "
        "begin deadline "
        "dependency array job_name comment chdir output error input signal mail_types mail_user nice requeue"
    )
    assert {name: getattr(request, name) for name in names.split()} == dict.fromkeys(names.split())


def test_values() -> None:
    request = read(
        "-t 1-0 --time-min=90 --mem=2G -p a,b -A acc -q high -J name -o %x.out -D /w --array=0-9%2\n"
        "--signal=B:USR1@60 --mail-type=END --mail-user=me --nice -w n[1-2] --comment=c --requeue -N2-4"
    )
    assert request.time_limit is not None
    assert request.time_limit.minutes == 1440
    assert request.time_min is not None
    assert request.time_min.minutes == 90
    assert request.memory_per_node is not None
    assert request.memory_per_node.mebibytes == 2048
    assert request.partitions == ("a", "b")
    assert (request.account, request.qos, request.job_name, request.chdir) == ("acc", "high", "name", "/w")
    assert request.output is not None
    assert request.output.specifiers == ("x",)
    assert request.array is not None
    assert (request.array.count(), request.array.throttle) == (10, 2)
    assert request.signal is not None
    assert request.signal.batch_shell
    assert request.mail_types is not None
    assert request.mail_types.events == {"END"}
    assert (request.nice, request.requeue, request.comment) == (100, True, "c")
    assert isinstance(request.nodelist, HostList)
    assert request.nodelist.names() == ("n1", "n2")
    assert request.node_count is not None
    assert (request.node_count.low, request.node_count.high) == (2, 4)


def test_gpus_by_where_they_are_asked_for() -> None:
    request = read("--gpus=8 --gpus-per-node=h100:4 --gres=nvme:1 --gpus-per-task=1")
    assert request.gpus_of_job is not None
    assert request.gpus_of_job.count() == 8
    assert request.gres_of_node is not None
    assert (request.gres_of_node.types(), request.gres_of_node.count("nvme")) == (("h100",), 1)
    assert request.gres_of_task is not None
    assert request.gres_of_task.count() == 1
    by_tres = read("--tres-per-task=cpu=2,gres/gpu=2").gres_of_task
    assert by_tres is not None
    assert by_tres.count() == 2


def test_refused_value_is_none() -> None:
    assert read("-t 1h").time_limit is None
    assert read("-N 2,4", "22.05").node_count is None
    assert read("-N 2,4", "26.05").node_count is not None


def test_variable_for_memory_gives_way_to_the_script() -> None:
    source = Source.from_text("#!/bin/sh\n#SBATCH --mem-per-cpu=1G\n")
    request = read_request(source, environment=[("SBATCH_MEM_PER_NODE", "2G")])
    assert request.memory_per_node is None
    assert request.memory_per_cpu is not None


def test_each_component_has_its_own() -> None:
    first, second = read("-t 5 -N1 -p a\nhetjob\n-N2").components
    assert [one.node_count and one.node_count.low for one in (first, second)] == [1, 2]
    assert (first.partitions, second.partitions) == (("a",), None)
    assert second.time_limit is not None


def test_command_line_is_for_all_components_unless_it_is_split() -> None:
    source = Source.from_text("#!/bin/sh\n#SBATCH -N1\n#SBATCH hetjob\n#SBATCH -N2\n")
    every = read_request(source, None, ["-c", "4"]).components
    assert [one.cpus_per_task and one.cpus_per_task.value for one in every] == [4, 4]
    split = read_request(source, None, ["-c", "4", ":", "-c", "2", ":", "-N3"]).components
    assert [one.cpus_per_task and one.cpus_per_task.value for one in split] == [4, 2, None]
    assert [one.nodes and one.nodes.value for one in split] == [1, 2, 3]
