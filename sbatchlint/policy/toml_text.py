"""From a place in a TOML string's value to the place in the file where it is written."""

from __future__ import annotations

from sbatchlint.regex import regex
from sbatchlint.source import Source, Span

_SIMPLE = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\", "e": "\x1b"}
_CODE = regex(r"x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}")
_QUOTES = ('"""', "'''", '"', "'")
_TRIMMED = regex(r"[ \t]*\n\s*")


def span_in(source: Source, whole: Span, value: str, start: int, end: int) -> Span:
    """Return where characters *start* to *end* of *value* stand, which is written at *whole*.

    All of *whole* where that can't be told.
    """
    written = _written(source.text, whole, value)
    if written is None or not 0 <= start <= end <= len(value):
        return whole
    if start == end:
        return Span(written[start].start, written[start].start)
    return Span(written[start].start, written[end - 1].end)


def _written(text: str, whole: Span, value: str) -> list[Span] | None:
    """Return where each character of *value* is written, and the end; None for what is not understood."""
    quote = next((one for one in _QUOTES if _is_between(text[whole.start : whole.end], one)), None)
    if quote is None:
        return None
    at, end = whole.start + len(quote), whole.end - len(quote)
    if len(quote) == 3 and text[at : at + 1] == "\n":
        at += 1
    found: list[Span] = []
    decoded: list[str] = []
    while at < end:
        step, char = (1, text[at]) if quote[0] == "'" else _character(text, at)
        if char is None:
            return None
        if char:
            found.append(Span(at, at + step))
            decoded.append(char)
        at += step
    return [*found, Span(end, end)] if "".join(decoded) == value else None


def _is_between(written: str, quote: str) -> bool:
    return len(written) >= 2 * len(quote) and written.startswith(quote) and written.endswith(quote)


def _character(text: str, at: int) -> tuple[int, str | None]:
    """Return how many characters the one at *at* takes, and what it is: empty for a line that goes on."""
    if text[at] != "\\":
        return 1, text[at]
    simple = _SIMPLE.get(text[at + 1 : at + 2])
    if simple is not None:
        return 2, simple
    code = _CODE.match(text, at + 1)
    if code is not None:
        return code.end() - at, chr(int(code[0][1:], 16))
    trimmed = _TRIMMED.match(text, at + 1)
    return (trimmed.end() - at, "") if trimmed is not None else (1, None)
