"""Numbers of more digits than Python turns into an integer do not break the rules about the request."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.cluster.load import load_profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source

LONG = "9" * 5000
RULES = Registry.load().select(select=("SB0", "SB1", "SB2", "SB9"))
CLUSTER = load_profile(str(Path(__file__).parent / "cases" / "cluster.toml"))


@pytest.mark.parametrize(
    "value",
    [
        "--mem={}",
        "--mem={}G",
        "--mem={}.5G",
        "--time={}h",
        '--time="{} days, 1:00:00"',
        "--time={}:1:00:00",
        "--nodes={}",
        "--ntasks={}",
        "--gres=gpu:{}",
        "--gpus=gpu:{}",
        "--array=1-{}",
        "--nodelist=gpu[1-{}]",
        "--licenses=matlab:{}",
    ],
)
def test_no_rule_breaks(value: str) -> None:
    source = Source.from_text(
        f"#!/bin/bash\n#SBATCH {value.replace('{}', LONG)}\nsrun hostname\n", "a.sbatch"
    )
    for cluster in (None, CLUSTER):
        assert not lint_source(source, RULES, LintOptions(cluster=cluster)).internal_errors


@pytest.mark.parametrize("name", ["nodes", "ntasks"])
def test_a_script_that_only_submits(name: str) -> None:
    text = f"#!/bin/bash\n#SBATCH --{name}={LONG}\nsbatch --{name}=2 train.sh\n"
    assert not lint_source(Source.from_text(text, "a.sbatch"), RULES, LintOptions()).internal_errors
