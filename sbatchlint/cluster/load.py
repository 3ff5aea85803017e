"""Reading a cluster profile.  What is wrong in one is a :class:`~sbatchlint.toml.read.TomlError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.files import read_bytes
from sbatchlint.source import Source
from sbatchlint.toml.read import Mistake, TomlError, parse, place_of, validate

if TYPE_CHECKING:
    from sbatchlint.cluster.profile import Profile

_LARGEST = 16 << 20
"""Bytes; a profile of a thousand nodes has a hundred thousand."""


def load_profile(path: str) -> Profile:
    """Read the profile at *path*.  Raises OSError, or TomlError for what is wrong in it."""
    return read_profile(Source.from_bytes(read_bytes(path, _LARGEST), path))


def read_profile(source: Source) -> Profile:
    """Read the profile in *source*.  Raises TomlError."""
    from sbatchlint.cluster.consistency import disagreements
    from sbatchlint.cluster.profile import Profile

    profile = validate(Profile, parse(source), source)
    found = tuple(disagreements(profile))
    if found:
        raise TomlError(
            source, tuple(Mistake(one.message, place_of(source, one.path).value, one.help) for one in found)
        )
    return profile
