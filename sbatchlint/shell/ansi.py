"""What ``$'...'`` stands for."""

from __future__ import annotations

import re

from sbatchlint.regex import regex

_ESCAPE = regex(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)", re.S)
_NAMED = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "E": "\x1b",
}


def decode_ansi(text: str) -> str:
    r"""Decode the inside of ``$'...'``: as bash does, ``\xHH`` is a byte, and a NUL ends the string."""
    decoded = _ESCAPE.sub(_decode_one, text).partition("\0")[0]
    if not any("\udc80" <= char <= "\udcff" for char in decoded):
        return decoded
    try:  # bytes written one by one may make a character together
        return decoded.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # the script holds lone surrogates of another kind
        return decoded


def _decode_one(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] in "uU" and len(code) > 1:
        point = int(code[1:], 16)
        return chr(point) if point < 0x110000 and not 0xD800 <= point < 0xE000 else "\ufffd"
    if code[0] == "x" and len(code) > 1:
        return _byte(int(code[1:], 16))
    if code[0] in "01234567":
        return _byte(int(code, 8) & 0xFF)
    if code[0] == "c" and len(code) == 2:
        return "\x7f" if code[1] == "?" else chr(ord(code[1].upper()) & 0x1F)
    return _NAMED.get(code, code if code in "\\'\"?" else "\\" + code)


def _byte(value: int) -> str:
    """Keep a byte beyond ASCII as a lone surrogate (PEP 383), like undecodable bytes of the file."""
    return chr(value) if value < 0x80 else chr(0xDC00 + value)
