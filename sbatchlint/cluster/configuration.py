r"""Reading ``slurm.conf``, ``gres.conf`` and the files that they include.

Source: ``src/common/parse_config.c`` and the manual pages.  A line ends in ``\`` where the next one
belongs to it, ``#`` begins a comment unless ``\`` stands before it, keys are read in any case.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from sbatchlint.cluster.records import Record, Records, record
from sbatchlint.files import read_bytes
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_COMMENT = regex(r"(?<!\\)#.*")
_INCLUDE = regex(r"\s*include\s+(\S+)", re.IGNORECASE)
_DEEPEST = 16
_LARGEST = 64 << 20
"""Bytes of one file."""
_LIST_KEYS = {"nodename": "nodes", "partitionname": "partitions", "nodeset": "node_sets"}
_IGNORED = frozenset({"downnodes", "frontendname", "slurmctldhost"})
_KEYS = frozenset(
    "accountingstoragehost accountingstoragetres accountingstoragetype accountingstorageenforce "
    "authtype backupcontroller clustername communicationparameters controlmachine cryptotype debugflags "
    "defmempercpu defmempergpu defmempernode enforcepartlimits epilog fastschedule firstjobid grestypes "
    "groupupdateforce healthcheckprogram inactivelimit interconnecttype jobacctgatherfrequency "
    "jobacctgathertype jobcompdir jobcomptype jobcontainertype jobfileappend jobrequeue "
    "jobsubmitplugins killonbadexit killwait launchparameters licenses mailprog maxarraysize "
    "maxjobcount maxmempercpu maxmempernode maxstepcount maxtaskspernode messagetimeout minjobage "
    "mpidefault mpiparams namespacetype plugindir plugstackconfig preemptmode preempttype prioritytype "
    "prioritydecayhalflife priorityweightage privatedata proctracktype prolog prologflags "
    "propagateresourcelimits propagateresourcelimitsexcept rebootprogram resumeprogram resumetimeout "
    "returntoservice schedulerparameters schedulertype selecttype selecttypeparameters slurmctlddebug "
    "slurmctldhost slurmctldlogfile slurmctldparameters slurmctldpidfile slurmctldport slurmctldtimeout "
    "slurmddebug slurmdlogfile slurmdpidfile slurmdport slurmdspooldir slurmdtimeout slurmuser "
    "srunepilog srunprolog statesavelocation suspendprogram suspendtime switchtype taskepilog "
    "taskplugin taskpluginparam taskprolog tmpfs topologyparam topologyplugin treewidth "
    "unkillablesteptimeout usepam vsizefactor waittime".split()
)
"""Keys by which a ``slurm.conf`` is known, besides those of nodes and partitions (its manual page)."""


class UnreadableFile(Exception):
    """A file that is named cannot be read, or is no ``slurm.conf``; the text is what to tell the user."""


@dataclass
class _Defaults:
    nodename: Record
    partitionname: Record


def read_configuration(slurm_conf: Path, gres_conf: Path | None = None) -> Records:
    """Read the files.  Raises UnreadableFile, also for a file that another one includes or is no slurm.conf.

    Without *gres_conf*, a file of that name beside *slurm_conf* is read where there is one.
    """
    records = Records()
    defaults = _Defaults({}, {})
    for line in _lines(slurm_conf, slurm_conf.parent, 0):
        _take(line, records, defaults)
    if not (_KEYS & records.settings.keys() or records.nodes or records.partitions or records.node_sets):
        raise UnreadableFile(f"{slurm_conf}: is no slurm.conf: it has none of its keys")
    if gres_conf is None and (slurm_conf.parent / "gres.conf").is_file():
        gres_conf = slurm_conf.parent / "gres.conf"
    if gres_conf is not None:
        records.gres = [record(line) for line in _lines(gres_conf, gres_conf.parent, 0)]
    beside = Path(records.settings.get("plugstackconfig", slurm_conf.parent / "plugstack.conf"))
    if beside.is_file():
        records.plugins = list(plugin_lines(beside))
    return records


def plugin_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a ``plugstack.conf`` and what it includes; an unreadable one has none."""
    try:
        yield from _lines(path, path.parent, 0)
    except UnreadableFile:
        return


def _take(line: str, records: Records, defaults: _Defaults) -> None:
    """Add one line of ``slurm.conf`` to what is known."""
    found = record(line)
    first = next(iter(found), None)
    if first is None or first in _IGNORED:
        return
    if first not in _LIST_KEYS:
        records.settings.update(found)
        return
    known: Record = getattr(defaults, first, {})
    if found[first].upper() == "DEFAULT":
        known.update({key: value for key, value in found.items() if key != first})
        return
    entries: list[Record] = getattr(records, _LIST_KEYS[first])
    earlier = next((entry for entry in entries if entry[first] == found[first]), None)
    if earlier is not None and first == "partitionname":
        earlier.update(found)  # a partition may be described in several lines
    else:
        entries.append({**known, **found})


def _lines(path: Path, folder: Path, depth: int) -> Iterator[str]:
    """Yield the lines that say something, comments gone, continued ones joined, included ones in place."""
    try:
        text = read_bytes(str(path), _LARGEST).decode("utf-8", "replace")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableFile(f"{path}: cannot be read ({reason})") from None
    for line in _joined(text):
        include = _INCLUDE.match(line)
        if include is None:
            yield line.replace("\\#", "#")
            continue
        for name in _included(include[1], folder):
            if depth == _DEEPEST:
                raise UnreadableFile(f"{path}: includes files more than {_DEEPEST} deep")
            yield from _lines(name, folder, depth + 1)


def _joined(text: str) -> Iterator[str]:
    pending = ""
    for line in text.splitlines():
        line = pending + _COMMENT.sub("", line).rstrip()
        if line.endswith("\\"):
            pending = line[:-1] + " "
            continue
        pending = ""
        if line.strip():
            yield line
    if pending.strip():
        yield pending


def _included(name: str, folder: Path) -> list[Path]:
    """Return the files that an include line names: below the first file's folder, or a pattern."""
    path = folder / os.path.expandvars(name)
    if any(letter in name for letter in "*?["):
        return sorted(path.parent.glob(path.name)) if path.parent.is_dir() else []
    return [path]
