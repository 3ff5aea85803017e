"""The order of ranks, and where the groups lie."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.report.grid_model import sizes_line
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.rank_grid import RankGrid, rank_grid
from tests.training.building import run

SIZES = st.sampled_from([1, 2, 3, 4])
Q = Quantity
MOE = "--num-experts 16 --sequence-parallel --expert-model-parallel-size 8 --expert-tensor-parallel-size 1"


def grid(arguments: str, **options: object) -> RankGrid | str:
    line = f"srun python pretrain_gpt.py {arguments}"
    return rank_grid(run(line, **{"nodes": 2, "ntasks_per_node": 8, **options}).layout)


def drawn(arguments: str, **options: object) -> RankGrid:
    found = grid(arguments, **options)
    assert isinstance(found, RankGrid), found
    return found


@given(SIZES, SIZES, SIZES, SIZES, st.booleans())
def test_every_rank_has_a_place_of_its_own_and_is_in_one_group_of_each_axis(
    tp: int, cp: int, dp: int, pp: int, pipeline_first: bool
) -> None:
    sizes = {Q.TP: tp, Q.CP: cp, Q.DP: dp, Q.PP: pp}
    made = RankGrid(sizes, per_node=4, pipeline_first=pipeline_first)
    assert len({tuple(made.place(rank).items()) for rank in range(made.ranks)}) == made.ranks
    for axis, size in sizes.items():
        groups = made.groups(axis)
        assert sorted(rank for group in groups for rank in group) == list(range(made.ranks))
        assert all([made.place(rank)[axis] for rank in group] == list(range(size)) for group in groups)


@given(SIZES, SIZES, SIZES, SIZES, st.sampled_from([1, 2, 4, 8]), st.sampled_from([0, 1, 2]))
def test_the_nodes_share_out_all_ranks(tp: int, cp: int, dp: int, pp: int, per_node: int, dealt: int) -> None:
    made = RankGrid({Q.TP: tp, Q.CP: cp, Q.DP: dp, Q.PP: pp}, per_node, dealt=dealt)
    nodes = [made.on_node(node) for node in range(made.nodes)]
    assert sorted(rank for ranks in nodes for rank in ranks) == list(range(made.ranks))
    assert all(made.node(rank) == node for node, ranks in enumerate(nodes) for rank in ranks)


def test_the_order_of_megatron() -> None:
    made = drawn("--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4")
    assert made.groups(Q.TP)[:2] == [(0, 1), (2, 3)]
    assert made.groups(Q.DP)[0] == (0, 2)
    assert made.groups(Q.PP)[0] == (0, 4, 8, 12)


def test_pipelines_may_be_numbered_first() -> None:
    sizes = "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4"
    made = drawn(f"{sizes} --use-tp-pp-dp-mapping")
    assert made.groups(Q.PP)[0] == (0, 2, 4, 6)
    assert made.groups(Q.DP)[0] == (0, 8)


def test_experts_have_a_grid_of_their_own() -> None:
    made = drawn(f"--tensor-model-parallel-size 4 {MOE}")
    assert (made.sizes[Q.DP], made.sizes[Q.EDP]) == (4, 2)
    assert made.groups(Q.EP)[0] == tuple(range(8))
    assert made.place(5)[Q.TP] == 1
    assert made.place(5)[Q.EP] == 5


@pytest.mark.parametrize(
    "experts",
    [
        "--expert-model-parallel-size 4 --expert-tensor-parallel-size $ETP",
        "--expert-model-parallel-size $EP --expert-tensor-parallel-size 2",
        "--expert-model-parallel-size $EP --expert-tensor-parallel-size $ETP",
        "--expert-model-parallel-size $EP --expert-tensor-parallel-size 4",
        "--expert-model-parallel-size ${EP:-4} $EXTRA_ARGS --context-parallel-size 1",
    ],
)
def test_experts_of_which_not_everything_is_told_are_left_out(experts: str) -> None:
    sizes = "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --context-parallel-size 1"
    made = drawn(f"{experts} {sizes}")
    assert made.sizes == {Q.TP: 4, Q.CP: 1, Q.DP: 2, Q.PP: 2}
    assert set(made.axes) <= made.place(0).keys()
    assert sizes_line(made) == "TP 4 x CP 1 x DP 2 x PP 2 = 16 ranks"


def test_groups_that_leave_their_node_are_counted() -> None:
    assert drawn("--tensor-model-parallel-size 8").split(Q.TP) == 0
    assert drawn("--tensor-model-parallel-size 16").split(Q.TP) == 1
    layout = run(
        "srun python pretrain_gpt.py --tensor-model-parallel-size 2", nodes=2, ntasks_per_node=8
    ).layout
    dealt = rank_grid(layout, dealt=1)
    assert isinstance(dealt, RankGrid)
    assert dealt.split(Q.TP) == 8


def test_it_says_why_there_is_none() -> None:
    assert (
        grid("--tensor-model-parallel-size 3") == "world size 16 is not divisible by TP 3 x PP 1 x CP 1 = 3"
    )
    assert grid("--tensor-model-parallel-size $TP") == (
        "TP is not told by the script: a recipe or a configuration decides"
    )
    assert grid("$ARGS") == ("TP, CP and PP are not told by the script: a recipe or a configuration decides")
