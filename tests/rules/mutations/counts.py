"""Broken counts: tasks, processes, GPUs, nodes, and parallelism that does not fit them."""

from __future__ import annotations

from tests.rules.mutations.mutation import Mutation, both, command, each

TORCHRUN = r"^\s*(?:srun.*)?torchrun|bash -c .?torchrun|srun torchrun|accelerate launch"
SEVERAL_NODES = r"^#SBATCH (?:--nodes=|-N )[2-9]"

MUTATIONS = (
    Mutation(
        "a torchrun in each of 8 tasks",
        "SB301",
        each("^(#SBATCH --ntasks-per-node=)1$", r"\g<1>8", when=TORCHRUN, unless="hetjob"),
    ),
    Mutation(
        "one task for a native script",
        "SB302 SB312 SB701 SB702",
        each(
            r"^#SBATCH --ntasks-per-node=[48]\n",
            "#SBATCH --ntasks-per-node=1\n",
            when=r"run_recipe|pretrain_gpt|trainer\.num_nodes",
        ),
    ),
    Mutation(
        "more tasks than GPUs",
        "SB230 SB315 SB312 SB301",
        each("^(#SBATCH --ntasks-per-node=)8$", r"\g<1>16", when="run_recipe|pretrain_gpt|gpt_pretraining"),
    ),
    Mutation(
        "another number of nodes for the launcher",
        "SB326 SB316",
        each(r"(--nnodes=|--num_machines )(?:[24]|\$SLURM_NNODES)\b", r"\g<1>3", when=SEVERAL_NODES),
    ),
    Mutation(
        "another number of nodes for the job",
        "SB326 SB312 SB318",
        each("^(#SBATCH (?:--nodes=|-N ))[24]$", r"\g<1>6", when=r"--nnodes=\d|--num_machines|num_nodes="),
    ),
    Mutation("more processes than GPUs", "SB325", each(r"(--nproc_per_node=)\d", r"\g<1>16")),
    Mutation("fewer processes than GPUs", "SB325", each(r"(--nproc_per_node=)\d", r"\g<1>2"), pedantic=True),
    Mutation("num_processes of one node", "SB316", each(r"(--num_processes )8", r"\g<1>4")),
    Mutation("num_gpus of all nodes", "SB313 SB325", each(r"(--num_gpus )4", r"\g<1>8")),
    Mutation("other devices for Lightning", "SB312", each(r"(trainer\.devices=)\d", r"\g<1>6")),
    Mutation("other nodes for Lightning", "SB312", each(r"(trainer\.num_nodes=)\d", r"\g<1>3")),
    Mutation(
        "Ray on one node only",
        "SB318",
        each(r'--nodes="\$SLURM_NNODES" --ntasks="\$SLURM_NNODES"', "--nodes=1 --ntasks=1", when="ray"),
    ),
    Mutation(
        "eight Ray tasks a node",
        "SB318",
        both(
            each(r' --ntasks="\$SLURM_NNODES"', "", when="ray symmetric"),
            each("^(#SBATCH --ntasks-per-node=)1$", r"\g<1>8"),
        ),
    ),
    Mutation(
        "one GPU visible to each task",
        "SB315",
        each(
            "^(#SBATCH --)gpus-per-node=[48]",
            r"\1gpus-per-task=1",
            when="(?:pretrain_gpt|run_recipe)",
            unless="torchrun",
        ),
    ),
    Mutation(
        "CUDA_VISIBLE_DEVICES over Slurm's",
        "SB335",
        command("export CUDA_VISIBLE_DEVICES=0,1,2,3", unless="--exclusive"),
        pedantic=True,
    ),
    Mutation("a number of Slurm's overwritten", "SB226", command("export SLURM_GPUS_ON_NODE=8")),
    Mutation(
        "step without its number of tasks",
        "SB358 SB352",
        each(r"srun --ntasks=1 (?=--cpus-per-task)", "srun "),
    ),
    Mutation(
        "recipe for more GPUs",
        "SB720",
        each(r"(--recipe llama3_8b)_sft_config", r"\1_sft_512gpu_h100_bf16_config"),
        pedantic=True,
    ),
    Mutation("TP that does not divide", "SB701", each(r"(tensor.model.parallel.size[= ])\d", r"\g<1>3")),
    Mutation("PP that does not divide", "SB701", each(r"(pipeline.model.parallel.size[= ])\d", r"\g<1>5")),
    Mutation(
        "layers that PP does not divide",
        "SB704",
        each(r"(--num-layers )\d+", r"\g<1>47", when=r"--pipeline-model-parallel-size [2-9]"),
    ),
    Mutation(
        "heads that TP does not divide",
        "SB703",
        each(r"(--num-attention-heads )\d+", r"\g<1>39", when=r"--tensor-model-parallel-size [2-9]"),
    ),
    Mutation(
        "a batch that DP does not divide",
        "SB705",
        each(r"(--global-batch-size )\d+", r"\g<1>251", when="--micro-batch-size"),
    ),
    Mutation(
        "experts without sequence parallelism", "SB706", each(" --sequence-parallel", "", when="experts")
    ),
    Mutation("an option of 2019", "SB711", each("--micro(-batch-size)", r"-\1")),
    Mutation("EP that does not divide", "SB702", each(r"(expert-model-parallel-size )\d", r"\g<1>12")),
    Mutation(
        "GPUs that do not fit the tasks",
        "SB701 SB702 SB325 SB230",
        each("^(#SBATCH --gpus-per-node=)8", r"\g<1>6", when="tensor.model.parallel.size"),
    ),
    Mutation(
        "GPUs for all nodes instead of each",
        "SB325 SB230",
        each(
            r"^#SBATCH --gpus-per-node=([48])$", r"#SBATCH --gpus=\1", when=SEVERAL_NODES, unless="hetjob|ray"
        ),
    ),
    Mutation(
        "number of processes left out",
        "SB325",
        each(r"^ *--nproc_per_node=\d \\\n", "", when=SEVERAL_NODES, unless="standalone"),
        pedantic=True,
    ),
)
