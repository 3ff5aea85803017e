"""What some small programs print, where it can be told from their arguments."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.digits import signed_number
from sbatchlint.launch.arithmetic import quotient
from sbatchlint.launch.combining import slice_value
from sbatchlint.launch.filters import FILTERS, filtered
from sbatchlint.launch.folders import file_name
from sbatchlint.launch.nodes import printed_nodes
from sbatchlint.launch.partial import ends_of
from sbatchlint.launch.plain_options import plain_options
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.redirections import write_file
from sbatchlint.launch.values import EMPTY, OUTPUT, Text, Unknown, Value, text_value, unknown
from sbatchlint.regex import regex

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

_PROGRAM = regex(r"[A-Za-z0-9_][\w.+-]*", re.A)


def printed_by(machine: Machine, name: str, args: Sequence[Arg]) -> Value | None:
    """What the command prints, newline included; None where that is not known."""
    if name in ("scontrol", "hostname", "hostlist"):
        return printed_nodes(machine, name, args)
    if any(arg.open or arg.optional for arg in args):
        return None
    if name in FILTERS:
        return filtered(machine, name, args)
    if name == "cat":
        return _cat(machine, args)
    if name == "tee":
        return _tee(machine, args)
    if name in _OF_PATHS:
        return _OF_PATHS[name](machine, args)
    return _by_texts(_OF_TEXTS[name], args) if name in _OF_TEXTS else None


def _cat(machine: Machine, args: Sequence[Arg]) -> Value | None:
    if len(args) == 1 or (len(args) == 2 and args[1].text == "-"):
        held = machine.stdin
        machine.stdin = None if held is None else EMPTY
        return held
    result = EMPTY
    for arg in args[1:]:
        written = machine.state.files.get(file_name(machine.state, arg.value))
        if written is None:
            return None
        result += written
    return result


def _tee(machine: Machine, args: Sequence[Arg]) -> Value | None:
    """``tee file``: the input goes to the output and to the files."""
    text = machine.stdin if machine.stdin is not None else unknown(OUTPUT)
    append = any(arg.text == "-a" for arg in args[1:])
    for arg in args[1:]:
        if not (arg.text or "").startswith("-"):
            write_file(machine, arg.value, text, append=append)
    return text


def path_of(args: Sequence[Arg]) -> Value | None:
    """``which program``, ``command -v program``: a folder that is not known, and the program's name.

    That the program is there is assumed; if it is not, nothing is printed.
    """
    text = args[-1].text
    flags = [arg.text for arg in args[1:-1]]
    if len(args) < 2 or flags not in ([], ["-v"], ["-P"]) or not text or not _PROGRAM.fullmatch(text):
        return None
    value = args[-1].value
    words = " ".join(arg.value.show() for arg in args)
    folder = Unknown(f"$(dirname $({words}))", value.span, looked_up=True)
    return Value((folder,)) + (text_value("/", value.span) + value).assumed() + text_value("\n")


def _real_path(machine: Machine, args: Sequence[Arg]) -> Value | None:
    """``realpath file``: the file's own name is kept unless it is a link, which is taken not to be so."""
    files = [arg.value for arg in args[1:] if not (arg.text or "").startswith("-")]
    if len(files) != 1 or (args[0].text == "readlink" and len(args) == 2):
        return None
    base = _last_part(files[0])
    if base is None or base.text in ("", ".", "..", "/"):
        return None
    folder = unknown(f"$(dirname $({' '.join(arg.value.show() for arg in args)}))", files[0].span)
    return folder + text_value("/").assumed() + base.assumed() + text_value("\n")


def _last_part(path: Value) -> Value | None:
    """What stands behind the last slash of a path; None where that is not known."""
    tail = ends_of(path).tail if path.text is None else path
    text = (tail.text or "").rstrip("/")
    at = text.rfind("/") + 1
    if path.text is None and (not at or not text):
        return None
    grade = Certainty.ASSUMED if tail.certainty is Certainty.ASSUMED else Certainty.KNOWN
    return slice_value(tail, at, len(text)).weakened(grade)


def _base(machine: Machine, args: Sequence[Arg]) -> Value | None:
    """``basename`` of a path that is known at its end."""
    texts = [arg.text for arg in args[2:]]
    if len(args) < 2 or args[1].text is not None or None in texts or _begins_as_option(args[1]):
        return _by_texts(_basename, args)
    last = _last_part(args[1].value)
    if last is None or last.text is None:
        return None
    line = _basename([last.text, *(text for text in texts if text is not None)])
    return None if line is None else text_value(line, last.span, last.certainty) + text_value("\n")


def _folder(machine: Machine, args: Sequence[Arg]) -> Value | None:
    """``dirname`` of a path that is known at its end."""
    if len(args) != 2 or args[1].text is not None or _begins_as_option(args[1]):
        return _by_texts(_dirname, args)
    path = args[1].value
    ends = ends_of(path)
    text = (ends.tail.text or "").rstrip("/")
    at = text.rfind("/")
    if at <= 0 or text[at - 1] == "/" or path.may_be_missing:
        return None
    grade = Certainty.ASSUMED if ends.certainty is Certainty.ASSUMED else Certainty.KNOWN
    return ends.head + ends.middle + slice_value(ends.tail, 0, at).weakened(grade) + text_value("\n")


def _begins_as_option(arg: Arg) -> bool:
    """Tell whether a path begins so that it is, or may be, an option."""
    first = arg.value.segments[0] if arg.value.segments else None
    return isinstance(first, Text) and first.text.startswith("-")


def _by_texts(printer: Callable[[list[str]], str | None], args: Sequence[Arg]) -> Value | None:
    texts = [arg.text for arg in args[1:] if arg.text is not None]
    if len(texts) < len(args) - 1:
        return None
    line = printer(texts)
    if line is None:
        return None
    value = text_value(line + "\n" if line else "", args[1].value.span if len(args) > 1 else None)
    return value.weakened(max((arg.value.certainty for arg in args[1:]), default=Certainty.KNOWN))


def _basename(texts: list[str]) -> str | None:
    found = plain_options(texts, {"-s": "suffix", "--suffix": "suffix"}, {"-a": "all", "--multiple": "all"})
    if found is None or not found[1]:
        return None
    options, paths = found
    suffix = options.get("suffix", "")
    if not options:
        if len(paths) > 2:
            return None
        suffix = paths.pop() if len(paths) == 2 else ""
    bases = [posixpath.basename(path.rstrip("/")) or path[:1] for path in paths]
    return "\n".join(base if base == suffix else base.removesuffix(suffix) for base in bases)


def _dirname(texts: list[str]) -> str | None:
    texts = texts[1:] if texts[:1] == ["--"] else texts
    if len(texts) != 1 or texts[0].startswith("-"):
        return None
    path = texts[0].rstrip("/")
    if not path:
        return "/" if texts[0] else "."
    head = path.rpartition("/")[0].rstrip("/")
    return head or ("/" if path.startswith("/") else ".")


def _seq(texts: list[str]) -> str | None:
    valued, flags = {"-s": "between", "--separator": "between"}, {"-w": "wide", "--equal-width": "wide"}
    found = plain_options(texts, valued, flags)
    if found is None:
        return None
    options, texts = found
    numbers = [number for number in map(signed_number, texts) if number is not None]
    padded = any(len(text.lstrip("-")) > 1 and text.lstrip("-")[0] == "0" for text in texts)
    if len(numbers) < len(texts) or not 1 <= len(numbers) <= 3 or ("wide" in options and padded):
        return None
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    if step == 0:
        return None
    values = range(first, numbers[-1] + (1 if step > 0 else -1), step)
    if len(values) > 1024:
        return None
    # The last number given counts for the width even where it is not reached.
    ends = (first, numbers[-1]) if "wide" in options else ()
    width = max((len(str(value)) for value in ends), default=0)
    return options.get("between", "\n").join(f"{value:0{width}d}" for value in values)


def _expr(texts: list[str]) -> str | None:
    """``expr A + B``, of whole numbers."""
    if len(texts) != 3 or not all(re.fullmatch(r"-?\d{1,18}", text, re.A) for text in texts[::2]):
        return None
    left, right = int(texts[0]), int(texts[2])
    if texts[1] in ("/", "%") and right == 0:
        return None
    operation = _OPERATIONS.get(texts[1])
    return None if operation is None else str(operation(left, right))


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": quotient,
    "%": lambda a, b: a - b * quotient(a, b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    "=": lambda a, b: int(a == b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    ">=": lambda a, b: int(a >= b),
    ">": lambda a, b: int(a > b),
}
_OF_TEXTS: dict[str, Callable[[list[str]], str | None]] = {"seq": _seq, "expr": _expr}
_OF_PATHS: dict[str, Callable[[Machine, Sequence[Arg]], Value | None]] = {
    "basename": _base,
    "dirname": _folder,
    "which": lambda _, args: path_of(args),
    "realpath": _real_path,
    "readlink": _real_path,
}
