"""``echo`` and ``printf``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.digits import signed_number, whole_number
from sbatchlint.launch.combining import joined_by
from sbatchlint.launch.nodes import in_a_line
from sbatchlint.launch.outcomes import SUCCESS, Outcome
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.transforms import quoted_if_needed
from sbatchlint.launch.values import EMPTY, OUTPUT, Value, text_value, unknown
from sbatchlint.regex import regex

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_DIRECTIVE = regex(
    r"%(?P<flags>[-+ 0#]*)(?P<width>\d{0,4})(?:\.(?P<precision>\d{0,4}))?(?P<kind>[%sdiuxXocbq])"
)
_ESCAPE = regex(r"\\(?:([abefnrtv\\\"'])|0?([0-7]{1,3})|x([0-9A-Fa-f]{1,2}))")
_LETTERS = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    '"': '"',
    "'": "'",
}
_INTEGER = regex(r"[-+]?[0-9]+\Z")
_MOST_ROUNDS = 1000
_WIDEST = 1000


def echo(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``echo [-neE] words``."""
    rest = args[1:]
    newline, escapes = True, False
    while rest and rest[0].text is not None and re.fullmatch(r"-[neE]+", rest[0].text):
        newline = newline and "n" not in rest[0].text
        for letter in rest[0].text[1:]:
            escapes = letter == "e" if letter in "eE" else escapes
        rest = rest[1:]
    printed = _spaced(rest)
    if escapes:
        text = printed.text
        if text is not None and "\\" in text:
            decoded = _decoded(text) if "\\c" not in text else None
            printed = unknown(OUTPUT) if decoded is None else text_value(decoded, None, printed.certainty)
        elif text is None:
            printed = unknown(OUTPUT)
    if args[0].splits:
        printed = printed.assumed()
    machine.print(printed + text_value("\n") if newline else printed)
    return SUCCESS


def _spaced(args: Sequence[Arg]) -> Value:
    """Words with a blank between them; what may be any number of words is unknown."""
    return joined_by(
        " ",
        (
            (in_a_line(arg.value) or unknown(OUTPUT))
            if arg.open or arg.optional
            else arg.value.assumed()
            if arg.splits
            else arg.value
            for arg in args
        ),
    )


def printf(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``printf [-v name] format words``."""
    rest = args[1:]
    if len(rest) > 1 and rest[0].text == "-v":
        name = rest[1].text
        if name:
            value = _formatted(rest[2:], f"${name}").weakened(rest[1].value.certainty)
            _print_into(machine, name, value, rest[1].span)
        return SUCCESS
    if rest and rest[0].text == "--":
        rest = rest[1:]
    machine.print(_formatted(rest, OUTPUT))
    return SUCCESS


def _print_into(machine: Machine, name: str, value: Value, span: Span | None) -> None:
    """Give a variable or an array's element the printed text (``printf -v a[2]``)."""
    if name.isidentifier():
        machine.assign(name, value, span)
        return
    array, _, rest = name.partition("[")
    key = rest.removesuffix("]")
    number = key == "0" or (whole_number(key) is not None and key[0] != "0")  # else it is octal
    plain = key.isalnum() if machine.is_associative(array) else number
    if array.isidentifier() and rest.endswith("]") and plain and key.isascii():
        machine.assign_element(array, key, value, span)
    else:
        machine.forget(array, opaque=True)


def _formatted(args: Sequence[Arg], name: str) -> Value:
    """Apply a format to as many words as it takes, again and again until none is left."""
    template = args[0].text if args else None
    if template is None or any(arg.open or arg.optional for arg in args):
        return unknown(name)
    # A word more or less by assumption would be printed, or not.
    worst = Certainty.ASSUMED if any(arg.splits for arg in args) else args[0].value.certainty
    queue = [arg.value for arg in args[1:]]
    result = EMPTY
    for _ in range(_MOST_ROUNDS):
        left = len(queue)
        once = _once(template, queue)
        if once is None:
            return unknown(name)
        result += once
        if not queue or len(queue) == left:
            return result.weakened(worst) if worst is Certainty.ASSUMED else result
    return unknown(name)


def _once(template: str, queue: list[Value]) -> Value | None:
    """The format gone through once, taking words from *queue*; None where it is not known."""
    result = EMPTY
    at = 0
    while at < len(template):
        match = _DIRECTIVE.match(template, at)
        if match:
            piece = text_value("%") if match["kind"] == "%" else _directive(match, queue)
            if piece is None:
                return None
            result += piece
            at = match.end()
            continue
        end = template.find("%", at + 1)
        end = len(template) if end < 0 else end
        text = _decoded(template[at:end])
        if template[at] == "%" or text is None:
            return None
        result += text_value(text)
        at = end
    return result


def _directive(match: re.Match[str], queue: list[Value]) -> Value | None:
    kind = match["kind"]
    value = queue.pop(0) if queue else EMPTY
    width, precision = (whole_number(match[name] or "0") for name in ("width", "precision"))
    if width is None or precision is None or width > _WIDEST:
        return None
    if kind == "s" and not match["width"] and match["precision"] is None:
        return value
    text = value.text
    if text is None:
        return None
    if kind in "sbqc":
        changed = _of_text(kind, value)
        if changed is None or changed.text is None:
            return None
        text = changed.text if match["precision"] is None else changed.text[:precision]
    else:
        number = _number(text)
        if number is None or match["precision"] is not None or "#" in match["flags"]:
            return None
        text = _of_number(kind, match["flags"], number, width)
    text = text.ljust(width) if "-" in match["flags"] else text.rjust(width)
    return text_value(text, value.span, value.certainty)


def _of_text(kind: str, value: Value) -> Value | None:
    text = value.text or ""
    if kind == "q":
        return quoted_if_needed(value)
    if kind == "b":
        decoded = _decoded(text) if "\\c" not in text else None
        return None if decoded is None else text_value(decoded, value.span, value.certainty)
    return text_value(text[:1]) if kind == "c" else value


def _of_number(kind: str, flags: str, number: int, width: int) -> str:
    if kind in "di":
        sign = "-" if number < 0 else "+" if "+" in flags else " " if " " in flags else ""
        digits = str(abs(number))
    else:
        sign = ""
        digits = {"u": "{:d}", "x": "{:x}", "X": "{:X}", "o": "{:o}"}[kind].format(number % 2**64)
    if "0" in flags and "-" not in flags:
        digits = digits.zfill(width - len(sign))
    return sign + digits


def _number(text: str) -> int | None:
    """A word as ``%d`` reads it; what it would complain of is not known."""
    if text == "":
        return 0
    if not _INTEGER.match(text):
        return None
    digits = text.lstrip("+-")
    if len(digits) > 1 and digits[0] == "0":
        if not re.fullmatch(r"[0-7]+", digits):
            return None
        number = int(digits, 8) * (-1 if text[0] == "-" else 1)
        return number if -(2**63) <= number < 2**63 else None
    return signed_number(text)


def _decoded(text: str) -> str | None:
    """Decode backslash escapes; None where there is one that this does not know."""
    at = 0
    pieces: list[str] = []
    while at < len(text):
        if text[at] != "\\":
            pieces.append(text[at])
            at += 1
            continue
        match = _ESCAPE.match(text, at)
        if match is None:
            if text[at + 1 : at + 2] in ("u", "U", "c", "x", "0", ""):
                return None
            pieces.append(text[at : at + 2])
            at += 2
            continue
        code = int(match[2], 8) if match[2] else int(match[3], 16) if match[3] else 0
        if not match[1] and not 0 < code < 128:
            return None
        pieces.append(_LETTERS[match[1]] if match[1] else chr(code))
        at = match.end()
    return "".join(pieces)
