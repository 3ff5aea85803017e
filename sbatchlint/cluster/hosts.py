"""Host lists: their hosts one by one, and the short way of writing many."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.hosts import HostList
from sbatchlint.slurm.option_values import read_value
from sbatchlint.slurm.options import KNOWN_RELEASES

_NUMBERED = regex(r"(.*?)(\d{1,18})", re.DOTALL)


@lru_cache(maxsize=1024)
def expand_hosts(text: str) -> tuple[str, ...] | None:
    """Return the hosts that *text* names, each once; None for a file name or what cannot be read."""
    if "{" in text:  # a function such as {feature=x}, which only the cluster can answer
        return None
    found = read_value("exclude", text, KNOWN_RELEASES[-1])
    return found.names() if isinstance(found, HostList) else None


def compress_hosts(hosts: Iterable[str]) -> str:
    """Write *hosts* as one host list, ``gpu[01-03,07],login1``."""
    single: list[str] = []
    numbered: dict[tuple[str, int], set[int]] = {}
    for host in dict.fromkeys(hosts):
        match = _NUMBERED.fullmatch(host)
        if match is None:
            single.append(host)
            continue
        # "node9" and "node10" belong together, "node09" and "node9" do not.
        digits = match[2]
        width = len(digits) if digits.startswith("0") and len(digits) > 1 else 0
        numbered.setdefault((match[1], width), set()).add(int(digits))
    _join_padded(numbered)
    items = [(prefix, width, _item(prefix, width, numbers)) for (prefix, width), numbers in numbered.items()]
    return ",".join([item for _, _, item in sorted(items)] + sorted(single))


def _join_padded(numbered: dict[tuple[str, int], set[int]]) -> None:
    """Move unpadded numbers that fill the width of padded ones to these: ``gpu10`` to ``gpu09``."""
    for prefix, width in [key for key in numbered if key[1]]:
        plain = numbered.get((prefix, 0), set())
        fitting = {number for number in plain if len(str(number)) == width}
        numbered[prefix, width] |= fitting
        plain -= fitting
        if not plain:
            numbered.pop((prefix, 0), None)


def _item(prefix: str, width: int, numbers: set[int]) -> str:
    ranges = []
    for first, last in _runs(sorted(numbers)):
        low, high = str(first).zfill(width), str(last).zfill(width)
        ranges.append(low if first == last else f"{low}-{high}")
    if len(numbers) == 1:
        return prefix + ranges[0]
    return f"{prefix}[{','.join(ranges)}]"


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Cut sorted *numbers* into runs without a gap."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
