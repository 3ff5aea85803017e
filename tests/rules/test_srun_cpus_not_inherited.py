"""SB350: srun and the job's --cpus-per-task, by release."""

from __future__ import annotations

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, job

CODE = "SB350"
EIGHT = {"ntasks": 2, "cpus_per_task": 8}


def spots(text: str, release: str | None = "23.02") -> list[int]:
    source = Source.from_text(text, "job.sh")
    result = lint_source(source, all_rules(), LintOptions(release=release))
    return [source.position(f.span.start).line for f in result.findings if f.code == CODE]


def mended(text: str, *, unsafe: bool = False) -> str:
    options = LintOptions(release="22.05")
    fixed = fix_source(Source.from_text(text, "job.sh"), all_rules(), options, unsafe=unsafe)
    return fixed.converged.source.text


@pytest.mark.parametrize("release", ["22.05", "23.02"])
@pytest.mark.parametrize(
    "body",
    [
        "srun python t.py",
        'RUN="srun --label"; $RUN python t.py',
        "RUN=(srun --label); ${RUN[@]} python t.py",
        "go() { srun python t.py; }; go",
        'srun bash -c "cd /data && python t.py"',
        "srun --cpu-bind=cores ./simulate",
    ],
)
def test_each_way_of_writing_the_step(body: str, release: str) -> None:
    assert spots(job(body, **EIGHT), release) == [4]


def test_the_short_option_of_the_job() -> None:
    assert spots("#!/bin/bash\n#SBATCH -n2\n#SBATCH -c 8\nsrun python t.py\n") == [4]


@pytest.mark.parametrize("release", [None, "20.11", "21.08", "23.11", "24.05", "26.05"])
def test_quiet_for_other_releases_and_where_none_is_told(release: str | None) -> None:
    assert spots(job("srun python t.py", **EIGHT), release) == []


@pytest.mark.parametrize(
    "body",
    [
        "srun -c8 python t.py",
        "srun --cpus-per-task=$SLURM_CPUS_PER_TASK python t.py",
        "export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK; srun python t.py",
        "SRUN_CPUS_PER_TASK=8 srun python t.py",
        "srun --cpu-bind=none python t.py",
        "srun $OPTIONS python t.py",
        "srun hostname",
        "python t.py",
    ],
)
def test_quiet_where_the_cpus_are_named_or_nothing_needs_them(body: str) -> None:
    assert spots(job(body, **EIGHT)) == []


def test_quiet_for_one_cpu() -> None:
    assert spots(job("srun python t.py", ntasks=2, cpus_per_task=1)) == []


def test_one_finding_and_one_fix_for_all_steps() -> None:
    text = job("srun python a.py", "srun python b.py", **EIGHT)
    assert spots(text) == [4]
    assert mended(text).count("srun --cpus-per-task=$SLURM_CPUS_PER_TASK python") == 2


def test_unsafe_where_the_step_has_tasks_of_its_own() -> None:
    text = job("srun -n4 python a.py", **EIGHT)
    assert mended(text) == text
    assert "srun --cpus-per-task=$SLURM_CPUS_PER_TASK -n4" in mended(text, unsafe=True)
