"""``sbatchlint convert``: from a single-node command to a batch script."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from sbatchlint.cli.console import Console, write_bytes
from sbatchlint.cli.convert_options import split
from sbatchlint.cli.status import FAILURE, OK
from sbatchlint.files import open_bytes
from sbatchlint.regex import regex

if TYPE_CHECKING:
    from sbatchlint.config.file_settings import FileSettings
    from sbatchlint.convert.conversion import Conversion
    from sbatchlint.convert.refusal import Note
    from sbatchlint.convert.site import Site
    from sbatchlint.report.mask import Mask
    from sbatchlint.source import Source

_NAME = "job.sbatch"
_FOLDER_OF_LOG = (
    "the folder of the log must be there before the job starts: mkdir -p {folder}  "
    "(Slurm makes it itself since 23.02; before, the job fails without a word)"
)
_LARGEST = 1_000_000
"""Bytes of a file that holds a command."""
_SETTING = regex(r"[A-Za-z_][A-Za-z0-9_]*=", re.A)
_TOLD_OTHERWISE = frozenset({"SB701", "SB702", "SB720"})
"""What :mod:`sbatchlint.convert.fitting` tells itself."""


def run(arguments: Sequence[str]) -> int:
    """Convert the command that *arguments* name; return the exit status."""
    read, command = split(arguments)
    console = Console(quiet=read.quiet)
    given = _given(read, command, console)
    settings = _settings(read, console)
    if given is None or settings is None:
        return FAILURE
    from sbatchlint.cli.lateness import TIME_LIMIT
    from sbatchlint.convert.refusal import Refused
    from sbatchlint.lint.deadline import OutOfTime, limited
    from sbatchlint.report.mask import Mask

    mask = Mask.found_in(given)
    try:
        with limited(TIME_LIMIT):
            made, notes = _made(given, _site(read), read, settings)
            text, doubts = _checked(made, settings, interactive=read.interactive)
    except OutOfTime as late:
        console.complain(given.path, f"not converted: {late}")
        return FAILURE
    except Refused as refused:
        console.complain(mask.text(refused.subject), mask.text(refused.message))
        return FAILURE
    _tell((*notes, *doubts), mask, console)
    return _put(text, read, console)


def _given(read: argparse.Namespace, command: list[str], console: Console) -> Source | None:
    """Return the text of the command: of words one line, in which each of them stands for itself."""
    from sbatchlint.source import Source

    if command and not any(word.strip() for word in command):
        console.complain("the command", "it is empty")
        return None
    if command and command != ["-"]:
        whole = len(command) == 1 and any(char.isspace() for char in command[0])
        return Source.from_text(command[0] if whole else _line_of(command), "the command")
    path = read.from_file or "-"
    if path == "-" and not command and read.from_file is None and sys.stdin.isatty():
        console.complain("the command", "there is none: write it behind --, or name a file with --from-file")
        return None
    try:
        if path == "-":
            data = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with open_bytes(path) as file:
                data = file.read(_LARGEST + 1)
    except OSError as error:
        console.complain(path, f"cannot be read ({(error.strerror or str(error)).lower()}); check the path")
        return None
    if b"\0" in data or len(data) > _LARGEST:
        console.complain(path, "is no shell script")
        return None
    return Source.from_bytes(data, path)


def _line_of(words: Sequence[str]) -> str:
    """Return *words* as shell text; those in front that set a variable go on doing so."""
    from sbatchlint.convert.quoting import quoted

    settings = list(takewhile(lambda word: _SETTING.match(word) is not None, words))
    pairs = (word.split("=", 1) for word in settings)
    front = [f"{name}={quoted(value)}" for name, value in pairs]
    return " ".join([*front, *map(quoted, words[len(settings) :])])


def _settings(read: argparse.Namespace, console: Console) -> FileSettings | None:
    """Return what the configuration says of the script that is made, the cluster profile with it."""
    from sbatchlint.cli.configuring import configure

    configuration = configure(read, console, [read.output] if read.output else ())
    return None if configuration is None else configuration.settings(read.output or _NAME)


def _site(read: argparse.Namespace) -> Site:
    from sbatchlint.convert.site import BLANK, Site

    return Site(
        nodes=read.nodes,
        gpus_per_node=read.gpus_per_node,
        time=read.time or BLANK,
        account=BLANK if read.account is None else read.account,
        partition=BLANK if read.partition is None else read.partition,
        qos=read.qos or "",
        job_name=read.job_name or "",
        directives=tuple(read.directive),
        image=read.image or "",
        container=read.container or bool(read.mount and not read.image),
        mounts=tuple(read.mount),
        shared=read.shared.rstrip("/") or read.shared,
        workdir=read.workdir,
        fresh=read.fresh,
    )


def _made(
    given: Source, site: Site, read: argparse.Namespace, settings: FileSettings
) -> tuple[Conversion, tuple[Note, ...]]:
    from sbatchlint.convert.conversion import convert
    from sbatchlint.convert.refusal import Note, Refused
    from sbatchlint.convert.site import with_profile

    profile = settings.options.cluster
    site, taken = with_profile(site, profile)
    notes = list(taken)
    if read.image == "":
        site = replace(site, pyxis=False)
    if site.fresh and os.path.normpath(site.fresh) in map(os.path.normpath, (site.shared, site.workdir)):
        raise Refused(f"--fresh={site.fresh}", "the job runs in that folder; name the one of the old run")
    if site.shared:
        site = replace(site, log_folder=f"{site.shared}/logs")
    folder = os.path.dirname(read.from_file) if read.from_file not in (None, "-") else ""
    made = convert(given, site, mode=read.mode, folder=folder or ".", uv=read.uv)
    if made.site.log_folder and not site.makes_log_folder and not read.interactive:
        notes.append(Note("--output", _FOLDER_OF_LOG.format(folder=made.site.log_folder)))
    return made, (*made.notes, *notes)


def _checked(made: Conversion, settings: FileSettings, *, interactive: bool) -> tuple[str, tuple[Note, ...]]:
    """Return the text, and what sbatchlint itself has to say of the script.

    Raises Refused where the number of nodes can't be right.
    """
    from sbatchlint.convert.fitting import misfits
    from sbatchlint.convert.refusal import Note
    from sbatchlint.lint.ask.placeholders import placeholders
    from sbatchlint.lint.ask.unfilled import unfilled
    from sbatchlint.lint.engine import in_full, lint_source
    from sbatchlint.lint.job import Job
    from sbatchlint.report.convert_interactive import interactive_text
    from sbatchlint.report.convert_script import script_text
    from sbatchlint.source import Source

    text = script_text(made)
    source = Source.from_text(text, _NAME)
    options = replace(settings.options, pedantic=False, sieve=None, look=None, ask=None)
    job = Job(source, options)
    doubts = list(misfits(job))
    blanks = [*(place.span for place in placeholders(job)), *(mark.span for mark in unfilled(job))]
    for finding in in_full(lint_source(source, settings.rules, options)).findings:
        blank = any(finding.span.overlaps(source.line_around(span.start)) for span in blanks)
        if not blank and finding.code not in _TOLD_OTHERWISE:
            line = source.position(finding.span.start).line
            doubts.append(Note(f"{finding.code} line {line}", finding.message))
    return interactive_text(made) if interactive else text, tuple(doubts)


def _tell(notes: Sequence[Note], mask: Mask, console: Console) -> None:
    for note in dict.fromkeys(notes):
        console.remark(mask.text(note.subject), mask.text(note.message))


def _put(text: str, read: argparse.Namespace, console: Console) -> int:
    data = text.encode("utf-8", "surrogateescape")
    if read.output is None:
        write_bytes(sys.stdout, data)
        return OK
    if os.path.lexists(read.output) and not read.force:
        console.complain(read.output, "is there already; another name, or --force, writes it")
        return FAILURE
    from sbatchlint.cli.saving import save

    try:
        save(read.output, data)
    except OSError as error:
        console.complain(read.output, f"cannot be written: {error.strerror or error}")
        return FAILURE
    return OK
