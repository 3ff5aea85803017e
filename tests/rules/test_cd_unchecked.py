"""SB362: cd to a folder that may not be there."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB362"


@pytest.mark.parametrize("delete", ["rm -f  out", "rm -rf -v out", "rm -rf -- *.out", 'rm -f "a b"'])
def test_each_way_to_delete(delete: str) -> None:
    assert lines(job("cd $RUN", delete, "srun python t.py", ntasks=1), CODE) == [(3, "warning")]


@pytest.mark.parametrize("move", ["cd $RUN", 'cd "$RUN"', "cd ${RUN}/data", "cd /scratch/$RUN"])
def test_a_warning_where_something_is_deleted_there(move: str) -> None:
    assert lines(job(move, "rm -rf out", "srun python t.py", ntasks=1), CODE) == [(3, "warning")]
    assert lines(job(move, "srun python t.py", ntasks=1), CODE) == [(3, "info")]


@pytest.mark.parametrize(
    "body",
    [
        ["cd $RUN || exit 1", "rm -rf out"],
        ["cd $RUN && rm -rf out"],
        ["if cd $RUN; then rm -rf out; fi"],
        ["set -e", "cd $RUN", "rm -rf out"],
        ["cd $SLURM_SUBMIT_DIR", "rm -rf out"],
        ["cd ${RUN:?}", "rm -rf out"],
        ["mkdir -p $RUN", "cd $RUN", "rm -rf out"],
        ["cd /data", "rm -rf out"],
        ["X=$(cd $RUN; pwd)", "rm -rf out"],
        ["cd $RUN", "echo nothing"],
    ],
)
def test_quiet_where_it_is_checked_or_nothing_hangs_on_it(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), CODE) == []


@pytest.mark.parametrize(
    "delete",
    [
        "rm -rf /tmp/out",
        "rm -rf $OUT",
        "rm -f  ${OUT}/a",
        'rm -rf\t "$OUT"',
        "rm -rf -v /tmp/out",
        "rm -rf -- $OUT",
        "rm out.txt",
        "# rm -rf out",
    ],
)
def test_a_remark_where_nothing_in_the_folder_is_deleted(delete: str) -> None:
    assert lines(job("cd $RUN", delete, "srun python t.py", ntasks=1), CODE) == [(3, "info")]


@pytest.mark.parametrize(
    ("move", "name"),
    [("cd $RUN", "$RUN"), ('cd "${RUN}/a"', "${RUN}/a"), ("cd /data/$USER/x", "/data/$USER/x")],
)
def test_names_the_folder_as_it_is_written(move: str, name: str) -> None:
    (found,) = findings(job(move, "srun python t.py", ntasks=1), CODE)
    assert found.message == f"the script goes on in another folder where there is no {name}"


def test_the_script_stops() -> None:
    text = job("cd $RUN  # here", "srun python t.py", ntasks=1)
    assert "cd $RUN || exit 1  # here" in fixed(text).converged.source.text
