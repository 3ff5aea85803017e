from __future__ import annotations

import pytest

from sbatchlint.diagnose.blame import Blame, blame
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source
from tests.diagnose.scenes import LOGS, diagnose

HEAD = """\
#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --time=1:00:00
"""
EARLY = (
    HEAD
    + 'export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)\n'
    + 'srun bash -c "accelerate launch --num_machines 2 --num_processes 16 --machine_rank $SLURM_NODEID '
    + '--main_process_ip $MASTER_ADDR --main_process_port 24551 train.py"\n'
)


def blamed(script: str, log: str) -> Blame:
    text = (LOGS / log).read_bytes() if log.endswith(".log") else log.encode()
    source = Source.from_text(script, "job.sh")
    return blame(source, Registry.load().select(), LintOptions(), diagnose(text))


def line(found: Blame) -> int | None:
    return None if found.span is None else found.source.position(found.span.start).line


def test_the_rule_that_would_have_seen_it_finds_the_line() -> None:
    found = blamed(EARLY, "09-every-node-rank-zero.log")
    assert found.findings[0].code == "SB401"
    assert found.source.position(found.findings[0].span.start).line == 7
    assert found.findings[0].fix is not None


def test_a_silenced_finding_is_told_all_the_same() -> None:
    head, last = EARLY.rsplit("srun", 1)
    silenced = f"{head}# sbatchlint: ignore[SB401] it is fine\nsrun{last}"
    found = blamed(silenced, "09-every-node-rank-zero.log")
    assert {one.code for one in found.silenced} == {"SB401"}
    assert "SB401" in {one.code for one in found.findings}


def test_no_rule_finds_anything_so_the_step_is_shown() -> None:
    found = blamed(
        HEAD + "echo hello\nsrun torchrun --nproc_per_node=8 train.py\n", "02-gpu-oom-then-watchdog.log"
    )
    assert not found.findings
    assert line(found) == 7


def test_the_step_that_slurm_names() -> None:
    script = HEAD + "srun hostname\nsrun python train.py\n"
    log = (
        "slurmstepd: error: Detected 1 oom_kill event in StepId=7.1.\n"
        "srun: error: n2: task 1: Out Of Memory\n"
    )
    assert line(blamed(script, log)) == 7


def test_which_of_two_steps_is_not_guessed() -> None:
    script = HEAD + "srun hostname\nsrun python train.py\n"
    found = blamed(script, "[rank3]: torch.OutOfMemoryError: CUDA out of memory\n")
    assert line(found) is None


def test_the_line_that_bash_names() -> None:
    log = "/var/spool/slurmd/job7/slurm_script: line 6: nothing-like-it: command not found\n"
    found = blamed(HEAD + "nothing-like-it --help\nsrun python train.py\n", log)
    assert line(found) == 6


def test_a_line_of_another_script_is_not_taken_for_one_of_this() -> None:
    log = "other.sh: line 6: nothing-like-it: command not found\n"
    found = blamed(HEAD + "./other.sh\n", log)
    assert line(found) is None


def test_a_healthy_log_blames_nothing() -> None:
    found = blamed(EARLY, "14-healthy-noisy.log")
    assert not found.findings
    assert line(found) is None


def test_a_plan_that_breaks_is_told_and_the_rest_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no plan")

    monkeypatch.setattr("sbatchlint.diagnose.blame._command", broken)
    found = blamed(HEAD + "srun torchrun --nproc_per_node=8 train.py\n", "02-gpu-oom-then-watchdog.log")
    assert found.span is None
    assert "no plan" in [one.message for one in found.internal_errors]
