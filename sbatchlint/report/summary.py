"""The last lines of a run, for people."""

from __future__ import annotations

from sbatchlint.report.model import Counts, RunReport


def summary(run: RunReport, *, incomplete: bool = False) -> str:
    """Return the closing lines, each with its line end; nothing if no file was checked.

    *incomplete* says that something was not checked, lest "no problems" be taken for a clean bill.
    """
    counts = run.counts()
    if not counts.files:
        return ""
    lines = [_fixed(counts), _found(counts, incomplete), _fixable(counts, run.unsafe_fixes)]
    return "".join(f"{line}\n" for line in lines if line)


def count(number: int, noun: str) -> str:
    """Return *number* and *noun*, which takes an ``s`` in the plural, or ``ies`` for a ``y``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def _fixed(counts: Counts) -> str:
    return f"Fixed {count(counts.fixed, 'problem')}." if counts.fixed else ""


def _found(counts: Counts, incomplete: bool) -> str:
    more = f"; {counts.suppressed} suppressed" if counts.suppressed else ""
    more += f"; {counts.excepted} excepted" if counts.excepted else ""
    more += f"; {counts.baselined} known before" if counts.baselined else ""
    more += f"; {counts.hidden} more with --pedantic" if counts.hidden else ""
    more += "; not everything could be checked" if incomplete else ""
    if not counts.findings:
        return f"Found no problems in {count(counts.files, 'file')}{more}."
    kinds = [
        count(number, noun)
        for number, noun in ((counts.errors, "error"), (counts.warnings, "warning"))
        if number
    ]
    kinds += [f"{counts.infos} info"] if counts.infos else []
    left = " left" if counts.fixed else ""
    where = f"{counts.files_with_findings} of {count(counts.files, 'file')}"
    return f"Found {count(counts.findings, 'problem')}{left} ({', '.join(kinds)}) in {where}{more}."


def _fixable(counts: Counts, unsafe_fixes: bool) -> str:
    if counts.fixable and unsafe_fixes:
        return f"[*] {counts.fixable} fixable with --fix --unsafe-fixes."
    if counts.fixable and counts.fixable_unsafe:
        return f"[*] {counts.fixable} fixable with --fix, {counts.fixable_unsafe} more with --unsafe-fixes."
    if counts.fixable:
        return f"[*] {counts.fixable} fixable with --fix."
    if counts.fixable_unsafe:
        return f"{counts.fixable_unsafe} fixable with --fix --unsafe-fixes."
    return ""
