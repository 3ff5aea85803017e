"""One cluster of stand-ins for all tests of a run."""

from __future__ import annotations

import pytest

from tests.convert.simulated import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    return Cluster(tmp_path_factory.mktemp("cluster"))
