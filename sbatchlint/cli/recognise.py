"""Telling batch scripts from other files by a look at their bytes."""

from __future__ import annotations

import os
import re

from sbatchlint.regex import regex

MAX_BYTES = 4 * 1024 * 1024
"""Slurm's controller refuses larger scripts (``max_script_size`` of slurm.conf, 4 MiB unless raised)."""
HEAD_BYTES = 8 * 1024
"""How much of a file is read to see whether it is text and may be a script."""

BATCH_SUFFIXES = frozenset({".sbatch", ".slurm", ".job"})
_SCRIPT_SUFFIXES = BATCH_SUFFIXES | {".sh", ".bash", ".ksh", ".zsh", ".csh", ".sb", ".sub", ".batch", ".cmd"}
_DIRECTIVE = regex(rb"^#SBATCH", re.MULTILINE)
_MEANT = regex(rb"^[ \t]*#(?:SBATCH|SLURM)[ \t]+-", re.MULTILINE | re.IGNORECASE)
"""Lines that were meant for directives: in lower case, with blanks in front, with the old prefix.

Not ``# SBATCH``: that is how directives are switched off.
"""
_FOREIGN = regex(rb"^#(?:PBS|BSUB)[ \t]", re.MULTILINE)
"""Directives of other systems, which sbatch translates."""
_COMMAND = regex(rb"^[ \t]*(?:srun|salloc)[ \t]", re.MULTILINE)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SHELL = regex(rb"#!.*?(sh|busybox)\b")
_LEADING_COMMENTS = regex(rb"\s*(#[^\n]*(\n\s*|\Z))*")


def has_batch_name(path: str) -> bool:
    """Tell whether the name alone says that this is a batch script."""
    return _suffix(path) in BATCH_SUFFIXES


def has_script_name(path: str) -> bool:
    """Tell whether the name ends as scripts' names do."""
    return _suffix(path) in _SCRIPT_SUFFIXES


def has_directive(data: bytes) -> bool:
    """Tell whether a line begins with ``#SBATCH``, or in a script was meant to.

    In a script for anything but a shell only the comments at its top count: further down it is text
    that the program writes somewhere, and Slurm does not read it either.
    """
    if data.startswith(b"#!") and not _SHELL.match(data):
        top = _LEADING_COMMENTS.match(data)
        data = top.group() if top else b""
    if _DIRECTIVE.search(data):
        return True
    return data.removeprefix(_BYTE_ORDER_MARK).startswith(b"#!") and _MEANT.search(data) is not None


def has_foreign_directive(data: bytes) -> bool:
    """Tell whether a shell script has ``#PBS`` or ``#BSUB`` lines, which sbatch reads too.

    Such a file is most often for the other system: it counts where it is named.
    """
    return _FOREIGN.search(data) is not None and not (data.startswith(b"#!") and not _SHELL.match(data))


def has_command(data: bytes) -> bool:
    """Tell whether a shell script without directives has lines that ask Slurm for something at once."""
    return _COMMAND.search(data) is not None and not (data.startswith(b"#!") and not _SHELL.match(data))


def is_markdown(path: str) -> bool:
    """Tell whether the name is that of a Markdown file."""
    return _suffix(path) in (".md", ".markdown")


def may_be_script(path: str, head: bytes) -> bool:
    """Tell from its first bytes whether a file that nobody named is worth reading.

    It has to be text and to start with ``#!`` or have a name that scripts have (no suffix is one), so
    that a README with an example in it is not taken for a script.
    """
    if b"\0" in head:
        return False
    has_interpreter = head.removeprefix(_BYTE_ORDER_MARK).startswith(b"#!")
    return has_interpreter or has_script_name(path) or not _suffix(path)


def fault(data: bytes) -> str:
    """Return why *data*, of at most one byte more than the limit, is not checked; empty if it can be."""
    if not data:
        return 'empty: sbatch says "Batch script is empty!"; write a script into it or leave it out'
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16 text, which no shell reads: not checked; save it as UTF-8"
    if b"\0" in data:
        return "a binary file (it holds NUL bytes), which Slurm refuses: not checked; leave it out"
    if len(data) > MAX_BYTES:
        return (
            "larger than 4 MiB: not checked, and Slurm refuses it unless max_script_size is raised; "
            "move data out of the script"
        )
    if not data.strip():
        return 'nothing but blanks: sbatch says "Batch script contains only whitespace!"; leave it out'
    return ""


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()
