"""Here-documents: where the lines of each stand."""

from __future__ import annotations

import re

from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class DocumentBody:
    """Where a here-document's lines stand: from ``start`` to ``end``, its last line up to ``close``."""

    operator: int
    """Offset of the ``<<``."""
    start: int
    end: int
    close: int
    delimiter: str
    quoted: bool
    strip_tabs: bool


def find_body(text: str, start: int, stop: int, operator: int, word: str, *, nested: bool) -> DocumentBody:
    """Find the body that begins at *start*, of the ``<<`` at *operator* with the delimiter *word*.

    A body that is never ended reaches to *stop*, as in bash.  Inside a command substitution (*nested*)
    bash lets the delimiter be followed by the closing parenthesis.
    """
    strip = text.startswith("<<-", operator)
    delimiter = _unquote(word)
    quoted = word != delimiter
    line = start
    while line < stop:
        content, behind = _logical_line(text, line, stop, joined=not quoted)
        if strip:
            content = content.lstrip("\t")
        if content == delimiter:
            return DocumentBody(operator, start, line, behind, delimiter, quoted, strip)
        if nested and content.startswith(delimiter) and ")" in content[len(delimiter) :]:
            at = text.index(delimiter, line) if delimiter in text[line:behind] else line
            return DocumentBody(operator, start, line, at + len(delimiter), delimiter, quoted, strip)
        line = behind
    return DocumentBody(operator, start, stop, stop, delimiter, quoted, strip)


def _logical_line(text: str, start: int, stop: int, *, joined: bool) -> tuple[str, int]:
    r"""Give the line at *start* and the offset behind it; a backslash at its end joins it to the next.

    bash compares joined lines with an unquoted delimiter, so ``a \`` hides a delimiter below it.
    """
    end = _line_end(text, start, stop)
    if not (joined and _is_continued(text, start, end)) or end >= stop:
        return text[start:end], min(end + 1, stop)
    pieces = [text[start : end - 1]]
    while end < stop:
        begin = end + 1
        end = _line_end(text, begin, stop)
        if not _is_continued(text, begin, end):
            pieces.append(text[begin:end])
            break
        pieces.append(text[begin : end - 1])
    return "".join(pieces), min(end + 1, stop)


def _line_end(text: str, start: int, stop: int) -> int:
    newline = text.find("\n", start, stop)
    return stop if newline < 0 else newline


def _is_continued(text: str, start: int, end: int) -> bool:
    """Tell whether the line ends in an odd number of backslashes."""
    line = text[start:end]
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _unquote(word: str) -> str:
    """Remove the quotes of a here-document's delimiter; nothing in it is expanded."""
    return re.sub(r"\$?'([^']*)'|\$?\"((?:[^\"\\]|\\.)*)\"|\\(.)", _unquoted, word, flags=re.S)


def _unquoted(match: re.Match[str]) -> str:
    single, double, escaped = match.groups()
    if double is not None:
        return re.sub(r"\\([\\$`\"\n])", lambda inner: inner.group(1).strip("\n"), double)
    return single if single is not None else (escaped or "").strip("\n")
