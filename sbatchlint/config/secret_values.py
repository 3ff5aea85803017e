"""The secrets of a configuration file, so that no message shows one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.regex import regex
from sbatchlint.secrets import find_secrets
from sbatchlint.secrets.names import is_secret_name
from sbatchlint.source import Source

_GIVEN = regex(
    r"""(?<![\w.-])(?P<name>[\w.-]+)["']?[ \t]*=[ \t\[{]*
    (?:\"{3}(?P<block>.*?)(?:\"{3}|\Z) | '{3}(?P<raw>.*?)(?:'{3}|\Z)
     | "(?P<text>(?:[^"\\\n]|\\.)*) | '(?P<plain>[^'\n]*) | (?P<bare>[^\s"',}\]#]+))""",
    re.VERBOSE | re.DOTALL,
)
"""A name and what is given to it, in TOML or in a shell's word (``--export=TOKEN=...``).

It is looked for in the text and not among the tables: the file may be wrong.
"""

_INSIDE = regex(r"""\b(?P<name>\w+)=(?P<value>[^\s"',}\]#]+)""")


def secret_values(source: Source) -> Iterator[str]:
    """Yield each value in the TOML file *source* that nobody may see, as it is written there."""
    start = 0
    while match := _GIVEN.search(source.text, start):  # in an inline table a value holds names of its own
        value = match[match.lastgroup or 0]
        if value and match.lastgroup != "name" and is_secret(match["name"].rpartition(".")[2], value):
            yield value
        start = match.end("name")
    start = 0  # what is given may give something itself: `sbatch-args = "--export=TOKEN=..."`
    while inside := _INSIDE.search(source.text, start):
        if is_secret(inside["name"], inside["value"]):
            yield inside["value"]
        start = inside.start("value")


def is_secret(name: str, value: str) -> bool:
    """Tell whether *value* is a secret, by the name of its variable or by its looks."""
    return is_secret_name(name) or bool(find_secrets(Source.from_text(f"export {name}={value}\n")))
