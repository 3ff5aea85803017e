"""SB701 to SB709: numbers of a layout, on scripts beside the rules' own examples."""

from __future__ import annotations

import re

import pytest

from tests.rules.checking import findings, fixed, job, lines
from tests.rules.layouts import FOUR, GPT, MOE, RECIPE, TORCHRUN, told


def advice(body: str, **options: object) -> tuple[str | None, tuple[str, ...]]:
    """What the first finding of SB701 or SB702 says to do, and its notes."""
    found = findings(job("export CUDA_DEVICE_MAX_CONNECTIONS=1", body, **(options or FOUR)))
    first = next(one for one in found if one.code in ("SB701", "SB702"))
    return first.help, tuple(first.notes)


def test_the_numbers_of_nodes_that_are_named_fit_the_batch_too() -> None:
    help, _ = advice(f"{GPT} --tensor-model-parallel-size 3 --global-batch-size 64")
    assert help == (
        "set the number of nodes to 3 (24 ranks) or 6 (48 ranks), "
        "or make TP x PP x CP a divisor of 32: TP 2 or 4"
    )
    help, _ = advice(f"{GPT} --tensor-model-parallel-size 3 --global-batch-size 56")
    assert help is not None
    assert "nodes to 3 (24 ranks), or" in help, "16 copies of the model do not share out a batch of 56"


@pytest.mark.parametrize(
    "options",
    [
        "--tensor-model-parallel-size 8 --num-attention-heads 20",
        "--pipeline-model-parallel-size 8 --num-layers 46",
        "--pipeline-model-parallel-size 8 --num-layers 46 --decoder-last-pipeline-num-layers 5",
        "--pipeline-model-parallel-size 8 --num-layers 48 --num-virtual-stages-per-pipeline-rank 4",
        "--pipeline-model-parallel-size 8 --num-layers 48 --num-layers-per-virtual-pipeline-stage 4",
        "--pipeline-model-parallel-size 1 --num-layers 48 --num-virtual-stages-per-pipeline-rank 4",
        "--tensor-model-parallel-size 2 --global-batch-size 100",
        "--global-batch-size 2",
        "--global-batch-size 64 --eval-global-batch-size 20",
        "--context-parallel-size 4 --seq-length 4100",
        "--expert-model-parallel-size 16 --num-experts 24",
        "--num-experts 16 --expert-model-parallel-size 32",
        "--pipeline-model-parallel-size 4 --num-virtual-stages-per-pipeline-rank 2 --global-batch-size 80",
        "--num-distributed-optimizer-instances 3",
        "--linear-num-key-heads 4 --tensor-model-parallel-size 8",
    ],
)
def test_each_value_that_is_advised_mends_it(options: str) -> None:
    body = f"{GPT} {options}"
    first = findings(job("export CUDA_DEVICE_MAX_CONNECTIONS=1", body, **FOUR))[0]
    advised = re.search(r"set (--\S+) to (\d+)(?: or (\d+))?|(--decoder\S+) (\d+)", first.help or "")
    assert advised is not None, first.help
    name, values = advised[1] or advised[4], [one for one in advised.groups() if (one or "").isdecimal()]
    for value in values:
        mended, count = re.subn(rf"{name} \d+", f"{name} {value}", body)
        lines = ("export CUDA_DEVICE_MAX_CONNECTIONS=1", mended if count else f"{body} {name} {value}")
        assert [one for one in findings(job(*lines, **FOUR)) if one.code.startswith("SB7")] == []


def test_it_is_told_where_the_etp_comes_from() -> None:
    moe = f"{GPT} --sequence-parallel --num-experts 16 --tensor-model-parallel-size 4"
    _, notes = advice(f"{moe} --expert-model-parallel-size 16")
    assert "ETP is not given, and TP is taken for it: --expert-tensor-parallel-size 1 is another way" in notes
    _, notes = advice(f"{moe} --expert-model-parallel-size 16 --expert-tensor-parallel-size 4")
    assert notes == ()


# --- SB703 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        f"{GPT} --num-attention-heads 20 --tensor-model-parallel-size 8",
        f'A=(--num-attention-heads=20)\nTP=8\n{GPT} "${{A[@]}}" --tensor-model-parallel-size $TP',
        TORCHRUN % "--num-attention-heads 20 --tensor-model-parallel-size 8",
        f"{GPT} --group-query-attention --num-query-groups 6 --tensor-model-parallel-size 4",
        f"{GPT} --hidden-size 4096 --num-attention-heads 96",
        f"{RECIPE} -tp 8 model.num_attention_heads=20",
    ],
)
def test_heads_that_can_not_be_shared_out(body: str) -> None:
    assert told(body) == [("SB703", "error")]


@pytest.mark.parametrize(
    "body",
    [
        f"{GPT} --num-attention-heads 24 --tensor-model-parallel-size 8",
        f"{GPT} --group-query-attention --num-query-groups 2 --tensor-model-parallel-size 8",
        f"{GPT} --num-query-groups 6 --tensor-model-parallel-size 4",
        f"{GPT} --hidden-size 2560 --num-attention-heads 48 --kv-channels 128",
        f"{GPT} --num-attention-heads $HEADS --tensor-model-parallel-size 8",
        f"{GPT} --num-attention-heads 20 --tensor-model-parallel-size 8 --use-checkpoint-args",
        f"{RECIPE} -tp 8",
    ],
)
def test_heads_that_fit_or_are_not_known(body: str) -> None:
    assert told(body) == []


@pytest.mark.parametrize(
    "body",
    [
        f"{GPT} --num-attention-heads 20 --tensor-model-parallel-size ${{TP:-8}}",
        f"{GPT} --num-attention-heads 20 --tensor-model-parallel-size 8 $EXTRA_ARGS",
        "srun python finetune.py --num-attention-heads 20 --tensor-model-parallel-size 8",
        f"if [ -n $X ]; then {GPT} --num-attention-heads 20 --tensor-model-parallel-size 8; fi",
    ],
)
def test_what_rests_on_a_default_is_a_warning(body: str) -> None:
    assert told(body) == [("SB703", "warning")]


# --- SB704 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        "--num-layers 46 --pipeline-model-parallel-size 4",
        "--num-layers 32 --pipeline-model-parallel-size 4 --account-for-embedding-in-pipeline-split",
        "--num-layers 46 --pipeline-model-parallel-size 4 --decoder-last-pipeline-num-layers 12",
        "--num-layers 32 --pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3",
        "--num-virtual-stages-per-pipeline-rank 2",
        "--num-layers 32 --num-layers-per-virtual-pipeline-stage 2",
        "--num-layers 32 --decoder-first-pipeline-num-layers 4 --decoder-last-pipeline-num-layers 4",
    ],
)
def test_layers_that_can_not_be_shared_out(options: str) -> None:
    assert told(f"{GPT} {options}") == [("SB704", "error")]


@pytest.mark.parametrize(
    "options",
    [
        "--num-layers 46 --pipeline-model-parallel-size 2",
        "--num-layers 46 --pipeline-model-parallel-size 4 --decoder-last-pipeline-num-layers 10",
        "--num-layers 46 --pipeline-model-parallel-size 4 --pipeline-model-parallel-layout $LAYOUT",
        "--num-layers 46 --pipeline-model-parallel-size 4 --hybrid-layer-pattern M*M-",
        "--num-layers 46 --pipeline-model-parallel-size 4 --deepspeed",
        "--num-layers 46 --pipeline-model-parallel-size 4 --standalone-embedding-stage",
        "--num-layers 46 --pipeline-model-parallel-size 4 --pipeline-model-parallel-split-rank 1",
        "--num-layers 46 --pipeline-model-parallel-size 4 $EXTRA_ARGS",
        "--num-layers 46 --pipeline-model-parallel-size 4 --yaml-cfg model.yaml",
    ],
)
def test_layers_that_fit_or_are_laid_out_otherwise(options: str) -> None:
    assert told(f"{GPT} {options}") == []


def test_a_recipe_may_have_a_layout() -> None:
    assert told(f"{RECIPE} -pp 4 model.num_layers=46") == []


def test_the_advice_on_layers_names_values_that_work() -> None:
    (found,) = findings(job(f"{GPT} --num-layers 46 --pipeline-model-parallel-size 4", **FOUR), "SB704")
    shorter = "give the last stage fewer layers: --decoder-last-pipeline-num-layers 10"
    assert found.help == f"set --pipeline-model-parallel-size to 2, or {shorter}"
    for mended in (
        "--pipeline-model-parallel-size 2",
        "--pipeline-model-parallel-size 4 --decoder-last-pipeline-num-layers 10",
    ):
        assert told(f"{GPT} --num-layers 46 {mended}") == []


# --- SB705 -----------------------------------------------------------------------------------------

PARTS = "--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2"


@pytest.mark.parametrize(
    "options",
    [
        f"{PARTS} --global-batch-size 61",
        f"{PARTS} --global-batch-size 64 --eval-global-batch-size 6",
        f"{PARTS} --global-batch-size 2 --decrease-batch-size-if-needed",
        f"{PARTS} --global-batch-size 4 --num-virtual-stages-per-pipeline-rank 2",
        f"{PARTS} --global-batch-size 64 --num-distributed-optimizer-instances 3",
    ],
)
def test_batches_that_can_not_be_shared_out(options: str) -> None:
    assert told(f"{GPT} {options}") == [("SB705", "error")]


def test_the_sum_of_the_copies_is_told() -> None:
    (found,) = findings(job(f"{GPT} {PARTS} --global-batch-size 61", **FOUR), "SB705")
    assert found.message == "GBS 61 is not divisible by MBS 1 x DP 4 = 4"
    assert found.label == "DP is 32 ranks / (TP 4 x PP 2) = 4"
    assert found.help == "set --global-batch-size to 60 or 64"
    assert "4 nodes x 8 tasks per node = 32 ranks" in {one.message for one in found.related}


def test_a_batch_in_bridge() -> None:
    layout = "-tp 4 -pp 2 -cp 1"
    assert told(f"{RECIPE} {layout} -mb 1 -gb 61") == [("SB705", "error")]
    assert told(f"{RECIPE} {layout} train.micro_batch_size=1 train.global_batch_size=61") == [
        ("SB705", "error")
    ]
    assert told(f"{RECIPE} {layout} -mb 1 -gb 64") == []
    assert told(f"{RECIPE} -tp 4 -pp 2 -mb 1 -gb 61") == [], "CP is the recipe's"
    assert told(f"{RECIPE} {layout} -mb 1 -gb 61 train.decrease_batch_size_if_needed=true") == []


@pytest.mark.parametrize(
    "options",
    [
        f"{PARTS} --global-batch-size 64",
        f"{PARTS} --global-batch-size 61 --rampup-batch-size 4 4 1000",
        f"{PARTS} --global-batch-size 61 --decrease-batch-size-if-needed",
        f"{PARTS} --global-batch-size $GBS",
        f"{PARTS} --global-batch-size 61 --ds-sequence-parallel-size 2",
        f"{PARTS} --global-batch-size 61 --tensor-parallel-num-weight-shards 8",
        "--tensor-model-parallel-size 4 --pipeline-model-parallel-size $PP --global-batch-size 61",
    ],
)
def test_batches_that_fit_or_are_not_known(options: str) -> None:
    assert told(f"{GPT} {options}") == []


def test_a_grid_that_does_not_fit_is_told_alone() -> None:
    body = f"{GPT} --tensor-model-parallel-size 3 --global-batch-size 61"
    found = findings(job("export CUDA_DEVICE_MAX_CONNECTIONS=1", body, **FOUR))
    assert [one.code for one in found if one.code.startswith("SB7")] == ["SB701"]


def test_what_a_recipe_sets_is_not_certain() -> None:
    known = RECIPE.replace("my_", "llama3_8b_")
    (found,) = findings(job(f"{known} -tp 4 -pp 2 -mb 1 -gb 61", **FOUR), "SB705")
    assert found.severity.value == "warning"
    assert found.label == "DP is 32 ranks / (TP 4 x PP 2 x CP 2) = 2"
    assert any(note.startswith("CP 2: so says llama3_8b_pretrain") for note in found.notes)
    assert "sets CP 2" in {one.message for one in found.related}


def test_a_script_without_directives_may_be_started_for_each_rank() -> None:
    body = "python pretrain_gpt.py --micro-batch-size 1 --tensor-model-parallel-size 2"
    assert [one.code for one in findings(job(body)) if one.code == "SB701"] == []
    assert lines(job(body, nodes=1), "SB701") == [(3, "error")]


# --- SB706 -----------------------------------------------------------------------------------------


def test_experts_with_tp_alone_get_the_switch() -> None:
    text = job("export CUDA_DEVICE_MAX_CONNECTIONS=1", f"{MOE} --tensor-model-parallel-size 2", **FOUR)
    assert lines(text, "SB706") == [(6, "error")]
    mended = fixed(text).converged.source.text
    assert f"{MOE} --sequence-parallel --tensor-model-parallel-size 2\n" in mended
    assert lines(mended, "SB706") == []


@pytest.mark.parametrize(
    "body",
    [
        f"ARGS='--tensor-model-parallel-size 2'\n{MOE} $ARGS",
        f"TP=2\n{MOE} --seq-length 4095 --tensor-model-parallel-size $TP",
        f'A=(--num-experts 8 --tensor-model-parallel-size 2)\n{GPT} "${{A[@]}}"',
    ],
)
def test_there_is_no_fix_where_others_may_use_the_words(body: str) -> None:
    (found,) = findings(job(body, **FOUR), "SB706")
    assert found.fix is None


@pytest.mark.parametrize(
    "body",
    [
        f"{MOE} --tensor-model-parallel-size 2 --sequence-parallel",
        f"{MOE} --tensor-model-parallel-size 1",
        f"{MOE} --tensor-model-parallel-size 2 $EXTRA_ARGS",
        f"{MOE} --tensor-model-parallel-size 2 --skip-train",
        f"{MOE} --tensor-model-parallel-size 2 --deepspeed_config ds.json",
        "srun python tools/run_text_generation_server.py --num-experts 8 --tensor-model-parallel-size 2",
        f"{RECIPE} -tp 2 -ep 8",
    ],
)
def test_experts_that_train_as_they_may(body: str) -> None:
    assert told(body) == []


# --- SB707, SB708, SB709 ---------------------------------------------------------------------------


def test_a_sequence_that_can_not_be_cut() -> None:
    assert told(f"{GPT} --context-parallel-size 4 --seq-length 4100") == [("SB707", "error")]
    assert told(f"{RECIPE} -cp 4 -sl 4100") == [("SB707", "error")]
    assert told(f"{RECIPE} -cp 4 model.seq_length=4100") == [], "the data set's length is taken"
    assert told(f"{GPT} --context-parallel-size 4 --seq-length 4096") == []
    assert told(f"{GPT} --seq-length 4095") == []


def test_an_empty_pipeline_is_a_matter_of_time_only() -> None:
    body = f"{GPT} --pipeline-model-parallel-size 8 --tensor-model-parallel-size 2 --global-batch-size"
    (found,) = findings(job(f"{body} 4", **FOUR), "SB708")
    assert not found.prominent
    assert found.message.startswith("2 microbatches for the 8 stages of the pipeline")
    assert told(f"{body} 16") == []


def test_sequence_parallelism_without_tp_is_a_remark() -> None:
    assert told(f"{GPT} --sequence-parallel") == [("SB709", "info")]
    assert told(f"{RECIPE} -tp 1 model.sequence_parallel=true") == [("SB709", "info")]
    assert told(f"{RECIPE} model.sequence_parallel=true") == []
    recipe = RECIPE.replace("my_pretrain_config", "deepseek_v3_pretrain_256gpu_h100_bf16_32nodes_config")
    found = findings(job(f"{recipe} -tp 1", nodes=32, ntasks_per_node=8, gpus_per_node=8))
    assert "SB709" not in [one.code for one in found], "the recipe asks for it, and knows what comes of it"
