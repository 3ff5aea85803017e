"""Where a quoted or expanded piece of shell text ends.

Each ``end_of_*`` takes the text, the offset at which the piece begins and the offset at which reading
must stop, and gives the offset just behind the piece.  They follow bash's ``parse.y``
(``parse_matched_pair``, ``parse_comsub``).
"""

from __future__ import annotations

import re

from sbatchlint.regex import regex

_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_DOUBLE_PLAIN = regex(r"[^\"\\$`]+")
_BRACE_PLAIN = regex(r"[^}'\"\\$`]+")
_MATCHED_PLAIN = regex(r"[^()'\"\\$`]+")
_ANSI_PLAIN = regex(r"[^'\\]+")
_BACKQUOTE_PLAIN = regex(r"[^`\\]+")
_SUBSCRIPT_PLAIN = regex(r"[^\[\]'\"\\$`]+")


class Unterminated(ValueError):
    """A quote, brace or parenthesis that is never closed.  ``offset`` is where it opens."""

    def __init__(self, offset: int, opener: str) -> None:
        super().__init__(f"unterminated {opener}")
        self.offset = offset
        self.opener = opener


class Excess(Unterminated):
    """So much of something that it is not read to its end."""

    def __init__(self, offset: int, what: str) -> None:
        super().__init__(offset, what)
        self.args = (f"{what}: too much to be read",)


def end_of_single(text: str, start: int, stop: int) -> int:
    """End of ``'...'``."""
    end = text.find("'", start + 1, stop)
    if end < 0:
        raise Unterminated(start, "'")
    return end + 1


def end_of_ansi(text: str, start: int, stop: int) -> int:
    """End of ``$'...'``, in which a backslash protects the quote."""
    at = start + 2
    while at < stop:
        if text[at] == "\\":
            at += 2
        elif text[at] == "'":
            return at + 1
        else:
            at = _skip(_ANSI_PLAIN, text, at, stop)
    raise Unterminated(start, "$'")


def end_of_double(text: str, start: int, stop: int) -> int:
    """End of ``"..."``; expansions inside may hold quotes of their own."""
    at = start + 1
    while at < stop:
        char = text[at]
        if char == '"':
            return at + 1
        if char == "\\":
            at += 2
        elif char == "$":
            at = end_of_dollar(text, at, stop, quoted=True)
        elif char == "`":
            at = end_of_backquote(text, at, stop)
        else:
            at = _skip(_DOUBLE_PLAIN, text, at, stop)
    raise Unterminated(start, '"')


def end_of_backquote(text: str, start: int, stop: int) -> int:
    """End of a command substitution in backquotes."""
    at = start + 1
    while at < stop:
        if text[at] == "\\":
            at += 2
        elif text[at] == "`":
            return at + 1
        else:
            at = _skip(_BACKQUOTE_PLAIN, text, at, stop)
    raise Unterminated(start, "`")


def end_of_dollar(text: str, start: int, stop: int, *, quoted: bool = False) -> int:
    """End of what begins with ``$``; a ``$`` that expands nothing is one character long.

    Directly inside double quotes (*quoted*) ``$'`` and ``$"`` begin nothing.
    """
    following = text[start + 1] if start + 1 < stop else ""
    if following == "(":
        if text.startswith("((", start + 1, stop):
            return end_of_double_parenthesis(text, start + 1, stop)[0]
        return end_of_parenthesis(text, start + 1, stop)
    if following == "{":
        return end_of_brace(text, start, stop)
    if following == "[":
        return end_of_subscript(text, start + 1, stop)
    if not quoted and following == "'":
        return end_of_ansi(text, start, stop)
    if not quoted and following == '"':
        return end_of_double(text, start + 1, stop)
    name = _NAME.match(text, start + 1, stop)
    if name:
        return name.end()
    if following and following in "0123456789@*#?-$!":
        return start + 2
    return start + 1


def end_of_brace(text: str, start: int, stop: int) -> int:
    """End of ``${...}``.  Single quotes pair in it even inside double quotes, where they stay text."""
    at = start + 2
    while at < stop:
        if text[at] == "}":
            return at + 1
        at = _step(_BRACE_PLAIN, text, at, stop)
    raise Unterminated(start, "${")


def end_of_subscript(text: str, start: int, stop: int) -> int:
    """End of ``[...]`` with nested brackets."""
    depth = 0
    at = start
    while at < stop:
        char = text[at]
        if char == "[":
            depth += 1
            at += 1
        elif char == "]":
            depth -= 1
            at += 1
            if depth == 0:
                return at
        else:
            at = _step(_SUBSCRIPT_PLAIN, text, at, stop)
    raise Unterminated(start, "[")


def end_of_matched(text: str, start: int, stop: int, *, depth: int = 0) -> int:
    """End of ``(...)`` with nested parentheses and quotes, but no commands: comments do not count.

    With *depth*, that many parentheses are open already at *start*.
    """
    at = start
    while at < stop:
        char = text[at]
        if char == "(":
            depth += 1
            at += 1
        elif char == ")":
            depth -= 1
            at += 1
            if depth == 0:
                return at
        else:
            at = _step(_MATCHED_PLAIN, text, at, stop)
    raise Unterminated(start, "(")


def end_of_arithmetic(text: str, start: int, stop: int) -> int | None:
    """End of ``((...))``, or None where the parentheses turn out to be nested subshells."""
    inner = end_of_matched(text, start + 1, stop)
    return inner + 1 if text.startswith(")", inner, stop) else None


def end_of_double_parenthesis(text: str, start: int, stop: int) -> tuple[int, bool]:
    """End of ``((...)`` behind a ``$``, and whether it is arithmetic (else nested subshells).

    As bash does, both are read alike, so a quote in a comment counts.
    """
    inner = end_of_matched(text, start + 1, stop)
    if text.startswith(")", inner, stop):
        return inner + 1, True
    return end_of_matched(text, inner, stop, depth=1), False


def end_of_parenthesis(text: str, start: int, stop: int) -> int:
    """End of ``(...)`` that holds commands: quotes, comments, here-documents and ``case`` are read."""
    from sbatchlint.shell.lexer import end_of_commands

    end = end_of_commands(text, start + 1, stop)
    if end is None:
        raise Unterminated(start, "(")
    return end + 1


def end_of_quoted(text: str, at: int, stop: int) -> int:
    """End of the piece that the quote, ``$`` or backslash at *at* begins, outside double quotes."""
    char = text[at]
    if char == "$":
        return end_of_dollar(text, at, stop)
    if char == '"':
        return end_of_double(text, at, stop)
    if char == "'":
        return end_of_single(text, at, stop)
    if char == "`":
        return end_of_backquote(text, at, stop)
    return min(at + 2, stop)


def _step(plain: re.Pattern[str], text: str, at: int, stop: int) -> int:
    """Pass one quoted or expanded piece, or a run of plain characters."""
    if text[at] in "\\'\"$`":
        return end_of_quoted(text, at, stop)
    return _skip(plain, text, at, stop)


def _skip(plain: re.Pattern[str], text: str, at: int, stop: int) -> int:
    match = plain.match(text, at, stop)
    return match.end() if match else at + 1
