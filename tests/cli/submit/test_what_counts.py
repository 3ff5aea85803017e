"""What counts: directives, the command line and the environment, as sbatch would take them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sbatchlint.secrets.fake import fill_tokens
from tests.cli.submit.standing_in import BAD, GOOD, StandIn, submit


def test_the_command_line_counts(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "-N4", "-p", "gpu", "--gpus-per-node=8", "good.sh")
    assert done.err.startswith(
        "job     4 nodes x 1 task (assumed) = 4 tasks (assumed), 32 GPUs, partition gpu, 1 hour"
    )


def test_variables_for_sbatch_count(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "good.sh", environment={"SBATCH_PARTITION": "gpu", "SBATCH_TIMELIMIT": "5"})
    assert "partition gpu, 5 minutes" in done.err


def test_arguments_and_numbers_of_the_environment_count(sbatch: StandIn, here: Path) -> None:
    (here / "args.sh").write_text(
        "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n#SBATCH --gpus-per-node=8\n"
        'srun python "$1" --tensor-model-parallel-size $TP --pipeline-model-parallel-size 1\n'
    )
    done = submit(sbatch, here, "args.sh", "pretrain_gpt.py", environment={"TP": "4"})
    assert "starts  1 step: srun -> pretrain_gpt.py\n" in done.err
    assert "layout  TP 4 x PP 1 x DP 4, no container\n" in done.err


def test_a_script_from_standard_input(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "-H", stdin=BAD)
    assert (done.status, sbatch.called) == (1, False)
    assert " --> -:3:9" in done.err
    assert submit(sbatch, here, "-H", stdin=GOOD).status == 0
    assert sbatch.stdin == GOOD


def test_a_script_of_a_process_substitution(sbatch: StandIn, here: Path) -> None:
    program = sbatch.folder / "sbatch"
    program.write_text(program.read_text().replace("cat >", "cat $1 >"))
    command = f"{sys.executable} -m sbatchlint submit <(cat good.sh)"
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        cwd=here,
        env={"PATH": sbatch.path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert sbatch.stdin == GOOD
    assert b"1 step: srun -> hostname" in done.stderr


def test_wrap(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "-N2", "--wrap", "srun -n16 python train.py")
    assert (done.status, sbatch.argv) == (0, [b"-N2", b"--wrap", b"srun -n16 python train.py"])
    assert "starts  1 step: srun -> train.py\n" in done.err


def test_components_of_the_command_line(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "-N1", ":", "-N3", "-p", "gpu", "good.sh")
    assert done.err.startswith("job     2 components: 1 node x 1 task")
    assert "; 3 nodes x 1 task" in done.err


def test_array(sbatch: StandIn, here: Path) -> None:
    assert submit(sbatch, here, "-a0-9%2", "good.sh").err.startswith(
        "job     array of 10 tasks, at most 2 at once, each 2 nodes"
    )


def test_no_secret_is_shown(sbatch: StandIn, here: Path) -> None:
    """None of the script, of the command line, of sbatch's variables or of the environment."""
    tokens = [fill_tokens("{{token:" + provider + "}}") for provider in ("huggingface", "wandb", "github")]
    own = "correct-horse-battery"
    (here / "secret.sh").write_text(
        f"#!/bin/bash\n#SBATCH --mpi=x\nexport HF_TOKEN={tokens[0]}\n"
        'srun $MINE --key "$1" $WANDB_API_KEY $GITHUB_TOKEN\nsrun "$1" $MINE/x\n'
    )
    done = submit(
        sbatch,
        here,
        f"--export=ALL,GITHUB_TOKEN={tokens[2]}",
        "secret.sh",
        tokens[2],
        environment={
            "MINE": own,
            "SBATCH_EXPORT": f"ALL,WANDB_API_KEY={tokens[1]}",
            "WANDB_API_KEY": tokens[1],
        },
    )
    assert done.status == 1
    assert "********" in done.err
    for secret in (*tokens, own):
        assert secret not in done.err


def test_nothing_of_the_script_reaches_the_terminal_raw(sbatch: StandIn, here: Path) -> None:
    (here / "esc.sh").write_bytes(b"#!/bin/bash\nsrun $'a\x1b[31mb' --x=\x1b]0;t\x07\n")
    assert "\x1b" not in submit(sbatch, here, "-p", "\x1b[31m", "esc.sh").err
