"""The job's nodes by name: ``scontrol show hostnames | head -n 1`` and whatever else scripts write for it.

No script tells what a node is called.  So that two spellings of the first node are one thing for rules and
people, the value has one name, whatever was written, and the place where that stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.plan import Arg, LayerKind
from sbatchlint.launch.values import Unknown, Value, text_value, unknown
from sbatchlint.regex import regex

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.slurm_line import SlurmLine
    from sbatchlint.source import Span

FIRST_NODE = "$(first node)"
"""The name of the value that is the job's first node, where the batch script runs."""
ADDRESS_OF_FIRST = "$(address of the first node)"
"""What ``hostname --ip-address`` prints there: one address or several."""
NODES = "$(nodes of the job)"
"""All of them in Slurm's order, one a line."""
_IN_A_LINE = "$(nodes of the job, in a line)"
_OF_NODES = regex(
    r"\$\((first node|address of the first node|node \d+ of the job|nodes of the job(?:, in a line)?)\)"
)
_ONE_NODE = regex(r"\$\((?:first node|node \d+ of the job)\)")
_ALTERING = frozenset(("label", "output", "multi-prog", "relative", "het-group"))
"""Options of srun that change what is printed, or where the step runs."""
_LISTS = ("$SLURM_JOB_NODELIST", "$SLURM_NODELIST")


def for_people(text: str) -> str:
    """*text* with nodes of the job in braces, ``{first node}``: no command is called so."""
    return _OF_NODES.sub(r"{\1}", text)


def is_one_node(segment: Unknown) -> bool:
    """Tell whether *segment* is the name of one node of the job: a word without blanks."""
    return _ONE_NODE.fullmatch(segment.name) is not None


def is_node(value: Value) -> bool:
    """Tell whether *value* is the name of one node of the job."""
    leaf = _only(value)
    return leaf is not None and len(value.segments) == 1 and is_one_node(leaf)


def node(number: int, span: Span | None) -> Value:
    """The name of the job's node *number*, counted from 1."""
    return unknown(FIRST_NODE if number == 1 else f"$(node {number} of the job)", span)


def element(nodes: Value, index: int, span: Span | None) -> Value | None:
    """Element *index* of an array that *nodes* fills; None where these are no nodes."""
    return None if all_nodes(nodes) is None or index < 0 else node(index + 1, span)


def written_at(value: Value, span: Span | None) -> Value:
    """The value as one that is written at *span*, where it is nothing but nodes of the job."""
    leaf = _only(value)
    return value if leaf is None else Value((replace(leaf, span=span),))


def in_a_line(value: Value) -> Value | None:
    """What ``echo $nodes`` makes of all the nodes; None for any other value."""
    return unknown(_IN_A_LINE, value.span) if _name(value) == NODES else None


def all_nodes(text: Value) -> Value | None:
    """All the nodes, where *text* is nothing else."""
    leaf = _only(text)
    return Value((leaf,)) if leaf is not None and leaf.name == NODES else None


def picked(text: Value, number: int) -> Value | None:
    """Line *number* of *text*, where that is a list of nodes, one a line."""
    name = _name(text)
    if name == NODES:
        return node(number, text.span) + text_value("\n")
    return _as_line(text) if number == 1 else None


def field(text: Value, number: int) -> Value | None:
    """Word *number* of each line of *text*, where that is the names of nodes."""
    if _name(text) == _IN_A_LINE:
        return node(number, text.span) + text_value("\n")
    return _as_line(text) if number == 1 else None


def _as_line(text: Value) -> Value | None:
    leaf = _only(text)
    return Value((leaf,)) + text_value("\n") if leaf is not None and is_one_node(leaf) else None


def _only(text: Value) -> Unknown | None:
    """The nodes that *text* is, but for a newline at its end; None where it is anything else."""
    segments = text.segments
    if not segments or Value(segments[1:]).text not in ("", "\n"):
        return None
    first = segments[0]
    return first if isinstance(first, Unknown) and _OF_NODES.fullmatch(first.name) else None


def _name(text: Value) -> str:
    leaf = _only(text)
    return "" if leaf is None else leaf.name


# --- commands that print them ------------------------------------------------------------------------


def printed_nodes(machine: Machine, name: str, args: Sequence[Arg]) -> Value | None:
    """What ``scontrol show hostnames``, ``hostlist -e`` and ``hostname`` print; None for anything else."""
    if any(layer.kind is LayerKind.CONTAINER for layer in machine.place.layers):
        return None  # images hold no scontrol, and a container may have a name of its own
    texts = [(arg.text or "").lower() for arg in args[1:3]]
    if name == "hostname":
        batch = len(args) == 1 and not machine.place.in_task
        return node(1, args[0].place) + text_value("\n") if batch else None
    if name == "scontrol":
        expands = texts[:1] == ["show"] and texts[1:2] in (["hostname"], ["hostnames"])
        lists = args[3:]
    else:
        expands, lists = texts[:1] in (["-e"], ["--expand"]) and len(args) == 3, args[2:]
    if not expands or not (_is_own_list(machine, lists[0]) if len(lists) == 1 else not lists):
        return None
    return unknown(NODES, args[0].place) + text_value("\n")


def _is_own_list(machine: Machine, arg: Arg) -> bool:
    """Tell whether the word is the list of the job's nodes as Slurm gives it."""
    name = arg.value.show()
    return name in _LISTS and not arg.optional and name[1:] not in machine.state.variables


def printed_by_step(line: SlurmLine, command: Sequence[Arg], span: Span | None) -> Value | None:
    """What ``srun -N1 -n1 -w NODE hostname`` prints: that node's name, or the first one's address."""
    texts = [arg.text for arg in command]
    options = {option.name: option.value for option in line.options}
    tasks, where = options.get("ntasks"), options.get("nodelist")
    if where is None or tasks is None or tasks.text != "1" or not line.complete or _ALTERING & options.keys():
        return None
    leaf = _only(where)
    if leaf is None or not is_one_node(leaf) or texts[:1] != ["hostname"]:
        return None
    if len(texts) == 1:
        return Value((replace(leaf, span=span),)) + text_value("\n")
    if texts[1:] in (["-i"], ["-I"], ["--ip-address"], ["--all-ip-addresses"]) and leaf.name == FIRST_NODE:
        return unknown(ADDRESS_OF_FIRST, span) + text_value("\n")
    return None
