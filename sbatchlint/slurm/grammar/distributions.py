"""How tasks are laid out: ``--distribution``.

Sources: ``verify_dist_type``, ``_parse_plane_dist`` and ``_parse_dist_base`` of ``src/common/proc_args.c``.
"""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import INT_MAX, leading_integer, lower

_EXACT = (21, 8)
"""From here on words must be whole; before, any beginning of one was taken and an unknown one ignored."""
_NODES = ("block", "cyclic")
_INSIDE = ("block", "cyclic", "fcyclic")
_ALONE = {"block": "block", "cyclic": "cyclic", "arbitrary": "arbitrary", "hostfile": "arbitrary"}
_PACKING = {"pack": True, "nopack": False}


@dataclass(frozen=True, slots=True)
class Distribution:
    """How tasks go to nodes, sockets and cores; an empty word leaves it to Slurm."""

    nodes: str = ""
    """``block``, ``cyclic``, ``arbitrary`` or ``plane``."""
    sockets: str = ""
    cores: str = ""
    plane_size: int | None = None
    """Tasks per block, for ``plane``."""
    pack: bool | None = None
    """True for ``Pack`` (as few nodes as will do), False for ``NoPack``."""


def _distribution(text: str, context: Context) -> Distribution:
    if lower(text).startswith("plane"):
        return _plane(text)
    read = _whole_words if context.release >= _EXACT else _loose_words
    found = read(text)
    if found is None:
        raise Refused("Invalid --distribution specification")
    return found


def _plane(text: str) -> Distribution:
    number = text.partition("=")[2]
    size, rest = leading_integer(number)
    if not number or rest or not 0 < size <= INT_MAX:
        said = "Invalid plane size or size not specified\nInvalid --distribution specification"
        raise Refused(said, "it takes plane=SIZE alone")
    return Distribution("plane", plane_size=size)


def _whole_words(text: str) -> Distribution | None:
    if text.startswith(","):
        return None
    base, _, flag = text.partition(",")
    words = [word for word in base.split(":") if word]
    found = _layout([lower(word) for word in words])
    if found is None and len(words) == 1 and lower(words[0]) in _PACKING:
        found = Distribution(pack=_PACKING[lower(words[0])])
    if found is None or (flag and lower(flag) not in _PACKING):
        return None
    return replace(found, pack=_PACKING[lower(flag)]) if flag else found


def _layout(words: list[str]) -> Distribution | None:
    """Read up to three words; ``*`` is block for nodes, cyclic for sockets, the sockets' word for cores."""
    nodes, sockets, cores = [*words, "", "", ""][:3]
    if not words or len(words) > 3:
        return None
    nodes = "block" if nodes == "*" else nodes
    if len(words) == 1:
        return Distribution(_ALONE[nodes]) if nodes in _ALONE else None
    sockets = "cyclic" if sockets == "*" else sockets
    cores = sockets if cores == "*" else cores
    if nodes not in _NODES or sockets not in _INSIDE or (cores and cores not in _INSIDE):
        return None
    return Distribution(nodes, sockets, cores)


def _loose_words(text: str) -> Distribution | None:
    """Read as 20.11 does: the last word that it knows counts, and one of them is enough."""
    found = Distribution()
    for token in filter(None, text.split(",")):
        if ":" in token:
            words = token.split(":")
            found = replace(_layout([lower(word) for word in words]) or found, pack=found.pack)
        else:
            found = _loose_word(lower(token), found)
    return None if found == Distribution() else found


def _loose_word(word: str, found: Distribution) -> Distribution:
    for whole, meaning in {"cyclic": "cyclic", "block": "block", "*": "block", **_ALONE}.items():
        if whole.startswith(word):
            return Distribution(meaning, pack=found.pack)
    for whole in ("nopack", "pack"):
        if whole.startswith(word):
            return replace(found, pack=_PACKING[whole])
    return found


DISTRIBUTION = Grammar(
    "distribution",
    "how tasks are laid out over nodes, sockets and cores",
    (
        ("block", "neighbouring tasks on one node"),
        ("cyclic", "one task on each node in turn"),
        ("plane=SIZE", "blocks of SIZE tasks in turn"),
        ("arbitrary", "as the file of hosts says"),
        ("NODES:SOCKETS[:CORES]", "each of its own; * is the default, and the inner two have fcyclic"),
        ("...,Pack", "as few nodes as will do; NoPack: not so"),
    ),
    ("block", "cyclic", "plane=4", "block:cyclic", "block:fcyclic:cyclic", "*:block", "block,Pack", "BLOCK"),
    ("plane", "plane=0", "plane=4,pack", "x", "", ",", ":"),
    _distribution,
    ("In 20.11 beginnings of words are taken too, and unknown words beside a known one are ignored.",),
)
