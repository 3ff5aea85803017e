"""Of the fixes that are promised, those that would be refused are taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Rule, Severity, Source, Span
from sbatchlint.fix.guards import Guards
from sbatchlint.lint import builtin
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.fixing import fix_source, with_fixes_that_hold
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.loading import rules_in
from sbatchlint.lint.registry import Registry

HEAD = "#!/bin/bash\n"


class Words(Rule):
    """Mends ``good``, and ``vain`` without success; ``shy`` and ``coy`` are the same on request."""

    code = "SB305"
    name = "words"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for match in re.finditer(r"\b(good|vain|shy|coy|bare)\w*", job.source.text):
            span = Span(*match.span())
            fixes = {
                "good": Fix.safe("mend it", Edit(span, "mended")),
                "vain": Fix.safe("try it", Edit(span, "vainer")),
                "shy": Fix.unsafe("dare it", Edit(span, "dared")),
                "coy": Fix.unsafe("dare to try", Edit(span, "coyer")),
                "bare": None,
            }
            yield self.finding(span, match[0], fix=fixes[match[1]])


class Titled(Rule):
    """Both fixes bear one title, and only the first word can be mended."""

    code = "SB306"
    name = "titled"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for match in re.finditer(r"\b(yes|no)\w*", job.source.text):
            span = Span(*match.span())
            new = "mended" if match[1] == "yes" else "nope"
            yield self.finding(span, match[0], fix=Fix.safe("mend it", Edit(span, new)))


RULES = Registry([*rules_in(builtin), Words, Titled]).select()
GUARDS = Guards()


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["good", "vain", "shy", "coy", "bare", "yes", "no"]), max_size=7))
def test_a_fix_is_promised_where_it_helps(words: list[str]) -> None:
    source = Source.from_text(HEAD + "".join(f"{word}\n" for word in words), "f")
    result = lint_source(source, RULES)
    held = with_fixes_that_hold(result, RULES, guards=GUARDS)
    assert [one.message for one in held.findings] == words
    assert [one.span for one in held.findings] == [one.span for one in result.findings]
    titles = {"good": "mend it", "shy": "dare it", "yes": "mend it"}
    assert [one.fix.title if one.fix else None for one in held.findings] == [titles.get(one) for one in words]


def test_nothing_is_tried_where_there_is_no_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **more: object) -> None:
        raise AssertionError("tried")

    result = lint_source(Source.from_text(HEAD + "bare\n", "f"), RULES)
    monkeypatch.setattr("sbatchlint.lint.fixing.fix_source", refuse)
    assert with_fixes_that_hold(result, RULES) is result


class Counting:
    """Asks nobody, and counts how often it was to ask."""

    def __init__(self) -> None:
        self.sources: list[str] = []

    def __call__(self, source: Source) -> None:
        self.sources.append(source.text)


class Asks(Rule):
    """Asks the cluster about each text that it sees."""

    code = "SB307"
    name = "asks"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        assert job.sbatch_answer is None
        yield from ()


def test_the_cluster_is_not_asked_again_and_the_text_not_linted_twice() -> None:
    seen: list[str] = []

    class Looks(Asks):
        """Notes what it is asked about."""

        code = "SB308"
        name = "looks"

        def check(self, job: Job) -> Iterator[Finding]:
            seen.append(job.source.text)
            yield from ()

    rules = Registry([*rules_in(builtin), Words, Asks, Looks]).select()
    asked = Counting()
    options = LintOptions(ask=asked)  # type: ignore[arg-type]
    source = Source.from_text(HEAD + "good\n", "f")
    result = lint_source(source, rules, options)
    held = with_fixes_that_hold(result, rules, options)
    assert held.findings[0].fix is not None
    assert asked.sources == [source.text]
    assert seen == [source.text, HEAD + "mended\n"]


GUARD = "breaks_syntax"


@pytest.mark.parametrize("run", [fix_source, with_fixes_that_hold])
def test_the_guards_of_the_run_are_used(run: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    guards = Guards()
    asked: list[object] = []
    real = getattr(Guards, GUARD)

    def spy(self: Guards, *arguments: object) -> object:
        asked.append(self)
        return real(self, *arguments)

    monkeypatch.setattr(Guards, GUARD, spy)
    source = Source.from_text(HEAD + "good\n", "f")
    run(source if run is fix_source else lint_source(source, RULES), RULES, guards=guards)
    assert asked
    assert all(one is guards for one in asked)


def test_unsafe_fixes_wait_to_be_asked_for() -> None:
    source = Source.from_text(HEAD + "shy good\n", "f")
    assert fix_source(source, RULES).converged.source.text == HEAD + "shy mended\n"
    assert fix_source(source, RULES, unsafe=True).converged.source.text == HEAD + "dared mended\n"


def test_what_was_linted_before_is_not_linted_again() -> None:
    source = Source.from_text(HEAD + "bare\n", "f")
    before = lint_source(source, RULES)
    fixed = fix_source(source, RULES, before=before)
    assert fixed.before is before
    assert fixed.after is before


def test_rules_that_break_on_a_fixed_text_are_named_in_order() -> None:
    def fragile(number: int, also: str = "mended") -> type[Rule]:
        def check(self: Rule, job: Job) -> Iterator[Finding]:
            if also in job.source.text:
                raise ValueError
            yield from ()

        body = {
            "check": check,
            "code": f"SB31{number}",
            "name": f"fragile-{number}",
            "__doc__": "F.",
            "severity": Severity.INFO,
        }
        return type(f"Fragile{number}", (Rule,), body)

    rules = Registry([*rules_in(builtin), Words, *(fragile(number) for number in (2, 0, 1))]).select()
    source = Source.from_text(HEAD + "good\n", "f")
    (dropped,) = fix_source(source, rules).converged.dropped
    assert dropped.reason.endswith("rules break on the fixed text: SB310, SB311, SB312")
    always = Registry([*rules_in(builtin), Words, fragile(3, "\n")]).select()
    assert fix_source(source, always).converged.source.text == HEAD + "mended\n", "it broke before, too"


class ByRelease(Rule):
    """Cannot be mended where the script is read as a release that is known."""

    code = "SB309"
    name = "by-release"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for match in re.finditer(r"\bstays\b" if job.release is None else r"\bstay\w*", job.source.text):
            span = Span(*match.span())
            yield self.finding(span, match[0], fix=Fix.safe("mend it", Edit(span, "stayed")))


@pytest.mark.parametrize(("release", "holds"), [(None, True), ("24.05", False)])
def test_fixes_are_tried_with_the_options_of_the_run(release: str | None, holds: bool) -> None:
    rules = Registry([*rules_in(builtin), ByRelease]).select()
    options = LintOptions(release=release)
    result = lint_source(Source.from_text(HEAD + "stays\n", "f"), rules, options)
    held = with_fixes_that_hold(result, rules, options)
    assert [one.fix is not None for one in held.findings] == [holds]
