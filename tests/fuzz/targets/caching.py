"""What the cache finds in its folder: anything that is not what was put there is as if it were absent."""

from __future__ import annotations

import json
import os
import tempfile

from sbatchlint.cache.folder import load, save
from sbatchlint.cache.pack import Pack
from sbatchlint.cache.runs import Run, keep, recall
from sbatchlint.cli.warm_findings import read
from sbatchlint.source import Source


def kept_run(data: bytes) -> None:
    """A file of the cache, and a body whose digest is right, whatever it says."""
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(above, "answers")
        assert save(folder, "run", b"body") == ""
        assert load(folder, "run") == b"body"
        path = os.path.join(folder, "run")
        with open(path, "rb") as file:
            whole = file.read()
        with open(path, "wb") as file:
            file.write(data)
        assert load(folder, "run") is None or data == whole
        assert save(folder, "run", data) == ""
        found = recall(folder, "run")
        assert found is None or isinstance(found.status, int)
        _round_trip(folder, data)


def _round_trip(folder: str, data: bytes) -> None:
    run = Run(1, ((1, data), (2, b"x")))
    assert keep(folder, "kept", run, {("S", os.path.join(folder, "absent")): "!2"}) == ""
    found = recall(folder, "kept")
    assert found is not None and (found.status, found.written) == (run.status, run.written)


def kept_results(data: bytes) -> None:
    """Answers about single files."""
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(above, "answers")
        assert save(folder, "files", data) == ""
        pack = Pack(folder, "files")
        pack.recall("key")
        pack.keep("new", [1], {})
        assert pack.save() == ""
        assert Pack(folder, "files").recall("new") == [1]
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return
    read(found, Source.from_text("a\n", "job.sh"))
