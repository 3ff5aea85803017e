"""SB351: what --export leaves of the environment."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB351"


@pytest.mark.parametrize(
    "body",
    [
        "srun --export=NCCL_DEBUG=INFO python t.py",
        "srun --export NCCL_DEBUG=INFO,FOO python t.py",
        'E="--export=FOO"; srun $E python t.py',
        'srun "--export=FOO=$BAR" python t.py',
        "export SLURM_X=1; srun --export=ALLOCATION=1 bash -c 'python t.py'",
    ],
)
def test_a_list_without_all_is_an_error(body: str) -> None:
    assert lines(job(body, ntasks=2), CODE) == [(3, "error")]


@pytest.mark.parametrize(
    "body",
    [
        "srun --export=ALL python t.py",
        "srun --export=ALL,FOO=1 python t.py",
        "srun --export=FOO=1,ALL python t.py",
        'srun --export="PATH,LD_LIBRARY_PATH,FOO" python t.py',
        "srun --export=PATH=/usr/bin,FOO=1 python t.py",
        "srun --export=$LIST python t.py",
        "srun --export=FOO,$LIST python t.py",
        "srun --export=ALL$MORE python t.py",
    ],
)
def test_quiet_where_all_or_a_path_is_handed_on(body: str) -> None:
    assert lines(job(body, ntasks=2), CODE) == []


def test_none_is_a_warning() -> None:
    assert lines(job("srun --export=NONE python t.py", ntasks=2), CODE) == [(3, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        "srun --export=FOO /usr/bin/python3 t.py",
        "srun --export=FOO /bin/bash -c 'python t.py'",
        "srun --export=FOO ./run.sh",
        "srun --container-image=/i.sqsh --export=FOO python t.py",
    ],
)
def test_less_sure_where_no_path_is_needed(body: str) -> None:
    (found,) = findings(job(body, ntasks=2), CODE)
    assert (found.severity.value, found.prominent) == ("warning", False)


def test_of_two_lists_the_first_is_lost() -> None:
    (found,) = findings(job("srun --export=ALL,A=1 --export=ALL,B=1 python t.py", ntasks=2), CODE)
    assert "no effect" in found.message


@pytest.mark.parametrize("value", ["NONE", "NIL", "HOME,USER"])
def test_steps_inherit_a_directive(value: str) -> None:
    assert lines(job("srun python t.py", ntasks=2, export=value), CODE) == [(3, "warning")]


@pytest.mark.parametrize(
    ("value", "body"),
    [
        ("ALL", "srun python t.py"),
        ("ALL,FOO=1", "srun python t.py"),
        ("NONE", "srun --export=ALL python t.py"),
        ("NONE", "unset SLURM_EXPORT_ENV; srun python t.py"),
        ("NONE", "export SLURM_EXPORT_ENV=ALL; srun python t.py"),
        ("NONE", "python t.py"),
        ("NONE", "srun ./a.out"),
    ],
)
def test_quiet_where_the_directive_does_no_harm(value: str, body: str) -> None:
    assert lines(job(body, ntasks=2, export=value), CODE) == []


def test_the_list_is_completed() -> None:
    text = job('srun --export="FOO=1,BAR" python t.py', ntasks=2)
    assert '--export="ALL,FOO=1,BAR"' in fixed(text).converged.source.text
    text = job("srun --container-image=/i.sqsh --export=FOO python t.py", ntasks=2)
    assert fixed(text).converged.source.text == text


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("sbatch --export=SEED=$i run.sh", "sbatch --export=ALL,SEED=$i run.sh"),
        ('sbatch --export="SEED=$i" run.sh', 'sbatch --export="ALL,SEED=$i" run.sh'),
        ("sbatch --export SEED=1,B=2 run.sh", "sbatch --export ALL,SEED=1,B=2 run.sh"),
    ],
)
def test_a_job_that_is_submitted(line: str, mended: str) -> None:
    text = job(line, ntasks=1)
    (found,) = findings(text, CODE)
    assert (found.severity.value, found.prominent) == ("warning", False)
    assert mended in fixed(text).converged.source.text


def test_sure_where_its_steps_are_known() -> None:
    (found,) = findings(job("sbatch --export=A=1 --wrap 'srun python t.py'", ntasks=1), CODE)
    assert found.prominent


@pytest.mark.parametrize(
    "line",
    [
        "sbatch --export=ALL,SEED=$i run.sh",
        "sbatch --export=NONE run.sh",
        "sbatch --export=$LIST run.sh",
        "sbatch run.sh --export=A=1",
    ],
)
def test_quiet_for_a_job_that_gets_all(line: str) -> None:
    assert lines(job(line, ntasks=1), CODE) == []
