"""What some small programs print, where it can be told from their arguments."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.plan import Arg
from sbatchlint.launch.redirections import file_name, write_file
from sbatchlint.launch.values import EMPTY, OUTPUT, Value, text_value, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine


def printed_by(machine: Machine, name: str, args: Sequence[Arg]) -> Value | None:
    """What the command prints, newline included; None where that is not known."""
    if any(arg.open or arg.optional for arg in args):
        return None
    if name == "cat":
        return _cat(machine, args)
    if name == "tee":
        return _tee(machine, args)
    texts = [arg.text for arg in args[1:]]
    printer = _PRINTERS.get(name)
    if printer is None or any(text is None for text in texts):
        return None
    line = printer([text for text in texts if text is not None])
    if line is None:
        return None
    worst = max((arg.value.certainty for arg in args[1:]), default=None)
    span = args[1].value.span if len(args) > 1 else None
    value = text_value(line + "\n" if line else "", span)
    return value if worst is None else value.weakened(worst)


def _cat(machine: Machine, args: Sequence[Arg]) -> Value | None:
    if len(args) == 1 or (len(args) == 2 and args[1].text == "-"):
        return machine.stdin
    result = EMPTY
    for arg in args[1:]:
        written = machine.state.files.get(file_name(arg.value))
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


def _basename(texts: list[str]) -> str | None:
    if not 1 <= len(texts) <= 2 or texts[0].startswith("-"):
        return None
    base = posixpath.basename(texts[0].rstrip("/")) or "/"
    suffix = texts[1] if len(texts) == 2 else ""
    return base[: -len(suffix)] if suffix and base.endswith(suffix) and base != suffix else base


def _dirname(texts: list[str]) -> str | None:
    if len(texts) != 1 or texts[0].startswith("-"):
        return None
    path = texts[0].rstrip("/")
    if not path:
        return "/"
    head = path.rpartition("/")[0].rstrip("/")
    return head or ("/" if path.startswith("/") else ".")


def _seq(texts: list[str]) -> str | None:
    try:
        numbers = [int(text) for text in texts]
    except ValueError:
        return None
    if not 1 <= len(numbers) <= 3:
        return None
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    if step == 0:
        return None
    values = range(first, numbers[-1] + (1 if step > 0 else -1), step)
    return "\n".join(str(value) for value in values) if len(values) <= 1024 else None


_PRINTERS: dict[str, Callable[[list[str]], str | None]] = {
    "basename": _basename,
    "dirname": _dirname,
    "seq": _seq,
}
