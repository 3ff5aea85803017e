"""SB721: the share of a model that a GPU can't hold."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB721"
CONVERT = "srun python examples/conversion/hf_megatron_roundtrip_multi_gpu.py"
NODE = {"nodes": 1, "ntasks_per_node": 8, "gpus_per_node": "h100:8"}


@pytest.mark.parametrize(
    "body",
    [
        f"{CONVERT} --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep 4",
        f"{CONVERT} --hf-model-id=minimaxai/minimax-m2.5 --tp=2 --ep=4",
        f"MODEL=MiniMaxAI/MiniMax-M2; {CONVERT} --hf-model-id $MODEL --tp 2 --ep 4",
        f"ARGS=(--hf-model-id MiniMaxAI/MiniMax-M2 --ep 4); {CONVERT} \"${{ARGS[@]}}\"",
        "srun python scripts/inference/text_generation.py --hf-model-path MiniMaxAI/MiniMax-M2 --tp 8",
    ],
)  # fmt: skip
def test_what_does_not_fit(body: str) -> None:
    assert lines(job(body, **NODE), CODE) == [(5, "error")]


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (f"{CONVERT} --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep 8", {}),
        (f"{CONVERT} --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep 4", {"gpus_per_node": "h200:8"}),
        (f"{CONVERT} --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep 4", {"gpus_per_node": 8}),
        (f"{CONVERT} --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep $EP", {}),
        (f"{CONVERT} --hf-model-id someone/else --tp 2 --ep 4", {}),
        (f"{CONVERT} --hf-model-id meta-llama/Llama-3.2-1B", {}),
        ("srun python train.py --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep 4", {}),
    ],
)
def test_what_fits_or_is_not_known(body: str, options: dict[str, object]) -> None:
    assert lines(job(body, **{**NODE, **options}), CODE) == []


def test_a_default_is_no_certainty() -> None:
    body = f"{CONVERT} --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep ${{EP:-4}}"
    (found,) = findings(job(body, **NODE), CODE)
    assert (found.severity.value, found.confidence.value) == ("warning", "medium")


def test_of_the_largest_gpu_where_the_type_is_not_told() -> None:
    body = f"{CONVERT} --hf-model-id moonshotai/Kimi-K2-Instruct --tp 8 --ep 2"
    (found,) = findings(job(body, **{**NODE, "gpus_per_node": 8}), CODE)
    assert "do not fit into the 288 GB of the largest GPU" in found.message


def test_a_recipe_on_too_few_gpus() -> None:
    words = "--recipe qwen3_30b_a3b_pretrain_config -ep 1 -pp 1 -etp 1"
    (found,) = findings(job(f"srun python scripts/training/run_recipe.py {words}", **NODE), CODE)
    assert found.severity.value == "warning" and found.confidence.value == "medium"
    assert "128 experts of each layer on a GPU" in found.message
