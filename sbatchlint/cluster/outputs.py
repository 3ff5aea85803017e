"""Reading what ``scontrol show``, ``sinfo`` and ``sacctmgr`` print, live or saved in files.

An output is known by its first words, so that a saved one may have any name.
"""

from __future__ import annotations

import re
from pathlib import Path

from sbatchlint.cluster.records import Record, Records, record
from sbatchlint.files import read_bytes
from sbatchlint.regex import regex

LARGEST = 256 << 20
"""Bytes of one saved output; what scontrol shows of ten thousand nodes has some ten million."""
SINFO_FORMAT = "%N|%c|%X|%Y|%Z|%m|%d|%f|%G"
_SINFO_KEYS = "nodename cpus sockets corespersocket threadspercore realmemory tmpdisk features gres".split()
_SETTING = regex(r"([A-Za-z][\w-]*(?:\[\d+\])?)\s+=(?: (.*))?")
_LICENSE = regex(r"LicenseName=(\S{1,200})\s+Total=(\d{1,18})\b")
_PLUGIN_OPTION = regex(r"\s*(?:-\w, *)?(--[\w-]+)(=|\[=)?")
_BEGINS = (
    ("Usage: sbatch", "help"),
    ("Configuration data as of", "config"),
    ("PartitionName=", "partition"),
    ("NodeName=", "node"),
    ("LicenseName=", "license"),
)


def read_dump(folder: Path) -> Records:
    """Read the saved outputs in *folder*, each in a file of its own.  Raises OSError."""
    records = Records(from_controller=True)
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        take_output(read_bytes(str(path), LARGEST).decode("utf-8", "replace"), records, path.name)
    return records


def take_output(text: str, records: Records, name: str = "") -> bool:
    """Add what one command printed; False where it is none of the known outputs.

    *name* is the file's, which only tells a ``plugstack.conf`` from other text.
    """
    kind = _kind(text, name)
    if kind == "config":
        records.settings.update(_settings(text))
    elif kind == "partition":
        records.partitions += [record(block) for block in blocks(text, "PartitionName=")]
    elif kind == "node":
        records.nodes += [record(block) for block in blocks(text, "NodeName=")]
    elif kind == "license":
        found = {match[1]: int(match[2]) for match in _LICENSE.finditer(text)}
        records.licenses = {**(records.licenses or {}), **found}
    elif kind == "sinfo":
        records.nodes += _sinfo_nodes(text)
    elif kind == "qos":
        records.qos = table(text)
    elif kind == "account":
        records.accounts = [row["account"] for row in table(text) if row.get("account")]
    elif kind == "help":
        records.sbatch_options = _plugin_options(text)
    elif kind == "plugins":
        lines = (line.partition("#")[0].strip() for line in text.splitlines())
        records.plugins += [line for line in lines if line]
    return kind is not None


def _kind(text: str, name: str) -> str | None:
    start = text.lstrip()
    for words, kind in _BEGINS:
        if start.startswith(words):
            return kind
    head = start.partition("\n")[0].strip().split("|")
    if head[0] == "Name" and "Flags" in head:
        return "qos"
    if head[0] == "Account":
        return "account"
    if head[0] == "NODELIST":
        return "sinfo"
    return "plugins" if name.startswith("plugstack") else None


def blocks(text: str, start: str) -> list[str]:
    """Cut the output of ``scontrol show`` into one text a thing, on one line or on many."""
    return [f"{start}{' '.join(part.split())}" for part in re.split(rf"(?m)^{re.escape(start)}", text)[1:]]


def table(text: str) -> list[Record]:
    """Read what ``sacctmgr -P`` prints: a line of names, then one line each, with bars between."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return []
    names = [name.strip().lower() for name in lines[0].split("|")]
    return [dict(zip(names, line.split("|"), strict=False)) for line in lines[1:]]


def _settings(text: str) -> Record:
    found: Record = {}
    for line in text.splitlines():
        match = _SETTING.fullmatch(line.strip())
        if match is not None and match[2] and match[2].strip() != "(null)":
            found.setdefault(match[1].lower(), match[2].strip())
    return found


def _plugin_options(text: str) -> list[str]:
    """Return the options in the last part of ``sbatch --help``, which plugins fill."""
    lines = text.partition("Options provided by plugins:")[2].splitlines()
    found = filter(None, map(_PLUGIN_OPTION.match, lines))
    return [match[1] + ("=" if match[2] else "") for match in found]


def _sinfo_nodes(text: str) -> list[Record]:
    """Read ``sinfo -N -o``: one line a node and partition, so a node may come twice."""
    found: dict[str, Record] = {}
    for line in text.splitlines()[1:]:
        values = line.split("|")
        if len(values) == len(_SINFO_KEYS):
            found[values[0]] = dict(zip(_SINFO_KEYS, (value.rstrip("+") for value in values), strict=True))
    return list(found.values())


def release_of(version: str) -> str | None:
    """Return the release in what ``scontrol --version`` or ``SLURM_VERSION`` says: ``22.05.8``."""
    match = re.search(r"\b(\d{2}\.\d{2}(?:\.\d+)?)", version)
    return match[1] if match else None
