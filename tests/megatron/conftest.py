"""Megatron-Core, where the tests that ask it are run (``pytest -m megatron``)."""

from __future__ import annotations

import pytest

from tests.megatron.oracle import MegatronCore, megatron_core


@pytest.fixture(scope="session")
def megatron(pytestconfig: pytest.Config) -> MegatronCore:
    """The real Megatron-Core; its environment stays in pytest's cache folder."""
    assert pytestconfig.cache is not None
    return megatron_core(pytestconfig.cache.mkdir("megatron-core"))
