"""Regular expressions that are compiled when they are first used.

The program has some five hundred, and a run uses seventy of them: compiling all took a sixth of its start.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from re import compile as regex
else:

    def regex(pattern, flags=0):
        """Return what ``re.compile`` returns for the same, but compile it when something is asked of it."""
        return _Uncompiled(pattern, flags)


__all__ = ["regex"]

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "scanner")


class _Uncompiled:
    """Stands for an expression, and takes on its methods when one of them is first asked for."""

    def __init__(self, pattern: Any, flags: Any) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what copies or pickles it looks for ways of its own
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        found = getattr(compiled, name)
        setattr(self, name, found)
        return found

    def __repr__(self) -> str:
        return f"regex({self.pattern!r}, {self._flags!r})"

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, _Uncompiled) and (self.pattern, self._flags) == (other.pattern, other._flags)
        return same or NotImplemented

    def __hash__(self) -> int:
        return hash((self.pattern, self._flags))
