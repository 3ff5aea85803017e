"""What the lines of a log are searched for: less and less, once enough of a kind were seen.

A log can hold millions of lines of one kind.  To look at each takes microseconds, to pass over them in the
search nearly nothing; after :data:`ENOUGH` of a kind in a log it is no longer searched for.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

from sbatchlint.diagnose.blocks import TRACEBACK
from sbatchlint.diagnose.signatures import compiled, signatures

SUSPICIOUS = (
    r"\b(ERROR|CRITICAL|FATAL)\b|\b[Ff]atal: |\b[Ee]rror: |\b[A-Za-z_]\w*(Error|Exception): |core dumped"
    r"|\b(Killed|Aborted)\b"
)
"""What makes a line look bad that carries no signature."""
WORLD = r"(WORLD_SIZE|\bworld[_ ]size)[ \"']{0,2}[:=] ?\d+|\d+/\d+ clients joined"
TRACES, LOOKS_BAD, WORLDS = ".traces", ".bad", ".worlds"
"""Names of kinds that are no signatures."""
ENOUGH = 8192
_OTHERS = {TRACES: 2048, LOOKS_BAD: ENOUGH, WORLDS: 1024}


class Sought:
    """What is searched for in one log, see :func:`sbatchlint.diagnose.windows.search`."""

    def __init__(self) -> None:
        self.whole = _expression(frozenset())
        self.current = self.whole
        self.given_up: frozenset[str] = frozenset()
        """The kinds of which no more are searched for, so that no more than "at least" is known."""
        self._seen: Counter[str] = Counter()

    def note(self, kind: str) -> None:
        """Take note of a line of *kind*, the id of a signature or a name of this module."""
        self._seen[kind] += 1
        if self._seen[kind] == _OTHERS.get(kind, ENOUGH):
            self.given_up |= {kind}
            self.current = _expression(self.given_up)


@cache
def _expression(without: frozenset[str]) -> Any:
    kinds = {one.id: one.expression for one in signatures().values()}
    kinds |= {TRACES: re.escape(TRACEBACK), LOOKS_BAD: SUSPICIOUS, WORLDS: WORLD}
    parts = [f"(?m:{expression})" for kind, expression in kinds.items() if kind not in without]
    return compiled("|".join(parts) or r"[^\x00-\xff]")
