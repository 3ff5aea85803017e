"""Every fix of every rule, on its own bad examples put into rougher files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sbatchlint.lint.docs import as_file, example_options, read_doc
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import Registry
from sbatchlint.lint.rule import Fixable, Rule
from sbatchlint.source import Source
from tests.rules.checking import all_rules

RULES = [rule for rule in Registry.load().rules if rule.fixable is not Fixable.NEVER]
LINE_ENDS = "SB011"
"""The one rule whose fix changes every line."""
CASES = [
    pytest.param(rule, as_file(script), id=f"{rule.code}-{number}")
    for rule in RULES
    for number, script in enumerate(read_doc(rule).bad, 1)
]


def _options(rule: type[Rule]) -> LintOptions:
    return example_options(read_doc(rule))


def _behind_shebang(script: str, line: str) -> str:
    first, newline, rest = script.partition("\n")
    return f"{first}{newline}{line}{newline}{rest}"


AS_IT_IS = "as it is"
ROUGH: dict[str, Callable[[str], str]] = {
    AS_IT_IS: lambda script: script,
    "non-ASCII before": lambda script: _behind_shebang(script, "# größe 模型 🚀 e\u0301"),
    "tabs before": lambda script: _behind_shebang(script, "#\tone\ttwo"),
    "undecodable byte before": lambda script: _behind_shebang(script, "# \udcff"),
    "CRLF elsewhere": lambda script: script + "# end\r\n",
    "CRLF everywhere": lambda script: script.replace("\n", "\r\n"),
    "no newline at the end": lambda script: script.rstrip("\n"),
}


def _rough_cases() -> Iterator[Any]:
    """Yield each case as it is, in one of the rougher files, and for the slow tests in all others."""
    names = [name for name in ROUGH if name != AS_IT_IS]
    for number, case in enumerate(CASES):
        for name in ROUGH:
            often = name in (AS_IT_IS, names[number % len(names)])
            marks = [] if often else [pytest.mark.slow]
            yield pytest.param(*case.values, name, id=f"{case.id}-{name}", marks=marks)


ROUGH_CASES = [*_rough_cases()]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_an_example_of_the_rule_is_fixed(rule: type[Rule]) -> None:
    sources = [Source.from_text(as_file(script), "job.sh") for script in read_doc(rule).bad]
    results = [fix_source(source, all_rules(), _options(rule), unsafe=True) for source in sources]
    assert any(applied.finding.code == rule.code for one in results for applied in one.converged.applied)


@pytest.mark.parametrize(("rule", "script", "roughness"), ROUGH_CASES)
def test_the_finding_goes_and_nothing_else_comes(rule: type[Rule], script: str, roughness: str) -> None:
    before = Source.from_text(ROUGH[roughness](script), "job.sh")
    result = fix_source(before, all_rules(), _options(rule), unsafe=True)
    assert not result.before.internal_errors
    assert not result.after.internal_errors
    offered = [f for f in result.before.findings if f.code == rule.code and f.fix is not None]
    left = [f for f in result.after.findings if f.code == rule.code and f.fix is not None]
    if not offered:
        assert rule.fixable is Fixable.SOMETIMES
        return
    assert left == []
    assert {f.code for f in result.after.findings} <= {f.code for f in result.before.findings}
    again = fix_source(result.converged.source, all_rules(), _options(rule), unsafe=True)
    assert again.converged.source.to_bytes() == result.converged.source.to_bytes()


@pytest.mark.parametrize(("rule", "script", "roughness"), ROUGH_CASES)
def test_bytes_outside_the_edits_stay(rule: type[Rule], script: str, roughness: str) -> None:
    before = Source.from_text(ROUGH[roughness](script), "job.sh")
    others = () if rule.code == LINE_ENDS else (LINE_ENDS,)
    result = fix_source(before, Registry.load().select(ignore=others), _options(rule), unsafe=True)
    if rule.code == LINE_ENDS:
        before = before.with_unix_line_ends()
    old, new = before.to_bytes().splitlines(True), result.converged.source.to_bytes().splitlines(True)
    edited = {
        before.position(offset).line
        for applied in result.converged.applied
        for edit in applied.fix.edits
        for offset in (edit.span.start, edit.span.end)
        if applied.round == 1
    }
    kept = [line for number, line in enumerate(old, 1) if number not in edited]
    position = 0
    for line in kept:
        assert line in new[position:], f"{line!r} is lost or moved"
        position = new.index(line, position) + 1
