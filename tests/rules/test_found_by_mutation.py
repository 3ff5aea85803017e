"""Mistakes that rules once missed, brought to light by breaking correct scripts, and what looks like them."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job

TWO = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 4}
EIGHT = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}
HEAD = 'export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'
MEET = "--nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID"
MEGATRON = "python pretrain_gpt.py --tensor-model-parallel-size 2"
RANKS = "export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS LOCAL_RANK=$SLURM_LOCALID"
RECIPE = "python scripts/training/run_recipe.py --recipe a_sft_config dataset.enable_offline_packing=true"
PYXIS = "srun --container-image=/i.sqsh --no-container-mount-home --container-mounts=/lustre"
HETJOB = (
    "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH hetjob\n#SBATCH --nodes=2\nsrun --het-group=0,1 python t.py\n"
)

FOUND = {
    "a separator in small letters": ("SB103", HETJOB.replace("#SBATCH h", "#sbatch h"), "error"),
    "an option of the second component": (
        "SB103",
        HETJOB.replace("#SBATCH --nodes=2", " #SBATCH --nodes=2"),
        "error",
    ),
    "a long dash in a string of code": ("SB410", job("srun bash -c 'python t.py –lr 3'", **TWO), "error"),
    "a long dash in a variable": ("SB410", job('A="--lr 3 –bs 4"', "srun python t.py $A", **TWO), "error"),
    "more ranks of Megatron than GPUs": (
        "SB230",
        job(f"srun bash -c '{RANKS}; {MEGATRON}'", **{**EIGHT, "gpus_per_node": 4}),
        "error",
    ),
    "the launch node's address in the batch shell": (
        "SB225",
        job("export MASTER_ADDR=$SLURM_LAUNCH_NODE_IPADDR", "srun python t.py", **TWO),
        "error",
    ),
    "a launcher as the module of another": (
        "SB319",
        job("srun torchrun --nproc_per_node=4 -m torch.distributed.run --nproc_per_node=4 t.py", **TWO),
        "error",
    ),
    "a comment behind a backslash in a string": (
        "SB411",
        job("srun bash -c 'python t.py \\ # the rate", "    --lr 3'", **TWO),
        "error",
    ),
    "two dashes alone on a line": (
        "SB412",
        job("srun ray symmetric-run", "  -- python t.py", **TWO),
        "error",
    ),
    "a sleep of all tasks": (
        "SB357",
        job("srun bash -c '[ $SLURM_LOCALID = 0 ] && uv sync; sleep 60; python t.py'", **EIGHT),
        "warning",
    ),
    "a wait in the trap's own handler": (
        "SB355",
        job("again() { wait; }", "trap again USR1", "srun python t.py", signal="B:USR1@60", **TWO),
        "warning",
    ),
    "a launcher that waits for others beside a step of one node": (
        "SB311",
        job(HEAD, f"torchrun {MEET} --rdzv_endpoint=$HEAD:29400 t.py", "srun -N1 -n1 python eval.py", **TWO),
        "error",
    ),
    "a fixed port behind a variable's colon": (
        "SB314",
        job(HEAD, "PORT=29500", f"srun torchrun {MEET} --rdzv_endpoint=$HEAD:$PORT t.py", **TWO),
        "warning",
    ),
    "a fixed port of deepspeed": (
        "SB314",
        job("deepspeed --num_gpus 1 --master_port 29500 t.py", nodes=1, gpus_per_node=1),
        "warning",
    ),
    "the job's number as a port": (
        "SB330",
        job(HEAD, f"srun torchrun {MEET} --rdzv_endpoint=$HEAD:$SLURM_JOB_ID t.py", **TWO),
        "warning",
    ),
    "more GPUs for deepspeed than a node has": (
        "SB313",
        job("deepspeed --num_gpus 8 t.py", nodes=1, gpus_per_node=4),
        "error",
    ),
    "a constant rank beside accelerate's file": (
        "SB324",
        job(
            HEAD,
            "srun accelerate launch --config_file a.yaml --num_machines 2 --num_processes 8 "
            "--machine_rank 0 --main_process_ip $HEAD t.py",
            **TWO,
        ),
        "warning",
    ),
    "ranks of srun that wait for one that has failed": (
        "SB360",
        job(f"srun bash -c '{RANKS}; {MEGATRON}'", **EIGHT, time="2-00:00:00"),
        "info",
    ),
    "torchrun in a container of which the home folder is not said": (
        "SB511",
        job("srun --container-image=/i.sqsh torchrun --nproc_per_node=4 t.py", **TWO),
        "info",
    ),
    "a cache that is not exported": (
        "SB601",
        job("export HF_HOME=/lustre/hf", "NEMO_HOME=/lustre/nemo", f"{PYXIS} {RECIPE}", **EIGHT),
        "warning",
    ),
    "a misspelt option of srun": ("SB338", job("srun --gpu-per-node=4 python t.py", **TWO), "error"),
    "an option of sbatch on srun's line": ("SB338", job("srun --array=0-3 python t.py", **TWO), "error"),
    "an option that is close to none": ("SB338", job("srun --sites-own=4 python t.py", **TWO), "warning"),
    "the list of nodes as an address": (
        "SB336",
        job("export MASTER_ADDR=$SLURM_NODELIST", f"srun bash -c '{RANKS}; python t.py'", **TWO),
        "error",
    ),
    "the number of the node as a rank": (
        "SB337",
        job("srun bash -c 'RANK=$SLURM_NODEID python t.py'", **EIGHT),
        "error",
    ),
    "a launcher that is told of two nodes and stands alone": (
        "SB326",
        job("srun torchrun --standalone --nnodes=2 --nproc_per_node=4 t.py", **TWO),
        "warning",
    ),
    "a launcher of two on one node": (
        "SB326",
        job(HEAD, f"srun -N1 -n1 torchrun {MEET} --rdzv_endpoint=$HEAD:29400 t.py", **TWO),
        "error",
    ),
    "a container in the background at the end": (
        "SB356",
        job("srun apptainer exec --nv /i.sif python t.py &", **TWO),
        "error",
    ),
    "processes of all nodes for the GPUs of one": (
        "SB325",
        job(HEAD, f"srun torchrun {MEET} --rdzv_endpoint=$HEAD:1 t.py", nodes=2, ntasks_per_node=1, gpus=4),
        "error",
    ),
    "launchers of several nodes without a number of processes": (
        "SB325",
        job(
            HEAD,
            f"srun torchrun {MEET.replace('--nproc_per_node=4 ', '')} --rdzv_endpoint=$HEAD:1 t.py",
            **TWO,
        ),
        "warning",
    ),
    "tasks of all nodes for the GPUs of one": (
        "SB230",
        job(f"srun bash -c '{RANKS}; {MEGATRON}'", nodes=2, ntasks_per_node=8, gpus=8),
        "error",
    ),
}
QUIET = {
    "an option that is switched off in its component": (
        "SB103",
        HETJOB.replace("srun", " #SBATCH --nodes=4\nsrun"),
    ),
    "a dash in quoted prose": ("SB410", job('srun bash -c \'python t.py --name "a – b" "–"\'', **TWO)),
    "as many ranks of Megatron as GPUs": ("SB230", job(f"srun bash -c '{RANKS}; {MEGATRON}'", **EIGHT)),
    "the launch node's address in the tasks": (
        "SB225",
        job("srun bash -c 'MASTER_ADDR=$SLURM_LAUNCH_NODE_IPADDR python t.py'", **TWO),
    ),
    "a step's number that is printed": (
        "SB225",
        job("echo $SLURM_STEP_NUM_TASKS", "srun python t.py", **TWO),
    ),
    "a step's list of nodes in a function": (
        "SB225",
        job("f() { python t.py $SLURM_STEP_NODELIST; }", "export -f f", "srun bash -c f", **TWO),
    ),
    "a backslash that quotes a blank in a name": (
        "SB411",
        job("srun bash -c 'python t.py a\\ # b'", **TWO),
    ),
    "a sleep behind the work": (
        "SB357",
        job("srun bash -c '[ $SLURM_LOCALID = 0 ] && uv sync; python t.py; sleep 60'", **EIGHT),
    ),
    "a wait outside the handler": (
        "SB355",
        job("again() { wait; }", "trap again USR1", "srun python t.py &", "wait", signal="B:USR1@60", **TWO),
    ),
    "one launcher on each node by a loop": (
        "SB311",
        job(
            HEAD,
            f"srun -N1 -n1 -r1 torchrun {MEET} --rdzv_endpoint=$HEAD:29400 t.py &",
            f"torchrun {MEET} --rdzv_endpoint=$HEAD:29400 t.py",
            **TWO,
        ),
    ),
    "the job's number, kept small": (
        "SB330",
        job(
            HEAD,
            "PORT=$((20000 + SLURM_JOB_ID % 10000))",
            f"srun torchrun {MEET} --rdzv_endpoint=$HEAD:$PORT t.py",
            **TWO,
        ),
    ),
    "a cache that set -a exports": (
        "SB601",
        job("set -a", "HF_HOME=/lustre/hf", "NEMO_HOME=/lustre/nemo", f"{PYXIS} {RECIPE}", **EIGHT),
    ),
    "options behind words that are not known": (
        "SB338",
        job("srun $MORE --sites-own=4 python t.py --gpu-per-node=4", **TWO),
    ),
    "the list of nodes on one node": (
        "SB336",
        job("MASTER_ADDR=$SLURM_NODELIST srun python t.py", nodes=1, ntasks_per_node=4),
    ),
    "the list of nodes for something else": ("SB336", job("srun python t.py --hosts $SLURM_NODELIST", **TWO)),
    "the number of the node as a rank where each has one task": (
        "SB337",
        job("srun bash -c 'RANK=$SLURM_NODEID LOCAL_RANK=0 python t.py'", **TWO),
    ),
    "the rank as the local rank on one node": (
        "SB337",
        job("srun bash -c 'LOCAL_RANK=$SLURM_PROCID python t.py'", nodes=1, ntasks_per_node=4),
    ),
    "one that stands alone on each node": (
        "SB326",
        job("srun torchrun --standalone --nproc_per_node=4 t.py", **TWO),
    ),
    "one of two on each node": (
        "SB326",
        job(
            HEAD,
            f"srun -N1 -n1 torchrun {MEET} --rdzv_endpoint=$HEAD:29400 t.py &",
            f"srun -N1 -n1 torchrun {MEET} --rdzv_endpoint=$HEAD:29400 t.py",
            **TWO,
        ),
    ),
    "as many processes as GPUs in all": (
        "SB325",
        job(HEAD, f"srun torchrun {MEET} --rdzv_endpoint=$HEAD:1 t.py", nodes=2, ntasks_per_node=1, gpus=8),
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_it_is_found(name: str) -> None:
    code, text, severity = FOUND[name]
    assert [found.severity.value for found in findings(text, code)] == [severity]


@pytest.mark.parametrize("name", QUIET)
def test_what_looks_like_it_is_left_in_peace(name: str) -> None:
    code, text = QUIET[name]
    assert [found.message for found in findings(text, code)] == []


def test_the_separator_of_a_heterogeneous_job_is_mended() -> None:
    assert fixed(HETJOB.replace("#SBATCH h", "#sbatch h")).converged.source.text == HETJOB
