"""What a step's tasks see of the batch shell's variables, as the tests on a real Slurm have shown it."""

from __future__ import annotations

import pytest

from sbatchlint.launch.plan import LaunchPlan
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.source import Source

HEAD = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=2 --cpus-per-task=4\nexport A=one B=two\n"


def plan_of(text: str) -> LaunchPlan:
    return Job(Source.from_text(text, "job.sh"), LintOptions(arguments=())).plan


def started(text: str) -> list[str]:
    plan = plan_of(text)
    return [" ".join(word.value.show() for word in program.words) for _, program in plan.programs()]


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("srun --export=NONE bash -c 'train ${A-gone}'", "train gone"),
        ("srun --export=PATH,A bash -c 'train $A ${B-gone}'", "train one gone"),
        ("srun --export=PATH,C=$A bash -c 'train $C ${A-gone}'", "train one gone"),
        ("srun --export=ALL,C=three bash -c 'train $A $C'", "train one three"),
        ("srun --export=ALL,A=three bash -c 'train $A'", "train {one|three}"),
        ("SLURM_EXPORT_ENV=A srun bash -c 'train $A ${B-gone}'", "train one gone"),
        ("srun env -u A bash -c 'train ${A-gone} $B'", "train gone two"),
        ("srun env -i C=3 bash -c 'train ${A-gone} $C ${SLURM_NNODES-gone}'", "train gone 3 gone"),
        ("srun -c 2 bash -c 'train $SLURM_CPUS_PER_TASK'", "train 2"),
        ("srun -J other bash -c 'train $SLURM_JOB_NAME'", "train other"),
        ("srun -N1 -n1 bash -c 'train $SLURM_TASKS_PER_NODE'", "train 1"),
        ("SLURM_NTASKS=2; srun bash -c 'train $SLURM_NTASKS'", "train 2"),
        ("export SLURM_NNODES=7; srun bash -c 'train $SLURM_NNODES'", "train 2"),
        ("unset SLURM_NTASKS SLURM_NPROCS; srun -N1 bash -c 'train $SLURM_NTASKS'", "train 2"),
        ("SLURM_JOB_NAME=mine; srun bash -c 'train $SLURM_JOB_NAME'", "train mine"),
        ("C=three; srun bash -c 'train ${C-gone}'", "train gone"),
    ],
)
def test_task_sees(line: str, program: str) -> None:
    assert started(HEAD + line + "\n") == [program]


def test_given_by_the_list_of_sbatch() -> None:
    text = '#!/bin/bash\n#SBATCH --export=ALL,TAG=nightly\ntrain "$TAG"\n'
    assert started(text) == ["train nightly"]


def test_inner_step_is_as_large_as_the_outer_one_and_comes_after_it() -> None:
    plan = plan_of(HEAD + "srun -N2 -n2 --overlap bash -c 'srun --overlap train $SLURM_PROCID'\n")
    outer, inner = plan.steps
    assert (outer.nested, inner.nested) == (False, True)
    assert inner.geometry.tasks is not None
    assert inner.geometry.tasks.value == 2
    assert not any(leaf.per_task for leaf in inner.programs[0].words[-1].value.unknowns())


def test_components_of_one_line() -> None:
    text = (
        "#!/bin/bash\n#SBATCH -N1 -n1\n#SBATCH hetjob\n#SBATCH -N1 -n2\n"
        "srun --het-group=0 python server.py : --het-group=1 python client.py\n"
    )
    steps = plan_of(text).steps
    tasks = [step.geometry.tasks for step in steps]
    assert [step.component for step in steps] == [0, 1]
    assert [count and count.value for count in tasks] == [1, 2]
    assert started(text) == ["python server.py", "python client.py"]


def test_file_of_programs() -> None:
    text = (
        HEAD + "cat > roles <<'EOF'\n0 python a.py\n1-3 python b.py --id %t\nEOF\nsrun --multi-prog roles\n"
    )
    assert [line for line in started(text) if line.startswith("python")] == [
        "python a.py",
        "python b.py --id %t",
    ]
    (step,) = plan_of(text).steps
    assert all(program.conditional for program in step.programs)
