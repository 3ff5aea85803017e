"""Our bytes are those of Megatron-LM's own estimate, and where they are not, it is known why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.architecture import Architecture, Latent
from sbatchlint.training.size.fitting import complete
from sbatchlint.training.size.memory import Load, Memory, Mode, memory_of

ROWS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("theoretical_memory.json").read_text(encoding="utf-8")
)["rows"]
EVEN = [row for row in ROWS if row["shape"]["num_layers"] % row["layout"]["pp"] == 0]
UNEVEN = [row for row in ROWS if row not in EVEN]


def ours(row: dict[str, Any]) -> Memory:
    latent = Latent(*row["mla"]) if row["mla"] else None
    shape = Architecture(**row["shape"], mla=latent)
    layout = {Quantity(name): size for name, size in row["layout"].items()}
    layout |= {Quantity.GBS: row["gbs"], Quantity.MBS: row["mbs"]}
    layout |= {Quantity.VPP: row["vpp"]} if row["vpp"] else {}
    load = Load(Mode.PRETRAIN, row["seq"], row["mbs"], row["distributed_optimizer"])
    return memory_of(shape, complete(shape, layout), load)


def state(row: dict[str, Any]) -> float:
    return sum(item.size for item in ours(row).state)


def norms(row: dict[str, Any]) -> float:
    """Bytes of the norms, which Megatron-LM counts and we do not: two in a layer, one at the end."""
    shape, layout = row["shape"], row["layout"]
    q_lora_rank, kv_lora_rank, *_ = row["mla"] or (0, 0)
    of_latents = shape["num_layers"] * (q_lora_rank + kv_lora_rank) / layout["tp"]
    count = (2 * shape["num_layers"] + 1) * shape["hidden_size"] + of_latents
    copies = layout["world_size"] / (layout["tp"] * layout["pp"])
    each = 6 + 12 / copies if row["distributed_optimizer"] else 18
    return float(count / layout["pp"] * each)


@pytest.mark.parametrize("row", EVEN)
def test_weights_gradients_and_optimizer_differ_by_the_norms_alone(row: dict[str, Any]) -> None:
    assert state(row) + norms(row) == pytest.approx(row["state"], rel=1e-8)
    assert norms(row) < row["state"] / 1000


@pytest.mark.parametrize("row", UNEVEN)
def test_a_stage_holds_whole_layers_where_megatron_lm_reckons_with_parts(row: dict[str, Any]) -> None:
    layers, stages = row["shape"]["num_layers"], row["layout"]["pp"]
    assert row["state"] < state(row) < row["state"] * -(-layers // stages) * stages / layers


@pytest.mark.parametrize("row", [row for row in EVEN if not row["shape"]["num_experts"]])
def test_activations_differ_by_those_of_the_embedding_alone(row: dict[str, Any]) -> None:
    """Of experts Megatron-LM counts none: it takes the dense feed-forward width."""
    memory = ours(row)
    found = (memory.of("activations") + memory.of("logits")) * row["layout"]["cp"]
    assert found == pytest.approx(row["activations"], rel=0.05)
    assert found < row["activations"]


def test_there_are_rows_of_every_kind() -> None:
    assert len(EVEN) >= 20 and len(UNEVEN) >= 3
    for wanted in ("num_experts", "tied", "dense_layers", "shared_expert_ffn"):
        assert {bool(row["shape"][wanted]) for row in EVEN} == {True, False}
    for size in ("tp", "pp", "cp", "ep", "etp"):
        assert {row["layout"][size] > 1 for row in EVEN} == {True, False}
    assert (
        {bool(row["mla"]) for row in EVEN} == {row["distributed_optimizer"] for row in EVEN} == {True, False}
    )
