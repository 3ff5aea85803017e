"""SB223 to SB226: variables that Slurm sets, or does not."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

NEEDS, FORMAT, UNKNOWN, OVERWRITE = "SB223", "SB224", "SB225", "SB226"
SIZED = {"nodes": 1, "ntasks_per_node": 4, "gres": "gpu:4"}


# --- SB223 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}",
        '[ -n "$SLURM_CPUS_PER_TASK" ] && export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK',
        "if [[ -z $SLURM_CPUS_PER_TASK ]]; then SLURM_CPUS_PER_TASK=2; fi\nrun -c $SLURM_CPUS_PER_TASK",
        ": ${SLURM_CPUS_PER_TASK:=4}\nsrun -c $SLURM_CPUS_PER_TASK python t.py",
        "export SLURM_CPUS_PER_TASK=4\nsrun -c $SLURM_CPUS_PER_TASK python t.py",
        'echo "CPUs: $SLURM_CPUS_PER_TASK"',
        "# export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK",
        "srun -c 8 bash -c 'OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK python t.py'",
        "srun $OPTIONS bash -c 'OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK python t.py'",
        "srun bash -c 'echo $SLURM_NTASKS'",
        "N=$SLURM_NTASKS",
        "N=$SLURM_NTASKS_PER_NODE",
        "N=$SLURM_MEM_PER_NODE",
    ],
)
def test_a_variable_that_is_set_or_not_needed_is_left_in_peace(body: str) -> None:
    assert findings(job(body, **SIZED), NEEDS) == []


@pytest.mark.parametrize(
    "directives",
    [
        "#SBATCH -c 4",
        "#SBATCH --cpus-per-task=4",
        "#SBATCH -n1 -c4",
        "#SBATCH --cpus-per-t 4",
        "#SBATCH --tres-per-task=cpu:4",
        "#SBATCH --time=1:00:00",
        "#SBATCH -n1\n#SBATCH hetjob\n#SBATCH -c 4",
    ],
)
def test_any_spelling_of_the_option_sets_it(directives: str) -> None:
    text = f"#!/bin/bash\n{directives}\nexport OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\n"
    assert findings(text, NEEDS) == []


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("srun -c $SLURM_CPUS_PER_TASK x", "srun -c ${SLURM_CPUS_PER_TASK:-1} x"),
        ('A="$SLURM_CPUS_PER_TASK"', 'A="${SLURM_CPUS_PER_TASK:-1}"'),
        ("A=$((SLURM_CPUS_PER_TASK * 2))", "A=$((${SLURM_CPUS_PER_TASK:-1} * 2))"),
        ("A=$(nproc $SLURM_CPUS_PER_TASK)", "A=$(nproc ${SLURM_CPUS_PER_TASK:-1})"),
        ("A=$((SLURM_GPUS_PER_NODE * 2))", "A=$((SLURM_GPUS_ON_NODE * 2))"),
        ("A=${SLURM_GPUS_PER_NODE}", "A=${SLURM_GPUS_ON_NODE}"),
    ],
)
def test_it_is_given_a_value(body: str, after: str) -> None:
    text = job(body, **SIZED)
    assert len(findings(text, NEEDS)) == 1
    assert fixed(text).converged.source.text == job(after, **SIZED)


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("A=$SLURM_CPUS_PER_TASK", {"exclusive": True}),
        ("A=$SLURM_CPUS_PER_TASK", {"cpus_per_gpu": 8}),
        ("A=$SLURM_GPUS_PER_NODE", {"exclusive": True}),
        ("A=$SLURM_GPUS", {}),
        ("srun bash -c 'A=$SLURM_CPUS_PER_TASK python t.py'", {}),
    ],
)
def test_no_fix_where_the_number_is_not_known(body: str, more: dict[str, object]) -> None:
    (found,) = findings(job(body, **SIZED, **more), NEEDS)
    assert (found.severity.value, found.fix) == ("warning", None)


@pytest.mark.parametrize("name", ["SLURM_GPUS_PER_NODE", "SLURM_GPUS", "SLURM_GPUS_PER_TASK"])
@pytest.mark.parametrize(
    ("size", "count"),
    [
        ({"ntasks_per_node": 1}, 0),
        ({"nodes": 2, "ntasks_per_node": 1, "cpus_per_task": 8}, 0),
        ({"nodes": 2, "ntasks_per_node": 1, "gres": "gpu:4"}, 1),
        ({"ntasks_per_node": 1, "gpus_per_socket": 2}, 1),
    ],
)
def test_gpus_that_the_script_does_not_ask_for_may_come_from_the_command_line(
    name: str, size: dict[str, object], count: int
) -> None:
    assert len(findings(job(f"N=$((SLURM_NNODES * {name}))", "srun hostname", **size), NEEDS)) == count


def test_tasks_that_nobody_asks_for_are_not_counted() -> None:
    assert lines(job("WORLD_SIZE=$SLURM_NTASKS", nodes=2, gres="gpu:4"), NEEDS) == [(4, "warning")]


# --- SB224 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("A=$((SLURM_JOB_CPUS_PER_NODE - 1))", {"nodes": 1, "cpus_per_task": 8}),
        ("A=$((SLURM_JOB_CPUS_PER_NODE - 1))", {"ntasks": 8}),
        ("A=$((${SLURM_JOB_CPUS_PER_NODE%%(*} - 1))", {"nodes": 2}),
        ("echo $SLURM_TASKS_PER_NODE", {"nodes": 2, "ntasks_per_node": 4}),
        ("srun --tasks-list=$SLURM_TASKS_PER_NODE x", {"nodes": 2, "ntasks_per_node": 4}),
        ("torchrun --nproc_per_node=$SLURM_GPUS_PER_NODE t.py", {"nodes": 2, "gpus_per_node": 4}),
        ("SLURM_TASKS_PER_NODE=4\nA=$((SLURM_TASKS_PER_NODE))", {"nodes": 2, "ntasks_per_node": 4}),
    ],
)
def test_numbers_and_parts_are_left_in_peace(body: str, options: dict[str, object]) -> None:
    assert findings(job(body, **options), FORMAT) == []


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("A=$((SLURM_TASKS_PER_NODE * 2))", "4(x2)"),
        ("(( SLURM_TASKS_PER_NODE > 1 )) && echo many", "4(x2)"),
        ("torchrun --nproc-per-node $SLURM_TASKS_PER_NODE t.py", "4(x2)"),
        ('torchrun --nproc_per_node="$SLURM_GPUS_PER_NODE" t.py', "a100:4"),
        ("A=$(($SLURM_GPUS_PER_NODE * $SLURM_NNODES))", "a100:4"),
    ],
)
def test_a_known_list_or_type_is_an_error(body: str, shown: str) -> None:
    text = job(body, nodes=2, ntasks_per_node=4, gpus_per_node="a100:4")
    (found,) = findings(text, FORMAT)
    assert found.severity.value == "error"
    assert shown in found.message


# --- SB225 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "cd $SLURM_TMPDIR",
        "cd $SLURM_JOB_SCRATCHDIR",
        "LOG=$SLURM_LOGS/x",
        "A=${SLURM_NTASK:-1}",
        '[ -z "$SLURM_NTASK" ] || A=$SLURM_NTASK',
        "SLURM_NTASK=4\nA=$SLURM_NTASK",
        "export SLURM_MASTER_NODE=$(hostname)\nA=$SLURM_MASTER_NODE",
        "for SLURM_NODE in a b; do ssh $SLURM_NODE x; done",
        "while read -r SLURM_NODE rest; do ssh $SLURM_NODE x; done < list",
        "A=$SLURM_JOB_NODELIST_HET_GROUP_0",
        "A=$SLURM_JOB_ID_PACK_GROUP_1",
        "A=$SLURM_STEP_GPUS$SLURM_JOB_GPUS$SLURM_TOPOLOGY_ADDR$SLURMD_NODENAME",
        "A=$SLURM_MPI_TYPE$SLURM_JOB_START_TIME$SLURM_RESTART_COUNT$SLURM_CONF",
        "# $SLURM_NTASK",
    ],
)
def test_known_names_and_names_of_others_are_left_in_peace(body: str) -> None:
    assert findings(job(body, nodes=1), UNKNOWN) == []


@pytest.mark.parametrize(
    ("body", "severity"), [("A=$SLURM_NTASK", "error"), ("echo $SLURM_NTASK", "warning")]
)
def test_a_wrong_name_that_is_only_printed_does_less_harm(body: str, severity: str) -> None:
    assert [found.severity.value for found in findings(job(body, nodes=1), UNKNOWN)] == [severity]


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("A=$SLURM_NTASK", "A=$SLURM_NTASKS"),
        ("A=${SLURM_LOCAL_ID}", "A=${SLURM_LOCALID}"),
        ("A=$((SLURM_NUM_NODES * 8))", "A=$((SLURM_NNODES * 8))"),
        ("srun bash -c 'x --rank $SLURM_RANK'", "srun bash -c 'x --rank $SLURM_PROCID'"),
        ('A="${SLURM_ARRAY_TASKID}"', 'A="${SLURM_ARRAY_TASK_ID}"'),
        ("A=$SLURM_NODENAME", "A=$SLURMD_NODENAME"),
        ("H=$SLURM_MASTER_NODE", 'H=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'),
    ],
)
def test_the_name_that_was_meant_is_written(body: str, after: str) -> None:
    text = job(body, nodes=2, ntasks_per_node=2)
    assert [severity for _, severity in lines(text, UNKNOWN)] == ["error"]
    assert fixed(text).converged.source.text == job(after, nodes=2, ntasks_per_node=2)


def test_a_sourced_file_may_set_it() -> None:
    assert lines(job(". ./settings.sh", "A=$SLURM_NTASK", nodes=1), UNKNOWN) == [(4, "warning")]


def test_a_message_with_a_gap_is_no_error() -> None:
    assert lines(job('echo "tasks: $SLURM_NTASK"', nodes=1), UNKNOWN) == [(3, "warning")]
    assert lines(job("echo $SLURM_NTASK > count", nodes=1), UNKNOWN) == [(3, "error")]


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("export CACHE=/scratch/$USER/cache_$SLURM_NODEID_$SLURM_PROCID", "warning"),
        ("srun x --out runs/${SLURM_ARRAY_TASKID}/model", "warning"),
        ('NAME="run-${SLURM_JOB_IDD}-a"', "warning"),
        ("srun x > log.$SLURM_PROC_ID", "warning"),
        ("srun x --nodes=$SLURM_NNODE", "error"),
        ("srun -n$SLURM_NTASK x", "error"),
        ("export URL=tcp://$SLURM_NODENAME:29500", "error"),
        ("export ENDPOINT=$SLURM_NODENAME:29500", "error"),
        ("srun x --range 0-$SLURM_NTASK", "error"),
        ("N=$((SLURM_NTASK/2))", "error"),
        ('A="$SLURM_NTASK"', "error"),
    ],
)
def test_a_name_that_lacks_a_part_is_no_error(body: str, severity: str) -> None:
    assert [found.severity.value for found in findings(job(body, nodes=1), UNKNOWN)] == [severity]


def test_a_name_that_could_be_one_of_two_is_not_changed() -> None:
    (found,) = findings(job("A=$SLURM_TASK_ID", nodes=1), UNKNOWN)
    assert (found.severity.value, found.fix) == ("warning", None)


# --- SB226 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "export SLURM_CPU_BIND=none",
        "export SLURM_EXPORT_ENV=ALL",
        "export SLURM_NTASKS=4",
        "export SLURM_JOB_NUM_NODES=1",
        "export SLURM_CPUS_PER_TASK=4",
        "export SRUN_CPUS_PER_TASK=4",
        "export SLURM_NODELIST=$SLURM_JOB_NODELIST",
        'export SLURM_NNODES="${SLURM_NNODES:-1}"',
        "SLURM_NNODES=1 python t.py",
        "if [ -z $SLURM_NNODES ]; then SLURM_NNODES=1; fi",
        '[ -n "$SLURM_NNODES" ] || SLURM_NNODES=1',
        "local_run() { SLURM_NNODES=1; python t.py; }",
        "SLURM_ARRAY_TASK_ID=3",
        "export SLURM_LOGS=/x SLURM_PROCID=0",
        "unset SLURM_NNODES",
    ],
)
def test_inputs_defaults_and_copies_may_be_set(body: str) -> None:
    assert findings(job(body, nodes=2), OVERWRITE) == []


def test_an_array_whose_tasks_all_take_one_index() -> None:
    text = job("SLURM_ARRAY_TASK_ID=3", "srun x $SLURM_ARRAY_TASK_ID", array="0-9")
    assert lines(text, OVERWRITE) == [(3, "warning")]


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("nodes=($(scontrol show hostnames $SLURM_JOB_NODELIS))", "info"),
        ("nodes=( $( scontrol show hostnames ${SLURM_JOB_NODELIS} ) )", "info"),
        ("nodes=`scontrol show hostname $SLURM_JOB_NODE_LIST`", "info"),
        ('H="$(scontrol show hostnames $SLURM_JOB_NODELIS | head -n 1)"', "info"),
        (
            "scontrol show hostnames $SLURM_JOB_NODELIS > hosts.txt",
            "error",
        ),  # a file more is not looked through
        ('srun bash -c "scontrol show hostnames \\$SLURM_JOB_NODELIS"', "info"),
        ("srun bash -c 'scontrol show hostnames $SLURM_JOB_NODELIS | head -n 1'", "info"),
        ("nodes=$(scontrol show hostnames $SLURM_STEP_NODELIST)", "info"),
        ('nodes=$(scontrol show hostnames "$SLURM_JOB_NODELIS")', "error"),  # an empty word is a list
        ("nodes=$(scontrol show hostlist $SLURM_JOB_NODELIS)", "error"),
        ("nodes=$(scontrol show hostnames node[1-$SLURM_NNODE])", "error"),
        ("nodes=$(scontrol show job $SLURM_JOB_IDS)", "error"),
        ("nodes=$SLURM_JOB_NODELIS", "error"),
    ],
)
def test_scontrol_without_a_list_takes_that_of_the_job(line: str, severity: str) -> None:
    assert lines(job(line, **SIZED), UNKNOWN) == [(5, severity)]
