"""What is proposed is legal and fits, and nothing smaller was overlooked."""

from __future__ import annotations

import pytest

from sbatchlint.training.constraints import broken_by
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.fitting import USABLE, Machine, complete, fitting, remedies
from sbatchlint.training.size.memory import GB, Load, Mode, memory_of
from sbatchlint.training.size.models import find_model, models

Q = Quantity
H100 = Machine("h100", 80, 8)


@pytest.mark.parametrize("name", [model.name for model in models()])
@pytest.mark.parametrize("mode", [Mode.INFERENCE, Mode.PRETRAIN])
def test_every_proposal_is_legal_and_fits(name: str, mode: Mode) -> None:
    model = find_model(name)
    assert model is not None
    load = Load(mode)
    proposed = fitting(model.architecture, load, H100, {})
    assert proposed
    for fit in proposed:
        assert not list(broken_by(fit.numbers))
        assert memory_of(model.architecture, fit.numbers, load).total <= USABLE * 80 * GB
        ranks = fit.numbers[Q.WORLD_SIZE]
        assert fit.numbers[Q.PP] <= model.architecture.num_layers
        assert fit.numbers[Q.TP] <= 8 and (ranks % 8 == 0 or 8 % ranks == 0)


def test_what_is_fixed_stays() -> None:
    model = find_model("qwen3-30b-a3b")
    assert model is not None
    found = fitting(model.architecture, Load(Mode.SFT), H100, {Q.CP: 2, Q.TP: 2})
    assert found and all((fit.numbers[Q.CP], fit.numbers[Q.TP]) == (2, 2) for fit in found)


def test_two_nodes_are_not_needed_for_what_one_holds() -> None:
    model = find_model("minimax-m2")
    assert model is not None
    first = fitting(model.architecture, Load(Mode.ROUNDTRIP), H100, {})[0]
    assert (first.nodes, first.numbers[Q.EP]) == (1, 8), (
        "TP 2 x EP 8 runs on 8 GPUs too: EP is folded into TP"
    )


def test_a_layout_that_holds_the_weights_with_ease_does_not_fit_for_training() -> None:
    model = find_model("minimax-m2")
    assert model is not None
    shape, load = model.architecture, Load(Mode.PRETRAIN)
    numbers = complete(shape, {Q.TP: 2, Q.EP: 32, Q.WORLD_SIZE: 64})
    assert not H100.holds(memory_of(shape, numbers, load))
    assert H100.holds(memory_of(shape, numbers, Load(Mode.ROUNDTRIP)))
    found = list(remedies(shape, load, H100, numbers))
    assert found
    for quantity, fit in found:
        assert fit.numbers[quantity] > numbers[quantity]
        assert not list(broken_by(fit.numbers)) and H100.holds(fit.memory)
