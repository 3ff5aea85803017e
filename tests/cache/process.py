"""The command line as a process would run it, within this one: with real streams, and so with the cache."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from sbatchlint.cli.main import main


class Outcome(NamedTuple):
    """What a run gave."""

    status: int
    out: bytes
    err: bytes


def run(words: list[str], folder: Path, cache: Path | None, streams: Path) -> Outcome:
    """Run the command line *words* in *folder*; the streams are files in the folder *streams*."""
    here = os.getcwd()
    os.chdir(folder)
    variables = {"SBATCHLINT_CACHE_DIR": "" if cache is None else str(cache), "SBATCHLINT_SITE_CONFIG": ""}
    out, err = streams / "out", streams / "err"
    try:
        with (
            mock.patch.dict(os.environ, variables),
            mock.patch.object(sys, "argv", ["sbatchlint", *words]),
            _stream("stdout", out),
            _stream("stderr", err),
        ):
            status = main()
    finally:
        os.chdir(here)
    return Outcome(status, out.read_bytes(), err.read_bytes())


@contextmanager
def _stream(name: str, path: Path) -> Iterator[None]:
    with io.TextIOWrapper(open(path, "wb"), encoding="utf-8") as stream, mock.patch.object(sys, name, stream):
        yield
