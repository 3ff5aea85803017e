"""SB710 and SB711: options of training programs that are refused, or refused together."""

from __future__ import annotations

import pytest

from tests.rules.layouts import GPT, RECIPE, told


@pytest.mark.parametrize(
    ("options", "severity"),
    [
        ("--bf16 --fp16", "error"),
        ("--train-iters 100 --train-samples 1000", "error"),
        ("--train-samples 1000 --lr-warmup-iters=10", "error"),
        ("--use-torch-fsdp2 --untie-embeddings-and-output-weights", "error"),
        (
            "--use-torch-fsdp2 --untie-embeddings-and-output-weights --no-gradient-accumulation-fusion "
            "--pipeline-model-parallel-size 2",
            "error",
        ),
        ("--use-megatron-fsdp", "warning"),
        ("--use-megatron-fsdp --ckpt-format fsdp_dtensor --optimizer muon", "error"),
        (
            "--use-torch-fsdp2 --no-gradient-accumulation-fusion --ckpt-format zarr "
            "--untie-embeddings-and-output-weights",
            "error",
        ),
        (
            "--pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2 "
            "--no-overlap-p2p-communication",
            "error",
        ),
        (
            "--pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 2 "
            "--decoder-first-pipeline-num-layers 4",
            "warning",
        ),
        ("--ckpt-format torch_dcp", "error"),
        ("--overlap-param-gather --overlap-grad-reduce", "error"),
        ("--overlap-param-gather --use-distributed-optimizer", "warning"),
        ("--tp-comm-overlap --tensor-model-parallel-size 2", "error"),
        ("--context-parallel-size 8 --hierarchical-context-parallel-sizes 2 2", "error"),
        ("--recompute-granularity full", "error"),
        (
            "--pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 2 "
            "--num-virtual-stages-per-pipeline-rank 2",
            "warning",
        ),
        ("--cp-comm-type a2a+p2p --context-parallel-size 8", "error"),
        (
            "--cp-comm-type a2a+p2p --context-parallel-size 8 --hierarchical-context-parallel-sizes 2 2",
            "error",
        ),
        (
            "--num-experts 8 --overlap-moe-expert-parallel-comm --moe-token-dispatcher-type alltoall",
            "error",
        ),
        (
            "--num-experts 8 --overlap-moe-expert-parallel-comm --expert-model-parallel-size 8",
            "error",
        ),
    ],
)
def test_options_that_megatron_refuses(options: str, severity: str) -> None:
    assert told(f"{GPT} {options}") == [("SB710", severity)]
    ways = f'A="{options}"\nB=($A)\n{GPT} "${{B[@]}}"'
    assert told(ways) == [("SB710", severity)]


@pytest.mark.parametrize(
    "body",
    [
        f"{GPT} --train-iters 100 --lr-warmup-samples 0",
        f"{GPT} --train-iters 100 --train-samples 1000 --skip-train",
        f"{GPT} --use-megatron-fsdp --ckpt-format fsdp_dtensor",
        f"{GPT} --use-megatron-fsdp --ckpt-format $FORMAT",
        f"{GPT} --use-megatron-fsdp --ckpt-format=$FORMAT",
        f"{GPT} --use-torch-fsdp2 $EXTRA_ARGS",
        f"{GPT} --overlap-param-gather --overlap-grad-reduce --optimizer dist_muon",
        f"{GPT} --use-megatron-fsdp --ckpt-format fsdp_dtensor --optimizer sgd",
        f"{GPT} --use-torch-fsdp2 --no-gradient-accumulation-fusion --ckpt-format torch_dcp "
        "--untie-embeddings-and-output-weights",
        f"{GPT} --pipeline-model-parallel-size 4 --num-virtual-stages-per-pipeline-rank 2 "
        "--no-overlap-p2p-communication",
        f"{GPT} --pipeline-model-parallel-size 2 --no-overlap-p2p-communication",
        f"{GPT} --overlap-param-gather --overlap-grad-reduce ${{FLAG:+--use-distributed-optimizer}}",
        f"{GPT} --cp-comm-type p2p --context-parallel-size 8",
        f"{GPT} --recompute-granularity full --recompute-method uniform --recompute-num-layers 1",
        f"{GPT} --cp-comm-type a2a+p2p --context-parallel-size 8 --hierarchical-context-parallel-sizes 2 4",
        f"{GPT} --num-experts 8 --overlap-moe-expert-parallel-comm --moe-token-dispatcher-type alltoall "
        "--expert-model-parallel-size 8 --bf16",
        "srun python train.py --bf16 --fp16 --train-iters 5 --train-samples 4",
        f"{RECIPE} --bf16 --fp16",
    ],
)
def test_options_that_are_in_order_or_not_all_known(body: str) -> None:
    assert told(body) == []


FINETUNE = "srun python Megatron-Bridge/examples/models/qwen/qwen3_next/finetune_qwen3_next_80b_a3b.py"
PEFT = "srun python scripts/training/run_recipe.py --recipe llama32_1b_peft_config"
OF_BRIDGE = {
    "adapters without weights": (PEFT, ("peft_config", "sft_config")),
    "adapters without weights, by the mode": (
        f"{PEFT} --mode lora",
        ("--mode", "--pretrained_checkpoint w --mode"),
    ),
    "adapters without weights, resumed": (
        f"{PEFT} --load_dir d",
        ("--load_dir d", "checkpoint.pretrained_checkpoint=d"),
    ),
    "two levels of another CP": (
        f"{RECIPE} model.context_parallel_size=8 'model.hierarchical_context_parallel_sizes=[2,2]'",
        ("[2,2]", "[4,2]"),
    ),
    "two lengths": (
        f"{FINETUNE} model.seq_length=8192 dataset.seq_length=4096",
        ("dataset.seq_length=4096", "dataset.seq_length=8192"),
    ),
    "the loss of finetuning with CP": (
        f"{FINETUNE} model.context_parallel_size=2 model.calculate_per_token_loss=false",
        ("loss=false", "loss=true"),
    ),
    "the average of finetuning with CP": (
        f"{FINETUNE} model.context_parallel_size=2 ddp.average_in_collective=True",
        ("parallel_size=2", "parallel_size=1"),
    ),
    "packed twice": (
        f"{RECIPE} dataset.enable_offline_packing=true dataset.enable_in_batch_packing=true",
        ("in_batch_packing=true", "in_batch_packing=false"),
    ),
    "packed with a batch": (
        f"{RECIPE} dataset.enable_offline_packing=true -mb 2",
        ("-mb 2", "-mb 1"),
    ),
    "the order of ranks with FSDP": (
        f"{RECIPE} dist.use_megatron_fsdp=true dist.use_tp_pp_dp_mapping=true",
        ("megatron_fsdp=true", "megatron_fsdp=false"),
    ),
    "the format of a checkpoint with FSDP": (
        f"{RECIPE} dist.use_megatron_fsdp=true checkpoint.ckpt_format=torch_dist checkpoint.save=$DIR/run",
        ("checkpoint.save=$DIR/run", "checkpoint.save=null"),
    ),
}


@pytest.mark.parametrize(("body", "mend"), OF_BRIDGE.values(), ids=OF_BRIDGE.keys())
def test_what_bridge_refuses_together(body: str, mend: tuple[str, str]) -> None:
    assert told(body) == [("SB710", "error")]
    assert told(body.replace(*mend)) == []


def test_the_runner_of_bridge_takes_the_length_of_the_data_and_sets_the_loss() -> None:
    assert told(f"{RECIPE} model.seq_length=8192 dataset.seq_length=4096") == []
    assert told(f"{RECIPE} model.context_parallel_size=2 model.calculate_per_token_loss=false") == []


@pytest.mark.parametrize(
    "words", ["$ARGS", "${W:+--pretrained_checkpoint $W}", "--dry_run", "--mode pretrain"]
)
def test_where_the_weights_of_adapters_may_be_told(words: str) -> None:
    assert told(f"{PEFT} {words}") == []
    assert told(f"{RECIPE.replace('pretrain', 'peft')}") == [], "a recipe of one's own may name them"


def test_bridge_refuses_two_kinds_of_fsdp() -> None:
    both = f"{RECIPE} dist.use_megatron_fsdp=True ++dist.use_torch_fsdp2=True"
    assert told(both) == [("SB710", "error")]
    assert told(both.replace("fsdp2=True", "fsdp2=False")) == []


# --- SB711 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "severity"),
    [
        ("--batch-size 4", "error"),
        ("--model-parallel-size=2", "error"),
        ("--warmup 0.01", "error"),
        ("--checkpoint-activations --ckpt-format torch_dist", "warning"),
    ],
)
def test_options_that_are_only_kept_to_be_refused(options: str, severity: str) -> None:
    assert told(f"{GPT} {options}") == [("SB711", severity)]


@pytest.mark.parametrize(
    "body",
    [
        f"{GPT} --checkpoint-activations",
        f"{GPT} --checkpoint-activations --context-parallel-size 1 --deepspeed --deepspeed_config c.json",
        "srun python pretrain_bert.py --batch-size 4",
        "srun python pretrain_gpt2.py --batch-size 4 --model-parallel-size 2",
        "srun python tasks/main.py --batch-size 4 --tensor-model-parallel-size 1",
        f"{GPT} --warmup-steps 4",
    ],
)
def test_options_that_other_releases_and_programs_have(body: str) -> None:
    assert told(body) == []
