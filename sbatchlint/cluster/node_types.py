"""From records of nodes to node types: nodes that are alike are described once."""

from __future__ import annotations

from sbatchlint.cluster.hosts import compress_hosts, expand_hosts
from sbatchlint.cluster.profile import NodeType
from sbatchlint.cluster.records import Record, Records, listed, told
from sbatchlint.cluster.resources import read_gres, with_types
from sbatchlint.cluster.units import UNLIMITED, count, mebibytes
from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """One node, with the record that describes it."""

    host: str
    record: Record


def nodes_of(records: Records) -> list[Node]:
    """Return every node once, in the order in which they were told; a FUTURE one is none yet."""
    found: dict[str, Node] = {}
    for record in records.nodes:
        if "FUTURE" in record.get("state", "").upper():
            continue
        for host in expand_hosts(record.get("nodename", "")) or ():
            found[host] = Node(host, record)
    return list(found.values())


def node_types(records: Records) -> tuple[NodeType, ...]:
    """Return the node types, those with most nodes first."""
    groups: dict[str, list[str]] = {}
    described: dict[str, NodeType] = {}
    types: dict[tuple[int, str], str] = {}
    for node in nodes_of(records):
        # One record of a file may stand for thousands of nodes; only gres.conf tells them apart.
        key = (id(node.record), node.host if records.gres else "")
        if key not in types:
            kind = _type(node, records)
            types[key] = kind.model_dump_json()
            described.setdefault(types[key], kind)
        groups.setdefault(types[key], []).append(node.host)
    largest_first = sorted(groups.items(), key=lambda group: -len(group[1]))
    return tuple(
        described[kind].model_copy(update={"hosts": compress_hosts(hosts)}) for kind, hosts in largest_first
    )


def features_of(record: Record) -> tuple[str, ...]:
    """Return the features of a node, whether a file or the controller tells of it."""
    for key in ("availablefeatures", "features", "feature"):
        if key in record:
            return listed(record[key]) or ()
    return ()


def _type(node: Node, records: Records) -> NodeType:
    record = node.record
    gres = with_types(read_gres(record.get("gres")), node.host, records.gres)
    sockets, cores, threads = _sockets(record), _whole(record, "corespersocket"), _threads(record)
    return NodeType(
        cpus=_cpus(record, sockets, cores, threads),
        sockets=sockets,
        cores_per_socket=cores,
        threads_per_core=threads,
        memory_mib=_memory(record),
        tmp_disk_mib=_whole(record, "tmpdisk"),
        features=features_of(record),
        gpus=gres.gpus,
        gres=gres.others,
    )


def _whole(record: Record, key: str) -> int | None:
    value = count(record.get(key, ""))
    return None if value == UNLIMITED else value


def _sockets(record: Record) -> int | None:
    whole = _whole(record, "sockets")
    boards, on_board = _whole(record, "boards"), _whole(record, "socketsperboard")
    return whole if whole is not None or on_board is None else on_board * (boards or 1)


def _threads(record: Record) -> int | None:
    told_threads = _whole(record, "threadspercore")
    return 1 if told_threads is None and "corespersocket" in record else told_threads


def _cpus(record: Record, sockets: int | None, cores: int | None, threads: int | None) -> int | None:
    """Return the CPUs that jobs can have: without those set aside for the system."""
    effective = _whole(record, "cpuefctv")
    if effective is not None:
        return effective
    keys = ("cputot", "cpus", "procs")
    whole = next((value for value in (_whole(record, key) for key in keys) if value is not None), None)
    if whole is None and sockets and cores:
        whole = sockets * cores * (threads or 1)
    if whole is None:
        return None
    aside = (_whole(record, "corespeccount") or 0) * (threads or 1)
    listed_aside = told(record.get("cpuspeclist"))
    if listed_aside is not None:
        aside = len(expand_hosts(f"[{listed_aside}]") or ())
    return max(whole - aside, 0)


def _memory(record: Record) -> int | None:
    whole = mebibytes(record.get("realmemory", ""))
    if whole is None or whole == UNLIMITED:
        return None
    return max(whole - (_whole(record, "memspeclimit") or 0), 0)
