"""SB508: paths of the host inside a container, and which of them are surely the host's."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB508"
SRUN = "srun --container-image=/i.sqsh --no-container-mount-home"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ([f"{SRUN} --container-mounts=/lustre/p:/p python /lustre/p/t.py"], "error"),
        (
            [f"{SRUN} --container-mounts /lustre/p:/p:ro bash -c 'cd /p; python t.py --data=/lustre/p/d'"],
            "error",
        ),
        (
            ['M="/lustre/p:/p,/lustre/out"', f'{SRUN} --container-mounts="$M" python /p/t.py --x /lustre/p'],
            "error",
        ),
        (
            ["A=(--data /lustre/p/d)", f'{SRUN} --container-mounts=/lustre/p:/p python t.py "${{A[@]}}"'],
            "error",
        ),
        ([f'run() {{ {SRUN} --container-mounts=/lustre/p:/p "$@"; }}', "run python /lustre/p/t.py"], "error"),
        ([f"{SRUN} --container-mounts=/lustre/p:/p torchrun --nproc_per_node=8 /lustre/p/t.py"], "error"),
        ([f"{SRUN} --container-mounts=/lustre/p:/p --container-workdir=/lustre/p python t.py"], "error"),
        ([f"{SRUN} --container-mounts=/lustre/p:/p bash -c 'cd /lustre/p && python t.py'"], "error"),
        (
            ["CMD='cd /lustre/p/src; python t.py'", f'{SRUN} --container-mounts=/lustre/p:/p bash -c "$CMD"'],
            "error",
        ),
        ([f"{SRUN} --container-mounts=/lustre/p:/p bash -c 'source /lustre/p/env.sh; python t.py'"], "error"),
        ([f"{SRUN} --container-mounts=/lustre/p:/p bash -c 'python t.py < /lustre/p/in'"], "error"),
        ([f"{SRUN} --container-mounts=/lustre/a:/a bash -c 'cd /lustre/b; python t.py'"], "warning"),
        (
            [
                "export PYTHONPATH=/lustre/me/Megatron-LM",
                f"{SRUN} --container-mounts=/lustre/d:/d python /d/t.py",
            ],
            "warning",
        ),
        (
            [f"{SRUN} --container-mounts=/lustre/d:/d bash -c 'PYTHONPATH=/d:/lustre/lib:$P python t.py'"],
            "warning",
        ),
        ([f"{SRUN} --container-mounts=$HOME/p:/p python $HOME/p/t.py"], "warning"),
        ([f"{SRUN} --container-mounts=/lustre/a python /lustre/b/t.py"], "warning"),
        ([f"{SRUN} --container-mounts=/data:/mnt python t.py /data/x"], "warning"),
        (["mkdir -p /ckpt/run", f"{SRUN} --container-mounts=/data python t.py --save /ckpt/run"], "warning"),
    ],
)
def test_reported(body: list[str], severity: str) -> None:
    assert [found for _, found in lines(job(*body, nodes=1, ntasks=1), CODE)] == [severity]


@pytest.mark.parametrize(
    "body",
    [
        f"{SRUN} --container-mounts=/lustre/p:/p python /p/t.py",
        f"{SRUN} --container-mounts=/lustre/p python /lustre/p/t.py",
        f"{SRUN} --container-mounts=/lustre python /lustre/p/t.py --out /lustre/out",
        f"{SRUN} --container-mounts=/lustre/p:/p,/lustre/out,tmpfs:/s python /p/t.py --out /lustre/out/x",
        f"{SRUN} --container-mounts=/lustre/p:/p python /opt/nemo/t.py /workspace/x /usr/share/y /tmp/z",
        f"{SRUN} --container-mounts=/lustre/p:/p,$MORE python /lustre/p/t.py",
        f'{SRUN} --container-mounts="$MOUNTS" python /lustre/p/t.py',
        f"{SRUN} python /opt/nemo/t.py --out /results",
        f"{SRUN} --container-mounts=/lustre/p:/p python t.py --url=http://h/lustre/p",
        f"{SRUN} --container-mounts=/:/host python /host/lustre/p/t.py",
        f"{SRUN} --container-mounts=/lustre/p/code:/lustre/p/code python x --root=/lustre/p",
        f"mkdir -p /opt/x /workspace/y; {SRUN} --container-mounts=/data python /opt/x/t.py /workspace/y",
        f"mkdir -p /ckpt; {SRUN} --container-mounts=/ckpt python t.py --save /ckpt/run",
        f"{SRUN} --container-mounts=/lustre/p:/p bash -c 'cd /p && python t.py'",
        f"{SRUN} --container-mounts=/lustre/p:/p bash -c 'cd /lustre/p || cd /p; python t.py'",
        f"{SRUN} --container-mounts=/lustre/p:/p bash -c '[ -d /lustre/p ] && cd /lustre/p; python t.py'",
        f"cd /lustre/p && {SRUN} --container-mounts=/lustre/p:/p python /p/t.py",
        "srun python /lustre/p/t.py",
        "srun apptainer exec -B /lustre/p:/p a.sif python /lustre/p/t.py",
        f"export PYTHONPATH=/lustre/p/src; {SRUN} --container-mounts=/lustre/p:/lustre/p python t.py",
        f"export PYTHONPATH=/opt/megatron-lm; {SRUN} --container-mounts=/lustre/p:/p python /p/t.py",
        f"export PYTHONPATH=$REPO; {SRUN} --container-mounts=/lustre/p:/p python /p/t.py",
        f"export PYTHONPATH=/lustre/me/src; {SRUN} --container-mounts=/lustre/p:/p nvidia-smi",
    ],
)
def test_quiet_where_the_path_is_there_or_may_be(body: str) -> None:
    assert lines(job(body, nodes=1, ntasks=1), CODE) == []


def test_a_step_without_any_mount_is_told_with_little_confidence() -> None:
    text = job(f"{SRUN} python /lustre/p/t.py --data /lustre/p/d", nodes=1, ntasks=1)
    (found,) = findings(text, CODE)
    assert found.confidence.value == "low"
    assert "mounts nothing" in found.message


def test_the_jobs_own_log_folder_is_the_hosts() -> None:
    body = f"{SRUN} --container-mounts=/data python t.py --tensorboard /runs/a/tb"
    assert lines(job(body, nodes=1, output="/runs/a/%j.out"), CODE) == [(4, "warning")]
