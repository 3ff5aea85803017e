"""Every rule's page is proved: what it says of its examples is what happens."""

from __future__ import annotations

import pytest

from sbatchlint.lint.registry import Registry, family_of
from sbatchlint.lint.rule import Rule
from sbatchlint.lint.rule_test import check_rule_docs

REGISTRY = Registry.load()


@pytest.mark.parametrize("rule", REGISTRY.rules, ids=lambda rule: f"{rule.code}-{rule.name}")
def test_page(rule: type[Rule]) -> None:
    assert check_rule_docs(rule, REGISTRY) == []


@pytest.mark.parametrize("rule", REGISTRY.rules, ids=lambda rule: rule.code)
def test_a_rule_stands_alone_in_a_file_of_its_family(rule: type[Rule]) -> None:
    family = family_of(rule.code)
    assert family is not None
    if rule.__module__.startswith("sbatchlint_rules."):
        assert rule.__module__ == f"sbatchlint_rules.{family.slug}.{rule.name.replace('-', '_')}"
