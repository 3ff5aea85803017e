"""Choosing rules by code, prefix, name and family."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.registry import FAMILIES, Registry, RuleLoadError, SelectionError, family_of
from sbatchlint.source import Source
from tests.lint.conftest import OldProgram

ALL = ["SB001", "SB002", "SB003", "SB301", "SB401"]


def codes(registry: Registry, *arguments: list[str] | None) -> list[str]:
    return [rule.code for rule in registry.select(*arguments).rules]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("select", "ignore", "extend", "expected"),
    [
        (None, [], [], ALL),
        (["ALL"], [], [], ALL),
        (["SB3"], [], [], ["SB301"]),
        (["SB"], [], [], ALL),
        (["SB00"], [], [], ["SB001", "SB002", "SB003"]),
        (["launch", "noisy-program"], [], [], ["SB301", "SB401"]),
        (["old-program"], [], ["SB001"], ["SB001", "SB301"]),
        ([], [], ["SB4"], ["SB401"]),
        ([], [], [], []),
        (None, ["reading"], [], ["SB301", "SB401"]),
        (None, ["ALL"], [], []),
        (["SB002"], ["SB0"], [], ["SB002"]),
        (["SB0"], ["SB002"], [], ["SB001", "SB003"]),
        (["SB301"], ["SB301"], [], []),
        (["SB301"], ["old-program"], [], []),
        (["ALL", "SB301"], ["SB3", "SB4"], [], ["SB001", "SB002", "SB003", "SB301"]),
        (["SB4"], ["ALL"], [], ["SB401"]),
        (["launch"], ["SB3"], [], []),
        (["cluster"], [], [], []),
    ],
)
def test_the_more_specific_selector_wins(
    registry: Registry, select: list[str] | None, ignore: list[str], extend: list[str], expected: list[str]
) -> None:
    assert codes(registry, select, ignore, extend) == expected


@pytest.mark.parametrize(
    ("selector", "suggestion"),
    [
        ("old-programm", "old-program"),
        ("SB399", "SB3"),
        ("lanch", "launch"),
        ("sb301", "SB301"),
        ("all", "ALL"),
        ("", None),
        ("something-else-entirely", None),
        ("SB3011", "SB301"),
        ("XY1", None),
    ],
)
@pytest.mark.parametrize("where", [0, 1, 2])
def test_unknown_selector_is_named_with_the_nearest(
    registry: Registry, selector: str, suggestion: str | None, where: int
) -> None:
    arguments: list[list[str]] = [["ALL"], [], []]
    arguments[where] = [selector]
    with pytest.raises(SelectionError) as caught:
        registry.select(*arguments)
    assert caught.value.selector == selector
    assert repr(selector) in str(caught.value)
    if suggestion != "SB3":
        assert caught.value.suggestion == suggestion
    else:
        assert caught.value.suggestion is not None


def test_lookup(registry: Registry) -> None:
    rule = registry.find("SB301")
    assert rule is not None
    assert rule is registry.find("old-program")
    assert registry.find("SB3") is None
    assert registry.family("launch") == registry.matching("SB3") == (rule,)
    assert len(registry.matching("ALL")) == len(ALL)
    assert registry.suggest("old-progam") == "old-program"
    assert registry.suggest("zzz") is None


def test_families_cover_the_ten_digits_once() -> None:
    assert [family.prefix for family in FAMILIES] == [f"SB{digit}" for digit in range(10)]
    assert len({family.slug for family in FAMILIES}) == 10
    family = family_of("SB301")
    assert family is not None
    assert family.slug == "launch"
    assert family_of("ACME001") is None


class Policy(OldProgram):
    """A policy, as it is made from a configuration: its name is its code."""

    group = "policy"
    code = name = "require-account"


class ShortPolicy(Policy):
    code = name = "a"


class Guest(OldProgram):
    """A rule of a third party whose letters begin as ours."""

    group = "site"
    code = "SBU001"
    name = "guest"


@pytest.fixture
def crowd(make_registry: Callable[..., Registry]) -> Registry:
    return make_registry(Policy, ShortPolicy, Guest)


POLICIES = ["a", "require-account"]


@pytest.mark.parametrize(
    ("select", "ignore", "extend", "expected"),
    [
        (None, [], [], [*ALL, "SBU001", *POLICIES]),
        (None, ["policy"], [], [*ALL, "SBU001"]),
        (None, ["policy", "SB"], ["require-account"], ["SBU001", "require-account"]),
        (["policy"], [], [], POLICIES),
        (["policy"], ["a"], [], ["require-account"]),
        (["a"], ["policy"], [], ["a"]),
        (["policy"], ["policy"], [], []),
        (["policy"], ["ALL"], [], POLICIES),
        (["SB"], [], [], ALL),
        (["SBU"], [], [], ["SBU001"]),
        (["SBU0"], [], [], ["SBU001"]),
        (["site"], [], [], ["SBU001"]),
        (["SBU001"], ["site", "SBU00"], [], ["SBU001"]),
        (None, ["site"], [], [*ALL, *POLICIES]),
    ],
)
def test_groups(
    crowd: Registry, select: list[str] | None, ignore: list[str], extend: list[str], expected: list[str]
) -> None:
    assert codes(crowd, select, ignore, extend) == expected


def test_the_group_of_policies_is_known_even_if_there_is_none(registry: Registry) -> None:
    assert codes(registry, None, ["policy"]) == ALL
    with pytest.raises(SelectionError, match="did you mean 'policy'"):
        registry.select(["polcy"])


def test_looking_up_a_policy(crowd: Registry) -> None:
    assert crowd.find("require-account") is Policy
    assert crowd.group("policy") == (ShortPolicy, Policy)
    assert crowd.suggest("polizy") == "policy"
    assert crowd.suggest("require-acount") == "require-account"
    assert crowd.matching("policy") == crowd.group("policy")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("old-program", "two rules are called old-program: .*OldProgram and policy 'old-program'"),
        ("launch", "policy 'launch': 'launch' is the name of a family"),
        ("policy", "policy 'policy': 'policy' is the name of a group"),
        ("site", "policy 'site': 'site' is the name of a group"),
    ],
)
def test_names_that_a_policy_cannot_have(
    make_registry: Callable[..., Registry], name: str, message: str
) -> None:
    policy = type("Made", (Policy,), {"code": name, "name": name})
    with pytest.raises(RuleLoadError, match=message):
        make_registry(policy, Guest)


def test_policies_beside_packages() -> None:
    registry = Registry.load(more=[Policy])
    assert registry.find("require-account") is Policy
    assert registry.find("SB301") is not None


@pytest.mark.parametrize("key", ["policy", "require-account", "SB301, policy"])
def test_a_comment_answers_a_policy(crowd: Registry, key: str) -> None:
    text = f"#!/bin/bash\nold  # sbatchlint: ignore[{key}] we may\n"
    result = lint_source(Source.from_text(text, "job.sh"), crowd.select(["policy", "SB002", "SB003"]))
    left = [] if "policy" in key else ["a"]
    assert [finding.code for finding in result.findings] == left
    assert {one.finding.code for one in result.suppressed} == {"a", "require-account"} - set(left)
