"""A folder whose answers are kept, and whether they are recalled."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from unittest import mock

from sbatchlint.cli import check
from tests.cache.process import Outcome, run

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n"
BAD = HEAD + "srun torchrun --nnodes=2 --nproc-per-node=8 train.py\n"
GOOD = (HEAD + "srun python train.py # ").ljust(len(BAD) - 1, "-") + "\n"
COMMAND = (sys.executable, "-m", "sbatchlint")


def cached(folder: Path, *words: str, cache: Path | None = None) -> Outcome:
    return run(list(words), folder, cache or folder.parent / "cache", folder.parent / "streams")


def plain(folder: Path, *words: str) -> Outcome:
    return run(list(words), folder, None, folder.parent / "streams")


def is_recalled(folder: Path, *words: str, cache: Path | None = None) -> bool:
    """Tell whether a run is not done again."""
    with mock.patch.object(check, "run", side_effect=LookupError):
        try:
            cached(folder, *words, cache=cache)
        except LookupError:
            return False
    return True


def at_the_same_time(path: Path, text: str) -> None:
    """Write as many bytes as are there, and have the file's time as if it had not been written."""
    before = path.stat()
    assert before.st_size == len(text)
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
