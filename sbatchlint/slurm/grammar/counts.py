"""Counts: tasks, CPUs and the like, and the small numbers of a few flags.

Sources: ``parse_int``, ``get_resource_arg_range`` and ``verify_socket_core_thread_count`` in
``src/common/proc_args.c``; ``arg_set_*`` in ``src/common/slurm_opt.c``.
"""

from __future__ import annotations

import re

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import INT_MAX, LONG_MIN, leading_integer, lower, wrap
from sbatchlint.slurm.grammar.integers import plain_integer, short_integer, too_large
from sbatchlint.slurm.grammar.node_counts import NODE_COUNT
from sbatchlint.slurm.grammar.times import span_of_time

_NO_VALUE = 2**32 - 2
_TOP_PRIORITY = _NO_VALUE - 1
_NICE_LIMIT = 2**31 - 3
_SUFFIX = {"k": 1024, "m": 1024 * 1024}
_CHECKED_AGAIN = {
    "ntasks": (0, "invalid number of tasks (-n {})"),
    "cpus-per-task": (1, "invalid number of cpus per task (-c {})"),
}
"""What sbatch says of a number that was cut, and from where on not (``src/sbatch/opt.c``)."""
_SCT_PART = 47
"""Slurm looks at this many characters of each part of ``--extra-node-info``."""
_JOB_AND_TASK = (23, 2)
"""From here on ``srun --jobid`` takes all that names a job or a task of an array."""
_TREE_WIDTH_OFF = 0xFFFD


@dataclass(frozen=True, slots=True)
class Range:
    """Least and greatest count; ``high`` is None where any number above ``low`` will do."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class NodeShape:
    """``--extra-node-info``: what a node must have.  None for a part that is not asked for."""

    sockets: Range | None
    cores_per_socket: Range | None
    threads_per_core: Range | None


@dataclass(frozen=True, slots=True)
class Switches:
    """``--switches``: at most so many leaf switches, and how long to wait for them."""

    count: int
    wait_seconds: int | None
    """None where no time was given, or one that is not a time, which Slurm passes over in silence."""


def _positive(text: str, context: Context) -> int:
    number = plain_integer(text, context, positive=True)
    least, said = _CHECKED_AGAIN.get(context.option, (number, ""))
    if number < least:
        raise Refused(said.format(number), "the number is cut to 32 bits")
    return number


def _not_negative(text: str, context: Context) -> int:
    return plain_integer(text, context, positive=False)


def _segment(text: str, context: Context) -> int:
    size = short_integer(text)
    if size is None:
        raise Refused(f"Invalid --{context.option} specification", "a segment has 0 to 65533 nodes")
    return size


def _tree_width(text: str, context: Context) -> int:
    width = _TREE_WIDTH_OFF if lower(text) == "off" else short_integer(text)
    if width is None:
        raise Refused(f"Invalid --{context.option} value: {text}", "a width is 0 to 65533 or off")
    return width


def _int_list(text: str, context: Context) -> tuple[int, ...]:
    inner = text.removeprefix("[").removesuffix("]")
    numbers: list[int] = []
    for item in inner.split(","):
        match = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", item)
        if match is None or int(match[2] or match[1]) < int(match[1]):
            raise Refused(f"Invalid --{context.option} value: {text}", "it takes numbers and ranges of them")
        numbers.extend(range(int(match[1]), int(match[2] or match[1]) + 1))
    return tuple(numbers)


def _optional_int(text: str, context: Context) -> int | None:
    if not text:
        return None
    return _nice(text) if context.option == "nice" else plain_integer(text, context, positive=False)


def _nice(text: str) -> int:
    number, _ = leading_integer(text)
    # The least 64-bit number has no absolute value: it slips through and is cut to 0.
    if number != LONG_MIN and abs(number) > _NICE_LIMIT:
        raise Refused(f"Invalid --nice value, out of range (+/- {_NICE_LIMIT})")
    return wrap(number, 32)


def _shape(text: str, context: Context) -> NodeShape:
    parts = [part[:_SCT_PART] for part in text.split(":", 2)]
    parts[2:] = [parts[2].partition(":")[0]] if len(parts) > 2 else []
    ranges = [
        _resource_range(part, f"{place} arg of -B", context)
        for place, part in zip(("first", "second", "third"), [*parts, "", ""], strict=False)
    ]
    return NodeShape(*ranges)


def _resource_range(text: str, what: str, context: Context) -> Range | None:
    if not text or text.startswith("*"):
        return None
    low, rest = _resource_number(text, text, what, 0, context)
    if not rest:
        return Range(low, None)
    high, _ = _resource_number(rest[1:], text, what, 1, context)
    return Range(low, high)


def _resource_number(text: str, whole: str, what: str, least: int, context: Context) -> tuple[int, str]:
    number, rest = leading_integer(text)
    factor = _SUFFIX.get(lower(rest[:1]))
    if factor is not None:
        number, rest = wrap(number * factor, 64), rest[1:]
    if rest[:1] not in ("", "-") or number < least:
        raise Refused(f'Invalid numeric value "{whole}" for {what}.')
    if number > INT_MAX:
        raise Refused(f"Numeric argument ({number}) {too_large(context)} for {what}.")
    return number, rest


def _zero_one(text: str, context: Context) -> bool:
    number = wrap(plain_integer(text, context, positive=False), 16, signed=False)
    if number > 1:
        raise Refused(f"Invalid --{context.option} specification", "it takes 0 or 1")
    return bool(number)


def _optional_01(text: str, context: Context) -> bool:
    number = short_integer(text) if text else 1
    if number is None or number > 1:
        raise Refused(f"Invalid --{context.option} specification", "it takes 0 or 1")
    return bool(number)


def _priority(text: str, context: Context) -> int:
    if lower(text) == "top":
        return _TOP_PRIORITY
    number, _ = leading_integer(text)
    if number < 0:
        raise Refused("Priority must be >= 0")
    if number >= _NO_VALUE:
        raise Refused(f"Priority must be < {_NO_VALUE}")
    return number


def _job_id(text: str, context: Context) -> int | str:
    """Give the number of a job, or the text where a newer srun takes more than a number."""
    if context.release < _JOB_AND_TASK:
        return plain_integer(text, context, positive=True)
    number, rest = leading_integer(text)
    if number <= 0 and not text.startswith("s"):
        raise Refused(f"Bad job/step specified: {text}", "it takes the number of a job")
    return text if rest else number


def _switches(text: str, context: Context) -> Switches:
    count, at, wait = text.partition("@")
    number = plain_integer(count, context, positive=True)
    span = span_of_time(wait) if at else None
    return Switches(number, span.seconds if span else None)


_NOT_COUNTS = ("-1", "1k", "4.0", "0x4", "1e3", "x", "4 ", "4,5")
_COUNT_NOTES = (
    "White space and a plus sign may stand before the number.",
    "Until 22.05 a number is cut to 32 bits, so that 4294967296 becomes 0; later it is refused.",
)

GRAMMARS = (
    NODE_COUNT,
    Grammar(
        "int>0",
        "a whole number above zero",
        (("N", "the number"),),
        ("1", "4", "+4", "08", " 4"),
        ("", "0", *_NOT_COUNTS),
        _positive,
        _COUNT_NOTES,
    ),
    Grammar(
        "int>=0",
        "a whole number",
        (("N", "the number"),),
        ("", "0", "1", "+4", "08"),
        _NOT_COUNTS,
        _not_negative,
        _COUNT_NOTES,
    ),
    Grammar(
        "int",
        "a whole number above zero",
        (("N", "the number"),),
        ("1", "30"),
        ("", "0", *_NOT_COUNTS),
        _positive,
        _COUNT_NOTES,
    ),
    Grammar(
        "segment",
        "how many nodes a segment has, 0 to 65533",
        (("N", "nodes"),),
        ("0", "1", "8", "65533"),
        ("65534", *_NOT_COUNTS),
        _segment,
    ),
    Grammar(
        "tree_width",
        "the width of the tree of messages, 0 to 65533, or off",
        (("N", "the width"), ("off", "every node is asked directly")),
        ("0", "50", "off"),
        ("65534", *_NOT_COUNTS),
        _tree_width,
    ),
    Grammar(
        "int_list",
        "numbers and ranges of numbers",
        (("A,B-C", "A, and all from B to C"), ("[A,B-C]", "the same")),
        ("0", "0,2", "0-3", "[0,2-3]"),
        ("", "x", "1-", "3-1"),
        _int_list,
    ),
    Grammar(
        "optional_int",
        "a whole number, or nothing for the default",
        (("N", "the number"), ("", "the default")),
        ("", "0", "1", "100"),
        ("-99999999999",),
        _optional_int,
        ("--nice takes a number below zero too, and takes text that is not a number as 0.",),
    ),
    Grammar(
        "sct",
        "what a node must have: sockets, cores in each, threads in each core",
        (("S:C:T", "sockets, cores, threads; each a number, LOW-HIGH, or * for any"),),
        ("2", "2:4", "2:4:1", "*:4", "1-2:4", "1k", ""),
        ("x", "-1", "2:x", "2-x", "1.5"),
        _shape,
    ),
    Grammar(
        "zero_one",
        "0 or 1",
        (("0", "no"), ("1", "yes")),
        ("0", "1", ""),
        ("2", "-1", "yes", "x"),
        _zero_one,
    ),
    Grammar(
        "optional_01",
        "0 or 1; nothing is 1",
        (("0", "no"), ("1", "yes")),
        ("", "0", "1"),
        ("2", "-1", "yes"),
        _optional_01,
    ),
    Grammar(
        "priority",
        "a priority from 0 to 4294967293, or TOP",
        (("N", "the priority"), ("TOP", "the greatest")),
        ("0", "100", "TOP", "top", "x"),
        ("-1", "4294967294"),
        _priority,
        ("Text that does not begin with a number is taken as 0.",),
    ),
    Grammar(
        "jobid",
        "the number of a job",
        (("N", "the job"),),
        ("12",),
        ("", "0", "x"),
        _job_id,
        ("Since 23.02 a task of an array can be named: 12_3.",),
    ),
    Grammar(
        "switches",
        "how many leaf switches the job may span, and how long to wait for so few",
        (("N", "switches"), ("N@TIME", "switches, and the longest wait, written as for --time")),
        ("1", "2@60", "2@1:00:00", "1@"),
        ("", "0", "x", "-1", "@60", "1 @60"),
        _switches,
        ("A time that is not one is passed over in silence.",),
    ),
)
