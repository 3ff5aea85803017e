"""Writing a cluster profile as TOML that people like to read and to complete."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sbatchlint.cluster.profile import Profile
from sbatchlint.regex import regex

_PLAIN_KEY = regex(r"[A-Za-z0-9_-]+")
_HEAD = """\
# What this cluster offers, for sbatchlint.  A line that is missing is not known and never held against a job.
"""


def profile_toml(profile: Profile) -> str:
    """Return *profile* as the text of a TOML file that reads back to an equal one."""
    data = profile.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)
    return _HEAD + "".join(f"{line}\n" for line in _table(data, ()))


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Write values first: in TOML what follows a header belongs to it."""
    below = {key: value for key, value in data.items() if _is_table(value, path)}
    for key, value in data.items():
        if key not in below:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in below.items():
        inner = (*path, key)
        name = ".".join(map(_key, inner))
        for each in value if isinstance(value, list) else (value,):
            yield ""
            yield f"[[{name}]]" if isinstance(value, list) else f"[{name}]"
            yield from _table(each, inner)


def _is_table(value: Any, path: tuple[str, ...]) -> bool:
    """Tell what gets a header: tables near the top; ``gpus = { h100 = 8 }`` inside them stays on its line."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, dict) for each in value)
    return isinstance(value, dict) and not path


def _key(text: str) -> str:
    return text if _PLAIN_KEY.fullmatch(text) else _string(text)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _string(value) if isinstance(value, str) else str(value)


def _string(text: str) -> str:
    """Write a string: JSON's escapes are TOML's, but for those of characters beyond U+FFFF.

    What can't be seen is escaped too, as it may go to a terminal; what no text file can hold is a ``?``.
    """
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(map(_seen, json.dumps(plain, ensure_ascii=False)))


def _seen(char: str) -> str:
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
