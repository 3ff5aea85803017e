"""What all tests share."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# What a test proves does not depend on how busy the machine is, and a change is blamed for nothing that stood
# before it: the same examples at each run.  By hand, SBATCHLINT_FRESH_SEEDS=1 tries others.
settings.register_profile(
    "patient",
    settings.default,
    deadline=None,
    derandomize="SBATCHLINT_FRESH_SEEDS" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("patient")

# A shell lets what it starts in the background ignore Ctrl-C, and tests of that would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tester's own terminal settings and the machine's configuration out of the tests."""
    for name in ("NO_COLOR", "FORCE_COLOR", "SBATCHLINT_ALLOW_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SBATCHLINT_SITE_CONFIG", "")
    monkeypatch.setenv("SBATCHLINT_CACHE_DIR", "")
