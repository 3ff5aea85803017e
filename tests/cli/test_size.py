"""``sbatchlint size`` as a command."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run

OWN = ("--layers", "32", "--hidden", "4096", "--heads", "32", "--ffn", "14336")


def test_a_layout_that_does_not_fit(run: Run) -> None:
    done = run("size", "minimax-m2", "--tp", "2", "--ep", "32", "--gpus", "64")
    assert (done.status, done.err) == (1, "")
    assert "layout  64 GPUs: TP 2 x PP 1 x CP 1 x DP 32; experts: ETP 1 x EP 32 x PP 1 x EDP 2\n" in done.out
    assert "  expert optimizer    42.1 GB  x 12 bytes / EDP 2\n" in done.out
    assert "110.4 GB  does not fit into 80 GB of h100" in done.out
    assert "legal layouts that fit for pretrain on h100 (80 GB)" in done.out


def test_a_layout_that_fits(run: Run) -> None:
    done = run("size", "minimax-m2", "--mode", "roundtrip", "--tp", "2", "--ep", "8", "--gpus", "8")
    assert done.status == 0
    assert "fits into 80 GB" in done.out and "one change" not in done.out


def test_without_a_layout_it_proposes_some(run: Run) -> None:
    done = run("size", "Qwen/Qwen3-30B-A3B", "--mode", "sft", "--gpu", "h200")
    assert done.status == 0 and "layout " not in done.out
    assert "legal layouts that fit for sft on h200 (141 GB)\n  nodes  GPUs  TP" in done.out


def test_a_layout_that_does_not_start(run: Run) -> None:
    done = run("size", "llama3-8b", "--tp", "3", "--gpus", "8")
    assert done.status == 1
    assert "does not start: world size 8 is not divisible by TP 3 x PP 1 x CP 1 = 3\n" in done.out


def test_a_recipe_brings_its_layout_and_its_task(run: Run) -> None:
    done = run("size", "deepseek_v3_pretrain_64gpu_h100_fp8cs_config")
    assert done.status == 1
    assert "does not start: world size 64 is not divisible by ETP 1 x EP 64 x PP 8 = 512\n" in done.out
    peft = run("size", "qwen3_30b_a3b_peft_config")
    assert "the fullest GPU  lora, " in peft.out


def test_a_model_of_your_own(run: Run) -> None:
    done = run("size", *OWN, "--vocab", "128256", "--tp", "2", "--gpus", "8")
    assert done.status == 0 and done.out.startswith("the model described: 8.8B parameters, 32 layers\n")


def test_what_a_model_has_can_be_changed(run: Run) -> None:
    done = run("size", "minimax-m2", "--layers", "31", "--mode", "inference")
    assert done.out.startswith("minimax-m2: 115.0B parameters")


def test_as_json(run: Run) -> None:
    done = run("size", "minimax-m2", "--tp", "2", "--ep", "32", "--gpus", "64", "--output-format", "json")
    data = json.loads(done.out)
    assert (done.status, data["version"], data["fits"]) == (1, 1, False)
    assert (data["layout"]["dp"], data["layout"]["edp"], data["memory"]["experts_per_gpu"]) == (32, 2, 8)
    assert data["memory"]["total"] == pytest.approx(110.4e9, rel=0.01)
    assert all(fit["memory"]["total"] <= 72e9 for fit in data["layouts"])


def test_the_known_models_are_listed(run: Run) -> None:
    done = run("size", "--list")
    assert done.status == 0 and "\nminimax-m3 " in done.out and "MiniMaxAI/MiniMax-M2.5" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("llama3-9b",), "no model or recipe is called llama3-9b; did you mean llama3-8b"),
        ((), "name a model, or describe it: --layers, --hidden, --heads missing"),
        (("--layers", "32", "--hidden", "64", "--heads", "4"), "--ffn"),
        ((*OWN, "--experts", "8"), "--moe-ffn"),
        (("minimax-m2", "--tp", "0"), "'0' is no whole number above 0"),
        (("minimax-m2", "--tp", "2.5"), "'2.5' is no whole number above 0"),
        (("minimax-m2", "--gpu", "tpu"), "the memory of a tpu is not known: give --gpu-memory"),
        (("gemma2_2b_sft_config",), "describe it"),
        (("minimax-m2", "--mode", "train"), "invalid choice"),
    ],
)
def test_wrong_use(run: Run, words: tuple[str, ...], said: str) -> None:
    done = run("size", *words)
    assert (done.status, done.out) == (2, "") and said in done.err
