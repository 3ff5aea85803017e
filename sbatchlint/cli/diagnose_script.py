"""Looking at the script of a job whose logs are diagnosed."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace

from sbatchlint.cli.configuring import configure
from sbatchlint.cli.console import Console
from sbatchlint.cli.lateness import TIME_LIMIT, sayings
from sbatchlint.cli.recognise import MAX_BYTES, fault
from sbatchlint.diagnose.blame import Blame, blame
from sbatchlint.diagnose.diagnosis import Diagnosis
from sbatchlint.files import open_bytes
from sbatchlint.lint.deadline import OutOfTime, limited
from sbatchlint.source import Source


def look_at_script(read: argparse.Namespace, diagnosis: Diagnosis, console: Console) -> Blame | None:
    """Return what the script has to do with it; None, and a complaint, where it can't be looked at."""
    path = read.script
    try:
        data = _bytes_of(path)
    except OSError as error:
        console.complain(path, f"can't be read: {(error.strerror or str(error)).lower()}")
        return None
    wrong = fault(data)
    if wrong:
        console.complain(path, f"not checked: {wrong}")
        return None
    configuration = configure(read, console, [] if path == "-" else [path])
    settings = None if configuration is None else configuration.settings(path)
    options = None if configuration is None else configuration.options(path)
    if configuration is None or settings is None or options is None:
        return None
    follows = path != "-" and configuration.follows(path)
    folder = (os.path.dirname(path) or os.curdir) if follows else None
    source = Source.from_bytes(data, path)
    try:
        with limited(TIME_LIMIT):
            found = blame(source, settings.rules, replace(options, folder=folder), diagnosis)
    except OutOfTime as late:
        console.complain(path, f"not looked at: {late}")
        return None
    for saying in sayings(found.internal_errors, advice=""):
        console.complain(path, saying)
    for one in found.internal_errors:
        if not one.late:
            console.complain(path, f"internal error in rule {one.code}: {one.kind}")
    return found


def _bytes_of(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open_bytes(path) as file:
        return file.read(MAX_BYTES + 1)
