"""Broken surroundings: caches, installations, secrets, removals."""

from __future__ import annotations

from collections.abc import Iterator

from tests.rules.mutations.mutation import Mutation, both, command, directive, each

NATIVE_RECIPE = "enable_offline_packing"


def token_in_the_text(text: str) -> Iterator[str]:
    """Write a token into the script; it is put together here, so that no file holds one."""
    token = "hf_" + "".join(chr(ord("a") + number * 7 % 26) + str(number % 10) for number in range(17))
    yield from command(f"export HF_TOKEN={token}")(text)


MUTATIONS = (
    Mutation(
        "a misspelt variable",
        "SB609",
        each(r"^export CUDA_DEVICE_MAX_CONNECTIONS=", "export CUDA_MAX_CONNECTIONS="),
    ),
    Mutation(
        "CUDA_DEVICE_MAX_CONNECTIONS not set",
        "SB613",
        each(r"^export CUDA_DEVICE_MAX_CONNECTIONS=1\n", "", when="pretrain_gpt.py"),
        pedantic=True,
    ),
    Mutation(
        "the loopback interface", "SB612", command("export NCCL_SOCKET_IFNAME=lo", when="pretrain_gpt.py")
    ),
    Mutation("a word for a number", "SB611", command("export NCCL_P2P_DISABLE=true", when="pretrain_gpt.py")),
    Mutation(
        "NEMO_HOME on each node's own disk",
        "SB601",
        each(r"^(export NEMO_HOME=).*", r"\1/tmp/nemo", when=NATIVE_RECIPE),
    ),
    Mutation(
        "NEMO_HOME not set", "SB601", each(r"^export NEMO_HOME=.*\n", "", when=NATIVE_RECIPE), pedantic=True
    ),
    Mutation(
        "NEMO_HOME not exported",
        "SB601 SB320",
        each(r"^export (?=NEMO_HOME=)", "", when=NATIVE_RECIPE),
        pedantic=True,
    ),
    Mutation(
        "HF_HOME not set", "SB601", each(r"^export HF_HOME=.*\n", "", when=NATIVE_RECIPE), pedantic=True
    ),
    Mutation(
        "no step ahead that installs",
        "SB602",
        each(r"^srun .*uv sync --frozen\n\n(.*bash -c ')\n", r"\1\n    uv sync --frozen\n"),
        pedantic=True,
    ),
    Mutation(
        "every task installs",
        "SB602",
        each(r"--ntasks=\"\$SLURM_NNODES\" --ntasks-per-node=1 \\\n\s+(?=--container)", ""),
    ),
    Mutation(
        "one folder in /tmp for all jobs",
        "SB604",
        each(r"(/tmp/triton)-\$SLURM_JOB_ID", r"\1"),
        pedantic=True,
    ),
    Mutation(
        "set -u ahead of conda", "SB605", command("set -euo pipefail", when="conda activate"), pedantic=True
    ),
    Mutation(
        "no login shell for conda",
        "SB606 SB608",
        each(r"\A#!/bin/bash -l", "#!/bin/bash", when="conda activate"),
    ),
    Mutation("token in the text", "SB801", token_in_the_text),
    Mutation("token on a command line", "SB802", each(r"(run_recipe\.py) ", r"\1 --hf-token $HF_TOKEN ")),
    Mutation(
        "token on srun's command line",
        "SB802",
        each(r"^srun (?=\S)", 'srun --export="ALL,HF_TOKEN=$HF_TOKEN" '),
    ),
    Mutation("token in the trace", "SB803", each(r'^(: "\$\{HF_TOKEN.*)', r"set -x\n\1")),
    Mutation("environment in the log", "SB804", command("env | sort"), pedantic=True),
    Mutation("rm -rf without a guard", "SB805", each(r"(rm -rf .*)\$\{(RUN_DIR):\?\}", r"\1$\2")),
    Mutation(
        "rm -rf in every task",
        "SB807",
        both(
            each(r"^if .*rm -rf nemo_experiments; fi\n", ""),
            each(r"bash -c '\n", r"\g<0>    rm -rf nemo_experiments\n"),
        ),
        pedantic=True,
    ),
    Mutation(
        "runs of an array in one folder",
        "SB806",
        both(each(r"^if .*rm -rf nemo_experiments; fi\n", ""), directive("#SBATCH --array=0-1")),
        pedantic=True,
    ),
    Mutation(
        "environment of a container cut off",
        "SB351",
        each(r"^srun ", "srun --export=FOO=1 ", when="^export [^S].*(?:.*\n)*.*container"),
        pedantic=True,
    ),
    Mutation(
        "every task installs with pip", "SB602", each(r"bash -c '\n", r"bash -c '\n    pip install -e .\n")
    ),
    Mutation(
        "token in an address", "SB802", command("git clone https://user:$HF_TOKEN@host.org/x.git /scratch/x")
    ),
)
