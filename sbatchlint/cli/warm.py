"""A run of ``check`` that gives what it gave before, where nothing that it rests on has changed.

This is the warm path: it loads neither the parsers nor the rules nor the command's own options.
"""

from __future__ import annotations

import os
import sys

from sbatchlint.cache import folder as kept
from sbatchlint.cache.runs import Run, key_of, recall
from sbatchlint.cli.status import FAILURE

TYPE_CHECKING = False  # that of typing, which takes longer to load than all this
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_VERBOSE = ("-v", "--verbose")


def run_or_recall(words: Sequence[str], run: Callable[[Sequence[str]], int]) -> int:
    """Carry out *run*, which is given *words*, unless it is known what that gives; return the exit status."""
    folder = kept.place(os.environ, words)
    if folder is None or not _may_be_kept(words):
        return run(words)
    try:
        key = key_of(words, os.environ)
    except OSError:  # the current folder is gone, which is told by the run
        return run(words)
    found = recall(folder, key)
    if found is None:
        return _watched(words, run, folder, key)
    for stream, data in found.written:
        _write(stream, data)
    return found.status


def _may_be_kept(words: Sequence[str]) -> bool:
    """Tell whether to try: not for a help text, and not where a script comes from standard input."""
    return bool(words) and not {"--version", "--help", "-h", "-"} & set(words)


def _write(stream: int, data: bytes) -> None:
    to = sys.stdout if stream == 1 else sys.stderr
    to.buffer.write(data)
    to.buffer.flush()


def _watched(words: Sequence[str], run: Callable[[Sequence[str]], int], folder: str, key: str) -> int:
    """Carry out *run* and keep what it gives, if that rests on nothing but files."""
    from sbatchlint.cache.runs import keep
    from sbatchlint.cache.surroundings import loaded_facts, other_facts, program_facts
    from sbatchlint.cache.tee import Tee, can_copy
    from sbatchlint.cache.witness import Watch

    if not can_copy():
        return run(words)
    program = program_facts()
    with Tee() as tee, Watch() as seen:
        status = run(words)
    if status != FAILURE and seen.complete and tee.complete:
        facts = {**program, **seen.facts, **loaded_facts(), **other_facts()}
        reason = keep(folder, key, Run(status, tuple(tee.written)), facts)
        if reason and set(_VERBOSE) & set(words):
            sys.stderr.write(f"sbatchlint: the cache is not used: {reason}\n")
    return status
