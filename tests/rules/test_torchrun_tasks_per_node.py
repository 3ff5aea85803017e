"""SB301: launchers under several tasks a node."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB301"
EIGHT = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}


@pytest.mark.parametrize(
    "command",
    [
        "torchrun --nproc_per_node=8 t.py",
        "torchrun --nproc-per-node 8 t.py",
        "torchrun --nproc_per_node=gpu t.py",
        "python -m torch.distributed.run --nproc_per_node 8 t.py",
        "python3.11 -m torch.distributed.launch --nproc_per_node=8 --use_env t.py",
        "uv run python -m torch.distributed.run --nproc_per_node=8 t.py",
        "uv run --no-sync torchrun --nproc_per_node=8 t.py",
        "accelerate launch --num_machines 2 --num_processes 16 t.py",
        "python -m accelerate.commands.launch --num_processes=8 t.py",
        "env NCCL_DEBUG=INFO numactl -N 0 timeout 60 nsys profile -o out torchrun --nproc_per_node=8 t.py",
        "apptainer exec --nv image.sif torchrun --nproc_per_node=8 t.py",
        "bash -c 'torchrun --nproc_per_node=8 t.py'",
        "bash -lc 'cd /repo && exec torchrun --nproc_per_node=$SLURM_GPUS_PER_NODE t.py'",
    ],
)
def test_every_launcher_behind_every_wrapper(command: str) -> None:
    assert lines(job(f"srun {command}", **EIGHT), CODE) == [(3, "error")]


@pytest.mark.parametrize(
    "body",
    [
        "srun --ntasks-per-node=1 --ntasks=2 torchrun --nproc_per_node=8 t.py",
        "srun -N2 -n2 torchrun --nproc_per_node=8 t.py",
        "srun torchrun --nproc_per_node=1 t.py",
        "srun torchrun t.py",
        "srun python t.py",
        "torchrun --nproc_per_node=8 t.py",
        "srun bash -c 'if [ $SLURM_LOCALID -eq 0 ]; then torchrun --nproc_per_node=8 t.py; fi'",
        "srun bash -c '[ $SLURM_LOCALID = 0 ] && torchrun --nproc_per_node=8 t.py'",
        "srun echo torchrun --nproc_per_node=8 t.py",
        'srun bash -c "echo torchrun --nproc_per_node=8 t.py"',
        "# srun torchrun --nproc_per_node=8 t.py",
    ],
)
def test_quiet_on_what_is_right(body: str) -> None:
    assert lines(job(body, **EIGHT), CODE) == []


def test_quiet_where_the_agents_share_the_gpus() -> None:
    body = "srun torchrun --nproc_per_node=4 t.py"
    assert lines(job(body, nodes=2, ntasks_per_node=2, gpus_per_node=8), CODE) == []
    assert lines(job(body, nodes=2, ntasks_per_node=2, gpus_per_task=4), CODE) == []


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("srun torchrun --nproc_per_node=8 t.py", {"nodes": 2, "ntasks_per_node": 8}),
        ("srun torchrun --nproc_per_node=${GPUS:-8} t.py", EIGHT),
        ("srun torchrun --nproc_per_node=$GPUS t.py", EIGHT),
        ("if [ -e flag ]; then srun torchrun --nproc_per_node=8 t.py; fi", EIGHT),
    ],
)
def test_a_warning_where_something_is_not_known(body: str, options: dict[str, int]) -> None:
    assert [severity for _, severity in lines(job(body, **options), CODE)] == ["warning"]


@pytest.mark.parametrize(
    "option", ["--jobid=$SLURM_JOB_ID", "--jobid $SLURM_JOBID", '--jobid "${SLURM_JOB_ID}"']
)
def test_a_step_that_names_its_own_job_has_its_size(option: str) -> None:
    assert lines(job(f"srun {option} torchrun --nproc_per_node=8 t.py", **EIGHT), CODE) == [(3, "error")]
    assert lines(job("srun --jobid=4711 torchrun --nproc_per_node=8 t.py", **EIGHT), CODE) == []


def test_both_places_are_shown() -> None:
    text = job('RUN="srun --label"', '$RUN bash -c "torchrun --nproc_per_node=8 t.py"', **EIGHT)
    (found,) = findings(text, CODE)
    assert [text[r.span.start : r.span.end] for r in found.related] == ["srun", "torchrun"]
    expected = "each of them runs torchrun --nproc_per_node=8: 64 processes for 8 GPUs"
    assert found.related[0].message == expected


def test_one_finding_for_one_cause() -> None:
    step = "srun torchrun --nproc_per_node=8 t.py"
    (found,) = findings(job(step, step, **EIGHT), CODE)
    assert len(found.related) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("-n 16", "-n 2"),
        ("--ntasks=16", "--ntasks=2"),
    ],
)
def test_the_number_on_the_srun_line_is_mended(before: str, after: str) -> None:
    options = {"nodes": 2, "gpus_per_node": 8}
    command = "srun {} torchrun --nproc_per_node=8 t.py"
    mended = fixed(job(command.format(before), **options), code=CODE).converged.source
    assert mended.text == job(command.format(after), **options)


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (["srun torchrun --nproc_per_node=8 t.py", "srun python all_tasks.py"], EIGHT),
        (["echo $SLURM_NTASKS", "srun torchrun --nproc_per_node=8 t.py"], EIGHT),
        (["srun torchrun --nproc_per_node=8 t.py"], {**EIGHT, "mem_per_cpu": "4G"}),
        (["srun torchrun --nproc_per_node=8 t.py"], {"ntasks_per_node": 8, "gpus_per_node": 8}),
    ],
)
def test_no_safe_fix_where_the_number_of_tasks_has_other_users(
    body: list[str], options: dict[str, object]
) -> None:
    text = job(*body, **options)
    assert fixed(text).converged.source.text == text


def test_no_fix_where_gpus_come_by_task() -> None:
    text = job("srun torchrun --nproc_per_node=8 t.py", nodes=2, ntasks_per_node=8, gpus_per_task=1)
    (found,) = findings(text, CODE)
    assert found.fix is None
    assert "--gpus-per-node" in found.help


@pytest.mark.parametrize(
    ("options", "srun", "nproc"),
    [
        ({"nodes": 2, "ntasks_per_node": 2, "gpus_per_node": 8}, "--gpus-per-task=4", 4),
        ({"nodes": 2, "ntasks_per_node": 2, "gres": "gpu:8"}, "--tres-per-task=gres/gpu:4", 4),
        ({"nodes": 2, "ntasks_per_node": 2, "gres": "gpu:8"}, "--gpus-per-socket=4", 4),
        ({"nodes": 2, "ntasks": 4, "gpus_per_task": "h100:4"}, "", 4),
        ({"nodes": 2, "ntasks_per_node": 2, "gpus": 8}, "", 2),
        ({"nodes": 2, "ntasks_per_node": 2, "exclusive": True}, "", 4),
    ],
)
def test_quiet_where_each_agent_may_have_its_share(options: dict[str, object], srun: str, nproc: int) -> None:
    body = f"srun {srun} torchrun --nnodes=4 --nproc_per_node={nproc} t.py"
    assert lines(job(body, **options), CODE) == []


@pytest.mark.parametrize(
    ("options", "srun", "command"),
    [
        (
            {"nodes": 2, "ntasks_per_node": 2, "gpus_per_node": 8},
            "--gpus-per-task=4",
            "--nnodes=4 --nproc_per_node=8",
        ),
        ({"nodes": 2, "ntasks_per_node": 4, "gpus": 8}, "", "--nnodes=2 --nproc_per_node=4"),
        ({"nodes": 2, "ntasks_per_node": 8, "exclusive": True}, "", "--nnodes=16 --nproc_per_node=8"),
        ({"nodes": 2, "ntasks_per_node": 2, "exclusive": True}, "", "--nnodes=2 --nproc_per_node=4"),
    ],
)
def test_a_warning_where_they_are_too_many_for_any_share(
    options: dict[str, object], srun: str, command: str
) -> None:
    assert lines(job(f"srun {srun} torchrun {command} t.py", **options), CODE) == [(3, "warning")]


@pytest.mark.parametrize("other", ["mpirun ./all_reduce_perf", "mpiexec -np 16 ./all_reduce_perf"])
def test_unsafe_where_mpi_starts_as_many_as_the_job_has_tasks(other: str) -> None:
    text = job(other, "srun torchrun --nnodes=2 --nproc_per_node=8 t.py", **EIGHT)
    assert fixed(text).converged.source.text == text
    assert "--ntasks-per-node=1" in fixed(text, unsafe=True).converged.source.text


@pytest.mark.parametrize(
    ("options", "body"),
    [
        # 16 tasks, one on each node, would be 16 nodes
        ({"ntasks": 16, "ntasks_per_node": 8, "gpus_per_node": 8}, ["srun torchrun --nproc_per_node=8 t.py"]),
        # the number counts processes too
        (EIGHT, ["N=8", "srun -N2 --ntasks-per-node=$N torchrun --nproc_per_node=$N t.py"]),
        (
            EIGHT,
            [
                'A="-N2 --ntasks-per-node=8"',
                "srun $A torchrun --nproc_per_node=8 t.py",
                "srun $A python u.py",
            ],
        ),
    ],
)
def test_no_fix_that_changes_something_else(options: dict[str, object], body: list[str]) -> None:
    text = job(*body, **options)
    assert findings(text, CODE)
    assert fixed(text, unsafe=True).converged.source.text == text
