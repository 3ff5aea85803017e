"""Counting the hosts of a Slurm host list such as ``gpu[01-03,07],login1``."""

from __future__ import annotations

import re

_ITEM = re.compile(r"[^\[\],\s/{}]*(?:\[([0-9,-]+)\][^\[\],\s/{}]*)*")
_SPLIT = re.compile(r",(?![^\[]*\])")
_MOST = 100_000


def count_hosts(text: str) -> int | None:
    """Return how many different hosts *text* names; None for a file name or what cannot be read."""
    hosts: set[str] = set()
    for item in _SPLIT.split(text):
        expanded = _expand(item) if item and _ITEM.fullmatch(item) else None
        if expanded is None:
            return None
        hosts.update(expanded)
        if len(hosts) > _MOST:
            return None
    return len(hosts)


def _expand(item: str) -> list[str] | None:
    """Expand every bracket of one item."""
    names = [""]
    for index, piece in enumerate(re.split(r"\[([^\]]*)\]", item)):
        choices = _numbers(piece) if index % 2 else [piece]
        if choices is None or len(names) * len(choices) > _MOST:
            return None
        names = [name + choice for name in names for choice in choices]
    return names


def _numbers(ranges: str) -> list[str] | None:
    """Expand ``01-03,07``, keeping the zeros in front."""
    numbers: list[str] = []
    for part in ranges.split(","):
        match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", part)
        if match is None:
            return None
        low, high = match[1], match[2] or match[1]
        if int(high) < int(low) or int(high) - int(low) > _MOST:
            return None
        numbers += [str(number).zfill(len(low)) for number in range(int(low), int(high) + 1)]
    return numbers
