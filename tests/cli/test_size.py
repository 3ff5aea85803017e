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
    assert "112.1 GB  does not fit into 80 GB of h100" in done.out
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


def test_the_heads_of_a_model_bring_their_groups_where_each_has_its_own(run: Run) -> None:
    done = run("size", "deepseek-v3", "--heads", "64")
    assert done.status == 0 and done.out.startswith("deepseek-v3: 665.8B parameters")


def test_a_recipe_of_an_unknown_model_can_be_described(run: Run) -> None:
    shape = ("--layers", "26", "--hidden", "2304", "--heads", "8", "--head-dim", "256", "--ffn", "9216")
    done = run("size", "gemma2_2b_sft_config", *shape, "--groups", "4", "--vocab", "256000", "--tied")
    assert done.status == 0 and done.out.startswith("gemma2_2b_sft_config: 2.6B parameters, 26 layers")


def test_without_a_vocabulary_it_says_what_is_left_out(run: Run) -> None:
    assert "(no --vocab: embedding and output layer are not counted)" in run("size", *OWN).out
    assert "--vocab" not in run("size", *OWN, "--vocab", "128256").out


def test_an_embedding_can_be_tied(run: Run) -> None:
    assert run("size", "llama3-8b", "--tied").out.startswith("llama3-8b: 7.5B parameters")


def test_a_formula_gives_its_number_where_the_stages_differ(run: Run) -> None:
    done = run("size", "llama3-8b", "--pp", "5", "--gpus", "5")
    assert "dense weights        4.1 GB  (6.98B of layers x 7/32 + 525M of embeddings) x 2" in done.out


def test_stages_that_differ_have_to_be_written(run: Run) -> None:
    done = run("size", "glm-4.5v", "--mode", "sft", "--pp", "8", "--ep", "16", "--gpus", "128")
    assert done.status == 0 and "does not start" not in done.out
    assert (
        "  (the stages differ: write them with --pipeline-model-parallel-layout)\n\nthe fullest" in done.out
    )


@pytest.mark.parametrize("words", [("--pp", "64"), ("--pp", "5", "--vpp", "2"), ("--pp", "33")])
def test_stages_that_can_not_be_written(run: Run, words: tuple[str, ...]) -> None:
    done = run("size", "llama3-8b", *words)
    assert done.status == 1 and "does not start: " in done.out and "differ: write" not in done.out


def test_virtual_stages_are_told(run: Run) -> None:
    assert "CP 1 x DP 2; VPP 4\n" in run("size", "llama3-8b", "--pp", "4", "--vpp", "4", "--gpus", "8").out


def test_one_layer(run: Run) -> None:
    done = run("size", "--layers", "1", "--hidden", "64", "--heads", "1", "--ffn", "64", "--vocab", "100")
    assert done.out.startswith("the model described: 0M parameters, 1 layer\n")


def test_as_json(run: Run) -> None:
    done = run("size", "minimax-m2", "--tp", "2", "--ep", "32", "--gpus", "64", "--output-format", "json")
    data = json.loads(done.out)
    assert (done.status, data["version"], data["fits"]) == (1, 1, False)
    assert (data["layout"]["dp"], data["layout"]["edp"], data["memory"]["experts_per_gpu"]) == (32, 2, 8)
    assert data["memory"]["total"] == pytest.approx(112.1e9, rel=0.001)
    assert all(fit["memory"]["total"] <= 72e9 for fit in data["layouts"])
    assert not data["uneven"] and {fit["uneven"] for fit in data["layouts"]} == {True, False}


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
        (("minimax-m2", "--gpus-per-node", "999999999"), "no node has 999999999 GPUs"),
        (("minimax-m2", "--experts", "3"), "a token can't go to 8 of 3 experts"),
        (("minimax-m2", "--heads", "7"), "7 heads can't be shared out to 8 query groups"),
        (("llama3-8b", "--topk", "2"), "--topk without --experts"),
        ((*OWN, "--moe-ffn", "1024"), "--moe-ffn without --experts"),
        (
            (*OWN, "--experts", "8", "--moe-ffn", "1024"),
            "how many experts a token goes to is missing: --topk",
        ),
        ((*OWN, "--groups", "5"), "32 heads can't be shared out to 5 query groups"),
        ((*OWN, "--heads", "33"), "--hidden 4096 is no multiple of --heads 33"),
        (("\x1b[31mred",), "no model or recipe is called \\x1b[31mred"),
        (("minimax-m2", "--gpu", "\x1b[31mred"), "the memory of a \\x1b[31mred is not known"),
    ],
)
def test_wrong_use(run: Run, words: tuple[str, ...], said: str) -> None:
    done = run("size", *words)
    assert (done.status, done.out) == (2, "") and said in done.err
