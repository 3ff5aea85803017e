"""What Megatron-Core said of some 150 layouts, recorded by ``record.py``; it need not be there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sbatchlint.training.constraints import CONSTRAINTS
from sbatchlint.training.rank_grid import RankGrid, rank_grid
from sbatchlint.training.violations import violations
from tests.megatron.judging import (
    OF_A_LATER_RELEASE,
    OF_THE_ARGUMENTS,
    PLACES,
    QUANTITIES,
    constraint_of,
    difference,
    has_groups_of,
    layout_of,
)
from tests.megatron.record import RECORDED
from tests.training.building import run

PAIRS: list[dict[str, dict[str, Any]]] = json.loads(RECORDED.read_text("utf-8"))
ACCEPTED = [one["question"] for one in PAIRS if not one["answer"]["refusals"]]
LONG = {
    "tp": "tensor-model-parallel-size",
    "pp": "pipeline-model-parallel-size",
    "cp": "context-parallel-size",
    "ep": "expert-model-parallel-size",
    "etp": "expert-tensor-parallel-size",
    "vpp": "num-virtual-stages-per-pipeline-rank",
    "instances": "num-distributed-optimizer-instances",
    "dp_after_pp": "use-tp-pp-dp-mapping",
    "num_layers": "num-layers",
    "num_attention_heads": "num-attention-heads",
    "num_query_groups": "group-query-attention --num-query-groups",
    "num_moe_experts": "num-experts",
    "sequence_parallel": "sequence-parallel",
    "first": "decoder-first-pipeline-num-layers",
    "last": "decoder-last-pipeline-num-layers",
    "embedding": "account-for-embedding-in-pipeline-split",
    "loss": "account-for-loss-in-pipeline-split",
    "gbs": "global-batch-size",
    "mbs": "micro-batch-size",
    "decrease": "decrease-batch-size-if-needed",
    "group": "microbatch-group-size-per-virtual-pipeline-stage",
}


def test_the_record_is_worth_something() -> None:
    names = {
        constraint_of(one["where"], one["error"]) for pair in PAIRS for one in pair["answer"]["refusals"]
    }
    assert names == set(PLACES)
    assert len(PAIRS) >= 140
    assert len(ACCEPTED) >= 60
    assert max(pair["question"]["world"] for pair in PAIRS) > 1000


def test_each_constraint_is_asked_of_megatron_core_or_named_as_one_that_it_does_not_have() -> None:
    assert {one.name for one in CONSTRAINTS} == PLACES.keys() | OF_THE_ARGUMENTS | OF_A_LATER_RELEASE
    assert LONG.keys() | {"world"} == QUANTITIES.keys()


@pytest.mark.parametrize("pair", PAIRS, ids=range(len(PAIRS)))
def test_we_say_what_megatron_said(pair: dict[str, dict[str, Any]]) -> None:
    assert difference(pair["question"], pair["answer"]) is None


@pytest.mark.parametrize("pair", [one for one in PAIRS if "groups" in one["answer"]])
def test_the_grid_has_the_groups_of_megatron(pair: dict[str, dict[str, Any]]) -> None:
    grid = rank_grid(layout_of(pair["question"]))
    assert isinstance(grid, RankGrid)
    assert has_groups_of(grid, pair["answer"])


def words(question: dict[str, Any]) -> str:
    """The question as options of Megatron-LM; what is false is left out."""
    told = {LONG[key]: value for key, value in question.items() if key in LONG and value is not False}
    return " ".join(f"--{name}" if value is True else f"--{name} {value}" for name, value in told.items())


@pytest.mark.parametrize("pair", PAIRS, ids=range(len(PAIRS)))
def test_a_script_that_says_it_is_judged_alike(pair: dict[str, dict[str, Any]]) -> None:
    question = pair["question"]
    line = f"srun python pretrain_gpt.py {words(question)}"
    layout = run(line, nodes=1, ntasks_per_node=question["world"]).layout
    alike = layout_of(question)
    names = [found.constraint.name for found in violations(alike)]
    assert [found.constraint.name for found in violations(layout)] == names
    assert (layout.dp.value, layout.edp.value) == (alike.dp.value, alike.edp.value)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        ("AssertionError: num_layers=10 should be divisible by config.pipeline_model_parallel_size=4",
         "layers-pp"),
        ("AssertionError: num_layers should be divisible by pipeline_model_parallel_size", "layers-pp"),
        ("AssertionError: world size (16) is not divisible by total_model_size (total_model_size=32)",
         "dense-grid"),
        ("RuntimeError: world_size (16) is not divisible by 32", "dense-grid"),
        ("RuntimeError: world_size (16) is not divisible by expert_tensor_model_pipeline_parallel size (32)",
         "expert-grid"),
        ("ValueError: something else", None),
    ],
)  # fmt: skip
def test_the_words_of_each_release_name_the_constraint(error: str, name: str | None) -> None:
    assert constraint_of("anywhere", error) == name
