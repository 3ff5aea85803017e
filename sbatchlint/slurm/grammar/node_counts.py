"""``--nodes``: a number, a range, or since 23.02 a list.

Sources: ``verify_node_count`` and ``str_to_nodes`` in ``src/common/proc_args.c``, ``bitfmt2int`` and
``inx2bitstr`` in ``src/common/bitstring.c``.
"""

from __future__ import annotations

import re

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import INT_MAX, is_blank, leading_integer, wrap

LISTS = (23, 2)
"""First series that takes lists and steps, and that checks a count against the size of a C int."""
_LIST_LIMIT = 16384
_LIMITED = (24, 11)
"""First series in which no member of a list may reach ``_LIST_LIMIT``."""


@dataclass(frozen=True, slots=True)
class NodeCount:
    """How many nodes a job may have."""

    low: int
    high: int
    sizes: tuple[range, ...] = ()
    """Where a list was given: the only counts that will do, as ranges in the order written."""


def _node_count(text: str, context: Context) -> NodeCount:
    if context.release >= LISTS and ("," in text or ":" in text):
        count = _list(text, context)
    else:
        count = _span(text, context)
    if count.high != 0 and count.high < count.low:
        raise Refused(f"Maximum node count {count.high} is less than minimum node count {count.low}")
    if count.high == 0:
        raise Refused(
            "Batch job submission failed: Node count specification invalid",
            "a job needs at least one node",
            stage=Stage.CONTROLLER,
        )
    return count


def _span(text: str, context: Context) -> NodeCount:
    low_text, dash, high_text = text.partition("-")
    low = _number(low_text, context)
    if not dash:
        if low < 0:
            raise _refusal(text)
        return NodeCount(low, low)
    return NodeCount(1 if low < 0 else low, _number(high_text, context))


def _number(text: str, context: Context) -> int:
    """Give the count; -1 where there is none, which Slurm itself takes for a number."""
    number, rest = leading_integer(text)
    if rest == text:
        if not is_blank(text):
            raise _refusal(text)
        return -1
    for letter, factor in (("k", 1024), ("m", 1024 * 1024)):
        if rest[:1] in (letter, letter.upper()):
            number, rest = wrap(number * factor, 64), rest[1:]
    if not is_blank(rest):
        raise _refusal(text)
    if context.release >= LISTS and not 0 <= number <= INT_MAX:
        return -1
    return wrap(number, 32)


def _list(text: str, context: Context) -> NodeCount:
    greatest = 0
    for item in re.split("[,:-]+", text):
        if not item:
            continue
        number, rest = leading_integer(item)
        if rest or (context.release >= _LIMITED and number >= _LIST_LIMIT):
            raise _refusal(item)
        greatest = max(greatest, number)
    sizes = _stepped(text) if ":" in text else _plain(text)
    if sizes is None or any(size.stop - 1 > greatest for size in sizes):
        raise _refusal(text)
    members = [size for size in sizes if size]
    if not members:
        raise Refused("invalid number of nodes (-N -1--1)", "the list holds no number")
    return NodeCount(min(size[0] for size in members), max(size[-1] for size in members), tuple(members))


def _plain(text: str) -> tuple[range, ...]:
    """Read ``2,4-6``.  Slurm looks at digits, dashes and commas and passes over all else."""
    if text.startswith(","):
        return ()
    spans = []
    for item in text.split(","):
        numbers = [int("".join(re.findall("[0-9]", part))[:12] or "0") for part in item.split("-")]
        first = numbers[-2] if len(numbers) > 1 else numbers[-1]
        spans.append(range(first, numbers[-1] + 1))
    return tuple(spans)


def _stepped(text: str) -> tuple[range, ...] | None:
    """Read ``1-9:2``: one range with a step, whose end is left out."""
    first, rest = leading_integer(text)
    if not rest.startswith("-"):
        return None
    last, rest = leading_integer(rest[1:])
    if not rest.startswith(":"):
        return None
    step, rest = leading_integer(rest[1:])
    if rest or last < first or step <= 0:
        return None
    if first < 0 and first != last:
        # Slurm ends its own list of numbers with -1 and so takes that one for no number at all.
        return () if first == -1 else None
    return (range(first, last, step),)


def _refusal(text: str) -> Refused:
    return Refused(f'"{text}" is not a valid node count')


NODE_COUNT = Grammar(
    "node_count",
    "how many nodes",
    (
        ("N", "exactly N"),
        ("MIN-MAX", "from MIN to MAX"),
        ("-MAX", "from 1 to MAX"),
        ("Nk", "N times 1024; m: times 1048576"),
        ("A,B-C", "A, or B to C (since 23.02)"),
        ("MIN-MAX:STEP", "MIN, MIN+STEP and so on, below MAX (since 23.02)"),
    ),
    ("4", "2-4", "-4", "1k", "+4", "04", "0-4", " 4", "4 ", "-1"),
    ("", "abc", "=2", "4-2", "1-", "2g", "1-4:x", "0", "1-2-3", "4.0", "-"),
    _node_count,
    (
        "Lists and steps are known since 23.02.",
        "The greatest number of MIN-MAX:STEP is left out: 1-9:2 is 1, 3, 5 or 7 nodes.",
        "-4 is not a wrong number: it means 1 to 4.",
    ),
)
