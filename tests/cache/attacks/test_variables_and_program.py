"""Variables that count, and the program itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint.cache import runs
from sbatchlint.cache.facts import answer, hold
from sbatchlint.cache.surroundings import loaded_facts, other_facts
from tests.cache.attacks.recalling import COMMAND, GOOD, HEAD, at_the_same_time, cached, plain

VALUES = {
    **dict.fromkeys(
        ("NO_COLOR", "FORCE_COLOR", "CI", "GITHUB_ACTIONS", "SLURM_CONF", "SBATCH_PARTITION"), ("1", "0")
    ),
    **{
        "COLUMNS": ("40", "200"),
        "LINES": ("5", "50"),
        "TERM": ("dumb", "xterm"),
        "TZ": ("UTC", "Asia/Tokyo"),
    },
    **{"LANG": ("C", "de_DE.UTF-8"), "LC_ALL": ("C", "C.UTF-8"), "PYTHONIOENCODING": ("ascii", "utf-8")},
    **{
        "HOME": ("/nowhere", "/root"),
        "XDG_CONFIG_HOME": ("/nowhere", "/etc"),
        "SBATCHLINT_ALLOW_PLUGINS": ("0", "1"),
    },
    **{"SBATCH_NODES": ("1", "3"), "SBATCH_TIMELIMIT": ("5", "x"), "PATH": ("/nowhere", "/usr/bin:/bin")},
}


OFTEN = ("SLURM_CONF", "LC_ALL", "SBATCH_NODES", "PATH")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in OFTEN else [pytest.mark.slow]) for name in VALUES]
)
def test_variables(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--use-environment", "."] if name.startswith("SBATCH_") else ["."]
    expected = {}
    for value in VALUES[name]:
        monkeypatch.setenv(name, value)
        expected[value] = plain(folder, *words)
        assert cached(folder, *words) == expected[value]
    for value in VALUES[name]:
        monkeypatch.setenv(name, value)
        assert cached(folder, *words) == expected[value]


CLUSTER = 'cluster = "./none.toml"\n'
POLICY = '[[policy]]\nname = "n"\nseverity = "error"\nrequire = "job.nodes < 2"\nmessage = "m"\n'
ENV = 'env = { A = "b" }\n'
LISTENS = """
import os, sys
asked, whole = set(), []
kind = type(os.environ)
get, each = kind.__getitem__, kind.__iter__
kind.__getitem__ = lambda self, name: (asked.add(name), get(self, name))[1]
kind.__iter__ = lambda self: (whole.append(1), each(self))[1]
from sbatchlint.cli import check
run = check.run
def listened(words):
    asked.clear(), whole.clear()
    try:
        return run(words)
    finally:
        print("ASKED", len(whole), *asked, file=sys.__stderr__)
check.run = listened
from sbatchlint.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (["."], ""),
        pytest.param(["--output-format", "github", "."], "pedantic = true\n", marks=pytest.mark.slow),
        pytest.param(["--output-format", "gitlab", "--statistics", "."], CLUSTER, marks=pytest.mark.slow),
        pytest.param(["--output-format", "sarif", "."], 'extend = "~/none.toml"\n', marks=pytest.mark.slow),
        (["--fix", "--allow-plugins", "."], POLICY),
        pytest.param(["--output-format", "html", "--output-file", "x.html", "."], "", marks=pytest.mark.slow),
        pytest.param(["--sbatch-args=--nodes=3", "--verbose", "."], ENV, marks=pytest.mark.slow),
    ],
)
def test_every_variable_that_is_looked_at_counts(words: list[str], settings: str, folder: Path) -> None:
    if settings:
        (folder / "sbatchlint.toml").write_text(settings)
    (folder / "crlf.sh").write_bytes(HEAD.replace("\n", "\r\n").encode())
    environment = {**os.environ, "SBATCHLINT_CACHE_DIR": str(folder.parent / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", LISTENS, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    told = next(line for line in done.stderr.splitlines() if line.startswith("ASKED"))
    _, whole, *asked = told.split()
    assert asked
    counted = {name for name in asked if name in runs._COUNTS or name.startswith(runs._FAMILIES)}
    assert set(asked) - counted <= {"XDG_CACHE_HOME"}, "this decides where answers are kept, not which"
    assert whole == "0"


@pytest.fixture
def own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """A copy of the program, which may be changed; calling it runs it and gives what it prints."""
    root = Path(__file__).parents[3]
    lib = folder.parent / "lib"
    for name, as_name in (("sbatchlint", "sbatchlint"), ("rules", "sbatchlint_rules")):
        shutil.copytree(root / name, lib / as_name, ignore=shutil.ignore_patterns("*.pyc"))
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        **{
            "PYTHONPATH": str(lib),
            "SBATCHLINT_CACHE_DIR": str(folder.parent / "cache"),
            "SBATCHLINT_SITE_CONFIG": "",
        },
    }

    def process(*words: str) -> str:
        done = subprocess.run(
            [*COMMAND, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), done
        return done.stdout

    return process


def test_a_rule_that_is_edited(own: Callable[..., str], folder: Path) -> None:
    lib = folder.parent / "lib"
    path = lib / "sbatchlint_rules" / "launch" / "torchrun_tasks_per_node.py"
    before = own(".")
    assert own(".") == before
    assert "torchrun is started 8 times" in before
    at_the_same_time(path, path.read_text().replace(" is started", " is STARTED"))
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
    assert "torchrun is STARTED 8 times" in own(".")
    (folder / "more.sh").write_text(GOOD)
    assert own("--no-cache", ".") == own(".")


def test_what_is_edited_upgraded_or_put_before_another(tmp_path: Path) -> None:
    package, other = tmp_path / "lib" / "package", tmp_path / "before"
    (package / "inner").mkdir(parents=True)
    other.mkdir()
    (tmp_path / "lib" / "package-1.0.dist-info").mkdir()
    for path in (package / "__init__.py", package / "inner" / "module.py"):
        path.write_text("x = 1\n")
    (tmp_path / "bin").mkdir()
    bash = tmp_path / "bin" / "bash"
    questions = [("P", str(package)), ("I", str(tmp_path / "lib")), ("I", str(other)), ("X", str(bash))]

    def edit() -> None:
        time.sleep(0.02)  # the system's clock has to tick once
        at_the_same_time(package / "inner" / "module.py", "x = 2\n")

    changes: list[Callable[[], object]] = [
        edit,
        lambda: (package / "inner" / "data.json").write_text("{}"),
        lambda: (package / "inner" / "module.py").unlink(),
        lambda: (tmp_path / "lib" / "package-1.0.dist-info").rename(
            tmp_path / "lib" / "package-1.1.dist-info"
        ),
        lambda: (other / "package.py").write_text(""),
        lambda: (other / "json").mkdir(),
        lambda: (other / "more.pth").write_text(""),
        lambda: bash.write_text("#!/bin/sh\n"),
    ]
    for change in changes:
        known = {question: answer(*question) for question in questions}
        assert hold(known)
        change()
        assert not hold(known), change
    known = {question: answer(*question) for question in questions}
    (other / "notes.txt").write_text("")
    (package / "inner" / "__pycache__").mkdir()
    (package / "inner" / "__pycache__" / "module.pyc").write_text("")
    assert hold(known)


def test_another_bash_that_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("PATH", f"relative:{tmp_path}/one:{tmp_path}/two:{tmp_path}/three")
    (tmp_path / "two" / "bash").write_text("")
    (tmp_path / "two" / "bash").chmod(0o755)
    known = other_facts()
    assert [path for kind, path in known if kind == "X"] == [f"{tmp_path}/one/bash", f"{tmp_path}/two/bash"]
    (tmp_path / "three" / "bash").write_text("")
    assert hold(known)
    (tmp_path / "one" / "bash").write_text("")
    assert not hold(known)


def test_packages_of_other_people_that_are_loaded() -> None:
    import pluggy

    known = loaded_facts()
    assert ("P", os.path.dirname(pluggy.__file__)) in known
    assert not [path for _, path in known if path.endswith(("/json", "/os.py"))]
    assert hold(known)
