"""Takes the machine that made a log out of it, and what it says over and over."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

HEAD, TAIL = 6, 4
"""How many of a run of like lines stay at its beginning and its end."""
_LIKE = re.compile(r"iteration +\d+/|^frame #\d+: ")


def places(folder: Path) -> dict[str, str]:
    """Return what to write for *folder*, where a job ran, and for the folders of the Python that it used."""
    python = Path(os.environ.get("SBATCHLINT_MEGATRON_PYTHON", sys.executable))
    command = [str(python), "-c", "import sys; print(sys.base_prefix)"]
    base = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return {str(folder): "/shared/run", str(python.parent.parent): "/opt/train", base: "/opt/python"}


def neutral(text: str, places: Mapping[str, str]) -> str:
    """Return *text* without this machine's name, and with its *places* written as their values."""
    for real in sorted(places, key=len, reverse=True):
        text = text.replace(real, places[real])
    return re.sub(rf"\b{re.escape(socket.gethostname())}\b", "gpu01", text)


def shortened(text: str) -> str:
    """Return *text* without the middle of long runs of progress lines and of frames of C++."""
    kept: list[str] = []
    run: list[str] = []
    for line in text.splitlines(keepends=True):
        if _LIKE.search(line):
            run.append(line)
            continue
        kept += _ends(run)
        run = []
        kept.append(line)
    return "".join([*kept, *_ends(run)])


def _ends(run: list[str]) -> Iterable[str]:
    return run if len(run) <= HEAD + TAIL else [*run[:HEAD], *run[-TAIL:]]
