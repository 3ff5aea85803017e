"""Running sbatchlint as a process of its own, with an ear to what Python does in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_LISTENER = """
import os, sys
_out = os.open(os.environ["AUDIT_FILE"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
_events = tuple(os.environ["AUDIT_EVENTS"].split())
def _hear(event, details):
    if event.startswith(_events):
        text = event + "\\t" + "\\t".join(
            os.fsdecode(one) if isinstance(one, (str, bytes)) else repr(one) for one in details)
        os.write(_out, text.replace("\\n", "\\\\n").encode("utf-8", "backslashreplace") + b"\\n")
sys.addaudithook(_hear)
"""
_START = """
import sys
from sbatchlint.__main__ import run
sys.argv[0] = "sbatchlint"
run()
"""


class Heard(NamedTuple):
    """What a process did, and the events that were listened for: their names and details."""

    status: int
    out: bytes
    err: bytes
    events: tuple[tuple[str, ...], ...]


def plain_environment(**more: str) -> dict[str, str]:
    """Return an environment without the tester's own settings, on which *more* lies."""
    names = ("PATH", "HOME", "LANG", "LC_ALL", "VIRTUAL_ENV")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return {**kept, "SBATCHLINT_SITE_CONFIG": "", "SBATCHLINT_CACHE_DIR": "", **more}


def process(
    folder: Path, *words: str, env: Mapping[str, str] | None = None, **more: object
) -> subprocess.CompletedProcess[bytes]:
    """Run ``sbatchlint WORDS`` in *folder*."""
    command = [sys.executable, "-P", "-m", "sbatchlint", *words]
    if sys.version_info < (3, 11):
        command = [sys.executable, "-c", _START, *words]
    given = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": 120, **more}
    return subprocess.run(command, cwd=folder, env=env or plain_environment(), **given)  # type: ignore[call-overload, no-any-return]


def heard(folder: Path, words: Sequence[str], events: str, stdin: bytes = b"", **environment: str) -> Heard:
    """Run ``sbatchlint WORDS`` and return the audit events whose names begin with a word of *events*."""
    log = folder.parent / "events"
    log.unlink(missing_ok=True)
    env = plain_environment(AUDIT_FILE=str(log), AUDIT_EVENTS=events, **environment)
    done = subprocess.run(
        [sys.executable, "-c", _LISTENER + _START, *words],
        cwd=folder,
        env=env,
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )
    lines = log.read_text().splitlines() if log.exists() else []
    return Heard(done.returncode, done.stdout, done.stderr, tuple(tuple(line.split("\t")) for line in lines))
