"""What is not converted, and why: each with what to do instead."""

from __future__ import annotations

import pytest

from sbatchlint.convert.refusal import Refused
from tests.convert.scripts import made, with_nodes

REFUSED = {
    "srun torchrun t.py": "a step of a Slurm job already",
    "sbatch job.sh": "submits a job itself",
    "#SBATCH --nodes=2\ntorchrun t.py": "a batch script already",
    "docker run --gpus all img torchrun t.py": "--image",
    "apptainer exec --nv a.sif torchrun t.py": "--image",
    "mpirun -np 8 python t.py": "srun starts such programs itself",
    "sudo python t.py": "leave it out",
    "python scripts/training/launch_with_nemo_run.py": "run it on the login node",
    "bash -c 'python scripts/training/setup_experiment.py'": "run it on the login node",
    "cat list | python t.py": "reads from a pipe",
    "torchrun t.py < list": "standard input",
    "torchrun t.py <<< list": "standard input",
    "python - <<EOF\nimport t\nEOF": "standard input",
    "for i in 1 2; do torchrun t.py $i; done": "a loop starts it",
    "torchrun a.py\ntorchrun b.py": "lines 1, 2",
    'if [ -n "$X" ]; then torchrun t.py; fi': "a condition",
    "train() { torchrun t.py; }\ntrain": "a function",
    "false || torchrun t.py": "a condition",
    "make data && torchrun t.py": "the command depends on it",
    'torchrun t.py "unclosed': "is a quote missing?",
    "": "starts no program",
    "torchrun": "starts no program",
    "echo hello": "starts no program",
    "tmux new -d 'torchrun t.py'": "the command inside",
    "./run.sh 8": "--from-file run.sh",
    "llamafactory-cli train x.yaml": "-m llamafactory.launcher",
    "tune run --nproc_per_node 8 full_finetune_distributed --config x": "torchrun --nproc_per_node",
    "axolotl train x.yml": "accelerate launch -m axolotl.cli.train",
    "litgpt finetune x": "--mode native",
    "composer train.py x": "options of its own",
    "torchrun t.py --data <path to data>": "still to be filled in",
    "accelerate launch --config_file <config> t.py": "still to be filled in",
    "torchrun t.py <ARGS>": "still to be filled in",
    "A=4 torchrun t.py $A": "before A=...",
    "torchrun t.py <(echo a)": "a file's name",
    "! torchrun t.py": "leave out the !",
    "ls -l": "of several ranks",
    "python train.py --lr 1": "--mode native or --mode torchrun",
    "torchrun t.py --rank $SLURM_PROCID": "differs between the tasks",
    "torchrun t.py --rank=r$SLURM_LOCALID": "differs between the tasks",
    "torchrun $EXTRA t.py": "may be options of it",
    "numactl $N torchrun t.py": "may be options of it",
    "uv run $O t.py": "may be options of it",
    "bash train.sh": "--from-file train.sh",
    "bash -c 'cd /x && torchrun t.py'": "more than the program",
    "bash -c 'export A=1; torchrun t.py'": "more than the program",
    "$LAUNCH t.py": "of several ranks",
    'timeout "$T" torchrun t.py': "not known what stands before",
    "bash -c 'torchrun t.py $WORDS'": "not known which words",
}


@pytest.mark.parametrize("command", REFUSED)
def test_says_what_to_do_instead(command: str) -> None:
    with pytest.raises(Refused) as refused:
        made(command, with_nodes(2))
    assert REFUSED[command] in refused.value.message


def test_lightning_takes_some_names_for_a_shell() -> None:
    from dataclasses import replace

    site = replace(with_nodes(2), job_name="interactive")
    with pytest.raises(Refused, match="takes such a job for a shell"):
        made("python t.py trainer.devices=8", site)
    assert "--job-name=bash-job\n" in made("python bash.py trainer.devices=8", with_nodes(2))
