"""What sheets laid over each other choose, held against the registry's own choice from one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.api import Finding, Job, Rule
from sbatchlint.api import Severity as Level
from sbatchlint.config.choosing import Chooser
from sbatchlint.config.sheets import Sheet
from sbatchlint.lint.registry import Registry


def _rule(code: str, name: str) -> type[Rule]:
    def check(self: Rule, job: Job) -> Iterator[Finding]:
        yield from ()

    members = {"code": code, "name": name, "severity": Level.ERROR, "check": check, "__doc__": "A rule."}
    return type(name.title(), (Rule,), members)


CODES = [f"{letters}{number}" for letters in ("AB", "CD") for number in (101, 102, 111, 201)]
REGISTRY = Registry([_rule(code, f"name-{code.lower()}") for code in CODES])
SELECTORS = st.sampled_from(
    ["ALL", "AB", "CD", "AB1", "AB10", "CD2", *CODES, *(f"name-{code.lower()}" for code in CODES)]
)
LIST = st.lists(SELECTORS, max_size=3).map(tuple)
SHEET = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("select", "extend-select", "ignore", "extend-ignore"), LIST)
)
SHEETS = st.lists(SHEET, max_size=3)


def chosen(sheets: Sequence[dict[str, Any]]) -> frozenset[str]:
    return Chooser(REGISTRY).choose([Sheet(values) for values in sheets]).codes


@given(SHEET)
def test_one_sheet_means_what_the_same_command_line_means(sheet: dict[str, Any]) -> None:
    ignore = (*sheet.get("ignore", ()), *sheet.get("extend-ignore", ()))
    expected = REGISTRY.select(sheet.get("select"), ignore, sheet.get("extend-select", ())).codes
    assert chosen([sheet, {}]) == chosen([sheet]) == expected


@given(SHEETS, SHEET, LIST)
def test_select_forgets_what_lies_below(
    below: list[dict[str, Any]], sheet: dict[str, Any], select: tuple[str, ...]
) -> None:
    assert chosen([*below, {**sheet, "select": select}]) == chosen([{**sheet, "select": select}])


@given(SHEETS, st.sampled_from(CODES))
def test_the_upper_sheet_has_its_way(below: list[dict[str, Any]], code: str) -> None:
    assert code not in chosen([*below, {"ignore": ("ALL",)}])
    assert code in chosen([*below, {"extend-select": (code,)}])
    others = chosen([*below, {}]) - {code}
    assert chosen([*below, {"ignore": (code,)}]) == others


@given(SHEETS, st.sampled_from(CODES), SHEET)
def test_a_trusted_rule_goes_by_its_name_or_by_the_command_line_alone(
    files: list[dict[str, Any]], code: str, top: dict[str, Any]
) -> None:
    names = {code, f"name-{code.lower()}"}
    named = any(names & {*sheet.get("ignore", ()), *sheet.get("extend-ignore", ())} for sheet in files)

    def choose(last: dict[str, Any]) -> frozenset[str]:
        return Chooser(REGISTRY, [code]).choose([Sheet(values) for values in [*files, last]]).codes

    assert code in choose({}) or named
    assert choose({}) - {code} == chosen([*files, {}]) - {code}
    assert "select" not in top or choose(top) == chosen([*files, top])


LEVELS = st.sampled_from(["error", "warning", "info"])
BROAD = ("ALL", "AB", "CD", "AB1", "AB10", "CD2")
TABLES = st.lists(st.dictionaries(st.sampled_from([*BROAD, *CODES]), LEVELS, max_size=3), max_size=3)


@given(TABLES)
def test_of_severities_the_upper_and_in_it_the_closer_one_counts(tables: list[dict[str, str]]) -> None:
    sheets = [Sheet({"severity": table}) for table in tables]
    found = dict(Chooser(REGISTRY).choose([*sheets, Sheet({})]).severities)
    for code in CODES:
        expected = None
        for table in tables:
            matching = [word for word in (*BROAD, code) if word in table]
            matching = [word for word in matching if word == "ALL" or code.startswith(word)]
            expected = table[matching[-1]] if matching else expected
        assert (found[code].value if code in found else None) == expected
