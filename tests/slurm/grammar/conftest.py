"""How the tests of grammars ask for a value."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Context, Refused
from sbatchlint.slurm.grammar.registry import grammar_of
from sbatchlint.slurm.options import option_table, parse_release


def value_of(option: str, text: str, release: str = "22.05", command: str = "sbatch") -> object:
    grammar = grammar_of(option_table().get(option))
    series = parse_release(release)
    assert grammar is not None
    assert series is not None
    return grammar.read(text, Context(option, series, command))


@pytest.fixture
def read() -> Callable[..., object]:
    """Give ``read(option, text, release="22.05", command="sbatch")``, the typed value."""
    return value_of


@pytest.fixture
def refusal() -> Callable[..., Refused]:
    """Give ``refusal(option, text, release="22.05")``; the test fails where Slurm takes the value."""

    def ask(option: str, text: str, release: str = "22.05") -> Refused:
        with pytest.raises(Refused) as caught:
            value_of(option, text, release)
        return caught.value

    return ask
