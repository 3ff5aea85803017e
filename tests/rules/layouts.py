"""Training commands on 4 nodes of 8 GPUs, and what the rules on layouts tell of them."""

from __future__ import annotations

from tests.rules.checking import findings, job

FOUR = {"nodes": 4, "ntasks_per_node": 8, "gpus_per_node": 8}
GPT = "srun python pretrain_gpt.py --micro-batch-size 1"
TORCHRUN = (
    'srun --ntasks-per-node=1 bash -c "torchrun --nnodes=4 --nproc_per_node=8 --rdzv_backend=c10d '
    '--rdzv_endpoint=$HEAD:29500 pretrain_gpt.py --micro-batch-size 1 %s"'
)
RECIPE = "srun python scripts/training/run_recipe.py --recipe my_pretrain_config"
MOE = f"{GPT} --num-experts 8"
LAYOUT_RULES = [f"SB7{number:02}" for number in range(3, 12)]


def told(body: str, **options: object) -> list[tuple[str, str]]:
    """Code and severity of each finding on a layout, on 4 nodes of 8 GPUs unless *options* say else."""
    found = findings(job("export CUDA_DEVICE_MAX_CONNECTIONS=1", body, **(options or FOUR)))
    return [(one.code, one.severity.value) for one in found if one.code in LAYOUT_RULES]
