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
    (found,) = findings(job(body, "srun $ROOT/run.sh", ntasks=1), CODE)
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


def test_quiet_for_a_script_without_directives() -> None:
    assert lines('#!/bin/bash\nHERE=$(dirname "$0")\nsrun $HERE/run.sh\n', CODE) == []


def test_one_finding_for_all_places() -> None:
    (found,) = findings(job('A=$(dirname "$0")', 'B=$(dirname "$0")', "srun $A/$B", ntasks=1), CODE)
    assert len(found.related) == 1
