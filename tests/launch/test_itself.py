"""Scripts that start themselves: which sbatch runs as a copy of unknown path and the same text."""

from __future__ import annotations

import pytest

from sbatchlint.launch.plan import LaunchPlan
from tests.launch.agreement import plan_of

HEAD = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=4\n"


def started(plan: LaunchPlan) -> list[str]:
    """What the steps' tasks and the batch host start, the batch host's marked."""
    return [
        ("" if step is not None else "host: ") + " ".join(word.value.show() for word in program.words)
        for step, program in plan.programs()
    ]


@pytest.mark.parametrize(
    "guard",
    [
        'if [ -z "$SLURM_STEP_ID" ]',
        'if [[ -z "${SLURM_STEP_ID:-}" ]]',
        'if [ -z "$SLURM_STEPID" ]',
        "if [[ ! -n $SLURM_STEP_ID ]]",
    ],
)
@pytest.mark.parametrize("start", ['exec srun "$0" "$@"', 'srun bash "$0"; exit', "srun $0; exit $?"])
def test_step_guard(guard: str, start: str) -> None:
    plan = plan_of(f"{HEAD}{guard}; then\n  {start}\nfi\npython train.py\n")
    assert started(plan) == ["python train.py"]
    (step,) = plan.steps
    assert not step.conditional
    assert not step.programs[0].conditional


def test_it_comes_to_an_end() -> None:
    plan = plan_of(HEAD + 'python before\nsrun bash "$0" "$@"\n')
    assert len(plan.steps) <= 3
    assert not plan.incomplete
    counted = plan_of(HEAD + 'N=${1:-0}\npython $N\nbash "$0" $((N + 1))\n')
    assert 2 <= len(started(counted)) <= 5


def test_places() -> None:
    text = (
        HEAD
        + '[ "$1" = worker ] && { python --rank "$SLURM_PROCID"; exit; }\n'
        + 'srun "$0" worker\nbash "$0" worker\n'
    )
    plan = plan_of(text)
    (program,) = plan.steps[0].programs
    assert program.words[2].value.show() == "$SLURM_PROCID"
    assert program.span is not None
    assert text[program.span.start : program.span.end] == "python"
    assert "host: python --rank 0" in started(plan)


def test_in_nested_code_it_is_the_shell() -> None:
    assert started(plan_of("bash -c 'bash \"$0\" x'\n")) == ["host: bash $0 x"]
