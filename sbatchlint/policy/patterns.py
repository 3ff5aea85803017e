"""Regular expressions as CEL has them: RE2, which celpy brings along."""

from __future__ import annotations

from typing import Any


class BadPattern(ValueError):
    """A text is no regular expression; the message says why."""


def found_in(pattern: str, text: str) -> bool:
    """Tell whether *pattern* matches somewhere in *text*.  Raises BadPattern."""
    return compiled(pattern).search(text) is not None


def compiled(pattern: str) -> Any:
    """Return *pattern* ready for use.  Raises BadPattern."""
    import re2  # type: ignore[import-untyped]

    if any(0xD800 <= ord(character) < 0xE000 for character in pattern):
        raise BadPattern("this regular expression holds half a character, which no text has")
    options = re2.Options()
    options.log_errors = False  # else it writes to standard error
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        said = error.args[0] if error.args else "it can't be read"
        said = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise BadPattern(f"{pattern!r} is no regular expression: {said}") from None
