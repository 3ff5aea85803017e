"""The policies that come as examples hold what they promise, and the reference tells of all there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.policy.examples import trials
from sbatchlint.policy.rule import PolicyRule
from sbatchlint.report.policy_variables import variables_markdown
from tests.policy.policies import load

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "examples" / "policies").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_ready_policy_reports_its_bad_scripts_alone(file: Path) -> None:
    for rule in load(file.read_text(encoding="utf-8"), str(file)):
        assert issubclass(rule, PolicyRule)
        found = list(trials(rule.policy))
        assert {trial.kind for trial in found} == {"good", "bad"}
        assert not [(trial, trial.wrong) for trial in found if trial.wrong]


def test_there_are_twelve_with_names_of_their_own() -> None:
    names = [rule.code for file in FILES for rule in load(file.read_text(encoding="utf-8"), str(file))]
    assert len(names) == len(set(names)) == 12


def test_the_documentation_holds_the_reference() -> None:
    page = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(
        "<!-- made by `sbatchlint policy variables --output-format=markdown` -->\n"
    )
    assert rest.partition("<!-- end -->")[0].strip() == variables_markdown().strip()
    for file in FILES:
        assert f"(../examples/policies/{file.name})" in before


TRIED = """
[[policy]]
name = "tried"
require = "{require}"
message = "m"
examples = {{ {kind} = "{script}" }}
"""


@pytest.mark.parametrize(
    ("kind", "require", "script", "wrong"),
    [
        ("good", "job.account != ''", "#SBATCH -A a", ""),
        ("good", "job.account != ''", "#SBATCH -p a", "it is reported"),
        ("bad", "job.account != ''", "#SBATCH -p a", ""),
        ("bad", "job.account != ''", "#SBATCH -A a", "it is not reported: its `require` is true"),
        (
            "bad",
            "job.time < duration('1h')",
            "#SBATCH -A a",
            "it can't be told (require: a value is not known)",
        ),
        ("bad", "job.options['qos'] != ''", "#SBATCH -A a", "there is no key 'qos'"),
        ("bad", "job.nodes > 1", "#SBATCH -A a", "reported as doubtful only"),
    ],
)
def test_an_example_that_fails_says_why(kind: str, require: str, script: str, wrong: str) -> None:
    (rule,) = load(TRIED.format(kind=kind, require=require, script=f"#!/bin/bash\\n{script}\\nsrun a"))
    (trial,) = trials(rule.policy)
    assert (wrong in trial.wrong) if wrong else not trial.wrong
