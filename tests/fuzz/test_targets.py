"""Whatever the bytes: no exception, an end, and the same answer twice."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fuzz.grammar import inputs
from tests.fuzz.limits import limited
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import seeds
from tests.fuzz.table import NAMES, target

_FEW = settings(
    max_examples=25, suppress_health_check=list(HealthCheck), phases=(Phase.explicit, Phase.generate)
)
_MANY = settings(_FEW, max_examples=150)
_BARE = (
    b"",
    b"\0",
    b"\n",
    b"\r",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\\",
    b"'",
    b"a",
    b"#SBATCH",
    b"\xe2\x80\xa8",
)


def holds(name: str, data: bytes) -> None:
    with limited():
        target(name)(data)


@pytest.mark.parametrize("name", NAMES)
def test_bare(name: str) -> None:
    for data in _BARE:
        holds(name, data)


@pytest.mark.parametrize("name", NAMES)
def test_some(name: str) -> None:
    _FEW(given(inputs(name))(lambda data: holds(name, data)))()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many(name: str) -> None:
    _MANY(given(inputs(name))(lambda data: holds(name, data)))()


@pytest.mark.parametrize("name", NAMES)
def test_there_are_seeds(name: str) -> None:
    assert len(seeds(name)) >= 3


@given(st.binary(max_size=80), st.integers(0, 2**32))
def test_mutations_are_the_seed_s(data: bytes, seed: int) -> None:
    assert mutated(data, Random(seed), 200) == mutated(data, Random(seed), 200)
    assert len(mutated(data, Random(seed), 200)) <= 200
