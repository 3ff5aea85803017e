"""SB354: pipes whose status is that of tee."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB354"


@pytest.mark.parametrize(
    "pipe",
    [
        "srun python t.py | tee log",
        "srun python t.py 2>&1 | tee -a log",
        "srun python t.py |& tee log",
        "srun python t.py | grep -v warning | tee log",
        'RUN="srun --label"; $RUN python t.py | tee log',
        "( srun python t.py ) | tee log",
        "torchrun --nproc_per_node=8 t.py | tee log",
        "srun python t.py | grep loss",
    ],
)
def test_at_the_end_of_the_script(pipe: str) -> None:
    assert lines(job(pipe, ntasks=1), CODE) == [(3, "warning")]


@pytest.mark.parametrize("last", ["sort", "sort -n -k 4", "uniq -c", "wc -l", "column -t"])
def test_a_listing_of_all_tasks_is_a_matter_for_the_pedantic(last: str) -> None:
    (found,) = findings(job(f"srun ./xthi | {last}", ntasks=4), CODE)
    assert not found.prominent
    (found,) = findings(job("srun ./xthi | tee log", ntasks=4), CODE)
    assert found.prominent


@pytest.mark.parametrize("mode", ["set -e", "set -ex", "set -o errexit"])
def test_in_the_middle_where_a_failure_should_stop_the_script(mode: str) -> None:
    assert lines(job(mode, "srun python t.py | tee log", "srun python u.py", ntasks=1), CODE) == [
        (4, "warning")
    ]


def test_where_the_status_is_read_afterwards() -> None:
    body = ["srun python t.py | tee log", "if [ $? -ne 0 ]; then exit 1; fi"]
    assert lines(job(*body, ntasks=1), CODE) == [(3, "warning")]


def test_where_something_should_be_done_if_it_fails() -> None:
    (found,) = findings(job("srun python t.py | tee log || exit 1", "srun python u.py", ntasks=1), CODE)
    assert "||" in found.message


@pytest.mark.parametrize(
    "body",
    [
        ["set -o pipefail", "srun python t.py | tee log"],
        ["set -euo pipefail", "srun python t.py | tee log"],
        ["set -eo pipefail", "srun python t.py | tee log"],
        ["shopt -so pipefail", "srun python t.py | tee log"],
        ["srun python t.py | tee log", "exit ${PIPESTATUS[0]}"],
        ["echo y | srun python t.py"],
        ["cat list | xargs -n1 srun python t.py"],
        ["srun hostname | tee nodes"],
        ["N=$(srun python count.py | tail -n 1)", "srun python t.py"],
        ["srun python t.py | tee log", "srun python u.py"],
        ["set -e", "srun python t.py | tee log || true"],
        ["set -e", "srun python t.py | grep loss || echo none"],
        ["set -e", "if srun python t.py | grep -q loss; then date; fi"],
        ["set -e", "while srun python t.py | grep -q loss; do date; done"],
    ],
)
def test_quiet_where_the_status_is_kept_or_not_asked_for(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), CODE) == []


@pytest.mark.parametrize("off", ["set +e", "set +ex", "set +o errexit"])
def test_quiet_between_set_plus_e_and_set_minus_e(off: str) -> None:
    body = ["set -e", off, "srun python train.py | tee log", "set -e", "echo done"]
    assert lines(job(*body, ntasks=1), CODE) == []
    branch = [
        "set -e",
        "if [ -n $1 ]; then",
        off,
        "srun python train.py | tee log",
        "set -e",
        "fi",
        "echo done",
    ]
    assert lines(job(*branch, ntasks=1), CODE) == []
    after = ["set -e", off, "nvidia-smi", "set -e", "srun python train.py | tee log", "echo done"]
    assert [line for line, _ in lines(job(*after, ntasks=1), CODE)] == [7]


def test_one_finding_where_a_small_command_follows_as_well() -> None:
    """The cause is the last line then, which hides the status in any case."""
    found = findings(job("srun python t.py | tee log", "echo done", ntasks=1))
    assert [one.code for one in found if one.code in (CODE, "SB353")] == ["SB353"]


def test_no_fix_for_a_shell_without_pipefail() -> None:
    (found,) = findings("#!/bin/sh\n#SBATCH -n1\nsrun python t.py | tee log\n", CODE)
    assert found.fix is None


def test_unsafe_where_other_pipes_follow_under_errexit() -> None:
    text = job("set -e", "srun python t.py | tee log", "ps | grep x", ntasks=1)
    assert fixed(text).converged.source.text == text
    assert "set -o pipefail\nsrun" in fixed(text, unsafe=True).converged.source.text


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'python t.py | tee log'"],
        ["srun bash -c 'cd /d && python t.py 2>&1 | tee log'"],
        ["srun bash -c 'python t.py |& tee log.$SLURM_PROCID'"],
        ['CMD="python t.py"', 'srun bash -c "$CMD 2>&1 | tee log"'],
        ["srun bash <<'EOF'", "python t.py \\", "  --a 1 | tee log", "EOF"],
        ["srun bash -c 'uv run python t.py | tee log'"],
    ],
)
def test_a_pipe_in_the_command_of_a_step(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, ntasks=1), CODE)] == ["warning"]


@pytest.mark.parametrize(
    "code",
    [
        "python t.py | tee log; echo done",
        "python t.py | tee log\nif [ -e x ]; then echo x; fi\n",
        "cd /d\npython t.py |& tee log  # all of it\n# and then\necho all\n",
        "python t.py | tee -a \\\n log\nexit 0",
    ],
)
@pytest.mark.parametrize("way", ["srun bash -c '{}'", "srun bash <<'EOF'\n{}\nEOF"])
def test_what_follows_the_pipe_decides_how_the_task_ends(code: str, way: str) -> None:
    (found,) = findings(job(way.format(code), ntasks=1), CODE)
    assert found.message == "each task goes on behind this pipe, however t.py has ended"
    assert not found.prominent


@pytest.mark.parametrize(
    "code",
    ["python t.py | tee log\n\nret=$?\necho $ret", "python t.py | tee log; if [ $? = 0 ]; then echo; fi"],
)
def test_the_status_that_a_task_reads_is_that_of_tee(code: str) -> None:
    (found,) = findings(job(f"srun bash -c '{code}'", ntasks=1), CODE)
    assert found.message == "$? is the status of tee, not of t.py"
    assert found.prominent


@pytest.mark.parametrize(
    "code",
    [
        "python t.py | tee log\n",
        "python t.py | tee log;",
        "if true; then\n  python t.py | tee log\nfi\n# the end",
        "( cd /d; python t.py | tee log )",
    ],
)
def test_the_end_of_a_compound_command_decides_nothing(code: str) -> None:
    (found,) = findings(job(f"srun bash -c '{code}'", ntasks=1), CODE)
    assert found.message == "the step ends as tee ends, not as t.py has ended"
    assert found.prominent


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'set -o pipefail; python t.py | tee log'"],
        ["srun bash -o pipefail -c 'python t.py | tee log'"],
        ["srun bash -c 'python t.py | tee log; exit ${PIPESTATUS[0]}'"],
        ["srun bash -c 'python t.py; echo done | tee log'"],
        ["srun bash -c 'python t.py || echo failed | tee log'"],
        ["srun bash -c 'python t.py; ls | tee log'"],
        ["srun bash -c 'nvidia-smi | tee log'"],
        ["srun bash -c 'python t.py > >(tee log)'"],
        ["srun bash -c 'python t.py'"],
    ],
)
def test_quiet_where_the_tasks_status_is_kept(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), CODE) == []


@pytest.mark.parametrize(
    ("body", "prominent"),
    [
        (["for i in 1 2; do", "  ( srun python t.py $i ) |& tee log.$i", "done"], False),
        (["while read -r i; do", "  srun python t.py $i | tee log.$i", "done < list"], False),
        (["for i in 1 2; do", "  srun python t.py | tee log || exit 1", "done"], True),
        (["if [ $NCCL_TEST -eq 1 ]; then", "  srun python t.py | tee log", "fi", "srun python u.py"], True),
    ],
)
def test_the_next_round_may_be_meant_to_start_after_a_failure(body: list[str], prominent: bool) -> None:
    (found,) = findings(job("set -e", *body, ntasks=1), CODE)
    assert found.prominent is prominent
