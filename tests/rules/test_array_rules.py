"""SB221 and SB222: the indices and the id of an array."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job

INDEX, REQUEUE = "SB221", "SB222"
PICK = "x ${A[$SLURM_ARRAY_TASK_ID]}"


@pytest.mark.parametrize(
    ("array", "body"),
    [
        ("0-2", f"A=(a b c)\n{PICK}"),
        ("1-2", f"A=(unused b c)\n{PICK}"),
        ("1-3", "A=(a b c)\nx ${A[$((SLURM_ARRAY_TASK_ID - 1))]}"),
        ("1-3", "A=(a b c)\nx ${A[SLURM_ARRAY_TASK_ID-1]}"),
        ("1-3", "A=(a b c)\nI=$((SLURM_ARRAY_TASK_ID - 1))\nx ${A[$I]}"),
        ("1-3", "A=(a b c)\nI=$SLURM_ARRAY_TASK_ID\nI=$((I - 1))\nx ${A[$I]}"),
        ("1-3", f"A=(a b c)\nA+=(d)\n{PICK}"),
        ("1-3", f"A=(*.txt)\n{PICK}"),
        ("1-3", f"A=($LIST)\n{PICK}"),
        ("1-3", f"A=({{a,b,c}} d)\n{PICK}"),
        ("1-3", f'A=("${{B[@]}}" c)\n{PICK}'),
        ("1-3", f"A=($(ls))\n{PICK}"),
        ("1-3", f"A=([1]=a [2]=b [3]=c)\n{PICK}"),
        ("1-3", f"A=(a b c)\nA[3]=d\n{PICK}"),
        ("1-3", f"A=(a b c)\nmapfile -t A < list\n{PICK}"),
        ("1-3", f"if x; then A=(a b c); fi\n{PICK}"),
        ("1-3", "A=(a b c)\nx ${A[$SLURM_ARRAY_TASK_ID]:-none}"),
        ("1-3", f'A=(a b c)\n[ "$SLURM_ARRAY_TASK_ID" -gt 2 ] && exit\n{PICK}'),
        ("1-3", 'x "$(sed -n "${SLURM_ARRAY_TASK_ID}p" list)"'),
        ("0-3", 'x "$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" list)"'),
        ("0-3", 'sed "s/ID/${SLURM_ARRAY_TASK_ID}/" a > b'),
        ("0-3", 'head -n "$SLURM_ARRAY_TASK_ID" list'),
    ],
)
def test_what_fits_or_is_not_known_is_left_in_peace(array: str, body: str) -> None:
    assert findings(job(body, array=array), INDEX) == []


@pytest.mark.parametrize(
    ("array", "body", "said"),
    [
        ("1-3", f"A=(a b c)\n{PICK}", "task 3 of the array gets nothing from A"),
        ("0-9:3", f"A=('a b' \"$c\" d)\n{PICK}", "tasks 3, 6, 9 of the array get nothing from A"),
        ("1-3%1", "A=(\n  a\n  b # two\n  c\n)\nI=$SLURM_ARRAY_TASK_ID\nx ${A[$I]}", "task 3 of"),
        ("1-3", "A=(a b c)\nx ${A[SLURM_ARRAY_TASK_ID]}", "task 3 of"),
        ("0-3", 'F=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list)', "asks sed for line 0, and it stops"),
        ("0-3", "F=$(sed -n ${SLURM_ARRAY_TASK_ID}p list)", "asks sed for line 0"),
        ("0,3", 'F=$(awk "NR==$SLURM_ARRAY_TASK_ID" list)', "asks awk for line 0, and it prints nothing"),
        ("0-3", "F=$(head -n $SLURM_ARRAY_TASK_ID list | tail -n 1)", "asks head for line 0"),
    ],
)
def test_what_does_not_fit_is_found(array: str, body: str, said: str) -> None:
    (found,) = findings(job(body, array=array), INDEX)
    assert said in found.message
    assert found.severity.value == "warning"


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("scontrol requeue $SLURM_JOB_ID", {"ntasks": 1}),
        ("scontrol requeue $SLURM_JOB_ID", {"array": "4"}),
        ("scontrol requeue ${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}", {"array": "0-9"}),
        ('scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"', {"array": "0-9"}),
        ("scontrol show job $SLURM_JOB_ID", {"array": "0-9"}),
        ("# scontrol requeue $SLURM_JOB_ID", {"array": "0-9"}),
        ('echo "scontrol requeue other; $SLURM_JOB_ID"', {"array": "0-9"}),
    ],
)
def test_one_job_or_one_task_may_be_requeued(body: str, options: dict[str, object]) -> None:
    assert findings(job(body, **options), REQUEUE) == []


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("scontrol requeue $SLURM_JOBID", "scontrol requeue @"),
        ('scontrol requeue "${SLURM_JOB_ID}"', 'scontrol requeue "@"'),
        ("scontrol requeuehold $SLURM_ARRAY_JOB_ID", "scontrol requeuehold @"),
        ("f() { scontrol requeue $SLURM_JOB_ID; }", "f() { scontrol requeue @; }"),
        ("trap 'scontrol requeue $SLURM_JOB_ID' USR1", "trap 'scontrol requeue @' USR1"),
    ],
)
def test_the_task_is_named(body: str, after: str) -> None:
    text = job(body, array="0-9")
    (found,) = findings(text, REQUEUE)
    assert found.severity.value == "error"
    named = after.replace("@", "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}")
    assert fixed(text).converged.source.text == job(named, array="0-9")
