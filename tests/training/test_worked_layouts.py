"""Layouts of public models, worked out by hand: copies, microbatches, and what is wrong with them."""

from __future__ import annotations

import pytest

from sbatchlint.training.constraints import CONSTRAINTS, WASTEFUL
from sbatchlint.training.constraints.batches import data_parallel, expert_data_parallel, microbatches
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.fitting import Machine, complete
from sbatchlint.training.size.memory import GB, Load, Memory, Mode, memory_of
from sbatchlint.training.size.models import Model, find_model

Q = Quantity
H100, H200 = Machine("h100", 80, 8), Machine("h200", 141, 8)


def model(name: str) -> Model:
    found = find_model(name)
    assert found is not None
    return found


def numbers(name: str, **sizes: int) -> dict[Quantity, int]:
    return complete(model(name).architecture, {Q(quantity): size for quantity, size in sizes.items()})


def memory(name: str, mode: Mode, **sizes: int) -> Memory:
    return memory_of(model(name).architecture, numbers(name, **sizes), Load(mode))


def faults(found: dict[Quantity, int]) -> list[str]:
    checks = (one.check(found) for one in (*CONSTRAINTS, *WASTEFUL))
    return [text for text in checks if text is not None]


@pytest.mark.parametrize(
    ("tp", "ep", "ranks", "dp", "edp", "experts"),
    [
        (2, 4, 8, 4, 2, 64),
        (2, 8, 16, 8, 2, 32),
        (2, 8, 8, 4, 1, 32),
        (1, 16, 16, 16, 1, 16),
        (2, 32, 64, 32, 2, 8),
    ],
)
def test_the_copies_of_minimax_m2(tp: int, ep: int, ranks: int, dp: int, edp: int, experts: int) -> None:
    found = numbers("minimax-m2", tp=tp, ep=ep, world_size=ranks)
    assert faults(found) == []
    assert data_parallel(found) == dp
    assert expert_data_parallel(found) == edp
    assert found[Q.EXPERTS] // found[Q.EP] == experts


def test_24_ranks_are_no_multiple_of_ep_16() -> None:
    found = numbers("minimax-m2", ep=16, world_size=24)
    assert faults(found) == ["world size 24 is not divisible by ETP 1 x EP 16 x PP 1 = 16"]


@pytest.mark.parametrize(
    ("sizes", "count", "wrong"),
    [
        (
            {"ep": 16, "world_size": 512, "gbs": 64},
            1,
            "1 microbatch for the 8 stages of the pipeline: 7 of 8 turns stand idle",
        ),
        ({"ep": 16, "world_size": 512, "gbs": 32}, None, "GBS 32 is not divisible by MBS 1 x DP 64 = 64"),
        (
            {"ep": 4, "world_size": 64, "gbs": 32},
            4,
            "4 microbatches for the 8 stages of the pipeline: 7 of 11 turns stand idle",
        ),
    ],
)
def test_the_batches_of_glm_45v(sizes: dict[str, int], count: int | None, wrong: str) -> None:
    found = numbers("glm-4.5v", tp=1, pp=8, mbs=1, pp_layout=1, **sizes)
    assert microbatches(found) == count
    assert faults(found) == [wrong]


def test_the_layers_of_glm_45v_need_a_layout() -> None:
    sizes = {"tp": 1, "pp": 8, "ep": 16, "world_size": 128}
    assert faults(numbers("glm-4.5v", **sizes)) == ["46 layers can't be shared out evenly to PP 8"]
    assert faults(numbers("glm-4.5v", **sizes, pp_layout=1)) == []


@pytest.mark.parametrize(
    ("tp", "ep", "ranks", "weights", "held"),
    [
        (2, 4, 8, 116.4, ""),
        (2, 8, 16, 60.2, "roundtrip inference"),
        (1, 16, 16, 36.1, "roundtrip inference lora"),
        (2, 32, 64, 18.1, "roundtrip inference lora"),
    ],
)
def test_what_minimax_m2_does_on_80_gb(tp: int, ep: int, ranks: int, weights: float, held: str) -> None:
    layout = {"tp": tp, "ep": ep, "world_size": ranks}
    assert round(memory("minimax-m2", Mode.ROUNDTRIP, **layout).total / GB, 1) == weights
    fitting = [mode for mode in Mode if H100.holds(memory("minimax-m2", mode, **layout))]
    assert {mode.value for mode in fitting} == set(held.split())


@pytest.mark.parametrize(("tp", "ep", "ranks"), [(2, 32, 64), (1, 64, 128), (2, 32, 128)])
def test_full_training_of_minimax_m2_takes_larger_gpus(tp: int, ep: int, ranks: int) -> None:
    found = memory("minimax-m2", Mode.PRETRAIN, tp=tp, ep=ep, world_size=ranks)
    assert not H100.holds(found) and H200.holds(found)


def test_the_state_of_glm_45v_leaves_room_in_its_recipe() -> None:
    for ranks, state in ((512, 16.0), (128, 24.1)):
        found = memory("glm-4.5v", Mode.SFT, pp=8, ep=16, world_size=ranks, pp_layout=1)
        assert round(sum(item.size for item in found.state) / GB, 1) == state
