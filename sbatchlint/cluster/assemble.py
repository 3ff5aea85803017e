"""From what a Slurm told of itself to a cluster profile."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Literal

from sbatchlint.cluster.node_types import node_types
from sbatchlint.cluster.outputs import release_of
from sbatchlint.cluster.partitions import memory_limit, partitions
from sbatchlint.cluster.profile import Profile, Qos
from sbatchlint.cluster.records import Record, Records, listed, told
from sbatchlint.cluster.site import Containers, Plugin, Settings
from sbatchlint.cluster.units import UNLIMITED, Limit, count, minutes
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.c_text import leading_integer
from sbatchlint.slurm.options import option_table

_ENFORCE = {"ALL": "ALL", "YES": "ALL", "ANY": "ANY", "NO": "NO"}
_YES = frozenset({"1", "yes", "true"})
_NO = frozenset({"0", "no", "false"})
_PLUGIN_LINE = regex(r"(?:required|optional)\s+(\S+)((?:\s+\S+)*)", re.IGNORECASE)
_DEFAULTS = {
    "enforcepartlimits": "NO",
    "maxarraysize": "1001",
    "maxtaskspernode": "512",
    "jobfileappend": "0",
    "jobrequeue": "1",
    "killonbadexit": "0",
    "waittime": "0",
}
"""What Slurm takes where ``slurm.conf`` is silent, in all supported releases (manual page of slurm.conf)."""


def profile_from(records: Records, *, name: str | None = None, release: str | None = None) -> Profile:
    """Build the profile; *name* and *release* go before what the records say."""
    plugins = _plugins(records)
    return Profile(
        name=name or records.settings.get("clustername"),
        release=release or release_of(records.settings.get("slurm_version", "")),
        known_options=_site_options(records.sbatch_options or ()),
        accounts=None if records.accounts is None else tuple(dict.fromkeys(records.accounts)),
        licenses=_licenses(records),
        settings=_settings(records),
        containers=Containers(
            runtime="pyxis" if plugins and "pyxis" in plugins else None, container_scope=_scope(records)
        ),
        plugins=plugins,
        partitions=partitions(records) or None,
        node_types=node_types(records) or None,
        qos=None if records.qos is None else tuple(_qos(row) for row in records.qos if row.get("name")),
    )


def _settings(records: Records) -> Settings:
    found: Record = {**({} if records.from_controller else _DEFAULTS), **records.settings}
    accounting = found.get("accountingstoragetype")
    if accounting is None and not records.from_controller:
        accounting = "accounting_storage/none"
    return Settings.model_validate(
        {
            "enforce_part_limits": _ENFORCE.get(found.get("enforcepartlimits", "").upper()),
            "max_array_size": _number(found, "maxarraysize"),
            "max_tasks_per_node": _number(found, "maxtaskspernode"),
            "default_memory_per_cpu_mib": memory_limit(found, "defmempercpu"),
            "default_memory_per_node_mib": _default_memory(found, records),
            "max_memory_per_cpu_mib": memory_limit(found, "maxmempercpu"),
            "max_memory_per_node_mib": memory_limit(found, "maxmempernode"),
            "select_type": told(found.get("selecttype")),
            "select_type_parameters": listed(found.get("selecttypeparameters")),
            "job_file_append": _switch(found, "jobfileappend"),
            "job_requeue": _switch(found, "jobrequeue"),
            "kill_on_bad_exit": _switch(found, "killonbadexit"),
            "wait_time_seconds": _number(found, "waittime"),
            "mpi_default": found.get("mpidefault"),
            "task_plugin": listed(found.get("taskplugin")),
            "job_submit_plugins": listed(found.get("jobsubmitplugins")),
            "accounting": None if accounting is None else not accounting.endswith("none"),
            "accounting_enforce": _enforced(found.get("accountingstorageenforce")),
            "gres_types": listed(found.get("grestypes")),
            "topology_plugin": told(found.get("topologyplugin")),
            "private_tmp": _private_tmp(found),
        }
    )


def _number(found: Record, key: str) -> int | None:
    value = count(found.get(key, "").partition(" ")[0])
    return None if value == UNLIMITED else value


def _switch(found: Record, key: str) -> bool | None:
    text = found.get(key, "").lower()
    return True if text in _YES else False if text in _NO else None


def _private_tmp(found: Record) -> bool | None:
    """True with a plugin that gives jobs a /tmp of their own; without one, others of the site may do it.

    Manual pages of job_container.conf and namespace.yaml; the setting has another name from 25.11 on.
    """
    kinds = (found.get("jobcontainertype", ""), found.get("namespacetype", ""))
    return True if {"job_container/tmpfs", "namespace/tmpfs", "namespace/linux"} & set(kinds) else None


def _default_memory(found: Record, records: Records) -> Limit | None:
    """Return the default for a node; UNLIMITED where there is none at all, which gives jobs whole nodes."""
    per_node, per_cpu = memory_limit(found, "defmempernode"), memory_limit(found, "defmempercpu")
    told_all = bool(records.settings)
    return per_node if per_node or per_cpu or not told_all else UNLIMITED


def _enforced(text: str | None) -> tuple[str, ...] | None:
    return () if text is not None and text.lower() in ("none", "0") else listed(text)


def _licenses(records: Records) -> dict[str, int] | None:
    """Return the licences; a controller that tells of none has none."""
    if records.licenses is not None:
        return records.licenses
    text = records.settings.get("licenses")
    if text is None:
        return None if records.from_controller and not records.settings else {}
    found: dict[str, int] = {}
    for item in listed(text) or ():
        name, _, number = item.partition(":")
        found[name] = leading_integer(number)[0] if number.isdigit() else 1
    return found


def _qos(row: Record) -> Qos:
    most = {}
    for item in (row.get("maxtres") or "").split(","):
        key, _, value = item.partition("=")
        most[key] = value
    return Qos(
        name=row["name"],
        max_time=minutes(row.get("maxwall") or UNLIMITED),
        max_nodes=_most(most, "node"),
        max_cpus=_most(most, "cpu"),
        max_gpus=_most(most, "gres/gpu"),
        flags=listed(row.get("flags")) or (),
    )


def _most(limits: Record, key: str) -> Limit | None:
    return count(limits.get(key, UNLIMITED))


# --- plugins ---------------------------------------------------------------------------------------


def _plugins(records: Records) -> dict[str, Plugin] | None:
    found: dict[str, Plugin] = {}
    for line in records.plugins:
        match = _PLUGIN_LINE.match(line.strip())
        if match is not None:
            found[_plugin_name(match[1])] = Plugin(sbatch_support=_support(match[2].split()))
    if records.sbatch_options is not None:
        # What sbatch itself offers tells more than the file, which may say nothing of it.
        takes = "--container-image=" in records.sbatch_options
        if takes or "pyxis" in found:
            found["pyxis"] = Plugin(sbatch_support=takes)
    return found or None


def _scope(records: Records) -> Literal["job", "global"] | None:
    """The ``container_scope`` that ``plugstack.conf`` gives to Pyxis."""
    for line in records.plugins:
        match = _PLUGIN_LINE.match(line.strip())
        if match is not None and _plugin_name(match[1]) == "pyxis":
            for key, _, value in (word.partition("=") for word in match[2].split()):
                if key == "container_scope" and value in ("job", "global"):
                    return "job" if value == "job" else "global"
    return None


def _plugin_name(path: str) -> str:
    stem = os.path.basename(path).partition(".")[0]
    return re.sub(r"^(?:lib)?(?:spank[_-])?", "", stem) or stem


def _support(words: Iterable[str]) -> bool | None:
    for word in words:
        key, _, value = word.partition("=")
        if key == "sbatch_support":
            return value.lower() in _YES
    return None


def _site_options(options: Iterable[str]) -> tuple[str, ...]:
    """Return the options of plugins that sbatchlint does not know anyway."""
    known = {spec.long for spec in option_table()}
    return tuple(option for option in options if option.strip("-=") not in known)
