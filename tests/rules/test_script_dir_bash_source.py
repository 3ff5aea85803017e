"""SB414: the folder of the script, which in a job is the spool folder."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB414"


@pytest.mark.parametrize(
    "body",
    [
        'HERE=$(dirname "$0")',
        'HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"',
        "HERE=`dirname $0`",
        'HERE=$(dirname "$(readlink -f "$0")")',
        "HERE=${0%/*}",
        "HERE=${BASH_SOURCE%/*}",
        'source "$(dirname "$BASH_SOURCE")/common.sh"',
        'cd "$(dirname "$0")"',
        'cd "$(dirname "$0")" || exit 1',
    ],
)
def test_each_way_of_asking(body: str) -> None:
    found = lines(job(body, "srun $HERE/run.sh", ntasks=1), CODE)
    assert [line for line, _ in found] == [3]


def test_an_error_where_nothing_else_can_be_meant() -> None:
    assert lines(job('HERE=$(dirname "$0")', "srun $HERE/run.sh", ntasks=1), CODE) == [(3, "error")]


@pytest.mark.parametrize(
    "body",
    [
        'HERE="${ROOT:-$(dirname "$0")}"',
        'if [ -z "$ROOT" ]; then ROOT=$(dirname "$0"); fi',
        'root() { dirname "$0"; }; root',
    ],
)
def test_less_sure_where_it_may_not_be_reached(body: str) -> None:
    (found,) = findings(job(body, "srun $ROOT/run.sh $HERE", ntasks=1), CODE)
    assert (found.severity.value, found.prominent) == ("warning", False)


@pytest.mark.parametrize(
    "body",
    [
        'echo "usage: $0 file"',
        'NAME=$(basename "$0")',
        'HERE=${SLURM_SUBMIT_DIR:-$(dirname "$0")}',
        'if [ -n "$SLURM_JOB_ID" ]; then HERE=/d; else HERE=$(dirname "$0"); fi',
        "HERE=$(dirname $(scontrol show job $SLURM_JOB_ID | awk -F= '/Command=/{print $2}')); dirname \"$0\"",
        'HERE=$(dirname "$CONFIG")',
        '# HERE=$(dirname "$0")',
        'sbatch "$(dirname "$0")/other.sh"',
    ],
)
def test_quiet_where_the_script_knows_or_does_not_ask(body: str) -> None:
    assert lines(job(body, "srun $HERE/run.sh", ntasks=1), CODE) == []


@pytest.mark.parametrize(
    "body",
    [
        'HERE=$(dirname "$0")',
        'HERE=$(dirname "$0"); echo "in $HERE"',
        'A=$(readlink -f "$0"); B=$(dirname "$A"); C=$B/x',
        'HERE=$(dirname "$0"); HERE=${HERE%/}',
    ],
)
def test_quiet_where_the_folder_is_not_used(body: str) -> None:
    assert lines(job(body, "srun /d/run.sh", ntasks=1), CODE) == []


@pytest.mark.parametrize(
    "body",
    [
        'HERE=$(dirname "$0")\nsource /d/common.sh',
        'export HERE=$(dirname "$0")',
        'HERE=$(dirname "$0"); export PATH HERE',
        'HERE=$(dirname "$0"); if [ -z "$OUT" ]; then OUT=$HERE/out; fi; srun x $OUT',
        'HERE=$(dirname "$0"); srun x "${OUT:-$HERE/out}"',
        'HERE=$(dirname "$0"); run() { srun $HERE/x; }; run',
    ],
)
def test_less_sure_where_the_folder_may_be_used(body: str) -> None:
    (found,) = findings(job(body, "srun /d/run.sh", ntasks=1), CODE)
    assert (found.severity.value, found.prominent) == ("warning", False)


@pytest.mark.parametrize(
    "body",
    [
        'A=$(readlink -f "$0"); B=$(dirname "$A"); srun $B/x',
        'HERE=$(dirname "$0"); X=$(bash $HERE/size.sh); echo $X',
        "export HERE=$(dirname $0); srun bash -c 'python $HERE/x.py'",
        'HERE=$(dirname "$0"); ARGS=(--dir "$HERE"); srun x "${ARGS[@]}"',
        'HERE=$(dirname "$0"); PYTHONPATH=$HERE srun x',
        'HERE=$(dirname "$0"); export PYTHONPATH=$HERE:$PYTHONPATH; srun x',
        'HERE=$(dirname "$0"); echo "$HERE" > where.txt',
        'HERE=$(dirname "$0"); srun bash <<EOF\npython $HERE/x.py\nEOF',
    ],
)
def test_an_error_whatever_way_the_folder_goes(body: str) -> None:
    assert [severity for _, severity in lines(job(body, ntasks=1), CODE)] == ["error"]


def test_quiet_for_a_script_without_directives() -> None:
    assert lines('#!/bin/bash\nHERE=$(dirname "$0")\nsrun $HERE/run.sh\n', CODE) == []


def test_one_finding_for_all_places() -> None:
    (found,) = findings(job('A=$(dirname "$0")', 'B=$(dirname "$0")', "srun $A/$B", ntasks=1), CODE)
    assert len(found.related) == 1


@pytest.mark.parametrize(
    ("command", "severity"),
    [
        ("srun python -m project.train", "warning"),
        ("deepspeed --hostfile hosts --module project.train --lr 1", "warning"),
        ("srun torchrun --nproc_per_node=4 -m project.train", "warning"),
        ("srun python scripts/train.py", "error"),
        ("srun python -m project.train; srun python scripts/eval.py", "error"),
        ("srun python -m project.train --config $HERE/a.yaml", "error"),
    ],
)
def test_a_module_may_be_found_in_the_working_folder(command: str, severity: str) -> None:
    search = 'HERE=$(dirname "$0"); export PYTHONPATH="$HERE${PYTHONPATH:+:$PYTHONPATH}"'
    assert [found for _, found in lines(job(search, command, ntasks=1), CODE)] == [severity]
