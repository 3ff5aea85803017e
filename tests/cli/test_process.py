"""The program as the shell sees it: a real process, the real rules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sbatchlint

HEAVY = (
    "bashlex",
    "tree_sitter",
    "tree_sitter_bash",
    "pathspec",
    "pydantic",
    "sbatchlint_rules",
    "importlib.metadata",
)
CLEAN = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=00:10:00\n\nhostname\n"


def process(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sbatchlint", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **more)  # type: ignore[call-overload, no-any-return]


def test_version() -> None:
    done = process("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"sbatchlint {sbatchlint.__version__}\n", "")


def test_help_tells_the_commands_and_statuses() -> None:
    done = process("--help")
    assert done.returncode == 0
    for word in ("--unsafe-fixes", "exit status", "sbatchlint rule"):
        assert word in done.stdout


def loaded(*arguments: str) -> set[str]:
    code = (
        "import sys\nfrom sbatchlint.cli.main import main\n"
        "status = main(sys.argv[1:])\nprint(status, *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    status, *modules = done.stderr.splitlines()[-1].split()
    assert status == "0"
    return set(modules)


OURS = {"sbatchlint", "sbatchlint_rules"}
WORKING = "shell slurm launch training needs cluster policy secrets convert diagnose".split()
"""Layers that nothing is needed of to say who one is."""


def installed(modules: set[str]) -> set[str]:
    """Give the packages among *modules* that are neither Python's nor ours, nor there from the beginning.

    tomli counts as Python's: it is the tomllib of 3.10.
    """
    command = [sys.executable, "-c", "import sys; print(*sys.modules)"]
    bare = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.split()
    tops = {name.partition(".")[0] for name in modules - set(bare)}
    return tops - OURS - set(sys.stdlib_module_names) - {"tomli"}


@pytest.mark.parametrize("arguments", [("--version",), ("--help",)])
def test_little_is_imported_to_say_who_one_is(arguments: tuple[str, ...]) -> None:
    modules = loaded(*arguments)
    assert not modules & set(HEAVY)
    assert not installed(modules)
    assert "sbatchlint.lint.engine" not in modules
    assert not [
        name for name in modules if name.startswith(tuple(f"sbatchlint.{layer}" for layer in WORKING))
    ]
    assert not modules & {"json", "tomllib", "subprocess", "hashlib", "multiprocessing", "asyncio"}


def test_nothing_is_loaded_for_a_file_that_is_no_batch_script(tmp_path: Path) -> None:
    path = tmp_path / "tool.sh"
    path.write_text("echo hello\n")
    modules = loaded(str(path))
    assert not modules & set(HEAVY)
    assert not installed(modules)
    assert not [name for name in modules if name.startswith(("sbatchlint.launch", "sbatchlint.training"))]


READERS = {"bashlex", "tree_sitter", "tree_sitter_bash"}
"""What a script is read with, and all that a run without a file of settings takes from other people."""


@pytest.mark.parametrize(
    "rest", ["", "srun --ntasks=2 bash -c 'python train.py'\ncase $X in\n  a) ;;\nesac\n"]
)
def test_a_run_takes_the_readers_from_other_people_and_nothing_else(rest: str, tmp_path: Path) -> None:
    path = tmp_path / "job.sh"
    path.write_text(CLEAN + rest)
    modules = loaded("--isolated", "--exit-zero", str(path))
    assert installed(modules) == READERS
    assert not modules & {"importlib.metadata", "asyncio", "multiprocessing", "http", "ssl", "xml"}


def test_a_clean_script(tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(CLEAN)
    done = process("job.sh", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Found no problems in 1 file.\n")


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(CLEAN + "for node in a b; echo $node; done\n" * 2000)
    command = f"{sys.executable} -m sbatchlint --output-format concise --select SB001 job.sh | head -n 1"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert "Traceback" not in done.stderr and "Error" not in done.stderr
    assert done.stdout.count("\n") == 1


def test_an_encoding_that_lacks_the_characters(tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(CLEAN + "echo '模型' ; for x in y; done\n", encoding="utf-8")
    done = process(
        "job.sh", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(sys.path)}
    )
    assert "\\u6a21" in done.stdout and "Traceback" not in done.stderr


FULL_DISK = Path("/dev/full")


@pytest.mark.skipif(not FULL_DISK.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command", ["job.sh", "--output-format json job.sh", "--fix - < job.sh", "rule SB301", "plan job.sh"]
)
def test_output_that_can_not_be_written_is_a_failure(command: str, tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(CLEAN + "for x in y; done\n")
    done = shell(f"{{}} {command} > {FULL_DISK}", tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr and "No space left on device" in done.stderr


@pytest.mark.parametrize(
    ("command", "status"),
    [("{} job.sh >&-", 1), ("{} job.sh 2>&-", 1), ("{} job.sh >&- 2>&-", 1), ("{} - <&-", 2)],
)
def test_a_stream_that_is_closed_is_no_fault(command: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(CLEAN + "for x in y; done\n")
    done = shell(command, tmp_path)
    assert done.returncode == status
    assert "Traceback" not in done.stderr and "Error" not in done.stderr


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run *command*, in which ``{}`` is the program, by a shell."""
    return subprocess.run(
        command.format(f"{sys.executable} -m sbatchlint"),
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    )


@pytest.mark.parametrize("command", ["config", "policy list", "check a.sh", "plan a.sh"])
def test_the_current_folder_is_gone(command: str, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    line = f"cd gone; rmdir ../gone; {sys.executable} -m sbatchlint {command}"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "sbatchlint: the current folder is gone" in done.stderr
    assert "Traceback" not in done.stderr
