"""Broken steps: how they are started, what they inherit, how they end."""

from __future__ import annotations

from tests.rules.mutations.mutation import Mutation, each, everywhere

SEVERAL_NODES = r"^#SBATCH (?:--nodes=|-N )[2-9]"

MUTATIONS = (
    Mutation(
        "no srun on several nodes",
        "SB311",
        each(r"^srun (?=torchrun|python|apptainer)|^srun (?=bash -c)", "", when=SEVERAL_NODES),
    ),
    Mutation(
        "deepspeed for torchrun under srun",
        "SB313",
        each(
            r"torchrun \\\n\s*--nnodes=2 \\\n\s*--nproc_per_node=4 \\\n(?:\s*--rdzv.*\n)*",
            "deepspeed --num_nodes 2 --num_gpus 4 ",
        ),
    ),
    Mutation(
        "torchrun around a native script",
        "SB301 SB303",
        each(r"python (?=\S*(?:run_recipe|megatron_gpt_pretraining))", "torchrun --nproc_per_node=8 "),
    ),
    Mutation(
        "a launcher within a launcher",
        "SB319",
        each(
            r"--nproc_per_node=\d (?:\\\n\s*)?(?=--standalone |train\.py|evaluate\.py)",
            r"\g<0>-m torch.distributed.run --nproc_per_node=8 ",
        ),
    ),
    Mutation("wait dropped", "SB356", everywhere(r'^wait(?: "\$trainer")?\n', "", unless="hetjob")),
    Mutation(
        "program in the foreground behind a trap",
        "SB355",
        each(r"^(\s+train.py .*) &\ntrainer=\$!\nwait.*\n", r"\1\n"),
    ),
    Mutation("pipefail dropped", "SB354", everywhere(r"^set -(\w*)o pipefail", r"set -\1", when=r"\| tee")),
    Mutation("tee behind the training", "SB354", each(r"^(\s+--data\.root=\S+)", r"\1 | tee fit.log")),
    Mutation("echo behind the training", "SB353", each(r"\Z", "echo finished\n", when="lightning|lit-vit")),
    Mutation("srun takes the loop's input", "SB363", each(" </dev/null", "")),
    Mutation("steps that take the whole node", "SB352", each(r" --cpus-per-task=8 (.*) --exact", r" \1")),
    Mutation(
        "environment cut off",
        "SB351",
        each(r"^(\s*)srun ", r"\1srun --export=FOO=1 ", when="^export", unless="container"),
    ),
    Mutation(
        "CPUs not handed to srun", "SB350", each(r"^export SRUN_CPUS_PER_TASK=.*\n", ""), release="22.05"
    ),
    Mutation(
        "a failed task that keeps the others waiting",
        "SB360",
        each(r" --kill-on-bad-exit=1", "", when="^#SBATCH --time=1-"),
        pedantic=True,
    ),
    Mutation(
        "cd that may fail", "SB362", each(r"^(cd \S+) \|\| exit 1", r"\1", unless="^set -e"), pedantic=True
    ),
    Mutation(
        "sleep for a barrier",
        "SB357 SB602",
        each(
            r"^srun .*uv sync --frozen\n\n(.*bash -c ')\n",
            r'\1\n    [ "$SLURM_LOCALID" = 0 ] && uv sync --frozen\n    sleep 60\n',
        ),
    ),
    Mutation(
        "step on one node of several",
        "SB326",
        each(
            r"^srun (?=torchrun \\\n *--nnodes|bash -c .torchrun)",
            "srun --nodes=1 --ntasks=1 ",
            when=SEVERAL_NODES,
        ),
    ),
    Mutation(
        "training in the background at the end",
        "SB356",
        each(r"(zero2\.json\"|imagenet|epochs 90')$", r"\1 &"),
    ),
    Mutation("misspelt option of srun", "SB338", each(r"^srun ", "srun --gpu-per-node=8 ")),
    Mutation("ambiguous option of srun", "SB338", each(r"^srun ", "srun --ntask=1 ")),
    Mutation(
        "requeue of one element by the array's number",
        "SB222",
        each(r"\Z", "[ -e done ] || scontrol requeue $SLURM_ARRAY_JOB_ID\n", when="^#SBATCH --array"),
    ),
)
