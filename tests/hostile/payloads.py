"""What a terminal must never be sent, and how to see whether it was."""

from __future__ import annotations

import re
import unicodedata

ESCAPES = {
    "CSI": "\x1b[5;7m",
    "OSC 8": "\x1b]8;;evil.example\x07",
    "OSC 52": "\x1b]52;c;ZXZpbA==\x1b\\",
    "reset": "\x1bc",
    "C1 CSI": "\x9b5;7m",
    "C1 OSC": "\x9d0;evil\x9c",
    "bell": "\x07",
    "backspace": "\b\b\b",
    "delete": "\x7f",
    "next line": "\x85",
    "form feed": "\f",
    "vertical tab": "\v",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "override": "\u202e",
    "isolate": "\u2066\u2069",
    "mark": "\u200e\u061c",
    "zero width": "\u200b\u200d\u2060",
    "byte order mark": "\ufeff",
    "tag": "\U000e0041",
}
"""By what it is; none has a blank or a line end that shells know."""
RAW = {"raw C1 CSI": "\udc9b5;7m", "raw next line": "\udc85", "half a character": "\udce2\udc80"}
"""Bytes that are not UTF-8, as Python keeps them in file names and ``Source`` in texts."""
RETURN = "x\rOK"
ALL = "E" + "".join(ESCAPES.values())
"""All that UTF-8 can hold, as one word."""
EVERYTHING = ALL + "".join(RAW.values()) + RETURN
IN_TOML = "".join(f"\\U{ord(char):08X}" for char in ALL)
"""The same, as a basic string of TOML writes it."""

_OWN_COLOUR = r"(?:0|1|2|3|2;3|31|32|33|34|35|36|1;31|1;33|1;34|1;36)"
_OWN = re.compile(rf"\x1b\[{_OWN_COLOUR}m|\x1b\]8;;(?:(?:https|file)://[!-~]+)?\x1b\\")
"""What sbatchlint itself sends to a terminal: its colours, and links to its pages."""
_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn")


def sent(output: bytes, *, colour: bool = False) -> list[str]:
    """Return what a terminal would act upon, or not show, in *output*, each with what stands around it."""
    text = output.decode("utf-8", "surrogateescape")
    if colour:
        text = _OWN.sub("", text)
    return [
        f"{char!r} in {text[max(0, at - 60) : at + 20]!r}"
        for at, char in enumerate(text)
        if char not in "\n" and not (char.isascii() and char.isprintable()) and _is_sent(text, at)
    ]


def _is_sent(text: str, at: int) -> bool:
    char = text[at]
    if char == "\t":
        return False
    return unicodedata.category(char) in _CATEGORIES
