"""What the system itself was asked, as strace tells it, has been written down: nothing passes by unseen."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

STRACE = shutil.which("strace")
HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n"
FILES = {
    "a.sh": HEAD + "source ./env.sh\nsrun torchrun --nproc-per-node=8 --nnodes=$NODES train.py\n",
    "env.sh": "NODES=2\nsource lib/more.sh\nsource lib/absent.sh\n",
    "lib/more.sh": "TP=2\n",
    "sub/b.sbatch": HEAD + "source ../env.sh\n. /etc/profile.d/absent.sh\nsrun python train.py --tp $TP\n",
    "sub/crlf.sh": "#!/bin/bash\r\n#SBATCH --nodes=2\r\nsrun hostname\r\n",
    "sub/sbatchlint.toml": 'extend = "../more.toml"\npedantic = true\n',
    "more.toml": 'ignore = ["SB105"]\n',
    "vendor/c.sh": HEAD + "srun hostname\n",
    ".gitignore": "ignored\n",
    "ignored/d.sh": HEAD,
    "deep/.ignore": "x\n",
    "deep/er/e.slurm": "#!/bin/bash\n#SBATCH --mem=4G\nsrun bash run.sh\n",
    "text.txt": "no script",
}
SETTINGS = 'exclude = ["vendor"]\nbaseline = "known.json"\n'
CLUSTER = 'cluster = "./here.toml"\n'
POLICY = """
[[policy]]
name = "few-nodes"
severity = "error"
require = 'job.nodes < 2'
message = "too many nodes"
"""
PROFILE = """
name = "here"
release = "24.05"
[[partitions]]
name = "batch"
nodes = "gpu[01-16]"
[[node-types]]
hosts = "gpu[01-16]"
gpus = { h100 = 8 }
"""
RUN = """
import json, os, sys
from sbatchlint.cache import runs
from sbatchlint.cli.main import main
keep, marked = runs.keep, os.access
def told(folder, key, run, facts):
    json.dump([[*question, answer] for question, answer in facts.items()], sys.__stderr__)
    return keep(folder, key, run, facts)
runs.keep = told
marked("/begin", 0)
main()
marked("/end", 0)
"""
CALL = re.compile(r'^(\d+) +(\w+)\((.*?)(?:"((?:[^"\\]|\\.)*)"(.*)|<unfinished.*)$')
OF_C = re.compile(r"/(ld\.so\.cache|lib[^/]*\.so[.0-9]*|proc/self/stat|openssl\.cnf)$")
"""What C code is loaded from, how many threads there are when Python forks, and what OpenSSL begins with."""


class Asked(NamedTuple):
    """One call of the system."""

    process: str
    name: str
    base: str
    path: str
    rest: str


def calls(log: str) -> Iterator[Asked]:
    """Yield the calls between the marks, but for those of processes that become other programs."""
    found = [
        Asked(*match.groups())
        for match in map(CALL.match, log.splitlines())
        if match and match[4] is not None
    ]
    began = next(at for at, asked in enumerate(found) if asked.path == "/begin")
    ended = next(at for at, asked in enumerate(found) if asked.path == "/end")
    others = {asked.process for asked in found[began:] if asked.name == "execve"}
    return (asked for asked in found[began + 1 : ended] if asked.process not in others)


KINDS = (
    (lambda asked: "O_DIRECTORY" in asked.rest, "DN"),
    (lambda asked: asked.name.startswith("open"), "R"),
    (lambda asked: asked.name.startswith("readlink"), "K"),
    (lambda asked: "access" in asked.name, "A"),
    (lambda asked: "stat" in asked.name, "SLX"),
)


def unseen(log: str, facts: list[list[str]], folder: Path) -> set[str]:
    """Return the calls of *log* of which *facts* know nothing; paths are relative to *folder*."""
    known = {
        (kind, os.path.normpath(os.path.join(folder, path.partition(":")[2] if kind == "A" else path)))
        for kind, path, _ in facts
    }
    folders = {*sys.path, sys.prefix, sys.base_prefix, str(Path(__file__).parents[2])} - {""}
    own = (*map(os.path.realpath, folders), *folders, str(folder.parent / "cache"))
    lost = set()
    for asked in calls(log):
        path = os.path.normpath(os.path.join(folder, asked.path))
        if path.startswith(own) or OF_C.search(path) or (asked.name == "chdir" and path == str(folder)):
            continue
        kinds = next((letters for test, letters in KINDS if test(asked)), "")
        entry = (
            "stat" in asked.name and ("D", os.path.dirname(path)) in known
        )  # whether a link leads to a folder
        if asked.name != "getcwd" and not entry and not any((kind, path) in known for kind in kinds):
            lost.add(f"{asked.name} {asked.base}{asked.path}{asked.rest}")
    return lost


def may_trace() -> bool:
    if STRACE is None:
        return False
    return (
        subprocess.run([STRACE, "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path.resolve() / "work"
    for name, text in FILES.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(text.encode())
    (work / "link.sh").symlink_to("a.sh")
    (work / "nowhere.sh").symlink_to("gone.sh")
    (work / "circle").symlink_to("circle")
    (work / "sub" / "up").symlink_to("..")
    return work


@pytest.mark.skipif(not may_trace(), reason="strace is not here, or may not trace")
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        pytest.param("", ["."], marks=pytest.mark.slow),
        (SETTINGS, ["--jobs", "2", "."]),
        pytest.param(SETTINGS + CLUSTER, ["--diff", "sub", "link.sh"], marks=pytest.mark.slow),
        (POLICY, ["--output-format", "json", "."]),
    ],
    ids=["plain", "baseline", "cluster", "policy"],
)
def test_nothing_is_asked_that_is_not_noted(settings: str, words: list[str], folder: Path) -> None:
    assert STRACE is not None
    environment = {
        **os.environ,
        "SBATCHLINT_CACHE_DIR": str(folder.parent / "cache"),
        "SBATCHLINT_SITE_CONFIG": "",
    }
    command = [sys.executable, "-c", RUN]
    if settings:
        (folder / "sbatchlint.toml").write_text(settings)
    if "cluster" in settings:
        (folder / "here.toml").write_text(PROFILE)
    if "baseline" in settings:
        (folder / "known.json").write_text("")
        subprocess.run(
            [*command, "--write-baseline", "known.json", "."],
            cwd=folder,
            env=environment,
            capture_output=True,
        )
    log = folder.parent / "log"
    traced = [STRACE, "-f", "-s", "4096", "-e", "trace=%file,getdents64", "-o", str(log)]
    done = subprocess.run(
        [*traced, *command, *words], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    said = done.stderr.splitlines()
    assert '[["P"' in done.stderr, done.stderr
    facts = next(json.loads(line[line.index("[[") :]) for line in said if '[["P"' in line)
    text = log.read_text(errors="replace")
    assert len(list(calls(text))) > 30
    assert unseen(text, facts, folder) == set()
