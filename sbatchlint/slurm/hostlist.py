"""Counting the hosts of a Slurm host list such as ``gpu[01-03,07],login1``."""

from __future__ import annotations

from sbatchlint.slurm.grammar.agreement import agreed
from sbatchlint.slurm.grammar.hosts import HostList


def count_hosts(text: str) -> int | None:
    """Return how many different hosts *text* names; None for a file name or what cannot be read."""
    return agreed("nodelist", text, _count)


def _count(hosts: object) -> int | None:
    return (hosts.count() or None) if isinstance(hosts, HostList) else None
