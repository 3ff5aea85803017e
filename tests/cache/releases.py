"""What the tests of the cache rest on."""

from __future__ import annotations

import sys

import pytest

from sbatchlint.cache.folder import PYTHONS

watchable = pytest.mark.skipif(
    sys.version_info[:2] not in PYTHONS, reason="nothing is kept on this release of Python"
)
