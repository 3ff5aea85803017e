"""Choosing rules by code, prefix, name and family."""

from __future__ import annotations

import pytest

from sbatchlint.lint.registry import FAMILIES, Registry, SelectionError, family_of

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
