"""Writing a baseline, and telling what in one is out of date."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.adopt.baseline import FileMarks, renewed
from sbatchlint.adopt.baseline_file import BadBaseline, baseline_text, read_baseline
from sbatchlint.adopt.marks import marks
from sbatchlint.cli.alone import alone
from sbatchlint.cli.console import Console
from sbatchlint.cli.inputs import STDIN, Kind
from sbatchlint.cli.saving import save
from sbatchlint.lint.job import Job
from sbatchlint.lint.markdown import job_of_text
from sbatchlint.report.mask import Mask
from sbatchlint.report.summary import count

if TYPE_CHECKING:
    from sbatchlint.adopt.baseline import Baseline
    from sbatchlint.adopt.marks import Mark
    from sbatchlint.cli.adoption import Adoption
    from sbatchlint.cli.checking import Checked


def write_to(path: str, checked: Sequence[Checked], console: Console) -> Sequence[Checked]:
    """Write what is found in *checked* to the baseline at *path*; return it without these findings.

    What an older baseline there says of files that were not checked, and of rules that were not asked, is
    kept, also of what another run writes there at the same time.  A file there that is no baseline is left
    alone, and so is what is there where nothing could be checked.
    """
    if console.failed and not checked:
        console.complain(path, "the baseline was not written: nothing could be checked")
        return checked
    named = [each for each in checked if each.given.path != STDIN]
    for each in checked:
        if each.given.path == STDIN and each.report.findings:
            console.remark(STDIN, "not in the baseline: it has no name; give it one with --stdin-filename")
    files = [FileMarks(each.report.source.path, tuple(_marks(each)), _asked(each)) for each in named]
    try:
        with alone(path):
            old, fine = _old(path, console)
            if not fine:
                return checked
            counts, kept = renewed(old, os.path.dirname(path) or os.curdir, files)
            save(path, baseline_text(counts).encode("ascii"))
    except OSError as error:
        console.complain(path, f"the baseline was not written ({error.strerror or error})")
        return checked
    written = sum(len(file.marks) for file in files)
    where = sum(bool(file.marks) for file in files)
    more = f"; {kept} of files or rules that were not asked for are kept" if kept else ""
    console.remark(path, f"{count(written, 'finding')} of {count(where, 'file')} written{more}")
    return [_held_back(each) if each.given.path != STDIN else each for each in checked]


def tell_idle(adoption: Adoption, checked: Sequence[Checked], console: Console) -> None:
    """Say how many entries of the baselines in use have nothing to hold back any more."""
    for baseline in adoption.baselines():
        texts = [
            (each.before if adoption.only_shows else each.report.source, _asked(each))
            for each in checked
            if adoption.baseline_of(each.report.source.path) is baseline
        ]
        idle = baseline.idle(texts)
        if idle:
            verb, them = ("is", "it") if idle == 1 else ("are", "them")
            console.remark(
                baseline.path,
                f"{count(idle, 'finding')} of the baseline {verb} no longer there; "
                f"--write-baseline again takes {them} out",
            )


def _old(path: str, console: Console) -> tuple[Baseline | None, bool]:
    """Return the baseline that is at *path*, and whether one may be written there.

    What is no regular file, such as a pipe or ``/dev/stdout``, holds nothing to be read first, and neither
    does an empty file.
    """
    with contextlib.suppress(OSError):
        status = os.stat(path)
        special = not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode)
        if special or not (status.st_size or stat.S_ISDIR(status.st_mode)):
            return None, True
    try:
        return read_baseline(path), True
    except FileNotFoundError:
        return None, True
    except OSError as error:
        console.complain(path, f"the baseline cannot be read ({error.strerror or error}); nothing written")
    except BadBaseline as error:
        console.complain(error.place, f"{error}; nothing written")
    return None, False


def _marks(each: Checked) -> list[Mark]:
    make = job_of_text if each.given.kind is Kind.MARKDOWN else Job
    job = make(each.result.source, each.options)
    return marks(job, each.result.findings, Mask.found_in)


def _asked(each: Checked) -> frozenset[str]:
    """The codes of the rules that looked at the file and did not break."""
    return each.rules.codes - {error.code for error in each.result.internal_errors}


def _held_back(each: Checked) -> Checked:
    known = each.report.baselined + len(each.report.findings)
    return replace(each, report=replace(each.report, findings=(), baselined=known))
