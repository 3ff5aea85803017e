"""How commands end, and what a branch may take for granted of its way."""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.launch.values import Value
from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """What a branch may take for granted of a variable: its value, or only that it is not empty."""

    name: str
    value: Value | None
    filled: bool = True
    """False where it may be empty, though it is set (``[ -v X ]``)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ends.  ``holds`` is None where that is not known."""

    holds: bool | None
    likely: bool = False
    """True for an ordinary command: not known, but scripts count on its success."""
    assumed: bool = False
    """True where the decision rests on a default."""
    if_true: tuple[Fact, ...] = ()
    if_false: tuple[Fact, ...] = ()
    blanks: tuple[str, ...] = ()
    """Variables that the script leaves empty and on whose emptiness the decision rests."""
    excuse: bool = False
    """True for a failure that ``set -e`` passes over, since something else has looked at it."""
    code: int | None = None
    """The exit status of a failure, where it is known."""

    def negated(self) -> Outcome:
        """The outcome of ``! command``."""
        holds = None if self.holds is None else not self.holds
        code = 1 if holds is False else None
        return Outcome(holds, False, self.assumed, self.if_false, self.if_true, self.blanks, code=code)

    @property
    def exit_status(self) -> str | None:
        """What ``$?`` gives afterwards; None where that is not known."""
        if self.holds is True:
            return "0"
        return None if self.holds is None or self.code is None else str(self.code)

    def excused(self) -> Outcome:
        """The same outcome as one that ``set -e`` passes over."""
        return replace(self, excuse=True)

    def unexcused(self) -> Outcome:
        """The same outcome as that of a command of its own."""
        return replace(self, excuse=False) if self.excuse else self


SUCCESS = Outcome(True)
FAILURE = Outcome(False, code=1)
LIKELY = Outcome(None, likely=True)
OPEN = Outcome(None)


def both(left: Outcome, other: Outcome) -> Outcome:
    """``left && other``."""
    if left.holds is False:
        return left
    if left.holds is True:
        blanks = left.blanks + other.blanks
        return replace(other, assumed=other.assumed or left.assumed, blanks=blanks)
    if other.holds is False:
        return other
    return Outcome(None, False, False, left.if_true + other.if_true, ())


def either(left: Outcome, other: Outcome) -> Outcome:
    """``left || other``."""
    return both(left.negated(), other.negated()).negated()
