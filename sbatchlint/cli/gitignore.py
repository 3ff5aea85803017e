"""Which files git would not look at: ``.gitignore`` at every level and ``.git/info/exclude``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sbatchlint.glob_lines import compiled
from sbatchlint.records import dataclass

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

ALWAYS_SKIPPED = frozenset(
    {
        ".git", ".hg", ".svn", ".jj", "__pycache__", "node_modules", ".venv", "venv", ".tox", ".nox",
        ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints",
    }
)  # fmt: skip
"""Names of folders that hold nothing of the user's own."""
_LARGEST = 1 << 20
"""How much of one file counts, in characters."""
_LONGEST = 4096
"""Characters of a pattern; no path is longer."""
_MOST = 10_000
"""How many patterns of one file count."""


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The patterns in force in one folder: those of its own file before those of the folders above."""

    folder: str
    spec: GitIgnoreSpec | None = None
    above: IgnoreRules | None = None

    def entered(self, folder: str) -> IgnoreRules:
        """Return the rules in force in *folder*, which lies in this one."""
        spec = _read(os.path.join(folder, ".gitignore"))
        return IgnoreRules(folder, spec, self) if spec else self

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether *path*, below this folder, is left out.  The closest file with an opinion decides."""
        rules: IgnoreRules | None = self
        while rules is not None:
            if rules.spec is not None:
                relative = os.path.relpath(path, rules.folder) + ("/" if is_folder else "")
                decision = rules.spec.check_file(relative).include
                if decision is not None:
                    return decision
            rules = rules.above
        return False


def rules_for(folder: str) -> IgnoreRules:
    """Return the rules in force in *folder*, an absolute path that the user named.

    In a git repository those of the folders above count too, unless they leave out *folder* itself:
    who names a folder wants to have it looked at.
    """
    above = _above(folder)
    if above is None:
        return IgnoreRules(folder, _repository_excludes(folder)).entered(folder)
    return above.entered(folder)


def _above(folder: str) -> IgnoreRules | None:
    chain = _folders_to_repository(folder)
    if len(chain) < 2:
        return None
    rules = IgnoreRules(chain[0], _repository_excludes(chain[0])).entered(chain[0])
    for deeper in chain[1:]:
        if rules.ignores(deeper, is_folder=True):
            return None
        if deeper != folder:
            rules = rules.entered(deeper)
    return rules


def _folders_to_repository(folder: str) -> list[str]:
    """Return the folders from the repository's top down to *folder*, or nothing outside of one."""
    chain = [folder]
    while not os.path.exists(os.path.join(chain[-1], ".git")):
        parent = os.path.dirname(chain[-1])
        if parent == chain[-1]:
            return []
        chain.append(parent)
    return chain[::-1]


def _repository_excludes(folder: str) -> GitIgnoreSpec | None:
    return _read(os.path.join(folder, ".git", "info", "exclude"))


def _read(path: str) -> GitIgnoreSpec | None:
    """Return the lines of the file; None where there are none.  Like git, it follows no link."""
    try:
        if os.path.islink(path) or not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read(_LARGEST).split("\n")
    except OSError:
        return None
    told = (line for line in lines if line.strip() and not line.startswith("#"))
    patterns = [line for line in told if len(line) <= _LONGEST][:_MOST]
    if not patterns:
        return None
    try:
        return compiled(patterns)
    except ValueError:  # a pattern that git passes over as well
        return compiled(filter(_is_pattern, patterns))


def _is_pattern(line: str) -> bool:
    try:
        compiled([line])
    except ValueError:
        return False
    return True
