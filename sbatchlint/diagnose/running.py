"""From the paths of logs to what they tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import BinaryIO

from sbatchlint.diagnose.collecting import Collector
from sbatchlint.diagnose.facts import Facts
from sbatchlint.diagnose.labels import Label, label_of_file
from sbatchlint.diagnose.logs import PIECE, STDIN, Tell, open_log, read_pieces
from sbatchlint.regex import regex

_NAMED = regex(r"(?:^|/)slurm-(\d{1,10})(?:_\d+)?\.[^/]*$")


def gather(
    paths: Sequence[str],
    standard_input: BinaryIO,
    tell: Tell,
    fail: Tell,
    progress: Callable[[int], None] | None = None,
    size: int = PIECE,
) -> tuple[Facts, bool]:
    """Read the logs at *paths*, which belong to one job; tell too whether any could be read.

    *tell* hears what is good to know of a log, *fail* of one that can't be read.
    """
    collector = Collector()
    read_any = False
    labels = _labels(paths)
    for number, path in enumerate(paths):
        try:
            stream = open_log(path, standard_input)
            try:
                pieces = read_pieces(stream, path, tell, progress, size)
                collector.read(number, pieces, labels[number])
            finally:
                if path != STDIN:
                    stream.close()
            read_any = True
        except OSError as error:
            fail(path, f"can't be read: {(error.strerror or str(error)).lower()}")
    facts = collector.finish()
    facts.jobs.update(match[1] for match in map(_NAMED.search, paths) if match is not None)
    return facts, read_any


def _labels(paths: Sequence[str]) -> list[Label]:
    """Return what the names of the logs tell; what all have alike tells nothing apart."""
    found = [label_of_file(path) if path != STDIN else Label() for path in paths]
    fields = ("task", "local", "rank", "node")
    alike = [field for field in fields if len({getattr(one, field) for one in found}) == 1]
    return [replace(one, **dict.fromkeys(alike)) for one in found]


def total_size(paths: Sequence[str]) -> int | None:
    """Return how many bytes *paths* have on the disk; None where that is not known, as for a pipe."""
    try:
        return sum(os.path.getsize(path) for path in paths) if STDIN not in paths else None
    except OSError:
        return None
