"""Hypothesis strategies: batch scripts put together from pieces, and bytes for each target."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from tests.fuzz.mutations import ODD, mutated
from tests.fuzz.seeds import seeds
from tests.fuzz.table import SCRIPTS
from tests.launch.launch_grammar import scripts as evaluated
from tests.policy.expressions import expressions
from tests.shell.generated import script as shell_script

_VALUES = st.sampled_from(
    (
        "1", "2", "8", "0", "-1", "1-2", "1-0", "00:10", "1:00:00", "gpu:8", "gpu:h100:4", "a", "%j.out",
        "ALL", "$N", "", "'a b'", '"a#b"', "64G", "9" * 30, "node[1-4,7]", "/w/%x_%A_%a.log", "1-10%2",
        "x # why", "USR1@90", "a,b",
    )
)  # fmt: skip
_OPTIONS = st.sampled_from(
    (
        "--nodes", "--ntasks", "--ntasks-per-node", "--gpus-per-node", "--gres", "--time", "--mem",
        "--array", "--output", "--account", "--cpus-per-task", "--exclusive", "--nodelist",
        "--dependency", "--signal", "--requeue", "--export", "-N", "-n", "-t", "-p", "-J", "-A", "-o",
        "-c", "-G", "--container-image", "--gpu-bind", "--nodess", "–nodes",
    )
)  # fmt: skip
_GLUE = st.sampled_from(
    (
        "=", " ", "", "  ", " = ",
    )
)  # fmt: skip
_ODD_LINES = st.sampled_from(
    (
        "#SBATCH hetjob\n", "# SBATCH -N2\n", "##SBATCH -N2\n", "#SBATCH\n", "#PBS -l nodes=2\n",
        "#BSUB -n 4\n", "#sbatch -N2\n", "#SBATCH --comment='open\n", "\n", "# a comment\n",
        "#SBATCH -N2 \\\n", "# sbatchlint: ignore-file[SB1] all of it\n", "# sbatchlint: off[SB301]\n",
        "# sbatchlint: ignored[x]\n",
    )
)  # fmt: skip
_DIRECTIVES = st.one_of(
    st.builds(lambda *parts: f"#SBATCH {''.join(parts)}\n", _OPTIONS, _GLUE, _VALUES), _ODD_LINES
)
_SETTINGS = st.sampled_from(
    (
        "set -euo pipefail\n",
        "export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n1)\n",
        "export MASTER_PORT=29500\n", "MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))\n",
        "GPUS=${GPUS:-8}\n", "nodes=($(scontrol show hostnames))\n",
        "export NCCL_SOCKET_IFNAME=ib0 CUDA_VISIBLE_DEVICES=0,1\n", "source activate x\n",
        "module load cuda\n", "cd /scratch/$USER\n", "ARGS=(--tp 4 --pp 2)\n", "wait\n",
        "trap 'scontrol requeue $SLURM_JOB_ID' USR1\n",
        "export HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyzABCDEF12\n",
        'CMD="torchrun --nnodes $SLURM_NNODES train.py"\n', "read -r -d '' BODY <<'E'\ntrain $X\nE\n",
        "exit 0\n",
    )
)  # fmt: skip
_WRAPPERS = st.sampled_from(
    (
        "", "srun ", "srun -N2 -n2 ", "srun --ntasks-per-node=1 --gpus-per-node=8 ", "srun bash -c ",
        "bash -c ", "A=1 ", "srun --container-image=x --container-mounts=/a:/a ", "mpirun -np 8 ",
        "apptainer exec --nv x.sif ", "env X=1 ", "timeout 60 ", "for i in 1 2; do srun -n1 ", "( srun ",
        "if true; then srun ", "sbatch --wrap ", "nohup ", "ssh node1 ", "docker run --gpus all x ",
        "uv run ", "exec ", "time ", "eval ",
    )
)  # fmt: skip
_PROGRAMS = st.sampled_from(
    (
        "torchrun --nproc-per-node=8 train.py",
        "python -m torch.distributed.run --nnodes=$SLURM_NNODES t.py", "python t.py",
        "'torchrun --node_rank=$SLURM_PROCID t.py'", '"python t.py --rank \\$SLURM_PROCID"', "$CMD",
        '"$CMD"', '"${ARGS[@]}"',
        "torchrun --rdzv-endpoint=$MASTER_ADDR:$MASTER_PORT --rdzv-backend=c10d t.py --tp 4",
        "accelerate launch --num_processes 16 t.py", "deepspeed --num_gpus 8 t.py",
        "<<E\npython t.py\nE", "ray start --head", "bash -lc 'export R=$SLURM_LOCALID; python t.py'",
        "python pretrain_gpt.py --num-layers 32 --hidden-size 4096",
    )
)  # fmt: skip
_ENDS = st.sampled_from(
    (
        "\n", " &\n", "; done\n", " )\n", "; fi\n", " | tee log\n", " || true\n", " \\\n  --more\n",
        " > $LOG 2>&1\n",
    )
)  # fmt: skip
_LAUNCHES = st.builds(lambda *parts: "".join(parts), _WRAPPERS, _PROGRAMS, _ENDS)
_SEEDS = st.integers(0, 2**32)
_SHELL = _SEEDS.map(lambda seed: shell_script(seed, 2)[0])


@st.composite
def jobs(draw: st.DrawFn) -> str:
    """A batch script: directives, settings, some shell and launches."""
    first = draw(
        st.sampled_from(["#!/bin/bash\n", "#!/bin/bash -l\n", "#!/bin/sh\n", "", "#!/usr/bin/env python\n"])
    )
    head = draw(st.lists(_DIRECTIVES, max_size=6))
    body = draw(st.lists(st.one_of(_SETTINGS, _LAUNCHES, _LAUNCHES, _DIRECTIVES), max_size=7))
    more = draw(st.one_of(st.just(""), _SHELL, evaluated()))
    at = draw(st.integers(0, len(body)))
    return first + "".join((*head, *body[:at], more, "\n" * bool(more), *body[at:]))


def inputs(name: str) -> st.SearchStrategy[bytes]:
    """Bytes for the target called *name*: seeds and made-up texts with mutations, and anything else."""
    written: list[st.SearchStrategy[bytes]] = [st.sampled_from(seeds(name))]
    if name in SCRIPTS:
        written.append(jobs().map(lambda text: text.encode("utf-8", "surrogateescape")))
    if name == "policy":
        written.append(expressions(wild=True).map(str.encode))
    whole = st.one_of(written)
    changed = st.builds(lambda data, seed: mutated(data, Random(seed)), whole, _SEEDS)
    return st.one_of(whole, changed, changed, changed, _soup, st.binary(max_size=60))


_soup = st.lists(st.sampled_from(ODD), max_size=30).map(b"".join)
