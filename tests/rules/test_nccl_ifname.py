"""SB612: interfaces that lead nowhere, and marks in the wrong place."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB612"
TWO = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}
RUN = "MASTER_ADDR=h srun python train.py"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        (f"export NCCL_SOCKET_IFNAME=lo\n{RUN}", "error"),
        (f"export NCCL_SOCKET_IFNAME==lo\n{RUN}", "error"),
        (f"NCCL_SOCKET_IFNAME=docker0 {RUN}", "error"),
        ("export NCCL_SOCKET_IFNAME=lo\nsrun torchrun --nnodes=2 --rdzv_endpoint=h:1 train.py", "error"),
        ("export NCCL_SOCKET_IFNAME=lo\nsrun bash -c 'RANK=$SLURM_PROCID python train.py'", "error"),
        ("export NCCL_SOCKET_IFNAME=lo\nsrun python pretrain_gpt.py", "error"),
        (f"IF=docker0,lo; export NCCL_SOCKET_IFNAME=$IF\n{RUN}", "error"),
        (f"export NCCL_SOCKET_IFNAME=${{IF:-lo}}\n{RUN}", "warning"),
        (f"export NCCL_SOCKET_IFNAME=^lo,^docker0\n{RUN}", "warning"),
        (f"export NCCL_SOCKET_IFNAME='eth0, eth1'\n{RUN}", "warning"),
        (f"export NCCL_SOCKET_IFNAME==eth0,=eth1\n{RUN}", "warning"),
        (f"export GLOO_SOCKET_IFNAME=^lo,docker\n{RUN}", "warning"),
        (f"export GLOO_SOCKET_IFNAME==eth0\n{RUN}", "warning"),
        (f"export GLOO_SOCKET_IFNAME=eth\n{RUN}", "warning"),
    ],
)
def test_what_leads_nowhere_or_is_not_read(body: str, severity: str) -> None:
    assert [found.severity.value for found in findings(job(body, **TWO), CODE)] == [severity]


@pytest.mark.parametrize(
    "setting",
    [
        "NCCL_SOCKET_IFNAME=eth0",
        "NCCL_SOCKET_IFNAME=eth",
        "NCCL_SOCKET_IFNAME==eth0,eth1",
        "NCCL_SOCKET_IFNAME=^lo,docker,veth",
        "NCCL_SOCKET_IFNAME=^=docker0",
        "NCCL_SOCKET_IFNAME=eth0,lo",
        "NCCL_SOCKET_IFNAME=$IF",
        "NCCL_SOCKET_IFNAME=",
        "GLOO_SOCKET_IFNAME=eth0,ib0",
        "GLOO_SOCKET_IFNAME=hsn0",
    ],
)
def test_what_works_is_left_in_peace(setting: str) -> None:
    assert lines(job(f"export {setting}", RUN, **TWO), CODE) == []


def test_on_one_node_the_loopback_does_its_work() -> None:
    assert lines(job("export NCCL_SOCKET_IFNAME=lo", RUN, nodes=1, ntasks_per_node=8), CODE) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("^lo,^docker0", "^lo,docker0"),
        ("'eth0, eth1'", "'eth0,eth1'"),
        ("=eth0,=eth1", "=eth0,eth1"),
        ("=^docker0", "^=docker0"),
    ],
)
def test_a_mark_in_the_wrong_place_is_mended(before: str, after: str) -> None:
    text = job(f"export NCCL_SOCKET_IFNAME={before}", RUN, **TWO)
    assert fixed(text, code=CODE).converged.source.text == text.replace(f"IFNAME={before}", f"IFNAME={after}")


def test_a_mark_that_is_missing_is_put_in_on_request() -> None:
    text = job("export NCCL_SOCKET_IFNAME=docker0,lo", RUN, **TWO)
    assert fixed(text, code=CODE).converged.source.text == text
    assert "IFNAME=^docker0,lo" in fixed(text, code=CODE, unsafe=True).converged.source.text


@pytest.mark.parametrize(
    "line",
    [
        "srun bash ./src/demo_train.sh",
        "srun python train.py",
        "srun torchrun --nproc_per_node=8 train.py",
        "srun --ntasks-per-node=1 ./run_on_node.sh",
    ],
)
def test_what_may_work_on_each_node_by_itself_is_told_with_less_confidence(line: str) -> None:
    (found,) = findings(job("export NCCL_SOCKET_IFNAME=lo", line, **TWO), CODE)
    assert (found.severity.value, found.confidence.value) == ("warning", "medium")
