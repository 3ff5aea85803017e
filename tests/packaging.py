"""The files that an installation from the repository is made of."""

from __future__ import annotations

import shutil
from pathlib import Path

PROJECT = Path(__file__).parents[1]
INSTALLED = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "sbatchlint", "rules")


def copy_of_what_is_installed(folder: Path) -> Path:
    """Copy the project, as it is now and without its tests, to *folder* and return that."""
    folder.mkdir(exist_ok=True)
    for name in INSTALLED:
        origin = PROJECT / name
        if origin.is_dir():
            shutil.copytree(origin, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(origin, folder / name)
    return folder
