"""Which files belong to what somebody wants to have checked, and which a link leads to from there.

A repository that was just cloned may hold a link to the keys of whoever looks at it.
"""

from __future__ import annotations

import os


def belongs(path: str, folder: str) -> bool:
    """Tell whether the file at *path*, which stands below *folder* by its name, does so in truth.

    Where *folder* is in a git repository, a link may lead anywhere in that one.
    """
    real = os.path.realpath(path)
    root = os.path.realpath(folder)
    if _is_below(real, root):
        return True
    top = _repository(root)
    return top is not None and _is_below(real, top)


def leaves_repository(path: str, folder: str) -> bool:
    """Tell whether the link at *path* leads out of the git repository that *folder* is in."""
    top = _repository(os.path.realpath(folder))
    return top is not None and not _is_below(os.path.realpath(path), top)


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def _repository(folder: str) -> str | None:
    """Return the top of the repository that *folder*, without links, is in; None outside of one.

    A home folder that is kept in git is no project: keys stand in it.
    """
    home = os.path.realpath(os.path.expanduser("~"))
    place = folder
    while not os.path.lexists(os.path.join(place, ".git")):
        above = os.path.dirname(place)
        if above == place:
            return None
        place = above
    return None if place in (home, os.sep) else place
