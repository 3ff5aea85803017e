"""Answers about single files, many in one file of the cache: home folders count files as well as bytes."""

from __future__ import annotations

import json
from time import time
from typing import TYPE_CHECKING, Any

from sbatchlint.cache import folder
from sbatchlint.cache.facts import hold

if TYPE_CHECKING:
    from sbatchlint.cache.facts import Facts, Question
    from sbatchlint.cache.witness import Seen

_DAY = 86_400
_KEPT_DAYS = 14
"""How long an answer is kept that nobody asks for."""
_FULL = folder.LARGEST // 2
"""Bytes; where there are more, only what this run asked for is kept."""


class Pack:
    """Answers by key; what is no longer true, or can't be read, is as if it were not there."""

    def __init__(self, place: str, name: str) -> None:
        """*place* is the cache's folder, *name* the file in it."""
        self._place = place
        self._name = name
        self._day = int(time()) // _DAY
        self._known = self._load()
        self._asked: set[str] = set()
        self._new: dict[str, Any] = {}

    def recall(self, key: str) -> Any:
        """Return what was kept as *key*, if it rests on facts that still are; else None."""
        try:
            _, asked, value = self._known[key]
            facts = {(kind, path): told for kind, path, told in asked}
        except (KeyError, ValueError, TypeError):
            return None
        if not hold(facts):
            return None
        self._asked.add(key)
        return value

    def keep(self, key: str, value: Any, facts: Facts) -> None:
        """Keep *value*, which JSON can hold and which rests on *facts*; see :meth:`save`."""
        self._new[key] = [self._day, [[*question, told] for question, told in facts.items()], value]

    def taken(self) -> dict[str, Any]:
        """Take out what is new, to be given to :meth:`add` of another process's pack."""
        new, self._new = self._new, {}
        return new

    def add(self, new: dict[str, Any]) -> None:
        """Keep what was taken out elsewhere."""
        self._new.update(new)

    def save(self) -> str:
        """Write what is new, beside what others have written; return why that failed, empty if it did not."""
        if not self._new:
            return ""
        for key in self._asked:
            self._known[key][0] = self._day
        recent = {key: entry for key, entry in self._load().items() if self._is_recent(entry)}
        mine = {key: self._known[key] for key in self._asked} | self._new
        body = _written(recent | mine)
        return folder.save(self._place, self._name, body if len(body) <= _FULL else _written(mine))

    def _is_recent(self, entry: Any) -> bool:
        try:
            return bool(0 <= self._day - entry[0] <= _KEPT_DAYS)
        except (TypeError, LookupError):
            return False

    def _load(self) -> dict[str, Any]:
        body = folder.load(self._place, self._name)
        if body is None:
            return {}
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


def _written(entries: dict[str, Any]) -> bytes:
    return json.dumps(entries, separators=(",", ":")).encode("ascii")


def without(seen: Seen, folders: list[str]) -> dict[Question, str]:
    """Return the facts of *seen* but those about files below *folders*, which are known by other means."""
    starts = tuple(f"{folder}/" for folder in folders)
    return {question: told for question, told in seen.facts.items() if not question[1].startswith(starts)}
