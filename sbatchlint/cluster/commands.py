"""Asking a live Slurm: which commands, and what to say of one that does not answer."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from sbatchlint.cluster.configuration import plugin_lines
from sbatchlint.cluster.outputs import SINFO_FORMAT, take_output
from sbatchlint.cluster.records import Records
from sbatchlint.files import find_program

SECONDS = 30
"""How long one command may take."""

_SCONTROL = ("config", "partition", "node", "license")
_SINFO = ("sinfo", "-a", "-N", "-o", SINFO_FORMAT)
_SACCTMGR = (
    ("sacctmgr", "-P", "show", "qos", "format=Name,MaxWall,MaxTRESPerJob,Flags"),
    ("sacctmgr", "-P", "show", "account", "format=Account"),
)
Tell = Callable[[str, str], None]
"""Takes the command and what is wrong with it."""


def ask_live(tell: Tell) -> Records:
    """Ask the Slurm of this machine all there is to know; *tell* hears of what cannot be had."""
    records = Records(from_controller=True)
    for what in _SCONTROL:
        _take(("scontrol", "--all", "show", what), records, tell)
    if not records.nodes:
        _take(_SINFO, records, tell)
    if "slurmdbd" in records.settings.get("accountingstoragetype", ""):
        for command in _SACCTMGR:
            _take(command, records, tell)
    _take(("sbatch", "--help"), records, tell)
    stack = records.settings.get("plugstackconfig")
    if stack:
        path = Path(stack)
        if os.access(path, os.R_OK):
            records.plugins = list(plugin_lines(path))
        elif path.exists():
            tell(stack, "cannot be read; which plugins add options is not known")
    return records


def _take(command: tuple[str, ...], records: Records, tell: Tell) -> None:
    output = _run(command, tell)
    if output is not None and not take_output(output, records) and output.strip():
        tell(" ".join(command), "printed something that is not understood; left out")


def _run(command: tuple[str, ...], tell: Tell) -> str | None:
    shown = " ".join(command)
    program = find_program(command[0])
    if program is None:
        tell(shown, f"no {command[0]} on this machine")
        return None
    try:
        done = subprocess.run(
            (program, *command[1:]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            # Times and numbers in the plain form, whatever the user is used to.
            env={**os.environ, "LC_ALL": "C", "SLURM_TIME_FORMAT": "standard"},
        )
    except subprocess.TimeoutExpired:
        tell(shown, f"no answer within {SECONDS} seconds")
        return None
    except OSError as error:
        tell(shown, f"cannot be run ({(error.strerror or str(error)).lower()})")
        return None
    if done.returncode:
        first = next(iter(done.stderr.decode("utf-8", "replace").strip().splitlines()), "no word why")
        tell(shown, f"failed: {first}")
        return None
    return done.stdout.decode("utf-8", "replace")
