"""Files that are no files, never end, or are gone: a clear word, and the others are checked."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sbatchlint import files
from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.running import Done, run
from tests.hostile.timing import in_time
from tests.rights import as_anybody


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = os.getcwd()
        os.chdir(path.parent)  # the path of a socket may not be long
        made.bind(path.name)
        os.chdir(here)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _full(path: Path) -> None:
    path.symlink_to("/dev/full")


def _random(path: Path) -> None:
    path.symlink_to("/dev/urandom")


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _nowhere(path: Path) -> None:
    path.symlink_to("not-there")


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)


def _folder(path: Path) -> None:
    path.mkdir()


KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": _fifo,
    "socket": _socket,
    "endless device": _endless,
    "random device": _random,
    "full device": _full,
    "loop": _loop,
    "link to nowhere": _nowhere,
    "10 GiB": _huge,
    "folder": _folder,
}
COMMANDS = {
    "script": "check {0} good.sbatch",
    "script of plan": "plan {0} good.sbatch",
    "configuration": "check --config {0} good.sbatch",
    "cluster": "check --cluster ./{0} good.sbatch",
    "cluster shown": "cluster show {0}",
    "slurm.conf": "cluster import --from-conf {0}",
    "dump": "cluster import --from-dump {0}",
    "baseline": "check --baseline {0} good.sbatch",
    "log": "diagnose {0}",
    "accounting": "diagnose --sacct {0}",
    "script of a log": "diagnose --script {0} good.log",
    "command": "convert --from-file {0}",
    "policies": "policy test {0}",
    "plugin": "rule --list --plugin ./{0}",
    "submitted": "submit --lint-only {0}",
}
_NOTHING_WRONG = {("folder", "dump"), ("folder", "plugin"), ("folder", "log"), ("10 GiB", "log")}
"""No log in a folder, no rule in it, and so on: told elsewhere; a log may be as long as it likes."""


def _is_clear(done: Done, name: str) -> None:
    told = done.both.decode("utf-8", "replace")
    assert done.status == 2
    assert "Traceback" not in told and "internal error" not in told
    assert name in told and not re.search(r"\[Errno|None", told)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("use", COMMANDS)
def test_what_is_no_file(folder: Path, kind: str, use: str) -> None:
    KINDS[kind](folder / "odd.toml")
    put(folder / "good.sbatch", HEAD + WRONG)
    put(folder / "good.log", "x\n")
    if (kind, use) in _NOTHING_WRONG:
        return
    if use in ("script", "script of plan") and kind == "folder":
        put(folder / "odd.toml/x.txt", "x")
    with in_time():
        done = run(folder, *COMMANDS[use].format("odd.toml").split())
    _is_clear(done, "odd.toml" if use != "submitted" else "submit: not checked: ")
    if use.startswith("script") and "log" not in use:
        assert b"good.sbatch" in done.out


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", ["sbatchlint.toml", "pyproject.toml", ".gitignore", "env.sh", "x.sbatch", "x.log", ".git"]
)
def test_what_is_no_file_and_is_met_on_the_way(folder: Path, kind: str, name: str) -> None:
    KINDS[kind](folder / name)
    put(folder / "good.sbatch", HEAD + "source env.sh\n" + WRONG)
    with in_time():
        done = run(folder, "check", "--output-format", "concise", ".")
        run(folder, "plan", "good.sbatch")
        run(folder, "diagnose", ".") if name == "x.log" and kind != "10 GiB" else None
    assert b"Traceback" not in done.err and b"internal error" not in done.err
    if name == "sbatchlint.toml" and kind != "folder":
        _is_clear(done, name)
    else:
        assert done.status == 1, done.err
    assert b"SB301" in done.out or name == "sbatchlint.toml"


@pytest.mark.parametrize("kind", ["pipe", "socket", "full device", "folder", "loop"])
@pytest.mark.parametrize(
    "words",
    [
        "check --output-format json --output-file odd good.sbatch",
        "check --write-baseline odd good.sbatch",
        "plan --grid=odd good.sbatch",
        "convert --force -o odd -- torchrun --nproc-per-node=8 train.py",
        "cluster import --from-conf slurm.conf --force -o odd",
    ],
)
def test_what_cannot_be_written(folder: Path, kind: str, words: str) -> None:
    KINDS[kind](folder / "odd")
    put(folder / "good.sbatch", HEAD + WRONG)
    put(folder / "slurm.conf", "ClusterName=x\nNodeName=n1 CPUs=8\n")
    with in_time():
        done = run(folder, *words.split())
    _is_clear(done, "odd")


# --- pipes that somebody writes into ------------------------------------------------------------------


@pytest.mark.parametrize("use", ["script", "script of plan", "log", "command", "cluster shown", "baseline"])
def test_a_pipe_that_somebody_writes_into(folder: Path, use: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 10.0)
    os.mkfifo(folder / "odd.toml")
    put(folder / "good.sbatch", HEAD + WRONG)
    text = {
        "log": "CUDA out of memory\n",
        "command": "torchrun --nproc-per-node=8 x.py\n",
        "cluster shown": "name = 'x'\n",
        "baseline": '{"version": 1, "entries": []}',
    }.get(use, HEAD + WRONG)
    writer = threading.Thread(target=(folder / "odd.toml").write_text, args=(text,), daemon=True)
    writer.start()
    done = run(folder, *COMMANDS[use].format("odd.toml").split())
    writer.join(10)
    assert done.status in (0, 1), done.err


# --- rights ------------------------------------------------------------------------------------------


def test_what_may_not_be_read(folder: Path) -> None:
    for name in ("a.sbatch", "closed/b.sbatch", "env.sh", "c.sbatch"):
        put(folder / name, HEAD + "source env.sh\n" + WRONG)
    for name in ("a.sbatch", "env.sh", "closed"):
        (folder / name).chmod(0)
    with as_anybody():
        done = run(folder, "check", "--output-format", "concise", ".", "a.sbatch")
    (folder / "closed").chmod(0o755)
    told = done.both.decode()
    assert done.status == 2 and "c.sbatch:3:9: SB301" in told
    assert re.search(r"a\.sbatch: cannot be read \(permission denied\)", told)
    assert re.search(r"closed: cannot be read \(permission denied\)", told)


# --- what changes meanwhile ---------------------------------------------------------------------------


@pytest.mark.parametrize("becomes", ["gone", "folder", "pipe", "loop", "empty", "binary", "huge"])
def test_a_file_that_changes_between_the_look_and_the_read(
    folder: Path, becomes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sbatchlint.cli import inputs, walk

    put(folder / "a.sbatch", HEAD + WRONG)
    put(folder / "b.sbatch", HEAD + WRONG)

    def change() -> None:
        path = folder / "a.sbatch"
        path.unlink()
        makers: dict[str, Callable[[Path], object]] = {
            "folder": _folder,
            "pipe": _fifo,
            "loop": _loop,
            "empty": Path.touch,
            "binary": lambda path: path.write_bytes(b"\0" * 10),
            "huge": _huge,
        }
        if becomes in makers:
            makers[becomes](path)

    walked = walk.walk

    def walking(*given: object, **more: object) -> Iterator[str]:
        for path in [*walked(*given, **more)]:  # type: ignore[arg-type]
            if path.endswith("a.sbatch"):
                change()
            yield path

    monkeypatch.setattr(inputs, "walk", walking)
    with in_time():
        done = run(folder, "check", "--output-format", "concise", ".")
    if becomes in ("binary", "huge"):  # as such a file that was there from the beginning
        assert done.status == 1
    else:
        _is_clear(done, "a.sbatch")
    assert b"b.sbatch:3:9: SB301" in done.out
