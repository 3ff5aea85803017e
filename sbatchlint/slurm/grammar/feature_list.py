"""Reading a constraint as the controller does: one character after the other, into a flat list.

Sources: ``build_feature_list`` (to 22.05), ``_feature_string2list`` (from 23.02) and ``_valid_feature_list``
of ``src/slurmctld/job_scheduler.c``.
"""

from __future__ import annotations

from dataclasses import field

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.c_text import leading_integer, wrap
from sbatchlint.slurm.options import Release

STRICT = (23, 2)
"""From here on nothing may follow a bracket unread, and a count outside ``[]`` must stand alone."""
CHECKS_COUNTS = (21, 8)
"""From here on ``[a&b]`` needs a count for each member, ``[a|b]`` takes none, and ``[]`` may stand once."""


class Malformed(ValueError):
    """The constraint can't be read; the message says why, in our words.

    ``general`` tells that 22.05 speaks of a feature even where a preferred one is meant.
    """

    def __init__(self, detail: str, *, general: bool = True) -> None:
        super().__init__(detail)
        self.general = general


@dataclass(slots=True)
class Entry:
    """One feature with what follows it."""

    name: str
    count: int
    operator: str
    """``&``, ``|`` or, for the last, nothing."""
    paren: bool
    bracket: bool

    @property
    def in_brackets_only(self) -> bool:
        """Tell whether ``[]`` alone decides how it is joined to the next."""
        return bool(self.operator) and self.bracket and not self.paren


@dataclass(slots=True)
class FeatureReader:
    """The state of the reading; :meth:`read` gives the entries or raises Malformed."""

    release: Release
    entries: list[Entry] = field(default_factory=list)
    feature: str | None = None
    ended: bool = False
    """True once the feature's name has ended: at a bracket or a count."""
    closed: bool = False
    """True right after a bracket was closed."""
    count: int = 0
    paren: bool = False
    bracket: bool = False
    brackets_seen: int = 0
    counted_outside: bool = False

    def read(self, text: str) -> list[Entry]:
        """Read a whole constraint, in which commas are ``&``."""
        text = text.replace(",", "&")
        at = 0
        while at < len(text):
            if text[at] == "*":
                at = self._multiply(text, at)
                continue
            self._take(text[at])
            at += 1
        if self.feature is not None:
            self._append("")
        self._finish()
        return self.entries

    def _multiply(self, text: str, at: int) -> int:
        number, rest = leading_integer(text[at + 1 :])
        self.count = wrap(number, 32)
        self.counted_outside |= not self.bracket
        if self.feature is None or self.count <= 0 or self.paren:
            raise Malformed("* needs a feature or a bracket before it and a number above zero after it")
        self.ended, self.closed = True, False
        return len(text) - len(rest)

    def _take(self, char: str) -> None:
        closed, self.closed = self.closed, False
        if char in "&|":
            if self.feature is None:
                raise Malformed(f"no feature stands before {char}")
            self._append(char)
        elif char in "([":
            self._open(char)
        elif char in ")]":
            self._close(char)
        elif self.feature is None:
            self.feature = char
        elif not self.ended:
            self.feature += char
        elif closed and self.release >= STRICT:
            raise Malformed("no feature can stand right after a bracket")

    def _append(self, operator: str) -> None:
        assert self.feature is not None
        self.entries.append(Entry(self.feature, self.count, operator, self.paren, self.bracket))
        self.feature, self.count, self.ended = None, 0, False

    def _open(self, char: str) -> None:
        already = self.paren if char == "(" else self.bracket
        if char == "[" and self.release >= STRICT:
            already = already or self.paren
        if self.feature is not None or already:
            raise Malformed(f"{char} can stand only where a feature could, and not inside another")
        if char == "(":
            self.paren = True
        else:
            self.bracket = True
            self.brackets_seen += 1
            if self.brackets_seen > 1 and self.release >= CHECKS_COUNTS:
                raise Malformed("[ can stand only once")

    def _close(self, char: str) -> None:
        is_open = self.paren if char == ")" else self.bracket
        if char == "]" and self.release >= STRICT:
            is_open = is_open and not self.paren
        if self.feature is None or not is_open:
            raise Malformed(f"{char} closes nothing, or nothing stands before it", general=char == ")")
        self.ended = self.closed = True
        if char == ")":
            self.paren = False
        else:
            self.bracket = False

    def _finish(self) -> None:
        if self.bracket or self.paren:
            raise Malformed("a bracket is not closed", general=self.bracket)
        if self.release >= STRICT and self.counted_outside and len(self.entries) > 1:
            raise Malformed("a count outside [] must stand alone")


def check_counts(entries: list[Entry]) -> None:
    """Refuse ``[a&b]`` without counts and ``[a*1|b*1]`` with them.  Raises Malformed."""
    inside: set[str] = set()
    for entry in entries:
        if entry.in_brackets_only:
            _check_count(entry, {entry.operator})
            inside.add(entry.operator)
        elif not entry.paren:
            _check_count(entry, inside)
            inside.clear()


def _check_count(entry: Entry, operators: set[str]) -> None:
    if "&" in operators and not entry.count:
        raise Malformed("in [] every feature joined by & needs a count", general=False)
    if "|" in operators and entry.count:
        raise Malformed("in [] no feature joined by | can have a count", general=False)
