"""Running ``submit`` on a terminal."""

from __future__ import annotations

import os
import pty
import select
import sys
import time
from pathlib import Path

from tests.cli.submit.standing_in import StandIn, become_submit


def on_terminal(sbatch: StandIn, here: Path, shell: str, answer: bytes) -> tuple[int, str]:
    """Be the command on a terminal, or with *shell* have a shell run it; give *answer* when asked.

    Return the status and what the terminal shows.
    """
    child, terminal = pty.fork()
    if not child:  # pragma: no cover - in another process
        environment = {b"PATH": os.fsencode(sbatch.path), b"TERM": b"dumb"}
        if not shell:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            become_submit(["bad.sh"], here, environment)
        os.chdir(here)
        line = shell.replace("submit", f"{sys.executable} -m sbatchlint submit", 1)
        os.execve("/bin/sh", ["sh", "-c", line], environment)
    return followed(child, terminal, answer)


def followed(child: int, terminal: int, answer: bytes) -> tuple[int, str]:
    """Read what *child* shows until it ends."""
    shown, asked, end = b"", False, time.monotonic() + 30
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        shown += piece
        if b"[y/N]" in shown and not asked:
            asked = True
            os.write(terminal, answer)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return status, shown.decode()
