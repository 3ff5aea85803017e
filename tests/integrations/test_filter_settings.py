"""Whose jobs are held to what, and what becomes of settings that are wrong."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.conftest import FINDING, Linter, Starter
from tests.integrations.lua_filter import FILTER, LUAS, LuaFilter

PASS, REFUSE = 0, -1


@pytest.fixture(autouse=True)
def an_error(linter: Linter) -> None:
    linter.does(f"echo '{FINDING}' >&2; exit 1")


USER = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
GROUP = subprocess.run(["id", "-gn"], capture_output=True, text=True, check=True).stdout.strip()

# settings, options of the job, the mode that follows
MODES = [
    ("", {}, "warn"),
    ('mode = "enforce"', {}, "enforce"),
    ('partitions = { gpu = "enforce" }', {"partition": "gpu"}, "enforce"),
    ('partitions = { gpu = "enforce" }', {"partition": "cpu"}, "warn"),
    ('partitions = { gpu = "enforce", cpu = "off" }', {"partition": "cpu,gpu"}, "enforce"),
    ('mode = "enforce", partitions = { cpu = "off" }', {"partition": "cpu,other"}, "enforce"),
    ('partitions = { gpu = "enforce" }', {}, "warn"),
    ('partitions = { gpu = "enforce" }, default_partition = "gpu"', {}, "enforce"),
    ('partitions = { gpu = "enforce" }, default_partition = "gpu"', {"partition": "x"}, "warn"),
    (
        'accounts = { ml = "enforce" }, partitions = { gpu = "off" }',
        {"account": "ml", "partition": "gpu"},
        "enforce",
    ),
    ('accounts = { ml = "enforce" }', {}, "warn"),
    (f'groups = {{ ["{GROUP}"] = "enforce" }}, accounts = {{ ml = "off" }}', {"account": "ml"}, "enforce"),
    (f'users = {{ ["{USER}"] = "off" }}, groups = {{ ["{GROUP}"] = "enforce" }}', {}, "off"),
    ('users = { ["no such user"] = "off" }, groups = { ["no such group"] = "enforce" }', {}, "warn"),
]


@pytest.mark.parametrize(("settings", "options", "mode"), MODES)
def test_the_mode_that_counts(
    settings: str, options: dict[str, Any], mode: str, start: Starter, linter: Linter
) -> None:
    answer = start(settings).submit(**options)
    assert (answer, len(linter.calls)) == {"off": (PASS, 0), "warn": (PASS, 1), "enforce": (REFUSE, 1)}[mode]


def test_a_user_is_who_the_system_says(monkeypatch: pytest.MonkeyPatch, start: Starter) -> None:
    monkeypatch.setenv("USER", "root-or-somebody")
    monkeypatch.setenv("LOGNAME", "root-or-somebody")
    assert start('mode = "enforce", users = { ["root-or-somebody"] = "off" }').submit() == REFUSE


@pytest.mark.parametrize("does", ["exit 1", "exec sleep 60"])
def test_a_user_who_is_not_known_passes(does: str, start: Starter, linter: Linter, tmp_path: Path) -> None:
    (tmp_path / "id").write_text(f"#!/bin/sh\n{does}\n")
    (tmp_path / "id").chmod(0o755)
    door = start(f'mode = "enforce", id = "{tmp_path}/id", users = {{ somebody = "off" }}')
    before = time.monotonic()
    assert (door.submit(), linter.calls) == (PASS, [])
    assert door.said == ["info: sbatchlint: the job was not checked: the system does not tell who you are"]
    assert time.monotonic() - before < 1.5


def test_a_user_may_leave_the_warnings(start: Starter, linter: Linter) -> None:
    door = start()
    door.globals.environment["SBATCHLINT"] = "off"
    assert (door.submit(), door.said, linter.calls) == (PASS, [], [])


def test_a_user_may_not_leave_what_is_enforced(start: Starter) -> None:
    door = start('mode = "enforce"')
    door.globals.environment["SBATCHLINT"] = "off"
    assert door.submit() == REFUSE
    assert "SBATCHLINT=off does not count here" in door.said[0]


@pytest.mark.parametrize("value", ["1", "x", "", "own", "parent", "999999999"])
def test_the_guard_against_recursion_is_no_way_out(value: str, start: Starter) -> None:
    door = start('mode = "enforce"')
    numbers = {"own": str(os.getpid()), "parent": str(os.getppid())}
    door.globals.environment["SBATCHLINT_FILTER"] = numbers.get(value, value)
    assert door.submit() == REFUSE


def test_an_sbatch_called_by_the_linter_is_let_through(
    start: Starter, linter: Linter, tmp_path: Path
) -> None:
    door = start('mode = "enforce"')
    (tmp_path / "comm").write_text("sbatch\n")
    door.globals.files[f"/proc/{os.getppid()}/comm"] = str(tmp_path / "comm")
    door.globals.environment["SBATCHLINT_FILTER"] = str(os.getppid())
    assert (door.submit(), linter.calls) == (PASS, [])
    assert len(door.said) == 1


WRONG = {
    "an unknown name": ('return { mod = "warn" }', "there is no setting `mod`"),
    "an unknown mode": ('return { mode = "strict" }', '`mode` must be "off", "warn" or "enforce"'),
    "a mode for a table": ('return { users = "off" }', "`users` must be a table such as"),
    "a mode within": ('return { users = { al = "of" } }', "`users` must be a table such as"),
    "a list for a table": ('return { partitions = { "gpu" } }', "`partitions` must be a table such as"),
    "a relative program": ('return { sbatchlint = "sbatchlint" }', "`sbatchlint` must be an absolute path"),
    "no word": ("return { sbatchlint = {} }", "`sbatchlint` must be an absolute path"),
    "a text for a number": ('return { seconds = "2" }', "`seconds` must be a number from 0.5 to 10"),
    "too long": ("return { seconds = 60 }", "`seconds` must be a number"),
    "nothing returned": ('mode = "warn"', "it returns no table"),
    "not Lua": ("return {", "sbatchlint_filter.lua:1: "),
    "an error": ('error("no luck")', "no luck"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_settings_pass_with_a_notice(name: str, tmp_path: Path) -> None:
    settings, message = WRONG[name]
    door = LuaFilter(tmp_path, settings)
    assert (door.loaded, door.submit(), door.submit(offset=1)) == (0, PASS, PASS)
    assert len(door.said) == 1
    assert door.said[0].startswith(
        f"info: sbatchlint: jobs are not checked: {tmp_path}/sbatchlint_filter.lua: "
    )
    assert message in door.said[0]


def test_settings_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "sbatchlint_filter.lua").symlink_to("sbatchlint_filter.lua")
    door = LuaFilter(tmp_path)
    assert (door.submit(), len(door.said)) == (PASS, 1)
    assert "jobs are not checked" in door.said[0]


def test_wrong_settings_change_nothing_by_half(tmp_path: Path) -> None:
    door = LuaFilter(tmp_path, 'return { mode = "enforce", seconds = 3, nonsense = 1 }')
    assert door.execute('return hidden("settings").mode') == "warn"


def test_the_example_settings_are_right(tmp_path: Path) -> None:
    example = FILTER.with_name("sbatchlint_filter.lua").read_text("utf-8")
    door = LuaFilter(tmp_path, example)
    door.submit(type="sbatch")
    assert not [text for text in door.said if "jobs are not checked" in text]


def test_every_setting_stands_in_the_docs(tmp_path: Path) -> None:
    door = LuaFilter(tmp_path)
    names = set(door.execute('return hidden("settings")'))

    page = (FILTER.parents[2] / "docs" / "cluster-staff.md").read_text("utf-8")
    assert {name for name in names if f"`{name}`" not in page} == set()


ENVIRONMENTS = [
    ("", None),
    ('site_config = "/etc/site it\'s.toml"', "/etc/site it's.toml"),
]


@pytest.mark.parametrize(("settings", "expected"), ENVIRONMENTS)
def test_the_users_own_site_file_does_not_count(
    settings: str,
    expected: str | None,
    start: Starter,
    linter: Linter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SBATCHLINT_SITE_CONFIG", "/home/me/lax.toml")
    monkeypatch.setenv("SBATCH_PARTITION", "gpu")
    linter.does(f"env >{tmp_path}/env")
    start(settings).submit()
    found = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines() if "=" in line)
    assert found.get("SBATCHLINT_SITE_CONFIG") == expected
    assert found["SBATCH_PARTITION"] == "gpu"
    assert found["SBATCHLINT_FILTER"].isdigit()
    assert "FORCE_COLOR" not in found


@pytest.mark.parametrize("options", ["errexit", "nounset", "noglob", "noclobber"])
def test_shell_options_of_the_user_do_no_harm(
    options: str, start: Starter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELLOPTS", options)  # heeded where sh is bash
    assert start('mode = "enforce"').submit() == REFUSE


def test_a_line_for_those_who_count(start: Starter, tmp_path: Path) -> None:
    (tmp_path / "logger").write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$*" >{tmp_path}/new; mv {tmp_path}/new {tmp_path}/log\n'
    )
    (tmp_path / "logger").chmod(0o755)
    start(f'logger = "{tmp_path}/logger"').submit()
    until = time.monotonic() + 5
    while not (tmp_path / "log").exists() and time.monotonic() < until:
        time.sleep(0.01)
    line = (tmp_path / "log").read_text()
    assert line.startswith(
        f"-t sbatchlint -p user.info -- uid={os.getuid()} mode=warn outcome=errors seconds=0."
    )


@pytest.mark.parametrize(
    "lua", [lua for lua in LUAS if lua != "luajit21"]
)  # its compiled loops know no hooks
@pytest.mark.parametrize("text", ["while true do end", "repeat pcall(error) until false"])
def test_settings_that_do_not_end_pass_with_a_notice(text: str, lua: str, tmp_path: Path) -> None:
    door = LuaFilter(tmp_path, text, words=("job.sh",), lua=lua)
    assert door.submit() == PASS
    assert len(door.said) == 1
    assert "it does not end" in door.said[0]
    door.execute("local n = 0; for i = 1, 3e7 do n = n + i end")  # nothing is stopped any more
