"""How Slurm writes times, amounts and limits in its configuration and in what scontrol shows."""

from __future__ import annotations

import re
from typing import Literal

from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.times import span_of_time

Unlimited = Literal["UNLIMITED"]
UNLIMITED: Unlimited = "UNLIMITED"
"""No limit, said outright: None stands for a limit that is not known."""

Limit = int | Unlimited

_UNLIMITED = frozenset({"unlimited", "infinite", "-1"})
_AMOUNT = regex(r"(\d{1,15})([kmgtp]?)b?", re.IGNORECASE)
_POWER = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


def minutes(text: str) -> Limit | None:
    """Read a time limit: ``30``, ``30:00``, ``1:00:00``, ``1-12``, ``UNLIMITED``; seconds count as a minute.

    None for text that is no time, or one below zero.  Unlike with ``--time``, 0 is no minute at all.
    """
    span = span_of_time(text.strip())
    if span is not None and span.seconds is None:
        return UNLIMITED
    return None if span is None or span.seconds is None or span.seconds < 0 else -(-span.seconds // 60)


def show_minutes(value: Limit) -> str:
    """Write a time limit as Slurm does: ``2-00:00:00``."""
    if value == UNLIMITED:
        return UNLIMITED
    days, rest = divmod(value, 24 * 60)
    clock = f"{rest // 60:02}:{rest % 60:02}:00"
    return f"{days}-{clock}" if days else clock


def mebibytes(text: str) -> Limit | None:
    """Read an amount of memory, in MiB where no unit is given; None for text that is none.

    It is shown with more units than ``--mem`` takes, and UNLIMITED is one.
    """
    if text.strip().lower() in _UNLIMITED:
        return UNLIMITED
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return None
    unit = match[2].lower() or "m"
    size: int = int(match[1]) * 1024 ** _POWER[unit]
    return -(-size // 1024**2)


def count(text: str) -> Limit | None:
    """Read a number; None for text that is none."""
    text = text.strip()
    if text.lower() in _UNLIMITED:
        return UNLIMITED
    return int(text) if re.fullmatch("[0-9]{1,100}", text) else None


def gres_amount(text: str) -> int | None:
    """Read the count of a generic resource: ``8``, ``4K`` (1024 each)."""
    match = re.fullmatch(r"(\d{1,15})([kmgtp]?)", text.strip(), re.IGNORECASE)
    return int(match[1]) * 1024 ** _POWER[match[2].lower()] if match else None


def over(asked: Limit | None, most: Limit | None) -> bool:
    """Tell whether *asked* is more than *most*; what is not known is over nothing."""
    if asked is None or most is None or most == UNLIMITED:
        return False
    return asked == UNLIMITED or asked > most
