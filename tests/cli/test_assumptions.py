"""What is assumed of the submission: release, command line, environment, cluster, and sbatch itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.lint import registry
from tests.cli.conftest import Run, Write

PROFILE = """\
release = "24.05"
[settings]
enforce-part-limits = "ALL"
[[partitions]]
name = "gpu"
nodes = "gpu[1-4]"
default = true
[[node-types]]
hosts = "gpu[1-4]"
cpus = 64
gpus = { h100 = 8 }
features = []
"""


@pytest.fixture
def real(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line with the built-in rules."""
    monkeypatch.setattr(registry, "BUILT_IN", "sbatchlint_rules")
    return run


def test_release(real: Run, write: Write) -> None:
    write("job.sh", "#SBATCH --segment=1\nsrun hostname\n")
    assert real("job.sh").status == 0
    done = real("--slurm-version", "23.11", "job.sh")
    assert "error[SB112]" in done.out


@pytest.mark.parametrize("release", ["23.5x", "x", "1.2", "24.06", ""])
def test_no_release(real: Run, write: Write, release: str) -> None:
    write("job.sh", "srun hostname\n")
    done = real(f"--slurm-version={release}", "job.sh")
    assert done.status == 2
    assert "known are" in done.err


def test_command_line(real: Run, write: Write) -> None:
    write("job.sh", "#SBATCH --mem=1G\nsrun hostname\n")
    assert real("job.sh").status == 0
    done = real("--sbatch-args", "--mem-per-cpu=1G", "job.sh")
    assert "error[SB206]" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--nodes=x", '"x" is not a valid node count'),
        ("--nodes", "missing argument"),
        ("--label", "option of another command"),
        ("job.sh", "give the script's own arguments with --arg"),
        ("'", "quotation"),
    ],
)
def test_bad_command_line(real: Run, write: Write, words: str, said: str) -> None:
    write("job.sh", "srun hostname\n")
    done = real("--sbatch-args", words, "job.sh")
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_environment_of_the_submitting_shell(
    real: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("job.sh", "#SBATCH --mem=1G\nsrun hostname\n")
    monkeypatch.setenv("SBATCH_TIMELIMIT", "30")
    assert "SBATCH_TIMELIMIT" not in real("plan", "job.sh").out
    assert "30 (30 minutes)" in real("plan", "--use-environment", "job.sh").out
    assert "40 (40 minutes)" in real("plan", "--env", "SBATCH_TIMELIMIT=40", "job.sh").out


def test_variable_that_sbatch_refuses_or_passes_over(real: Run, write: Write) -> None:
    write("job.sh", "#SBATCH --mem=1G\nsrun hostname\n")
    done = real("--env=SBATCH_TIMELIMIT=1h", "job.sh")
    assert (done.status, done.out) == (2, "")
    assert "SBATCH_TIMELIMIT=1h: sbatch refuses every job: Invalid --time specification" in done.err
    done = real("--env=SBATCH_NODES=2", "job.sh")
    assert done.status == 0
    assert "SBATCH_NODES: sbatch does not read it" in done.err


def test_finding_names_the_releases_it_depends_on(real: Run, write: Write) -> None:
    write("job.sh", "#SBATCH --tres-per-task=cpu:4 -n1\nsrun hostname\n")
    assert "sbatch of Slurm before 23.02 does not know" in real("--slurm-version=22.05", "job.sh").out
    write("job.sh", "#SBATCH --nodes=x\nsrun hostname\n")
    assert "sbatch refuses the job" in real("--slurm-version=22.05", "job.sh").out


def test_option_of_the_site(real: Run, write: Write) -> None:
    write("job.sh", "#SBATCH --flavour=mint\nsrun hostname\n")
    assert "[SB108]" in real("job.sh").out
    assert real("--known-option=--flavour", "job.sh").status == 0
    assert real("--known-option", "flavour=", "job.sh").status == 0
    assert real("--known-option", "-x y", "job.sh").status == 2


def test_cluster(real: Run, write: Write) -> None:
    write("job.sh", "#SBATCH --gpus-per-node=h200:8\nsrun hostname\n")
    write("cluster.toml", whole=PROFILE)
    assert real("job.sh").status == 0
    done = real("--cluster", "cluster.toml", "job.sh")
    assert "error[SB904]" in done.out
    assert "h100" in done.out


def test_cluster_with_a_mistake(real: Run, write: Write) -> None:
    write("job.sh", "srun hostname\n")
    write("cluster.toml", whole=PROFILE.replace("node-types", "node-typs"))
    done = real("--cluster", "cluster.toml", "job.sh")
    assert (done.status, done.out) == (2, "")
    assert "cluster.toml:8:1" in done.err
    assert "did you mean 'node-types'?" in done.err
    assert real("--cluster", "none.toml", "job.sh").status == 2


def _stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    tools = folder / "tools"
    tools.mkdir()
    command = tools / "sbatch"
    command.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {folder}/words\ncat > {folder}/script\n{body}")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")


def test_sbatch_refuses(real: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("job.sh", "#SBATCH --partition=gpuu\nsrun hostname\n")
    _stand_in(tmp_path, monkeypatch, "echo 'sbatch: error: invalid partition specified: gpuu' >&2; exit 1\n")
    done = real("--test-only", "--sbatch-args=--nodes=2", "job.sh")
    assert done.status == 1
    assert "error[SB910] sbatch --test-only refuses the job: invalid partition specified: gpuu" in done.out
    assert "job.sh:3:9" in done.out
    assert (tmp_path / "words").read_text().split() == ["--test-only", "--nodes=2"]
    assert (tmp_path / "script").read_text() == (tmp_path / "job.sh").read_text()


def test_sbatch_accepts(real: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("job.sh", "srun hostname\n")
    _stand_in(tmp_path, monkeypatch, "echo 'sbatch: Job 7 to start at noon on nodes gpu1' >&2\n")
    done = real("--test-only", "job.sh")
    assert (done.status, done.out) == (0, "")
    assert "job.sh: sbatch --test-only: Job 7 to start at noon" in done.err


def test_no_sbatch(real: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("job.sh", "#SBATCH --nodes=x\nsrun hostname\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    done = real("--test-only", "job.sh")
    assert done.status == 2
    assert "no sbatch on PATH" in done.err
