"""What the tests' own process has that the program's has not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from sbatchlint.cache.doors import Doorway


@pytest.fixture(autouse=True, scope="session")
def without_the_tests_own_zones() -> Iterator[None]:
    """Overlook that ``_zoneinfo`` keeps ``open`` in C: the tests' tools load it before anybody watches."""
    found = Doorway._holders
    zones = sys.modules.get("_zoneinfo")

    def holders(self: Doorway) -> Iterator[Any]:
        return (holder for holder in found(self) if zones is None or holder is not zones)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Doorway, "_holders", holders)
        yield
