"""What is reported of a layout holds whatever is not known of it; what is known to be wrong is reported."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.certainty import Certainty
from sbatchlint.training.constraints import CONSTRAINTS, WASTEFUL, batches, broken_by, grids, model
from sbatchlint.training.constraints.base import Constraint
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.violations import legal_nodes, legal_values, mends, violation, violations
from sbatchlint.training.worlds.world import World
from tests.training.building import run

KNOWN = Certainty.KNOWN
BRIDGE = Framework(FrameworkName.MEGATRON_BRIDGE, by_script=True)
ALL = (*CONSTRAINTS, *WASTEFUL)
USED = sorted(
    {quantity for one in ALL for quantity in one.asked},
    key=lambda one: one.value,
)
SMALL = st.sampled_from([1, 2, 3, 4, 6, 8])
LONG = {
    "TP": "tensor-model-parallel-size",
    "PP": "pipeline-model-parallel-size",
    "CP": "context-parallel-size",
    "EP": "expert-model-parallel-size",
    "VPP": "num-virtual-stages-per-pipeline-rank",
    "LAYERS": "num-layers",
    "HEADS": "num-attention-heads",
    "GBS": "global-batch-size",
    "MBS": "micro-batch-size",
}
SHORT = re.compile(rf"^({'|'.join(LONG)})=")
ABSENT, UNTOLD = "absent", "not told"


def names(line: str, *before: str, **options: object) -> list[str]:
    """The constraints that a Megatron-LM command breaks on 2 nodes with 8 ranks each."""
    started = run(*before, f"srun {line}", **{"nodes": 2, "ntasks_per_node": 8, **options})
    return [found.constraint.name for found in violations(started.layout)]


def layout(told: dict[Quantity, int | str]) -> Parallelism:
    readings = {}
    for quantity, value in told.items():
        if value == ABSENT:
            readings[quantity] = Reading(quantity, certainty=KNOWN, absent=True)
        elif isinstance(value, int):
            readings[quantity] = Reading(quantity, (value,), KNOWN, given=True)
    ranks = told.get(Quantity.WORLD_SIZE)
    world = World(ranks, KNOWN, "") if isinstance(ranks, int) else None
    return Parallelism(world, Quantities(readings), BRIDGE)


@given(st.sampled_from(ALL), st.data())
def test_what_is_reported_holds_for_every_value_of_what_is_not_told(
    constraint: Constraint, data: st.DataObject
) -> None:
    values_of = SMALL | st.sampled_from([ABSENT, UNTOLD])
    told = {one: data.draw(values_of, label=one.value) for one in constraint.asked}
    found = violation(layout(told), constraint)
    if found is None:
        return
    untold = [quantity for quantity, value in told.items() if value == UNTOLD]
    for values in product([1, 2, 3, 5, 8], repeat=len(untold)):
        numbers = {quantity: value for quantity, value in told.items() if isinstance(value, int)}
        numbers |= dict(zip(untold, values, strict=True))
        assert constraint.check(numbers) is not None


@given(st.sampled_from(ALL), st.data())
def test_a_layout_that_is_known_is_judged_as_its_numbers_are(
    constraint: Constraint, data: st.DataObject
) -> None:
    needed = {one: data.draw(SMALL, label=one.value) for one in (*constraint.needs, *constraint.factors)}
    absent: dict[Quantity, int | str] = {one: ABSENT for one in USED if one not in needed}
    found = violation(layout({**absent, **needed}), constraint)
    assert (found.text if found is not None else None) == constraint.check(needed)


@pytest.mark.parametrize(
    ("arguments", "broken"),
    [
        ("LAYERS=62 PP=4", ["layers-pp"]),
        ("LAYERS=62 PP=2", []),
        ("LAYERS=62 PP=4 --decoder-first-pipeline-num-layers 14", []),
        ("LAYERS=62 PP=4 --decoder-last-pipeline-num-layers 15", ["layers-uneven-pp"]),
        ("LAYERS=62 PP=4 --pipeline-model-parallel-layout Et*15|t*16L", []),
        ("LAYERS=70 PP=8 --deepspeed", []),
        ("LAYERS=62 PP=8 $EXTRA_ARGS", []),
        ("LAYERS=62 PP=8 --account-for-embedding-in-pipeline-split "
         "--account-for-loss-in-pipeline-split", []),
        ("LAYERS=63 PP=8 --account-for-embedding-in-pipeline-split "
         "--account-for-loss-in-pipeline-split", ["layers-pp"]),
        ("LAYERS=32 PP=4 --num-layers-per-virtual-pipeline-stage 3",
         ["layers-virtual-stage"]),
        ("LAYERS=32 PP=4 VPP=3", ["layers-vpp"]),
        ("VPP=2", ["vpp-needs-pp"]),
        ("HEADS=12 TP=8", ["heads-tp"]),
        ("HEADS=16 --group-query-attention --num-query-groups 6 TP=4",
         ["groups-tp"]),
        ("HEADS=16 --num-query-groups 6 TP=4", []),
        ("HEADS=16 --group-query-attention --num-query-groups 2 TP=4", []),
        ("--linear-num-key-heads 4 TP=8", ["linear-keys-tp"]),
        ("--linear-num-key-heads 16 --linear-num-value-heads 36 TP=8", ["linear-values-tp"]),
        ("--linear-num-key-heads 8 --linear-num-value-heads 32 TP=8 CP=2",
         ["linear-keys-tp"]),
        ("--linear-num-key-heads 16 --linear-num-value-heads 32 TP=8 CP=2", []),
        ("--linear-num-key-heads 4 TP=2 $EXTRA_ARGS", []),
        ("--hidden-size 1000 HEADS=16", ["head-size"]),
        ("--hidden-size 1000 HEADS=16 --kv-channels 64", []),
        ("--num-experts 60 EP=8", ["experts-ep"]),
        ("EP=8", ["experts-missing"]),
        ("EP=8 $MOE_ARGS", []),
        ("--sequence-parallel", ["sp-needs-tp"]),
        ("--num-experts 8 TP=2", ["moe-needs-sp"]),
        ("--num-experts 8 TP=2 --sequence-parallel", []),
        ("MBS=4 GBS=96", ["gbs"]),
        ("MBS=4 GBS=128", []),
        ("GBS=40", ["gbs"]),
        ("MBS=4 GBS=96 --decrease-batch-size-if-needed", []),
        ("MBS=4 GBS=96 --rampup-batch-size 16 16 10000", []),
        ("MBS=1 GBS=64 --eval-micro-batch-size 8", ["eval-gbs"]),
        ("MBS=1 GBS=16 PP=8", []),
        ("MBS=1 GBS=16 PP=4", []),
        ("MBS=4 GBS=16 PP=8", ["microbatches-pp"]),
        ("LAYERS=32 MBS=4 GBS=16 PP=8 "
         "VPP=2", ["microbatches-vpp"]),
        ("--seq-length 4096 CP=8", []),
        ("--seq-length 4100 CP=8", ["seq-cp"]),
        ("--num-distributed-optimizer-instances 3",
         ["optimizer-instances", "optimizer-instances-experts"]),
        ("--num-distributed-optimizer-instances 4 --num-experts 8 EP=8", ["optimizer-instances-experts"]),
        ("LAYERS=20 PP=4 --decoder-first-pipeline-num-layers 2 VPP=3", ["layers-uneven-vpp"]),
        ("LAYERS=30 PP=4 --decoder-first-pipeline-num-layers 6 VPP=3", ["layers-uneven-vpp"]),
        ("LAYERS=33 PP=4 --decoder-first-pipeline-num-layers 6 VPP=3", []),
        ("LAYERS=32 PP=4 --decoder-first-pipeline-num-layers 6 VPP=3", ["layers-uneven-pp"]),
        ("LAYERS=32 PP=4 --decoder-first-pipeline-num-layers 8 --account-for-loss-in-pipeline-split",
         ["layers-uneven-counted"]),
        ("LAYERS=4 PP=4 --decoder-first-pipeline-num-layers 10", ["layers-uneven-pp"]),
        ("MBS=2 GBS=16 --decrease-batch-size-if-needed", ["gbs-least"]),
    ],
)  # fmt: skip
def test_of_a_command_line(arguments: str, broken: list[str]) -> None:
    words = (SHORT.sub(lambda name: f"--{LONG[name[1]]}=", word) for word in arguments.split())
    assert names(f"python pretrain_gpt.py {' '.join(words)}") == broken


def test_a_recipe_may_have_a_layout_of_its_own() -> None:
    words = "model.num_layers=62 model.pipeline_model_parallel_size=4"
    assert names(f"python scripts/training/run_recipe.py --recipe a_config {words}") == []


def test_legal_values_are_the_next_ones_that_break_nothing_else() -> None:
    line = "srun python pretrain_gpt.py --num-layers 62 --pipeline-model-parallel-size 4"
    started = run(line, nodes=2, ntasks_per_node=8)
    (found,) = violations(started.layout)
    assert legal_values(started.layout, found, Quantity.PP) == [2], "31 does not divide 16 ranks"
    assert not list(broken_by({Quantity.LAYERS: 62, Quantity.PP: 2, Quantity.WORLD_SIZE: 16}))


GRID = {Quantity.TP: SMALL, Quantity.PP: SMALL, Quantity.CP: SMALL, Quantity.EP: SMALL}


@given(st.fixed_dictionaries(GRID), st.integers(1, 8), st.integers(1, 24), st.sampled_from([8, 48, 100]))
def test_legal_nodes_are_the_next_ones_that_break_nothing_else(
    sizes: dict[Quantity, int], per_node: int, nodes: int, gbs: int
) -> None:
    told: dict[Quantity, int | str] = {**sizes, Quantity.ETP: 1, Quantity.GBS: gbs, Quantity.MBS: 1}
    numbers = {quantity: int(value) for quantity, value in told.items()}
    started = layout({**told, Quantity.WORLD_SIZE: nodes * per_node, Quantity.EXPERTS: 24, Quantity.SP: 1})
    found = next(violations(started, (grids.DENSE_GRID, grids.EXPERT_GRID)), None)
    if found is None:
        return
    of_ranks = (grids.DENSE_GRID, grids.EXPERT_GRID, batches.GLOBAL_BATCH)

    def breaks(count: int, constraints: tuple[Constraint, ...]) -> bool:
        return any(one.check({**numbers, Quantity.WORLD_SIZE: count * per_node}) for one in constraints)

    first = next(count for count in range(1, 2000) if not breaks(count, of_ranks[:2]))
    near = range(1, 4 * max(nodes, first) + 1)
    best = [count for count in near if not breaks(count, of_ranks)]
    fitting = best or [count for count in near if not breaks(count, of_ranks[:2])]
    below, above = [one for one in fitting if one < nodes], [one for one in fitting if one > nodes]
    assert legal_nodes(started, found, per_node) == [*below[-1:], *above[:1]]


def test_a_value_that_mends_all_that_hangs_on_it_comes_before_a_nearer_one() -> None:
    line = "srun python pretrain_gpt.py --num-attention-heads 24 --tensor-model-parallel-size 9"
    started = run(line, nodes=2, ntasks_per_node=8)
    found = violation(started.layout, model.HEADS)
    assert found is not None
    assert legal_values(started.layout, found, Quantity.TP) == [8], "12 and 6 do not divide 16 ranks"


@pytest.mark.parametrize(("last", "mended"), [(2, True), (3, False), (14, True), (16, False)])
def test_what_mends_a_layout_breaks_nothing_else(last: int, mended: bool) -> None:
    line = "srun python pretrain_gpt.py --num-layers 62 --pipeline-model-parallel-size 4"
    started = run(line, nodes=2, ntasks_per_node=8)
    (found,) = violations(started.layout)
    assert mends(started.layout, found, {Quantity.LAST_STAGE_LAYERS: last}) is mended


@pytest.mark.parametrize("default", ["${TP:-4}", "${TP-4}"])
def test_a_default_is_no_certainty(default: str) -> None:
    line = f"srun python pretrain_gpt.py --num-attention-heads 10 --tensor-model-parallel-size {default}"
    (found,) = violations(run(line, nodes=2, ntasks_per_node=8).layout)
    assert found.certainty is Certainty.ASSUMED
