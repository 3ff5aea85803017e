"""What is not shown of a text: more than what is reported as a secret.

To report a password that is none is a false alarm; to hide one costs nothing.  So whatever is written
where a password or a token stands is hidden, be it a plain word, unless it is plainly a form to fill in.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from sbatchlint.regex import regex
from sbatchlint.secrets.assignments import assignments
from sbatchlint.secrets.contexts import passwords_in_urls
from sbatchlint.secrets.find import find_secrets
from sbatchlint.secrets.names import Says, what_says, words_of
from sbatchlint.secrets.placeholder import is_placeholder, is_reference
from sbatchlint.source import Source

_SHORTEST = 4
"""Characters; ``yes``, ``str`` and ``-p`` are no passwords that anybody has."""
_FORM = regex(
    r"(?i)<.*>|\{.*\}|\[.*\]|x+|\*+|\.+|none|null|true|false|.*(?:change|replace|fill|enter|your).*"
)
_CODE = regex(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


@lru_cache(maxsize=8)
def hidden_values(source: Source) -> tuple[str, ...]:
    """Return the texts of *source* that must not be shown: its secrets, and what stands where one does."""
    return tuple(dict.fromkeys(_values(source)))


def _values(source: Source) -> Iterator[str]:
    text = source.text
    yield from (source.slice(secret.span) for secret in find_secrets(source))
    for name, value in assignments(text, blanks=True):
        says = what_says(words_of(text[name.start : name.end]))
        written = text[value.start : value.end]
        if says is not Says.NOTHING and _may_be_one(written, says):
            yield written
            if says is Says.PASSWORD:  # a shell may split it
                yield from (word for word in written.split() if len(word) >= _SHORTEST)
    for span in passwords_in_urls(text):
        if _may_be_one(source.slice(span), Says.PASSWORD):
            yield source.slice(span)


def _may_be_one(value: str, says: Says) -> bool:
    if len(value) < _SHORTEST or _FORM.fullmatch(value) or _CODE.fullmatch(value):
        return False
    if value.isdigit():
        return says is Says.PASSWORD
    return not is_reference(value) and (says is Says.PASSWORD or not is_placeholder(value))
