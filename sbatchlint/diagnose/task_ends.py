"""srun's own words about tasks that failed: which task, on which node, with which code."""

from __future__ import annotations

from sbatchlint.diagnose.facts import Seen, TaskEnd
from sbatchlint.digits import whole_number
from sbatchlint.regex import regex

_LINE = regex(r"srun: error: ([\w.,\[\]-]+): tasks? ([\d,-]+): (.*)")
_CODE = regex(r"Exited with exit code (\d{1,3})")
_WORDS = {
    "Terminated": 143, "Killed": 137, "Aborted": 134, "Bus error": 135, "Segmentation fault": 139,
    "Out Of Memory": 253, "User defined signal 1": 138, "User defined signal 2": 140, "Interrupt": 130,
    "Hangup": 129, "Floating point exception": 136, "Illegal instruction": 132,
}  # fmt: skip
_MOST = 65536


def read_task_end(seen: Seen) -> TaskEnd | None:
    """Return what a line of srun says of the end of tasks; None where it can't be read."""
    match = _LINE.search(seen.text)
    if match is None:
        return None
    code = _CODE.match(match[3])
    number = (
        int(code[1]) if code else next((n for word, n in _WORDS.items() if match[3].startswith(word)), None)
    )
    return TaskEnd(seen, expand_nodes(match[1]), expand_numbers(match[2]), number)


def expand_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers that ``0-2,4`` stands for; none where there are absurdly many."""
    found: list[int] = []
    for part in text.split(","):
        low, dash, high = part.partition("-")
        first, last = whole_number(low), whole_number(high if dash else low)
        if first is None or last is None:
            continue
        span = range(first, last + 1)
        if len(span) > _MOST:
            return ()
        found.extend(span)
    return tuple(found)


def expand_nodes(text: str) -> tuple[str, ...]:
    """Return the names that a list such as ``gpu-g[01-03,05]`` stands for; the text itself if it is none."""
    if "[" not in text and "," not in text:
        return (text,)
    from hostlist import BadHostlist, expand_hostlist

    try:
        return tuple(expand_hostlist(text))
    except (BadHostlist, ValueError, RecursionError):  # of too many digits or brackets
        return (text,)
