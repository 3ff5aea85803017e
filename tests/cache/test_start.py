"""What a start loads and makes: time is lost one module, one class and one expression at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n"
SCRIPT = HEAD + "#SBATCH --time=1:00:00\nsrun python train.py\n"
COUNTS = """
import dataclasses, json, os, re, sys
before = set(sys.modules)
written, compiled = [], []
process = dataclasses._process_class
def processed(cls, init, *more, **named):
    if init:
        written.append(cls.__module__)
    return process(cls, init, *more, **named)
dataclasses._process_class = processed
name = "_compiler" if sys.version_info >= (3, 11) else "sre_compile"
compiler = getattr(re, name)
compile = compiler.compile
def counted(pattern, flags=0):
    frame, modules = sys._getframe(1), set()
    while frame:
        modules.add(frame.f_globals.get("__name__"))
        frame = frame.f_back
    if "sbatchlint.regex" not in modules:
        compiled.append(str(pattern))
    return compile(pattern, flags)
compiler.compile = counted
from sbatchlint.cli.main import main
status = main()
told = {"status": status, "modules": sorted(set(sys.modules) - before)}
json.dump({**told, "classes": written, "expressions": len(compiled)}, sys.__stderr__)
"""
HEAVY = {
    *("pydantic", "rich", "celpy", "re2", "pathspec", "hostlist"),
    *(
        "asyncio",
        "multiprocessing",
        "http",
        "ssl",
        "xml",
        "logging",
        "unittest",
        "importlib.metadata",
        "email",
    ),
}
"""What takes long, and what only a run with a configuration, policies or a log may need."""
SELDOM = {
    "_hashlib",
    "hashlib",
    "pickle",
    "subprocess",
    "fractions",
    "_decimal",
    "difflib",
    "tomllib",
    "tomli",
    "traceback",
}
"""What a run needs only where there is something to be fixed, read or told."""


def counts(folder: Path, *words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", COUNTS, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    told: dict[str, Any] = json.loads(done.stderr[done.stderr.index('{"status"') :])
    return told


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("cold")
    (folder / "job.sh").write_text(SCRIPT)
    return counts(folder, "--no-cache", "--isolated", "job.sh")


def test_a_cold_run_loads_what_it_needs(cold: dict[str, Any]) -> None:
    modules = set(cold["modules"])
    assert cold["status"] == 0
    assert {"bashlex", "sbatchlint_rules", "sbatchlint.launch.evaluate"} <= modules
    assert not modules & HEAVY
    assert not modules & SELDOM


def test_a_cold_run_writes_no_methods_before_they_are_used(cold: dict[str, Any]) -> None:
    """See `sbatchlint.records`; classes that inherit from a dataclass take the original."""
    assert [module for module in cold["classes"] if module.startswith("sbatchlint")] == []


def test_a_cold_run_compiles_few_expressions_that_it_may_not_use(cold: dict[str, Any]) -> None:
    """See `sbatchlint.regex`; these are the ones of Python's own library and of other people."""
    assert cold["expressions"] < 60


@pytest.mark.parametrize("words", [["--version"], ["--help"]])
def test_little_is_loaded_to_say_who_one_is(words: list[str], tmp_path: Path) -> None:
    code = COUNTS.replace(
        "status = main()", "try:\n    status = main()\nexcept SystemExit:\n    status = 0\nprint(flush=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    told = json.loads(done.stderr[done.stderr.index('{"status"') :])
    modules = set(told["modules"])
    assert not modules & (HEAVY | SELDOM | {"bashlex", "tree_sitter", "sbatchlint_rules", "sbatchlint.api"})
    assert len([name for name in modules if name.startswith("sbatchlint")]) < 70
