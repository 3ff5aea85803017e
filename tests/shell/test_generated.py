"""Random valid shell is read as it was written."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sbatchlint.shell.reader import read_text
from tests.shell.generated import script
from tests.shell.readers import compare
from tests.shell.shapes import shape
from tests.shell.tiling import untiled

PHASES = (Phase.explicit, Phase.generate)  # a seed does not shrink
MODEST = settings(max_examples=120, phases=PHASES, suppress_health_check=list(HealthCheck))
MANY = settings(MODEST, max_examples=3000)
seeds = st.integers(0, 2**40)


def is_read_as_written(seed: int, depth: int) -> None:
    text, expected = script(seed, depth)
    run = subprocess.run(["bash", "-O", "extglob", "-n"], input=text, capture_output=True, text=True)
    assert run.returncode == 0, (run.stderr, text)
    assert shape(text) == expected, text
    assert untiled(text, read_text(text)) == set(), text
    assert compare(text).differences == [], text


@MODEST
@given(seeds, st.integers(0, 2))
def test_structure(seed: int, depth: int) -> None:
    is_read_as_written(seed, depth)


@pytest.mark.slow
@MANY
@given(seeds, st.integers(0, 3))
def test_structure_of_many(seed: int, depth: int) -> None:
    is_read_as_written(seed, depth)
