"""Asking whoever sits at the terminal."""

from __future__ import annotations

import os
from typing import TextIO

_TERMINAL = "/dev/tty"


def ask(question: str, *, seen_on: TextIO) -> bool:
    """Put *question* on the terminal of this process and tell whether the answer is yes.

    Standard input is left alone: it may hold the script.  False where there is no terminal, where *seen_on*,
    which holds what the question is about, goes elsewhere, or where the process is in the background.
    """
    if not seen_on.isatty():
        return False
    try:
        terminal = os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return False
    try:
        if os.tcgetpgrp(terminal) != os.getpgrp():
            return False
        seen_on.flush()
        os.write(terminal, question.encode())
        return _line(terminal).strip().lower() in (b"y", b"yes")
    except OSError:
        return False
    except KeyboardInterrupt:
        os.write(terminal, b"\n")
        raise
    finally:
        os.close(terminal)


def _line(terminal: int) -> bytes:
    """Read one line, empty at its end (Ctrl-D)."""
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(terminal, 1024)
        if not piece:
            break
        line += piece
    return line
