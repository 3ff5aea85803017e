"""The cluster profile for people: tables of partitions and node types, and the settings that matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.cluster.node_groups import groups_of, total
from sbatchlint.cluster.profile import NodeType, Partition, Profile
from sbatchlint.cluster.resources import ANY_TYPE
from sbatchlint.cluster.units import Limit, show_minutes
from sbatchlint.report.cells import cells, shown
from sbatchlint.report.style import Style

NOT_KNOWN = "-"
_WIDEST_CELL = 40
_CUT = "..."


def cluster_text(profile: Profile, style: Style) -> str:
    """Return the whole profile as text, with its line ends; ``-`` stands for what is not known."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(profile, style))


def _lines(profile: Profile, style: Style) -> Iterator[str]:
    release = f", Slurm {profile.release}" if profile.release else ""
    yield style.strong(shown(f"{profile.name or 'unnamed cluster'}{release}"))
    yield from _block("partitions", _partition_rows(profile), style)
    yield from _block("nodes", _node_rows(profile), style)
    yield from _block("QOS", _qos_rows(profile), style)
    yield from _block("file systems", _file_system_rows(profile), style)
    pairs = list(_pairs(profile))
    if pairs:
        width = max(len(label) for label, _ in pairs)
        yield ""
        for label, text in pairs:
            yield f"  {style.faint(f'{label:{width}}')}  {shown(text)}"


def _block(title: str, rows: list[Sequence[str]], style: Style) -> Iterator[str]:
    """Yield a table; its first row is the heading.  Nothing for a table without rows."""
    if len(rows) < 2:
        return
    texts = [[_cell(text) for text in row] for row in rows]
    widths = [max(_width(text) for text in column) for column in zip(*texts, strict=True)]
    yield ""
    yield style.strong(title)
    for number, row in enumerate(texts):
        line = "  ".join(
            text + " " * (width - _width(text)) for text, width in zip(row, widths, strict=True)
        ).rstrip()
        yield f"  {line if number else style.faint(line)}"


def _cell(text: str) -> str:
    safe = shown(text) or NOT_KNOWN
    return safe if len(safe) <= _WIDEST_CELL else safe[: _WIDEST_CELL - len(_CUT)] + _CUT


def _width(text: str) -> int:
    return sum(cell.width for cell in cells(text))


# --- tables ----------------------------------------------------------------------------------------


def _partition_rows(profile: Profile) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [("name", "state", "time", "default", "nodes", "of them", "GPUs", "hosts")]
    rows += (_partition_row(profile, partition) for partition in profile.partitions or ())
    return rows


def _partition_row(profile: Profile, partition: Partition) -> Sequence[str]:
    groups = groups_of(profile, partition)
    kinds = [group.kind for group in groups or () if group.kind is not None]
    types = dict.fromkeys(name for kind in kinds for name in _gpus(kind).split(", ") if kind.gpu_count)
    return (
        partition.name + ("*" if partition.default else ""),
        partition.state,
        _time(partition.max_time),
        _time(partition.default_time),
        _range(partition),
        "" if groups is None else str(total(groups)),
        ", ".join(types) or ("none" if kinds else ""),
        partition.nodes or ", ".join(partition.node_types or ()),
    )


def _range(partition: Partition) -> str:
    """Show how many nodes one job may have."""
    least, most = partition.min_nodes or 0, partition.max_nodes
    upper = "any number" if most == "UNLIMITED" else "" if most is None else f"up to {most}"
    return f"{least} or more, {upper}".rstrip(", ") if least > 1 else upper


def _node_rows(profile: Profile) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [
        ("number", "CPUs", "sockets x cores x threads", "memory", "GPUs", "features", "hosts")
    ]
    rows += (_node_row(kind) for kind in profile.node_types or ())
    return rows


def _node_row(kind: NodeType) -> Sequence[str]:
    shape = (kind.sockets, kind.cores_per_socket, kind.threads_per_core)
    return (
        _number(kind.number),
        _number(kind.cpus),
        "" if shape == (None, None, None) else " x ".join("?" if one is None else str(one) for one in shape),
        "" if kind.memory_mib is None else f"{kind.memory_mib / 1024:.0f}G",
        _gpus(kind),
        ",".join(kind.features or ()),
        kind.hosts or kind.name or "",
    )


def _gpus(kind: NodeType) -> str:
    if kind.gpu_types is None:
        return ""
    named = (
        f"{number} {'' if name == ANY_TYPE else name}".strip() for name, number in kind.gpu_types.items()
    )
    return ", ".join(named) or "none"


def _qos_rows(profile: Profile) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [("name", "time", "nodes", "CPUs", "GPUs", "flags")]
    for qos in profile.qos or ():
        limits = (qos.max_nodes, qos.max_cpus, qos.max_gpus)
        rows.append((qos.name, _time(qos.max_time), *map(_number, limits), ",".join(qos.flags)))
    return rows


def _file_system_rows(profile: Profile) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [("path", "purpose", "shared", "purged")]
    for one in profile.file_systems:
        days = one.purged_after_days
        purged = "" if days is None else f"after {days} days"
        rows.append((one.path, one.purpose or "", _yes(one.shared), purged))
    return rows


def _pairs(profile: Profile) -> Iterator[tuple[str, str]]:
    settings = profile.settings.model_dump(by_alias=True, exclude_none=True)
    for key, value in settings.items():
        yield key, _value(value)
    if profile.licenses:
        yield "licenses", ", ".join(f"{name}:{number}" for name, number in profile.licenses.items())
    if profile.accounts is not None:
        yield "accounts", ", ".join(profile.accounts)
    for name, plugin in (profile.plugins or {}).items():
        version = f" {plugin.version}" if plugin.version else ""
        support = {True: ", options in sbatch too", False: ", options in srun only", None: ""}
        yield "plugin", f"{name}{version}{support[plugin.sbatch_support]}"
    if profile.known_options:
        yield "known-options", " ".join(profile.known_options)
    yield from _network(profile)
    containers = profile.containers
    if containers.runtime is not None:
        yield "containers", containers.runtime
    if containers.image_folder is not None:
        yield "images", containers.image_folder
    if containers.mounts:
        yield "mounts", ", ".join(containers.mounts)
    if containers.mounts_home is not None:
        yield "mounts-home", _yes(containers.mounts_home)
    if containers.container_scope is not None:
        yield "container-scope", containers.container_scope
    if containers.image_cache is not None:
        yield "image-cache", containers.image_cache


def _network(profile: Profile) -> Iterator[tuple[str, str]]:
    if profile.compute_internet is not None:
        yield "compute-internet", _yes(profile.compute_internet)
    mirrors = profile.mirrors
    for name in ("pypi", "conda", "docker", "huggingface"):
        address = getattr(mirrors, name)
        if address is not None:
            yield f"mirror of {name}", address
    if mirrors.hosts:
        yield "hosts", ", ".join(mirrors.hosts)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return _yes(value)
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _yes(value: bool | None) -> str:
    return {True: "yes", False: "no", None: ""}[value]


def _number(value: Limit | None) -> str:
    return "" if value is None else str(value).lower()


def _time(value: Limit | None) -> str:
    return "" if value is None else show_minutes(value).lower()
