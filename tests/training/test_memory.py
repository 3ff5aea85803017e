"""Bytes of a GPU: worked numbers, and what must hold for every model and layout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.architecture import Architecture, Latent
from sbatchlint.training.size.fitting import complete
from sbatchlint.training.size.memory import GB, Load, Memory, Mode, memory_of
from sbatchlint.training.size.models import Model, find_model, models

Q = Quantity
DENSE = Architecture(32, 4096, 32, 8, vocab_size=128_000, ffn_hidden_size=14336)


def shape(name: str) -> Architecture:
    model = find_model(name)
    assert model is not None
    return model.architecture


def memory(model: Architecture, mode: Mode, **layout: int) -> Memory:
    return memory_of(model, complete(model, {Q(name): size for name, size in layout.items()}), Load(mode))


def gb(size: float) -> float:
    return round(size / GB, 1)


@pytest.mark.parametrize(
    ("name", "billions"),
    [
        ("deepseek-v3", 671.0),
        ("kimi-k2", 1026.4),
        ("qwen3-235b-a22b", 235.1),
        ("glm-4.5", 352.8),
        ("gpt-oss-120b", 116.8),
        ("minimax-m2", 228.7),
        ("minimax-m3", 425.9),
        ("llama3-8b", 8.0),
        ("llama31-405b", 405.8),
        ("qwen2.5-0.5b", 0.5),
        ("mixtral-8x7b", 46.7),
    ],
)
def test_the_parameters_of_known_models(name: str, billions: float) -> None:
    assert round(shape(name).total / GB, 1) == billions


@pytest.mark.parametrize(
    ("tp", "ep", "ranks", "experts", "expert", "dense", "state"),
    [
        (2, 4, 8, 64, 112.3, 4.1, 692.3),
        (2, 8, 16, 32, 56.2, 4.1, 352.2),
        (1, 16, 16, 16, 28.1, 8.0, 279.8),
        (2, 32, 64, 8, 14.0, 4.1, 97.2),
        (1, 64, 128, 4, 7.0, 8.0, 66.6),
        (2, 32, 128, 8, 14.0, 4.1, 75.7),
    ],
)
def test_the_table_of_minimax_m2(
    tp: int, ep: int, ranks: int, experts: int, expert: float, dense: float, state: float
) -> None:
    model = shape("minimax-m2")
    layout = {"tp": tp, "ep": ep, "world_size": ranks}
    weights = memory(model, Mode.ROUNDTRIP, **layout)
    assert weights.experts == experts
    assert (gb(weights.of("expert weights")), gb(weights.of("dense weights"))) == (expert, dense)
    trained = memory(model, Mode.PRETRAIN, **layout)
    assert gb(sum(item.size for item in trained.state)) == state


def test_a_parameter_takes_18_bytes_or_shares_12_of_them() -> None:
    numbers = complete(DENSE, {Q.WORLD_SIZE: 8})
    for shared, each in ((False, 18), (True, 6 + 12 / 8)):
        trained = memory_of(DENSE, numbers, Load(Mode.SFT, distributed_optimizer=shared))
        assert sum(item.size for item in trained.state) == pytest.approx(each * DENSE.total)


def test_the_cache_of_a_token() -> None:
    assert 2 * shape("minimax-m2").cache_per_token == 253_952
    latent = Architecture(2, 1024, 8, 8, mla=Latent(0, 512, 128, 64, 128), ffn_hidden_size=4096)
    assert latent.cache_per_token == 2 * (512 + 64)


def test_expert_tensor_parallelism_divides_experts_and_tensor_parallelism_does_not() -> None:
    model = shape("qwen3-30b-a3b")
    alone = memory(model, Mode.ROUNDTRIP, ep=4, world_size=16)
    tensor = memory(model, Mode.ROUNDTRIP, tp=4, ep=4, world_size=16)
    expert = memory(model, Mode.ROUNDTRIP, tp=4, ep=4, etp=4, world_size=16)
    assert tensor.of("expert weights") == alone.of("expert weights")
    assert expert.of("expert weights") == alone.of("expert weights") / 4


def test_the_fullest_stage_has_the_layer_that_is_left_over() -> None:
    model = shape("deepseek-v3")
    uneven = memory(model, Mode.ROUNDTRIP, pp=8, ep=8, world_size=64).of("expert weights")
    assert uneven == pytest.approx(2 * model.routed * 8 / 61 / 8)


def test_ranks_that_cannot_be_laid_out() -> None:
    with pytest.raises(ValueError, match="can't be laid out"):
        memory(DENSE, Mode.PRETRAIN, tp=4, world_size=6)


@given(st.sampled_from(models()), st.sampled_from(list(Mode)), st.data())
def test_more_pieces_and_more_copies_never_take_more_parameters(
    model: Model, mode: Mode, data: st.DataObject
) -> None:
    architecture = model.architecture
    sizes = {name: data.draw(st.sampled_from([1, 2, 4]), label=name) for name in ("tp", "pp", "ep")}
    sizes["ep"] = sizes["ep"] if architecture.num_experts else 1
    before = memory(architecture, mode, **sizes, world_size=64)
    grown = data.draw(st.sampled_from([name for name in sizes if name != "ep" or architecture.num_experts]))
    after = memory(architecture, mode, **{**sizes, grown: 2 * sizes[grown]}, world_size=128)
    for kind in ("dense weights", "expert weights", "dense gradients", "expert gradients"):
        assert after.of(kind) <= before.of(kind) * 1.0001
