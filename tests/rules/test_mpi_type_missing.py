"""SB333: MPI programs in containers."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB333"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun --container-image=i.sqsh trtllm-llmapi-launch python s.py"], 5, "info"),
        (["srun --container-image=i.sqsh bash -c 'all_reduce_perf -b 8'"], 5, "info"),
        (["A=(--container-image=i.sqsh)", 'srun "${A[@]}" all_reduce_perf -b 8'], 6, "info"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun --mpi=pmix --container-image=i.sqsh all_reduce_perf"],
        ["export SLURM_MPI_TYPE=pmix", "srun --container-image=i.sqsh all_reduce_perf"],
        ["srun --container-image=i.sqsh python t.py"],
        ["srun all_reduce_perf"],
        ["srun -n1 -N1 --container-image=i.sqsh all_reduce_perf"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
