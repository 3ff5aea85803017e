"""Sizes of jobs.  The numbers marked "run" are those that real jobs of Slurm 22.05.8 had."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.option_use import Count
from sbatchlint.slurm.request import JobRequest, read_request
from sbatchlint.source import Source


def read(options: str) -> JobRequest:
    return read_request(Source.from_text(f"#!/bin/bash\n#SBATCH {options}\n"))


def shown(count: Count | None) -> str:
    """Show a count as ``2``, an assumed one as ``2?``, none as ``-``."""
    if count is None:
        return "-"
    return f"{count.value}{'?' if count.certainty else ''}"


@pytest.mark.parametrize(
    ("options", "nodes", "ntasks"),
    [
        # run
        ("", "1?", "1?"),
        ("-N2", "2", "2?"),
        ("-n4", "-", "4"),
        ("-n1", "1", "1"),
        ("-n16 --ntasks-per-node=8", "2?", "16"),
        ("-n10 --ntasks-per-node=8", "2?", "10"),
        ("-N2 -n8", "2", "8"),
        ("-N2 --ntasks-per-node=4", "2", "8"),
        ("-N2 -n8 --ntasks-per-node=8", "2", "8"),
        ("--ntasks-per-node=4", "1?", "4?"),
        ("-N4 -n2", "2", "2"),
        ("-N1-4 -n2", "-", "2"),
        ("-N1-2", "-", "-"),
        ("-w gpu[01-02]", "2?", "2?"),
        ("-w gpu[01-02] -n8", "2?", "8"),
        ("--gpus=8", "-", "-"),
        ("--gpus=8 --gpus-per-node=4", "2", "2?"),
        ("--gpus=8 --gpus-per-task=1", "-", "8"),
        ("-n8 --gpus-per-task=1", "-", "8"),
        ("-N2 --ntasks-per-node=4 --gpus-per-task=1", "2", "8"),
        ("--ntasks-per-gpu=2 --gpus=4", "-", "8"),
        ("-N2 --ntasks-per-gpu=1 --gpus-per-node=8", "2", "16"),
        ("-N2 --hint=nomultithread", "2", "2?"),
        ("-N2 --threads-per-core=1", "2", "2?"),
        # releases differ, or the cluster decides
        ("-N2 --threads-per-core=2", "2", "-"),
        ("-N2 -B 2:4:1", "2", "-"),
        ("-N1 -w gpu[01-02]", "-", "-"),
        ("-N2 -w gpu[01-02]", "2", "2?"),
        ("-N2 -F hosts", "-", "-"),
        ("-N2 --gpus-per-node=8 --gpus-per-task=2", "2", "-"),
        ("-N2 -n16 --gpus=8 --ntasks-per-gpu=2", "2", "-"),
        # not to be parsed
        ("-N x", "-", "-"),
        ("-N2 -n x", "2", "-"),
        ("-N2 --ntasks-per-node=0", "2", "-"),
    ],
)
def test_nodes_and_tasks(options: str, nodes: str, ntasks: str) -> None:
    request = read(options)
    assert (shown(request.nodes), shown(request.ntasks)) == (nodes, ntasks)


def test_bounds_of_nodes() -> None:
    request = read("-N2-4")
    assert (shown(request.nodes_min), shown(request.nodes_max), request.nodes) == ("2", "4", None)
    cut = read("-N2-8 -n4")
    assert (shown(cut.nodes_min), shown(cut.nodes_max)) == ("2", "4")


@pytest.mark.parametrize(
    ("options", "total", "per_node", "per_task"),
    [
        ("-N2 --gpus-per-node=8", "16", "8", "-"),
        ("-N2 --gpus-per-node=h100:8", "16", "8", "-"),
        ("-N2 --gres=gpu:8", "16", "8", "-"),
        ("-N2 --gres=gpu:h100:4,nvme:1", "8", "4", "-"),
        ("-N2 --gres=gpu", "2", "1", "-"),
        ("--gpus=8", "8", "-", "-"),
        ("-N1 --gpus=8", "8", "8", "-"),
        ("-N2 --gpus=16", "16", "8?", "-"),
        ("-N2 --gpus=8", "8", "-", "-"),  # run: Slurm gave 7 and 1
        ("-N2 --gpus=2", "2", "1", "-"),
        ("-N2 --ntasks-per-node=4 --gpus-per-task=2", "16", "8", "2"),
        ("-N2 -n8 --gpus-per-task=1", "8", "-", "1"),
        ("-N1 -n8 --gpus-per-task=1", "8", "8", "1"),
        ("-N2 -n2 --tres-per-task=cpu=4,gres/gpu=1", "2", "1", "1"),
        ("-N2 --gpus-per-socket=2 --sockets-per-node=2", "8", "4", "-"),
        ("-N2", "-", "-", "-"),
    ],
)
def test_gpus(options: str, total: str, per_node: str, per_task: str) -> None:
    request = read(options)
    counts = (request.gpus, request.gpus_per_node, request.gpus_per_task)
    assert tuple(map(shown, counts)) == (total, per_node, per_task)


@pytest.mark.parametrize(
    ("options", "asks"),
    [
        ("-N2", False),
        ("--gres=gpu:8", True),
        ("--gres=gpu", True),
        ("--gres=nvme:1", False),
        ("--gres=none", False),
        ("--gres=gpu:0", False),
        ("--gres=shard:2", True),
        ("--gres=gpu_a100:2", True),
        ("-G1", True),
        ("--gpus=0", False),
        ("--gpus-per-node=h100:8", True),
        ("--gpus-per-node=bad:x", True),
        ("--gpus-per-task=1", True),
        ("--gpus-per-socket=1", True),
        ("--ntasks-per-gpu=1", True),
        ("--tres-per-task=gres/gpu=1", True),
        ("--tres-per-task=cpu=4", False),
        ("--cpus-per-gpu=8", False),
    ],
)
def test_asking_for_gpus(options: str, asks: bool) -> None:
    assert read(options).asks_for_gpus is asks


@pytest.mark.parametrize(
    ("options", "exclusive"),
    [
        ("-N2", False),
        ("--exclusive", True),
        ("--exclusive=exclusive", True),
        ("--exclusive=user", False),
        ("--exclusive --oversubscribe", False),
    ],
)
def test_exclusive(options: str, exclusive: bool) -> None:
    assert read(options).exclusive is exclusive


def test_array() -> None:
    assert read("-a 0-3").has_array
    assert not read("-N2").has_array


def test_spans_name_every_option_that_a_number_rests_on() -> None:
    request = read("-N2 --ntasks-per-node=4")
    assert request.ntasks is not None
    assert {request.source.slice(span) for span in request.ntasks.spans} == {"-N2", "--ntasks-per-node=4"}
    assert read("-N2").get("ntasks") is None


def test_option_readings() -> None:
    request = read("--ntasks-per-node=8 -c16")
    assert (shown(request.ntasks_per_node), shown(request.cpus_per_task)) == ("8", "16")
    assert read("-N2").cpus_per_task is None
