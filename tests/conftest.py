"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# What a test proves does not depend on how busy the machine is.
settings.register_profile(
    "patient", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tester's own terminal settings out of the tests."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
