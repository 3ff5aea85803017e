"""What ``read`` and arithmetic keep of text that is known in part, and of per-task variables in it."""

from __future__ import annotations

import pytest

from sbatchlint.launch.plan import LaunchPlan
from tests.launch.agreement import plan_of

HEAD = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=8\n"


def shown(plan: LaunchPlan) -> list[str]:
    """What the tasks start."""
    return [
        " ".join(word.value.show() for word in program.words)
        for step in plan.steps
        for program in step.programs
    ]


def early(plan: LaunchPlan, text: str) -> list[tuple[str, str, bool]]:
    """Each variable expanded too early, as written, and whether a backslash would mend it."""
    return [
        (found.variable, text[found.span.start : found.span.end], found.escapable)
        for step in plan.steps
        for found in step.early
    ]


@pytest.mark.parametrize("options", ["-r -d ''", "-d ''", "-rd ''"])
@pytest.mark.parametrize("use", ['bash -c "$CMD"', 'bash -c "set -e; $CMD"'])
def test_a_command_that_is_read_whole(options: str, use: str) -> None:
    body = "cd $PROJECT\ntorchrun --nnodes 2 \\\n  --node_rank $SLURM_PROCID train.py --lr 1 $ARGS\n"
    text = f"{HEAD}read {options} CMD <<EOF\n{body}EOF\nsrun {use}\n"
    plan = plan_of(text)
    assert shown(plan) == ["torchrun --nnodes 2 --node_rank 0 train.py --lr 1 $ARGS"]
    assert early(plan, text) == [("SLURM_PROCID", "$SLURM_PROCID", True)]


def test_words_of_a_command_that_is_read() -> None:
    plan = plan_of(f"{HEAD}read -r -d '' CMD <<EOF\npython t.py --name $NAME\nEOF\nsrun $CMD\n")
    assert shown(plan) == ["python t.py --name $NAME"]


def test_nothing_is_known_of_what_unknown_text_may_end() -> None:
    plan = plan_of(f'{HEAD}{{ read -r A; read -r B; }} <<EOF\na $X\nb\nEOF\nsrun python "$A" "$B"\n')
    (step,) = plan.steps
    assert [word.text for word in step.words[1:]] == ["python", None, None]
    assert step.words[2].value.show().startswith("a $X")
    assert step.words[3].value.show() == "$B"


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("R=$((SLURM_NODEID))", "$((SLURM_NODEID))"),
        ("R=$((SLURM_PROCID / 8))", "$((SLURM_PROCID / 8))"),
        ("R=$(( $SLURM_PROCID / 8 ))", "$(( $SLURM_PROCID / 8 ))"),
        ("R=$((SLURM_NODEID * 8 + SLURM_LOCALID))", "$((SLURM_NODEID * 8 + SLURM_LOCALID))"),
        ("N=$SLURM_NODEID\nR=$((N * 8))", "$((N * 8))"),
        ("((R = SLURM_NODEID))", "R = SLURM_NODEID"),
        ("let R=SLURM_NODEID", "R=SLURM_NODEID"),
        ("declare -i R; R=SLURM_NODEID", "SLURM_NODEID"),
    ],
)
def test_arithmetic_keeps_the_mark(line: str, written: str) -> None:
    text = f"{HEAD}{line}\nsrun python train.py --rank $R\n"
    plan = plan_of(text)
    assert shown(plan) == ["python train.py --rank 0"]
    assert [found[1:] for found in early(plan, text)] == [(written, False)]


@pytest.mark.parametrize(
    "line",
    [
        "R=$((29500 + SLURM_PROCID))",
        "R=$((SLURM_PROCID == 0))",
        "R=$((0))",
        "((SLURM_PROCID == 0)) && R=0",
        "R=0; ((R = 3, SLURM_PROCID))",
    ],
)
def test_a_number_that_may_be_meant_for_all_has_no_mark(line: str) -> None:
    text = f"{HEAD}{line}\nsrun python train.py --rank $R\n"
    assert early(plan_of(text), text) == []


def test_arithmetic_in_the_task_has_no_mark() -> None:
    text = f"{HEAD}srun bash -c 'python train.py --rank $((SLURM_PROCID / 8))'\n"
    plan = plan_of(text)
    assert shown(plan) == ["python train.py --rank $((SLURM_PROCID / 8))"]
    assert early(plan, text) == []


def test_an_alias_is_what_it_stands_for() -> None:
    text = f"{HEAD}shopt -s expand_aliases\nalias run='srun --nodes=1 --ntasks=4'\nrun python t.py\n"
    (step,) = plan_of(text).steps
    assert step.geometry.tasks is not None
    assert step.geometry.tasks.value == 4
    assert text[step.span.start :].startswith("srun --nodes=1")


@pytest.mark.parametrize(
    "lines",
    [
        "alias run=srun\nrun python t.py",
        "shopt -s expand_aliases\nalias run=srun; run python t.py",
        "shopt -s expand_aliases\nalias run=srun\nunalias run\nrun python t.py",
        "shopt -s expand_aliases\nalias run=srun\nunalias -a\nrun python t.py",
        "shopt -s expand_aliases\nalias run=srun\n\\run python t.py",
        "shopt -s expand_aliases\nf() { run python t.py; }\nalias run=srun\nf",
        "shopt -s expand_aliases\nalias run=srun\nbash -c 'run python t.py'",
    ],
)
def test_an_alias_that_is_not_expanded_starts_no_step(lines: str) -> None:
    assert plan_of(f"{HEAD}{lines}\n").steps == ()
