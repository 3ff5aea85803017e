"""What the filter does with what sbatchlint says, under each Lua that Slurm may be built with."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.conftest import FINDING, Linter, Starter
from tests.integrations.lua_filter import LUAS, LuaFilter

PASS, REFUSE = 0, -1

Capture = pytest.CaptureFixture[str]


@pytest.fixture(params=LUAS)
def lua(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def finds_an_error(linter: Linter, extra: str = "") -> None:
    linter.does(f"echo '{FINDING}' >&2; echo on standard output; {extra} exit 1")


def test_clean(lua: str, start: Starter, linter: Linter, capfd: Capture) -> None:
    door = start('mode = "enforce"', lua=lua)
    assert (door.loaded, door.submit()) == (0, PASS)
    assert [call[:2] for call in linter.calls] == [[b"submit", b"--lint-only"]]
    assert (door.said, capfd.readouterr()) == ([], ("", ""))


def test_enforce_refuses_and_shows(lua: str, start: Starter, linter: Linter, capfd: Capture) -> None:
    finds_an_error(linter)
    door = start('mode = "enforce", help = "Ask hpc@site."', lua=lua)
    assert door.submit() == REFUSE
    assert capfd.readouterr() == ("", FINDING + "\n")
    assert door.said == [
        "error: sbatchlint: the job was not submitted, because of the errors above. Ask hpc@site."
    ]


def test_warn_shows_and_passes(lua: str, start: Starter, linter: Linter, capfd: Capture) -> None:
    finds_an_error(linter)
    door = start(lua=lua)
    assert door.submit() == PASS
    assert (capfd.readouterr(), door.said) == (("", FINDING + "\n"), [])


def test_warnings_pass_in_every_mode(start: Starter, linter: Linter, capfd: Capture) -> None:
    linter.does("echo 'job.sh:2:1: warning[SB202] x' >&2")
    assert start('mode = "enforce"').submit() == PASS
    assert "warning[SB202]" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        ("job     1 node x 8 tasks\nstarts  1 step: srun -> train.py", False),
        ("\x1b[33mwarning\x1b[0m[SB202] x\njob     1 node", True),
        ("job.sh:1:1: info[require-account] x", True),
        ("sbatchlint: job.sh: internal error: KeyError", True),
        ("job     1 node, [array] of 3", False),
    ],
)
def test_the_plan_alone_is_shown_on_request(
    output: str, shown: bool, lua: str, start: Starter, linter: Linter, capfd: Capture
) -> None:
    linter.does(f"printf '%s\\n' '{output}' >&2")
    start(lua=lua).submit()
    assert bool(capfd.readouterr().err) is shown
    start("plan = true", lua=lua).submit()
    assert "job" in capfd.readouterr().err


def test_off_runs_nothing(start: Starter, linter: Linter) -> None:
    assert start('mode = "off"').submit() == PASS
    assert linter.calls == []


FAILURES = {
    "crash": ("kill -SEGV $$", "it crashed (signal 11)"),
    "a traceback": (
        "echo 'Traceback (most recent call last):' >&2; echo 'KeyError: error[x' >&2; exit 1",
        "it failed (status 1): KeyError: error[x",
    ),
    "a package that is gone": (
        "echo 'python: No module named sbatchlint' >&2; exit 1",
        "it failed (status 1): python: No module named sbatchlint",
    ),
    "garbage": ("printf '\\377\\000\\001abc' >&2; exit 9", "it failed (status 9): \xff"),
    "another status": ("exit 77", "it failed (status 77)"),
    "killed": ("kill -KILL $$", "it took longer than 2 s or was killed"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_lets_the_job_pass(
    name: str, lua: str, start: Starter, linter: Linter, capfd: Capture
) -> None:
    script, reason = FAILURES[name]
    linter.does(script)
    door = start('mode = "enforce"', lua=lua)
    assert door.submit() == PASS
    assert len(door.said) == 1
    assert door.said[0].startswith(f"info: sbatchlint: the job was not checked: {reason}")
    assert capfd.readouterr() == ("", "")


def test_what_could_not_be_checked(lua: str, start: Starter, linter: Linter, capfd: Capture) -> None:
    linter.does("echo 'sbatchlint: sbatchlint.toml:3: no such key' >&2; exit 2")
    door = start('mode = "enforce"', lua=lua)
    assert door.submit() == PASS
    assert capfd.readouterr().err == "sbatchlint: sbatchlint.toml:3: no such key\n"
    assert door.said == ["info: sbatchlint: the job was not checked, for the reason above"]


STUCK = {
    "asleep": "exec sleep 60",
    "deaf to signals": "trap '' TERM; while :; do sleep 60; done",
    "with a child": "sleep 60 & wait",
    "talkative": "exec yes >&2",
}


@pytest.mark.parametrize("name", STUCK)
def test_a_hang_lets_the_job_pass_in_time(name: str, start: Starter, linter: Linter, capfd: Capture) -> None:
    linter.does(STUCK[name])
    door = start('mode = "enforce", seconds = 0.6', lua="luajit21")  # with the real popen
    before = time.monotonic()
    assert door.submit() == PASS
    assert time.monotonic() - before < 1.0
    assert len(door.said) == 1
    assert door.said[0].startswith("info: sbatchlint: the job was not checked: it took longer than 0.6 s")
    assert capfd.readouterr().err == ""


def test_a_stray_child_is_not_waited_for(start: Starter, linter: Linter) -> None:
    linter.does(f"setsid sleep 5 & echo '{FINDING}' >&2; exit 1")
    before = time.monotonic()
    assert start('mode = "enforce"', lua="luajit21").submit() == REFUSE
    assert time.monotonic() - before < 2


def test_no_such_program(lua: str, tmp_path: Path) -> None:
    door = LuaFilter(tmp_path, 'return { sbatchlint = "/no/such/sbatchlint" }', lua=lua)
    assert door.submit() == PASS
    assert len(door.said) == 1
    assert "not checked: it could not be started" in door.said[0]
    assert "/no/such/sbatchlint" in door.said[0]


def test_no_timeout_program(start: Starter, linter: Linter) -> None:
    door = start('timeout = "/no/timeout"')
    assert (door.submit(), linter.calls) == (PASS, [])
    assert door.said == ["info: sbatchlint: the job was not checked: there is no /no/timeout"]


def test_a_command_line_too_long_for_the_shell(start: Starter, linter: Linter) -> None:
    door = start('mode = "enforce"', words=("job.sh", "x" * 200_000))
    assert (door.submit(), linter.calls) == (PASS, [])
    assert door.said == ["info: sbatchlint: the job was not checked: it could not be started"]


def test_very_many_words(lua: str, start: Starter, linter: Linter) -> None:
    start(words=("job.sh", *("x",) * 15_000), lua=lua).submit()
    assert len(linter.calls[0]) == 2 + 15_001


@pytest.mark.parametrize("kind", ["salloc", "srun", "scrontab"])
def test_other_commands_are_let_alone(kind: str, start: Starter, linter: Linter) -> None:
    door = start("nonsense = 1")
    assert (door.submit(type=kind), door.said, linter.calls) == (PASS, [], [])


@pytest.mark.parametrize("option", ["test_only", "external"])
def test_what_submits_no_script_is_let_alone(option: str, start: Starter, linter: Linter) -> None:
    options: dict[str, Any] = {option: "set"}
    assert start().submit(**options) == PASS
    assert linter.calls == []
    options[option] = "unset"
    start().submit(**options)
    assert len(linter.calls) == 1


def test_a_heterogeneous_job_is_checked_once(
    lua: str, start: Starter, linter: Linter, capfd: Capture
) -> None:
    finds_an_error(linter)
    door = start('partitions = { big = "enforce", small = "off" }', lua=lua)
    answers = [door.submit(offset=n, partition=p) for n, p in enumerate(["small", "other", "big"])]
    assert answers == [PASS, PASS, REFUSE]
    assert len(linter.calls) == 1
    assert capfd.readouterr().err == FINDING + "\n"


def test_a_failure_is_told_once_for_all_components(start: Starter, linter: Linter) -> None:
    linter.does("exit 9")
    door = start()
    assert [door.submit(offset=n) for n in range(3)] == [PASS] * 3
    assert (len(linter.calls), len(door.said)) == (1, 1)


def test_a_mistake_in_the_filter_itself_lets_the_job_pass(start: Starter) -> None:
    door = start()
    door.globals.io.popen = None
    assert door.submit() == PASS
    assert door.said[0].startswith("info: sbatchlint: the job was not checked: ")


def test_a_filter_of_the_sites_own_can_go_around_it(start: Starter, linter: Linter, tmp_path: Path) -> None:
    finds_an_error(linter)
    door = start('mode = "enforce"')
    door.globals.place = str(tmp_path / "cli_filter.lua")
    own = "function slurm_cli_pre_submit(o, n) called = true; return theirs(o, n) end"
    door.execute(f"dofile(place); theirs = slurm_cli_pre_submit; {own}")
    assert (door.submit(), door.globals.called) == (REFUSE, True)


def test_the_filter_leaves_three_functions_and_nothing_else(lua: str, tmp_path: Path) -> None:
    door = LuaFilter(tmp_path, lua=lua)
    own = {name for name in door.globals if name.startswith("slurm_")}
    assert own == {"slurm_cli_setup_defaults", "slurm_cli_pre_submit", "slurm_cli_post_submit"}
    before = set(door.globals)
    door.begin()
    door.submit()
    assert door.globals.slurm_cli_post_submit(0, 1, 2) == 0
    assert set(door.globals) - before == set()
