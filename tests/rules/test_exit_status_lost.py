"""SB353: what the script's last line says of the job."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB353"
LAST = ["date", 'echo "done"', "printf 'end\\n'", ":", "rm -f tmp.txt", "rm -rf $TMP", "set +x"]


@pytest.mark.parametrize("last", LAST)
def test_a_small_command_at_the_end(last: str) -> None:
    assert lines(job("srun python t.py", last, ntasks=1), CODE) == [(4, "warning")]


@pytest.mark.parametrize(
    ("run", "name"),
    [
        ("srun python t.py", "srun"),
        ('R="srun -n1"; $R python t.py', "srun"),
        ("ibrun ./solver", "ibrun"),
        ("mpirun -n 8 ./solver", "mpirun"),
        ("for i in 1 2; do ibrun ./solver $i; done", "ibrun"),
        ("ibrun tacc_affinity ./solver", "ibrun"),
        ("for i in 1 2; do ./note start; ibrun ./solver $i; ./note end; done", "ibrun"),
    ],
)
@pytest.mark.parametrize(
    "helpers", [[], ["./mv_out.sh out"], ["cd out", "/opt/average.py", "cd ..", "./tidy.sh"]]
)
def test_helpers_behind_a_run_are_not_what_is_lost(run: str, name: str, helpers: list[str]) -> None:
    (found,) = findings(job(run, *helpers, "echo done", ntasks=1), CODE)
    assert f"even where {name} has failed" in found.message


@pytest.mark.parametrize("between", ["if [ $? -ne 0 ]; then exit 1; fi", "rc=$?", "test -f out || exit 1"])
def test_a_run_that_is_looked_at_before_its_helpers(between: str) -> None:
    assert lines(job("ibrun ./solver", between, "./mv_out.sh out", "echo done", ntasks=1), CODE) == []


def test_a_helper_without_a_run_is_the_work() -> None:
    (found,) = findings(job("cp a b", "./solve.sh", "echo done", ntasks=1), CODE)
    assert "./solve.sh" in found.message


@pytest.mark.parametrize(
    "work",
    [
        "srun bash -c 'python t.py'",
        'RUN="srun --label"; $RUN python t.py',
        "for i in 1 2; do srun python t.py $i; done",
        "python t.py",
        "torchrun --nproc_per_node=8 t.py",
        "apptainer exec image.sif python t.py",
        "mpirun ./a.out",
        "srun --kill-on-bad-exit=1 python t.py",
        "( srun python t.py )",
        "if [ ! -f done ]; then srun python t.py; fi",
        "if [ $SLURM_NNODES -gt 1 ]; then torchrun t.py; else python t.py; fi",
    ],
)
def test_each_kind_of_work(work: str) -> None:
    assert [severity for _, severity in lines(job(work, "echo done", ntasks=1), CODE)] == ["warning"]


@pytest.mark.parametrize(
    "body",
    [
        ["set -e", "srun python t.py", "echo done"],
        ["set -euo pipefail", "srun python t.py", "echo done"],
        ["set -o errexit", "srun python t.py", "echo done"],
        ["trap 'echo bye' EXIT", "srun python t.py", "echo done"],
        ["trap 'exit 1' ERR", "srun python t.py", "echo done"],
        ["srun python t.py", "rc=$?", "echo done", "exit $rc"],
        ["srun python t.py || exit 1", "echo done"],
        ["if ! srun python t.py; then exit 1; fi", "echo done"],
        ["srun python t.py", "echo status $?", "exit $?"],
        ["srun python t.py", 'echo "status $?"'],
        ["srun python t.py"],
        ["echo start", "srun python t.py"],
        ["srun hostname", "echo done"],
        ["nvidia-smi", "echo done"],
        ["srun python t.py &", "wait", "echo done"],
        ["srun python t.py", "finish"],
        ["srun python t.py", "cp out.txt /data"],
        ["srun python t.py", "rm out.txt"],
        ["echo nothing", "echo done"],
        ["srun python t.py", "[ -f x ] && srun python u.py"],
        ["srun python t.py", "[ -f x ] && rm x || true"],
        ["srun python t.py", 'if [ -n "$why" ]; then python note.py "$why"; fi', "date"],
    ],
)
def test_quiet_where_the_status_is_kept_or_there_is_none(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), CODE) == []


def test_quiet_where_the_first_line_switches_errexit_on() -> None:
    assert lines("#!/bin/bash -e\n#SBATCH -n1\nsrun python t.py\necho done\n", CODE) == []


def test_a_plain_exit_0_may_be_meant() -> None:
    (found,) = findings(job("srun python t.py", "exit 0", ntasks=1), CODE)
    assert not found.prominent


def test_a_test_at_the_end_decides_even_under_errexit() -> None:
    body = ["set -e", "srun python t.py", "[ -f tmp ] && rm tmp"]
    (found,) = findings(job(*body, ntasks=1), CODE)
    assert "FAILED" in found.message


def test_the_status_of_a_pipe_is_saved_from_its_head() -> None:
    text = job("srun python t.py | tee log", "echo done", ntasks=1)
    assert "\nrc=${PIPESTATUS[0]}\n" in fixed(text).converged.source.text


@pytest.mark.parametrize(
    "body",
    [
        ["srun python a.py", "srun python b.py", "echo done"],
        ["for i in 1 2; do srun python t.py $i; done", "echo done"],
        ["rc=7", "srun python t.py", "echo done"],
    ],
)
def test_no_fix_where_it_would_not_be_simple(body: list[str]) -> None:
    (found,) = findings(job(*body, ntasks=1), CODE)
    assert found.fix is None


@pytest.mark.parametrize(
    ("last", "document"),
    [
        (": <<'END'", ["notes", "END"]),
        ("echo done <<-A", ["\ta", "\tA"]),
        ("printf '%s\\n' end <<A <<B", ["a", "A", "b", "B"]),
        (": <<A", ["A"]),
    ],
)
def test_the_exit_comes_behind_a_here_document(last: str, document: list[str]) -> None:
    text = job("srun python t.py", last, *document, ntasks=1)
    after = job("srun python t.py", "rc=$?", last, *document, 'exit "$rc"', ntasks=1)
    assert fixed(text, code=CODE).converged.source.text == after


@pytest.mark.parametrize(
    ("work", "name"),
    [
        ("DIR=; ${DIR}/orca in.inp", "${DIR}/orca"),
        ('DIR=; "${DIR}/orca" in.inp', "${DIR}/orca"),
        ("/opt/orca in.inp", "/opt/orca"),
        ("srun python t.py", "srun"),
        ("( srun python t.py )", "srun"),
    ],
)
def test_names_the_program_as_it_is_written(work: str, name: str) -> None:
    (found,) = findings(job(work, ":", ntasks=1), CODE)
    assert found.message == f"the job ends as COMPLETED even where {name} has failed: `:` comes last"


def test_a_comment_behind_the_program_stays_there() -> None:
    text = job("srun python t.py  # train", "echo done", ntasks=1)
    assert fixed(text).converged.source.text == job(
        "srun python t.py  # train", "rc=$?", "echo done", 'exit "$rc"', ntasks=1
    )


@pytest.mark.parametrize(
    "last",
    [
        "grep loss log",
        "grep -E 'iteration' log | grep -iE 'lm loss' | head -25",
        "cat log | grep loss | tail -n 3",
        "egrep 'loss' \"$LOG\" | awk '{print $3}'",
    ],
)
@pytest.mark.parametrize("work", ["srun python t.py > log", "srun python t.py 2>&1 | tee log"])
def test_a_look_into_the_log_at_the_end(last: str, work: str) -> None:
    text = job(work, 'echo "Losses:"', last, ntasks=1)
    assert lines(text, CODE) == [(5, "warning")]
    assert "FAILED" not in findings(text, CODE)[0].message
    after = fixed(text, code=CODE).converged.source.text
    assert after.endswith(f'{last}\nexit "$rc"\n')
    assert findings(after, CODE) == []


@pytest.mark.parametrize(
    "body",
    [
        ["set -e", "srun python t.py > log", "grep loss log"],
        ["set -euo pipefail", "srun python t.py | tee log", "grep loss log | head -3"],
        ["set -euo pipefail", "srun python t.py | tee log", "echo losses", "grep -i loss log | tail -1"],
    ],
)
def test_a_good_run_without_a_match_is_failed_under_errexit(body: list[str]) -> None:
    (found,) = findings(job(*body, ntasks=1), CODE)
    assert "FAILED where grep finds nothing" in found.message
    assert found.fix is None


@pytest.mark.parametrize(
    "body",
    [
        ["set -e", "srun python t.py > log", "grep loss log | head -3"],
        ["set -e", "srun python t.py > log", "grep loss log || true"],
        ["srun python t.py > log", "grep -q loss log"],
        ["srun python t.py > log", "grep 'ALL TESTS PASSED' log"],
        ["srun python t.py > log", "! grep Traceback log"],
        ["srun python t.py > log", "rc=$?", "grep loss log", "exit $rc"],
        ["srun python t.py > log", "grep loss log | python plot.py"],
        ["srun python t.py > log", "grep loss log; exit ${PIPESTATUS[0]}"],
        ["srun hostname > log", "grep node log"],
    ],
)
def test_a_look_into_the_log_that_does_no_harm(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), CODE) == []
