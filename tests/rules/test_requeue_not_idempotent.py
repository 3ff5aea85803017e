"""SB364: what a restart must not do again."""

from __future__ import annotations

import pytest

from tests.rules.checking import lines

CODE = "SB364"
HEAD = "#!/bin/bash\n#SBATCH --ntasks=1\n#SBATCH --open-mode=append\n#SBATCH --requeue\n"
TRAIN = "srun python fit.py --save $CKPT"


def spots(*body: str, head: str = HEAD) -> list[tuple[int, str]]:
    return lines("\n".join([head.rstrip("\n"), *body, ""]), CODE)


@pytest.mark.parametrize(
    "body",
    [
        ["rm -rf $CKPT", TRAIN],
        ['rm -r "$CKPT"/*', TRAIN],
        ["rm -fr $CKPT/", TRAIN],
        ["rm --recursive $CKPT", TRAIN],
        ["rm -rf /d/ckpt", "srun torchrun fit.py ckpt.dir=/d/ckpt"],
        ["D=/d/ckpt; rm -rf $D", "srun python fit.py --save=/d/ckpt"],
        ["rm -rf $CKPT", "srun bash -c 'python fit.py --save /d'", "python fit.py $CKPT"],
        ["set -e", "mkdir /d/out", "srun python fit.py"],
        ["set -euo pipefail", "mkdir out_$SLURM_JOB_ID", "srun python fit.py"],
    ],
)
def test_each_restart_does_it_again(body: list[str]) -> None:
    assert [severity for _, severity in spots(*body)] == ["warning"]


@pytest.mark.parametrize(
    "body",
    [
        ["rm -rf $OTHER", TRAIN],
        ["rm -f $CKPT", TRAIN],
        [TRAIN, "rm -rf $CKPT"],
        ["[ ${SLURM_RESTART_COUNT:-0} -gt 0 ] || rm -rf $CKPT", TRAIN],
        ["if [ ! -e $CKPT/latest ]; then rm -rf $CKPT; fi", TRAIN],
        ["# rm -rf $CKPT", TRAIN],
        ["mkdir /d/out", "srun python fit.py"],
        ["set -e", "mkdir -p /d/out", "srun python fit.py"],
        ["set -e", "mkdir -vp /d/out", "srun python fit.py"],
        ["set -e", "mkdir /d/out || true", "srun python fit.py"],
        ["set -e", "mkdir /d/out_$(date +%s)", "srun python fit.py"],
        ["set -e", "[ -d /d/out ] || mkdir /d/out", "srun python fit.py"],
    ],
)
def test_quiet_where_it_is_guarded_or_does_no_harm(body: list[str]) -> None:
    assert spots(*body) == []


@pytest.mark.parametrize("line", ["", "#SBATCH --no-requeue\n"])
def test_quiet_without_requeue(line: str) -> None:
    assert spots("rm -rf $CKPT", TRAIN, head=HEAD.replace("#SBATCH --requeue\n", line)) == []
