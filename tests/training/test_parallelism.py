"""The divisions are right for every layout: checked by laying the ranks out one by one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.certainty import Certainty
from sbatchlint.training.constraints.grids import DENSE_GRID, EXPERT_GRID
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.parallelism import Parallelism, least_world
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.violations import Violation, violation
from sbatchlint.training.worlds.world import World

BRIDGE = Framework(FrameworkName.MEGATRON_BRIDGE, by_script=True)
KNOWN, ASSUMED = Certainty.KNOWN, Certainty.ASSUMED
SIZES = st.integers(1, 6)


def can_be_laid_out(ranks: int, *sizes: int) -> bool:
    """Deal the ranks into groups, size by size, as Megatron's rank generator does; all must be full."""
    groups = [list(range(ranks))]
    for size in sizes:
        dealt = []
        for group in groups:
            while group:
                dealt.append(group[:size])
                group = group[size:]
        if any(len(group) != size for group in dealt):
            return False
        groups = [list(range(len(dealt)))]
    return True


def quantities(**sizes: int | tuple[int, ...] | None) -> Quantities:
    """Given sizes; None for one that is not told."""
    readings = {}
    for name, values in sizes.items():
        quantity = Quantity(name)
        if isinstance(values, int):
            values = (values,)
        certainty = Certainty.UNKNOWN if values is None else KNOWN
        readings[quantity] = Reading(quantity, values or (), certainty, True)
    return Quantities(readings)


def dense_mismatch(world: World, quantities: Quantities) -> Violation | None:
    return violation(Parallelism(world, quantities, BRIDGE), DENSE_GRID)


def expert_mismatch(world: World, quantities: Quantities) -> Violation | None:
    return violation(Parallelism(world, quantities, BRIDGE), EXPERT_GRID)


def world(ranks: int, certainty: Certainty = KNOWN) -> World:
    return World(ranks, certainty, f"{ranks} ranks")


@given(st.integers(1, 96), SIZES, SIZES, SIZES)
def test_the_dense_grid(ranks: int, tp: int, pp: int, cp: int) -> None:
    mismatch = dense_mismatch(world(ranks), quantities(tp=tp, pp=pp, cp=cp))
    assert (mismatch is None) is can_be_laid_out(ranks, tp, cp, pp)
    assert mismatch is None or mismatch.product == tp * pp * cp


@given(st.integers(1, 96), SIZES, SIZES, SIZES)
def test_the_expert_grid(ranks: int, etp: int, ep: int, pp: int) -> None:
    mismatch = expert_mismatch(world(ranks), quantities(etp=etp, ep=ep, pp=pp))
    assert (mismatch is None) is can_be_laid_out(ranks, etp, ep, pp)


@given(st.integers(1, 64), st.lists(st.none() | SIZES, min_size=3, max_size=3))
def test_an_unknown_factor_is_reported_only_if_no_value_of_it_fits(
    ranks: int, sizes: list[int | None]
) -> None:
    tp, pp, cp = sizes
    choices = [range(1, ranks + 1) if size is None else [size] for size in sizes]
    fits = any(can_be_laid_out(ranks, *combination) for combination in product(*choices))
    mismatch = dense_mismatch(world(ranks), quantities(tp=tp, pp=pp, cp=cp))
    assert (mismatch is None) is fits
    if mismatch is not None:
        assert len(mismatch.unknown) == sizes.count(None)


CANDIDATES = st.lists(SIZES, min_size=1, max_size=3, unique=True)


@given(st.integers(1, 64), CANDIDATES, CANDIDATES)
def test_candidates_are_reported_only_if_none_fits(ranks: int, tps: list[int], pps: list[int]) -> None:
    mismatch = dense_mismatch(world(ranks), quantities(tp=tuple(tps), pp=tuple(pps)))
    assert (mismatch is None) is any(can_be_laid_out(ranks, tp, pp) for tp in tps for pp in pps)


@settings(max_examples=200)
@given(SIZES, SIZES, SIZES, SIZES, SIZES)
def test_the_least_world_is_the_first_that_both_grids_fit(
    tp: int, pp: int, cp: int, ep: int, etp: int
) -> None:
    least = least_world(tp, pp, cp, ep, etp)
    fits = (n for n in range(1, least + 1) if n % (tp * pp * cp) == 0 and n % (etp * ep * pp) == 0)
    assert next(fits) == least


@pytest.mark.parametrize(
    ("ranks", "sizes", "dense", "expert"),
    [
        (8, {"tp": 2, "pp": 1, "ep": 4, "etp": 1}, True, True),
        (16, {"tp": 2, "pp": 1, "ep": 8, "etp": 1}, True, True),
        (8, {"tp": 2, "pp": 1, "ep": 8, "etp": 1}, True, True),
        (16, {"tp": 1, "pp": 1, "ep": 16, "etp": 1}, True, True),
        (64, {"tp": 2, "pp": 1, "ep": 32, "etp": 1}, True, True),
        (24, {"tp": 1, "pp": 1, "ep": 16, "etp": 1}, True, False),
        (128, {"tp": 1, "pp": 8, "ep": 16, "etp": 1}, True, True),
        (64, {"tp": 1, "pp": 8, "ep": 16, "etp": 1}, True, False),
        (256, {"tp": 2, "pp": 16, "ep": 64, "etp": 1}, True, False),
        (1024, {"tp": 2, "pp": 16, "ep": 64, "etp": 1}, True, True),
        (64, {"tp": 2, "pp": 8, "ep": 64, "etp": 1}, True, False),
        (8, {"tp": 2, "cp": 8, "ep": 4, "etp": 1}, False, True),
        (8, {"tp": 2, "ep": 4, "etp": 8}, True, False),
        (16, {"tp": 4, "pp": 1, "ep": 8, "etp": 2}, True, True),
    ],
)
def test_worked_numbers(ranks: int, sizes: dict[str, int], dense: bool, expert: bool) -> None:
    assert (dense_mismatch(world(ranks), quantities(**sizes)) is None) is dense
    assert (expert_mismatch(world(ranks), quantities(**sizes)) is None) is expert


def test_least_worlds_of_known_models() -> None:
    assert least_world(tp=1, pp=8, ep=16) == 128
    assert least_world(tp=2, pp=16, ep=64) == 1024
    assert least_world(tp=6, ep=4) == 12, "not max(6, 4): one must divide the other for that"


def test_without_ep_and_etp_the_experts_have_no_grid_of_their_own() -> None:
    assert expert_mismatch(world(5), quantities(pp=2)) is None


def test_it_is_as_sure_as_its_worst_factor() -> None:
    assumed = Reading(Quantity.TP, (4,), ASSUMED, True)
    one = Reading(Quantity.CP, (1,), ASSUMED, True)
    sure = Reading(Quantity.PP, (4,), KNOWN, True)
    for readings, ranks, expected in [
        ([assumed], world(6), ASSUMED),
        ([sure], world(6), KNOWN),
        ([sure, one], world(6), KNOWN),
        ([sure], world(6, ASSUMED), ASSUMED),
    ]:
        mismatch = dense_mismatch(ranks, Quantities({r.quantity: r for r in readings}))
        assert mismatch is not None
        assert mismatch.certainty is expected


def test_the_greatest_given_factor_is_pointed_to() -> None:
    mismatch = dense_mismatch(world(16), quantities(tp=4, pp=8, cp=1))
    assert mismatch is not None
    assert mismatch.culprit.quantity is Quantity.PP
    assert mismatch.text == "world size 16 is not divisible by TP 4 x PP 8 x CP 1 = 32"
