"""Random valid shell is read as it was written."""

from __future__ import annotations

import subprocess

import pytest
from generated import scripts
from hypothesis import HealthCheck, given, settings
from readers import compare
from shapes import Shape, shape
from tiling import untiled

from sbatchlint.shell.reader import read_text

MODEST = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=4000, deadline=None, suppress_health_check=list(HealthCheck))


def is_read_as_written(script: tuple[str, Shape]) -> None:
    text, expected = script
    assert shape(text) == expected
    assert untiled(text, read_text(text)) == set()
    assert compare(text).differences == []


def is_valid(script: tuple[str, Shape]) -> None:
    run = subprocess.run(["bash", "-O", "extglob", "-n"], input=script[0], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@MODEST
@given(scripts())
def test_structure(script: tuple[str, Shape]) -> None:
    is_read_as_written(script)


@MODEST
@given(scripts())
def test_what_is_generated_is_valid(script: tuple[str, Shape]) -> None:
    is_valid(script)


@pytest.mark.slow
@MANY
@given(scripts(depth=4))
def test_structure_of_many(script: tuple[str, Shape]) -> None:
    is_valid(script)
    is_read_as_written(script)
