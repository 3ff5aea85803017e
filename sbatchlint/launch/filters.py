"""``cut``, ``tr``, ``sed`` and others that scripts take values apart with, as coreutils have them.

Done is what has one meaning whatever the locale and whichever the awk: ASCII text, plain separators, plain
words to replace.  Everything else is left unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.launch.character_sets import characters
from sbatchlint.launch.columns import awk, cut
from sbatchlint.launch.folders import file_name
from sbatchlint.launch.operations import Operation, Parsed, on_text, picks
from sbatchlint.launch.plain_options import plain_options
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.replacing import replacement
from sbatchlint.launch.values import EMPTY, OUTPUT, Value, text_value, unknown
from sbatchlint.regex import regex

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

_LONGEST = 20_000
_PLAIN_TEXT = regex(r"[\t\n -~]*")
_SED_PICK = regex(r"([1-9]\d{0,5})p(?:;\s*\1q)?")


def filtered(machine: Machine, name: str, args: Sequence[Arg]) -> Value | None:
    """What the filter *name* prints of its input or of the file that it is given; None where not known."""
    texts = [arg.text for arg in args[1:] if arg.text is not None]
    parsed = FILTERS[name](texts) if len(texts) == len(args) - 1 else None
    if parsed is None:
        return None
    operation, files = parsed
    held = _input(machine, files)
    if held is None or (held.text is not None and not _is_plain(held.text)):
        return None
    result = operation(held)
    if result is None:
        return None
    graded = max((arg.value.certainty for arg in args[1:]), default=Certainty.KNOWN)
    own = Certainty.ASSUMED if held.certainty is Certainty.ASSUMED else Certainty.KNOWN
    return result.weakened(max(graded, own))


def _is_plain(text: str) -> bool:
    return len(text) <= _LONGEST and _PLAIN_TEXT.fullmatch(text) is not None


def _input(machine: Machine, files: Sequence[str]) -> Value | None:
    if not files or files == ["-"]:
        held = machine.stdin
        machine.stdin = None if held is None else unknown(OUTPUT)  # how much is left differs by the program
        return held
    if len(files) > 1 or files[0].startswith("-"):
        return None
    return machine.state.files.get(file_name(machine.state, text_value(files[0])))


# --- one program each ----------------------------------------------------------------------------------


def _count_of_lines(texts: Sequence[str]) -> tuple[str, list[str]] | None:
    """The number that ``head`` and ``tail`` are given, and their files."""
    if texts and re.fullmatch(r"-\d+", texts[0], re.A):
        return texts[0][1:], list(texts[1:])
    found = plain_options(texts, {"-n": "lines", "--lines": "lines"}, {"-q": "quiet"})
    return None if found is None else (found[0].get("lines", "10"), found[1])


def _head(texts: Sequence[str]) -> Parsed | None:
    found = _count_of_lines(texts)
    if found is None or not re.fullmatch(r"\d{1,6}", found[0], re.A):
        return None
    number = int(found[0])
    return (picks(1, number) if number else lambda _: EMPTY), found[1]


def _tail(texts: Sequence[str]) -> Parsed | None:
    found = _count_of_lines(texts)
    if found is None or not re.fullmatch(r"\+?\d{1,6}", found[0], re.A):
        return None
    number = int(found[0])
    if found[0].startswith("+"):
        return picks(max(number, 1), None), found[1]
    return (picks(-number, None) if number else lambda _: EMPTY), found[1]


def _tr(texts: Sequence[str]) -> Parsed | None:
    letters = ""
    if texts and re.fullmatch(r"-[dcCs]+|--delete|--squeeze-repeats", texts[0]):
        letters = texts[0].lstrip("-")[0] if texts[0].startswith("--") else texts[0][1:].lower()
        texts = texts[1:]
    if any(text.startswith("-") and len(text) > 1 for text in texts):
        return None  # an option, wherever it stands
    change = characters("".join(sorted(set(letters))), texts)
    return None if change is None else (on_text(change), [])


def _wc(texts: Sequence[str]) -> Parsed | None:
    counts: dict[str, Callable[[str], int]] = {
        "-l": lambda text: text.count("\n"),
        "-w": lambda text: len(text.split()),
        "-c": len,
        "-m": len,
    }
    counts.update({"--lines": counts["-l"], "--words": counts["-w"], "--bytes": len, "--chars": len})
    count = counts.get(texts[0]) if len(texts) == 1 else None
    return None if count is None else (on_text(lambda text: f"{count(text)}\n"), [])


def _sed(texts: Sequence[str]) -> Parsed | None:
    found = plain_options(texts, {"-e": "script"}, {"-n": "n", "--quiet": "n", "-E": "E", "-r": "E"})
    if found is None or not (found[0].get("script") or found[1]):
        return None
    options, files = found
    script = options.get("script") or files.pop(0)
    pick = _SED_PICK.fullmatch(script.strip())
    if "n" in options:
        return (picks(int(pick[1]), int(pick[1])), files) if pick else None
    if re.fullmatch(r"[1-9]\d{0,5}q", script):
        return _quits(int(script[:-1])), files
    change = replacement(script, extended="E" in options)
    return None if change is None else (on_text(change), files)


def _quits(number: int) -> Operation:
    """``sed 3q``: releases differ in whether they give a last line the newline that it lacks."""
    pick = picks(1, number)

    def act(held: Value) -> Value | None:
        found = pick(held)
        return found if found is None or not found or (found.text or "\n").endswith("\n") else None

    return act


FILTERS: dict[str, Callable[[Sequence[str]], Parsed | None]] = {
    "head": _head,
    "tail": _tail,
    "cut": cut,
    "tr": _tr,
    "wc": _wc,
    "sed": _sed,
    "awk": awk,
    "gawk": awk,
    "mawk": awk,
}

__all__ = ["FILTERS", "filtered"]
