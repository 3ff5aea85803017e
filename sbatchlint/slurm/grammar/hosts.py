"""Host lists: ``--nodelist``, ``--exclude``.

Which names are nodes, only the cluster knows.  The library python-hostlist expands the names; what is a host
list and what is not is decided here, since Slurm has limits and leniences of its own.
Sources: ``_hostlist_create_bracketed`` and ``_parse_single_range`` of ``src/common/hostlist.c``,
``verify_node_list`` of ``proc_args.c``.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import leading_integer
from sbatchlint.slurm.options import Release

MOST_IN_RANGE = 64 * 1024
"""Slurm's MAX_RANGE."""
MOST_NAMES = 100_000
"""More names than that are not expanded."""

_SUFFIX = (23, 11)
"""From here on a name may go on behind its last bracket (``node[1-2]x``)."""
_CLOSES = (23, 2)
"""From here on sbatch itself refuses a bracket that is not closed; before, it made up a name of the rest."""
_FATAL_WORDS = (24, 5)
_SEPARATORS = "\t, \n"
_BRACKET = regex(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class HostList:
    """Names of hosts, ranges still folded."""

    items: tuple[str, ...]
    """Each with its brackets, in a spelling that python-hostlist reads: ``gpu[01-03,07]``."""

    def names(self) -> tuple[str, ...] | None:
        """Give every name once, in order; None where there are more than 100,000."""
        from hostlist import BadHostlist, expand_hostlist  # late: most scripts name no hosts

        if sum(_size(item) for item in self.items) > MOST_NAMES:
            return None
        try:
            return tuple(expand_hostlist(",".join(self.items)))
        except (BadHostlist, RecursionError, ValueError):  # of too many brackets or digits
            return None

    def count(self) -> int | None:
        """Count the different names; None where there are more than 100,000."""
        names = self.names()
        return None if names is None else len(names)


@dataclass(frozen=True, slots=True)
class HostFile:
    """A file that lists the hosts: any value with a ``/`` in it.  It is read when sbatch runs."""

    path: str


def _hosts(text: str, context: Context) -> HostList | HostFile:
    if "/" in text:
        return HostFile(text)
    try:
        items = [_item(token, context) for token in _tokens(text)]
        return HostList(tuple(item for item in items if item))
    except _Malformed as malformed:
        raise _refusal(malformed, context) from None


class _Malformed(ValueError):
    """What Slurm can't read.

    ``said`` is what its parser says of it, if anything; ``unread`` tells that sbatch lets it pass.
    """

    def __init__(self, detail: str, said: str = "", *, unread: bool = False) -> None:
        super().__init__(detail)
        self.said = said
        self.unread = unread


def _refusal(malformed: _Malformed, context: Context) -> Refused:
    if context.option != "nodelist" or malformed.unread:
        return Refused("Invalid node name specified", str(malformed), stage=Stage.CONTROLLER)
    last = "memory allocation failure"
    if context.release >= _FATAL_WORDS:
        last = "Invalid node list specified"
    return Refused("\n".join(filter(None, (malformed.said, last))), str(malformed))


def _tokens(text: str) -> list[str]:
    """Split at commas and blanks, but not at those in a pair of brackets, as Slurm pairs them."""
    tokens = []
    while text := text.lstrip(_SEPARATORS):
        end = _token_end(text)
        tokens.append(text[:end])
        text = text[end:]
    return tokens


def _token_end(text: str) -> int:
    looked = end = 0
    while True:
        end = next((at for at in range(end, len(text)) if text[at] in _SEPARATORS), len(text))
        opened, closed = text.find("[", looked), text.find("]", looked)
        while -1 < opened <= end and opened < closed < end:
            looked = closed + 1
            opened, closed = text.find("[", looked), text.find("]", looked)
        if not -1 < opened <= end or closed < opened:
            return end
        end = closed


def _item(token: str, context: Context) -> str:
    """Check one item and spell it as python-hostlist wants it; empty where Slurm finds no name in it."""
    item = _bracketed(token, context.release)
    if not item and token == "[" and context.option != "nodelist":
        # sbatch drops such a name from --nodelist alone; the controller gets the others as they are.
        raise _Malformed("a bracket is opened and no name follows", unread=True)
    if set("[]") & set(_BRACKET.sub("", item)):
        raise _Malformed("a bracket without its partner is in no node's name", unread=True)
    return item


def _bracketed(token: str, release: Release) -> str:
    prefix, bracket, ranges = token.rpartition("[")
    if not bracket:
        return token
    ranges, closed, suffix = ranges.partition("]")
    if not closed and not prefix and release < _CLOSES:
        return ranges
    if not closed:
        raise _Malformed("a bracket is not closed", unread=release < _CLOSES)
    if suffix and release < _SUFFIX:
        raise _Malformed("before 23.11 nothing may follow the last bracket")
    ranges = _ranges(ranges)
    return _spelled(prefix, f"[{ranges}]{suffix}")


def _spelled(prefix: str, rest: str) -> str:
    """Check the bracket before the last; Slurm forgives mistakes in those still further in front."""
    before, opened, inside = prefix.rpartition("[")
    ranges, closed, between = inside.rpartition("]")
    if not opened or not closed:
        return prefix + rest
    rest = f"[{_ranges(ranges)}]{between}{rest}"
    try:
        return _spelled(before, rest)
    except _Malformed:
        return ""


def _ranges(text: str) -> str:
    return ",".join(_range(part) for part in text.split(","))


def _range(text: str) -> str:
    """Check ``01-03`` or ``07``; ``01-`` is ``01``."""
    low_text, dash, high_text = text.partition("-")
    said = f"_parse_single_range: Invalid range: `{text}'"
    low, rest = leading_integer(low_text)
    no_range = _Malformed(f"{text or 'nothing'} is no range of numbers", said)
    if "x" in text or rest == low_text or high_text.startswith("-"):
        raise no_range
    # What follows the first number goes unread where there is a second.
    high, rest = leading_integer(high_text) if high_text else (low, rest)
    if rest:
        raise no_range
    if low > high:
        raise _Malformed(f"the range {text} runs backwards", said)
    if high - low + 1 > MOST_IN_RANGE:
        too_many = f"_parse_single_range: Too many hosts in range `{text}'"
        raise _Malformed(f"the range {text} has more than {MOST_IN_RANGE} hosts", too_many)
    width = len(low_text)
    return f"{low:0{width}d}-{high:0{width}d}" if dash and high > low else f"{low:0{width}d}"


def _size(item: str) -> int:
    """Count the names of one item, as many as its brackets allow, without expanding them."""
    size = 1
    for match in _BRACKET.finditer(item):
        size *= sum(_range_size(part.split("-")) for part in match[1].split(","))
    return size


def _range_size(ends: Sequence[str]) -> int:
    return max(1, leading_integer(ends[-1])[0] - leading_integer(ends[0])[0] + 1)


GRAMMARS = (
    Grammar(
        "hostlist",
        "names of nodes",
        (
            ("NAME,NAME", "each of them"),
            ("PREFIX[01-03,07]", "PREFIX01, PREFIX02, PREFIX03 and PREFIX07"),
            ("PREFIX[1-2]r[1-4]", "all combinations"),
            ("DIR/FILE", "the names that the file lists: anything with a / is a file"),
        ),
        ("gpu01", "gpu[01-03,07],login1", "gpu[1-2]r[1-2]", "gpu01,,gpu02", "./hosts", "gpu[01-]", ""),
        ("gpu[03-01]", "gpu[01", "gpu[]", "gpu[01,]", "gpu[a]", "gpu[1-999999]", "gpu[0x1]"),
        _hosts,
        (
            "Zeros in front count: gpu[1-3] is not gpu[01-03].",
            "A name can go on behind its last bracket from 23.11 on.",
            "More names than --nodes allows are refused before 23.02.",
        ),
    ),
)
