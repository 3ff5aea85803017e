"""What ``plan`` shows of scripts of every shape, to the letter.

Each case is a script and the text expected of it.  After a change that is meant, write the texts anew with
``PLAN_CASES=write pytest tests/report/test_plan_text.py`` and read the difference.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.report.plan_model import planned
from sbatchlint.report.plan_text import plan_text
from sbatchlint.report.style import PLAIN, Style
from sbatchlint.source import Source

CASES = Path(__file__).parent / "cases" / "plan"
SCRIPTS = sorted(path.stem for path in CASES.glob("*.sh"))
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def text(
    script: str,
    *,
    style: Style = PLAIN,
    width: int = 100,
    options: LintOptions | None = None,
    path: str = "job.sh",
) -> str:
    return plan_text(planned(Job(Source.from_text(script, path), options)), style, width=width)


def job(body: str, *directives: str) -> str:
    return "\n".join(["#!/bin/bash", *(f"#SBATCH {each}" for each in directives), body, ""])


def row(shown: str, label: str) -> str:
    """Return the first line of the row called *label*, without the label."""
    line = next(line for line in shown.splitlines() if line.strip().startswith(label + " "))
    return line.strip().removeprefix(label).strip()


@pytest.mark.parametrize("name", SCRIPTS)
def test_case(name: str) -> None:
    shown = text((CASES / f"{name}.sh").read_text("utf-8"), path=f"{name}.sh")
    expected = CASES / f"{name}.txt"
    if os.environ.get("PLAN_CASES") == "write":
        expected.write_text(shown, "utf-8")
    assert shown == expected.read_text("utf-8")


def test_there_are_enough_cases() -> None:
    assert len(SCRIPTS) >= 12


@pytest.mark.parametrize("name", SCRIPTS)
def test_colours_change_nothing_but_colours(name: str) -> None:
    script = (CASES / f"{name}.sh").read_text("utf-8")
    painted = text(script, style=Style(colour=True))
    plain = [line.rstrip() for line in _ESCAPE.sub("", painted).splitlines()]
    assert painted != text(script) and plain == text(script).splitlines()


@pytest.mark.parametrize("width", [80, 100, 140])
def test_lines_keep_to_the_width(width: int) -> None:
    options = " ".join(f"--option-{number} {number}" for number in range(40))
    exports = "".join(f"export NAME_{number}=value\n" for number in range(12))
    shown = text(
        job(f"{exports}srun {options.replace('option', 'comment')} python t.py {options}"), width=width
    )
    lines = shown.splitlines()
    assert max(map(len, lines)) <= width
    assert sum(len(line) > width - 20 for line in lines) >= 5


def test_a_command_line_can_be_used_again() -> None:
    shown = text(job("srun python t.py 'a b' '$HOME' \"it's\" '*' --x='1 2' '' $'a\\tb'"))
    assert row(shown, "command") == "python t.py 'a b' '$HOME' 'it'\\''s' '*' --x='1 2' '' $'a\\tb'"


def test_unknown_text_stands_apart_from_known_dollars() -> None:
    shown = text(job('srun python t.py "$A" \'$A\' "${A}_b" "$(date)"'))
    assert row(shown, "command") == "python t.py $A '$A' ${A}_b <$(date)>"


def test_unknown_text_is_faint_on_a_terminal() -> None:
    shown = text(job('srun python t.py "$A" ${B:-c}'), style=Style(colour=True))
    assert "\x1b[2;3m$A\x1b[0m" in shown and "\x1b[3mc\x1b[0m" in shown


def test_optional_words_stand_in_brackets() -> None:
    shown = text(job('args=(--a)\nif [ -n "$X" ]; then args+=(--b); fi\nsrun python t.py "${args[@]}"'))
    assert row(shown, "command") == "python t.py --a [--b]"


def test_long_program_texts_are_cut() -> None:
    shown = text(job("srun python -c '" + "x = 1\n" * 100 + "'"))
    assert "...(+520 characters)" in shown and "\\n" in shown


def test_sbatch_options_arguments_and_environment() -> None:
    options = LintOptions(
        sbatch_args=("--nodes=3", "-p", "debug"),
        arguments=("config a.yaml",),
        environment=(("DATA", "/data"),),
    )
    script = job('srun python t.py "$1" "$DATA" "${2:-none}"', "--nodes=1", "--time=5")
    shown = text(script, options=options)
    assert row(shown, "submitted by") == "DATA=/data sbatch --nodes=3 -p debug job.sh 'config a.yaml'"
    assert row(shown, "nodes") == "3" and row(shown, "partition") == "debug"
    assert row(shown, "command") == "python t.py 'config a.yaml' /data none"
    assert "environment" not in shown


@pytest.mark.parametrize(
    ("export", "reaches"),
    [
        ("", True),
        ("--export=ALL,B=1", True),
        ("--export=A", True),
        ("--export=NONE", False),
        ("--export=B", False),
    ],
)
def test_export_decides_what_the_job_inherits(export: str, reaches: bool) -> None:
    options = LintOptions(environment=(("A", "x"),))
    shown = text(job('srun python t.py "$A"', *filter(None, [export])), options=options)
    assert row(shown, "command") == ("python t.py x" if reaches else "python t.py $A")
    assert ("A does not reach the job" in shown) is not reaches


def test_slurm_sets_its_own_variables() -> None:
    options = LintOptions(environment=(("SLURM_NNODES", "9"),))
    shown = text(job("srun python t.py $SLURM_NNODES", "--nodes=2"), options=options)
    assert row(shown, "command") == "python t.py 2"
    assert "SLURM_NNODES does not reach the job" in shown


def test_a_guard_is_no_setting() -> None:
    shown = text(job(': "${DATA:?}"\nsrun python t.py "$DATA"'))
    assert "environment  " not in shown
    assert "may stop the script" in shown


def test_environment_is_told_once_and_sorted_by_weight() -> None:
    exports = "".join(f"export VAR_{number}={number}\n" for number in range(28))
    shown = text(
        job(
            exports
            + "export MASTER_PORT=29500\nsrun python a.py\nsrun python b.py\nexport NEW=1\nsrun python c.py"
        )
    )
    rows = [line.strip() for line in shown.splitlines() if line.strip().startswith("environment")]
    assert rows[0].startswith("environment  MASTER_PORT=29500 VAR_0=0")
    assert "VAR_22=22 and VAR_23" in " ".join(shown.split())
    assert rows[1:] == ["environment  as above (29 variables)", "environment  as above, and NEW=1"]


def test_hostile_text_reaches_no_terminal() -> None:
    evil = "\x1b]0;owned\x07\u202e\u2028\x9b31m"
    script = job(
        f"export X='{evil}'\n"
        f"srun --comment='{evil}' --container-image='{evil}' python '{evil}' \"$({evil})\"\n"
        f"'{evil}' x\n",
        f"--job-name={evil}",
        f"--output={evil}",
    )
    for style in (PLAIN, Style(colour=True)):
        shown = _ESCAPE.sub("", text(script, style=style, path=f"a{evil}.sh"))
        assert not set(shown) & set("\x1b\x07\x9b\u202e\u2028")
        assert "\\x1b" in shown and "\\u202e" in shown


def test_the_incomplete_is_called_so() -> None:
    file = planned(Job(Source.from_text(job("srun a"), "job.sh")))
    plan = replace(file.plan, incomplete="the script nests too deeply")
    cut_off = plan_text(replace(file, plan=plan), PLAIN)
    assert "incomplete: the script nests too deeply; what comes after" in cut_off
    assert "incomplete" not in plan_text(file, PLAIN)


def test_a_loop_on_the_batch_host_is_not_told_at_length() -> None:
    shown = text(job("for part in a b c d e; do python t.py $part; done"))
    assert "python t.py b" in shown and "python t.py c" not in shown
    assert "line 2       3 more times, in a loop or a function" in shown
