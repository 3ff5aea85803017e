"""Which programs are started: git, bash -n and Slurm's own, found on PATH, where the command line asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.processes import heard, plain_environment
from tests.hostile.running import run

_STARTS = "subprocess.Popen os.system os.exec os.posix_spawn os.spawn os.fork os.forkpty pty.spawn"
_EVIL = "#!/bin/sh\n: > {folder}/../EVIL-${{0##*/}}-$1\nexit 0\n"
"""It needs no program, so that it works whatever PATH is."""
_PROGRAMS = (
    "git bash sh env sbatch srun scontrol sinfo sacct sacctmgr python python3 ssh less more cat".split()
)


def _programs(folder: Path, words: str, **environment: str) -> tuple[set[str], tuple[tuple[str, ...], ...]]:
    done = heard(folder, words.split(), _STARTS, stdin=b"", **environment)
    assert done.status in (0, 1, 2) and b"Traceback" not in done.err
    names = {os.path.basename(details[0]) for event, *details in done.events if event == "subprocess.Popen"}
    return names, done.events


def _evil_programs(place: Path, folder: Path) -> None:
    for name in _PROGRAMS:
        put(place / name, _EVIL.format(folder=folder))
        (place / name).chmod(0o755)


def _marks(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.glob("EVIL*"))


# --- what a configuration and a script can bring about ------------------------------------------------


def _fill(folder: Path) -> None:
    evil = f"touch {folder}/../EVIL-toml"
    put(
        folder / "sbatchlint.toml",
        f"sbatch-args = ['--wrap={evil}', '--job-name=$({evil})']\ncluster = './$({evil}).toml'\n"
        f"exclude = ['$({evil})', '`{evil}`', '|{evil}']\nknown-options = ['--x;{evil}']\n"
        f"[env]\nBASH_ENV = '{folder}/evil.sh'\nENV = '{folder}/evil.sh'\nA = '$({evil})'\n"
        f"PATH = '{folder}'\nLD_PRELOAD = '{folder}/evil.so'\nPYTHONSTARTUP = '{folder}/evil.py'\n",
    )
    put(folder / "evil.sh", f"{evil}\n")
    script = f"$({evil})\n`{evil}`\n: $(({evil}))\n: ${{X:-$({evil})}}\n: <({evil})\ntrap '{evil}' EXIT\n"
    put(folder / "job.sh", f"{HEAD}{WRONG}{script}eval '{evil}'\nsource <({evil})\nX=1 {evil}\n")
    put(folder / "good.sh", HEAD + WRONG)
    put(folder / "job.log", f"bash: line 1: $({evil}): command not found\n")


@pytest.mark.parametrize(
    "words",
    [
        "check job.sh good.sh",
        "check --fix --unsafe-fixes job.sh good.sh",
        "check --jobs 2 .",
        "plan job.sh",
        "config",
        "policy test",
        "diagnose --script job.sh job.log",
        "convert --from-file job.sh",
        "submit --lint-only job.sh",
    ],
)
def test_no_file_makes_anything_run(folder: Path, words: str) -> None:
    _fill(folder)
    names, events = _programs(folder, words, SBATCHLINT_SBATCH="/nowhere")
    assert names <= {"bash"}
    for event, *details in events:
        if event == "subprocess.Popen":
            assert "'--noprofile', '--norc', '-n'" in details[1] and details[2] == "None", details
        else:
            assert event == "os.fork" and "--jobs" in words
    assert not _marks(folder)


def test_bash_is_asked_and_heard_of(folder: Path) -> None:
    put(folder / "good.sh", HEAD + WRONG)
    names, _ = _programs(folder, "check --diff good.sh")
    assert names == {"bash"}


@pytest.mark.parametrize(
    ("words", "program"),
    [
        ("check --diff good.sh", "bash"),
        ("check --diff-against HEAD good.sh", "git"),
        ("check --test-only good.sh", "sbatch"),
        ("cluster import", "scontrol"),
        ("diagnose --job 12", "sacct"),
    ],
)
def test_a_program_in_the_checked_folder_is_not_taken(folder: Path, words: str, program: str) -> None:
    put(folder / "good.sh", HEAD + WRONG)
    _evil_programs(folder, folder)
    for path in ("", f"{os.curdir}::/usr/bin:/bin:"):
        _programs(folder, words, PATH=path)
    assert not _marks(folder)
    _evil_programs(folder.parent / "bin", folder)
    _programs(folder, words, PATH=f"{folder.parent}/bin")
    assert any(f"EVIL-{program}" in mark for mark in _marks(folder))


# --- what Python itself can bring about ---------------------------------------------------------------

_MODULES = (
    *("re", "json", "argparse", "ast", "gc", "typing", "dataclasses", "subprocess", "shutil", "tempfile"),
    *("bashlex", "tree_sitter", "tree_sitter_bash", "pydantic", "pathspec", "re2", "celpy", "tomli"),
    *("sbatchlint_rules", "sitecustomize", "usercustomize", "acme_rules"),
)


def _hostile_modules(folder: Path) -> None:
    code = f"open({str(folder.parent)!r} + '/EVIL-' + __name__, 'w')\n"
    for name in _MODULES:
        put(folder / f"{name}.py", code)
    put(folder / "job.sh", HEAD + WRONG)
    put(folder / "job.log", "CUDA out of memory\n")


@pytest.mark.parametrize(
    "words",
    ["check job.sh", "plan job.sh", "diagnose job.log", "policy variables", "config", "size minimax-m2"],
)
def test_no_module_of_the_present_folder_is_imported(folder: Path, words: str) -> None:
    _hostile_modules(folder)
    command = [sys.executable, "-m", "sbatchlint", *words.split()]
    if sys.version_info < (3, 11):  # there `-m` itself imports from the present folder: -I does not
        command.insert(1, "-I")
    done = subprocess.run(command, cwd=folder, env=plain_environment(), capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert not _marks(folder)


def test_a_plugin_of_the_site_does_not_come_from_the_present_folder(folder: Path) -> None:
    _hostile_modules(folder)
    put(folder.parent / "site.toml", "plugins = ['acme_rules']\n")
    env = plain_environment(SBATCHLINT_SITE_CONFIG=str(folder.parent / "site.toml"))
    command = [sys.executable, "-m", "sbatchlint", "job.sh"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)
    assert done.returncode == 2 and b"acme_rules" in done.stderr
    assert not _marks(folder)


@pytest.mark.parametrize("plugin", ["./rules", "rules", "acme_rules", "sbatchlint_rules", "./"])
@pytest.mark.parametrize("name", ["sbatchlint.toml", "pyproject.toml", "base"])
def test_no_plugin_of_a_project_is_run_without_leave(folder: Path, plugin: str, name: str) -> None:
    _hostile_modules(folder)
    code = f"open({str(folder.parent)!r} + '/EVIL-plugin', 'w')\n"
    put(folder / "rules/x.py", code)
    put(folder / "rules/__init__.py", code)
    toml = f"plugins = [{plugin!r}]\n"
    if name == "pyproject.toml":
        put(folder / name, f"[tool.sbatchlint]\n{toml}")
    elif name == "base":
        put(folder / "base.toml", toml)
        put(folder / "sbatchlint.toml", "extend = 'base.toml'\n")
    else:
        put(folder / name, toml)
    for words in ("check job.sh", "plan job.sh", "policy test", "rule --list", "config"):
        done = run(folder, *words.split())
        told = plugin == "sbatchlint_rules" or b"would run code" in done.err
        assert told or not words.startswith("check")
    assert not _marks(folder)
