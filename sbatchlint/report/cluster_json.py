"""The cluster profile for programs."""

from __future__ import annotations

import json

from sbatchlint.cluster.profile import Profile

VERSION = 1
"""Raised when a reader of the older form would be misled."""


def cluster_json(profile: Profile) -> str:
    """Return the profile as JSON, with the keys of the TOML file; null is not known."""
    data = profile.model_dump(mode="json", by_alias=True)
    return json.dumps({"version": VERSION, "profile": data}, indent=2) + "\n"
