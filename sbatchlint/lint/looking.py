"""Looking whether files are there, where the shared file system is mounted.

Nothing is opened: the file system is asked for a file's entry, and for no more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from sbatchlint.regex import regex

_VARIABLE = regex(r"\$(HOME|USER|SLURM_SUBMIT_DIR)\b")


def looker(folder: str, environment: Mapping[str, str]) -> Callable[[str], bool | None]:
    """Return what tells whether a path is there; None where that cannot be told.

    Relative paths are those of *folder*, from which the job is submitted.  ``$HOME`` and ``$USER`` are taken
    from *environment*.
    """
    variables = {**environment, "SLURM_SUBMIT_DIR": folder}

    def look(path: str) -> bool | None:
        names = set(_VARIABLE.findall(path))
        if not all(variables.get(name) for name in names):
            return None
        whole = _VARIABLE.sub(lambda match: variables[match[1]], path)
        try:
            os.stat(os.path.join(folder, whole))
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (OSError, ValueError):  # no right to look, or no name that a file can have
            return None
        return True

    return look
