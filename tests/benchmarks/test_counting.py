"""Counting: what is found where a cost grows faster than it should."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import CodeType

import pytest

from benchmarks.counting import calls_of_check, culprits, growth
from benchmarks.measure import BenchmarkError
from sbatchlint.lint import engine
from sbatchlint.source import Source


def quadratic() -> None: ...


def linear() -> None: ...


def counted(linear_calls: int, quadratic_calls: int) -> Counter[CodeType]:
    return Counter({linear.__code__: linear_calls, quadratic.__code__: quadratic_calls})


def test_what_grows_with_the_square_is_named_and_nothing_else() -> None:
    found = list(culprits(counted(1100, 100), counted(1200, 400), counted(1400, 1600)))
    assert len(found) == 1
    assert found[0].endswith(f"{__file__}:{quadratic.__code__.co_firstlineno} quadratic")


def test_the_same_text_costs_the_same_calls(tmp_path: Path) -> None:
    text = "#!/bin/bash\n#SBATCH --nodes=2\nsrun python train.py\n"
    calls_of_check(text, tmp_path)
    assert calls_of_check(text, tmp_path) == calls_of_check(text, tmp_path)


def test_a_quadratic_rule_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof that the growth tests could fail."""
    lint = engine.lint_source

    def linted(source: Source, *more: object) -> engine.FileResult:
        for line in source.text.splitlines():
            for other in source.text.splitlines():
                line.startswith(other)
        return lint(source, *more)  # type: ignore[arg-type]

    monkeypatch.setattr("sbatchlint.cli.checking.lint_source", linted)
    assert growth("comments", 40, tmp_path) > 2.5


def test_a_shape_that_is_given_up_is_no_proof(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="choose another size"):
        growth("nesting", 40, tmp_path)
