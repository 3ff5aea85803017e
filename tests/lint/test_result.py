"""What becomes of a finding: told, hidden, known, suppressed or set aside; and in which order."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.api import Confidence, Edit, Finding, Fix, Fixable, Job, Rule, Severity, Source, Span
from sbatchlint.lint import builtin, engine
from sbatchlint.lint.deadline import Clock, OutOfTime
from sbatchlint.lint.engine import InternalError, in_full, is_told, lint_source, unsieved
from sbatchlint.lint.fixing import fix_source, with_fixes_that_hold
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.loading import rules_in
from sbatchlint.lint.registry import Registry, RuleSet

MakeRegistry = Callable[..., Registry]
HEAD = "#!/bin/bash\n"
SEVERITIES = {"e": Severity.ERROR, "w": Severity.WARNING, "i": Severity.INFO}
CONFIDENCES = {"h": Confidence.HIGH, "m": Confidence.MEDIUM, "l": Confidence.LOW}


class Marks(Rule):
    """Finds words such as ``ABwh``: two capitals, a severity and a confidence; the last in the text first."""

    code = "SB305"
    name = "marks"
    severity = Severity.ERROR
    letter = "A"

    def check(self, job: Job) -> Iterator[Finding]:
        words = job.source.text.split()
        for word in reversed(words):
            if len(word) == 4 and word[0] == self.letter:
                at = job.source.text.index(word)
                yield self.finding(
                    Span(at, at + 4),
                    word,
                    severity=SEVERITIES[word[2]],
                    confidence=CONFIDENCES[word[3]],
                )


class Others(Marks):
    """The same of another letter."""

    code = "SB304"
    name = "others"
    letter = "B"


class Lenient(Marks):
    """The same, and lets them be where the text says so."""

    code = "SB306"
    name = "lenient"
    letter = "C"

    def excepted(self, job: Job) -> str:
        return "the text says so" if "LENIENT" in job.source.text else ""


RULES = Registry([*rules_in(builtin), Marks, Others, Lenient]).select()
WORDS = st.lists(
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from("ABC"),
        st.sampled_from("XYZ"),
        st.sampled_from("ewi"),
        st.sampled_from("hml"),
    ),
    max_size=8,
    unique=True,
)


def script(words: Sequence[str]) -> Source:
    return Source.from_text(HEAD + "".join(f"{word}\n" for word in words), "f")


def told_of(findings: Sequence[Finding]) -> list[str]:
    return [finding.message for finding in findings]


def prominent(word: str) -> bool:
    return word[2] != "i" and word[3] == "h"


@given(
    WORDS, st.booleans(), st.sets(st.sampled_from(["SB304", "SB305", "SB306"])), st.sets(st.integers(0, 7))
)
def test_each_finding_is_told_hidden_or_known(
    words: list[str], pedantic: bool, asked_for: set[str], old: set[int]
) -> None:
    before = {word for number, word in enumerate(words) if number in old}

    def sieve(job: Job, findings: Sequence[Finding], again: object) -> list[Finding]:
        assert told_of(findings) == words
        return [finding for finding in findings if finding.message not in before]

    options = LintOptions(pedantic=pedantic, asked_for=frozenset(asked_for), sieve=sieve)
    result = lint_source(script(words), RULES, options)
    code = {"A": "SB305", "B": "SB304", "C": "SB306"}
    loud = [word for word in words if pedantic or prominent(word) or code[word[0]] in asked_for]
    assert told_of(result.findings) == [word for word in loud if word not in before]
    assert told_of(result.known) == [word for word in loud if word in before]
    assert result.hidden == len(set(words) - set(loud) - before)
    assert result.internal_errors == ()
    assert [is_told(one, options) for one in result.findings] == [True] * len(result.findings)


@given(WORDS, st.booleans(), st.booleans())
def test_an_exception_sets_aside_what_one_rule_tells(words: list[str], lenient: bool, pedantic: bool) -> None:
    text = [*words, "LENIENT"] if lenient else words
    result = lint_source(script(text), RULES, LintOptions(pedantic=pedantic))
    loud = [word for word in words if pedantic or prominent(word)]
    aside = [word for word in loud if lenient and word[0] == "C"]
    assert told_of(result.findings) == [word for word in loud if word not in aside]
    assert told_of([one.finding for one in result.suppressed]) == aside
    assert all(one.by is None and one.reason == "the text says so" for one in result.suppressed)
    quiet = [word for word in words if not pedantic and not prominent(word)]
    assert result.hidden == len([word for word in quiet if not (lenient and word[0] == "C")])


def test_what_is_answered_and_what_is_set_aside_come_in_the_order_of_the_text() -> None:
    body = "CXeh\nAXeh # sbatchlint: ignore[SB305] so\nCYeh\nLENIENT\nAYeh # sbatchlint: ignore[SB305] too\n"
    result = lint_source(Source.from_text(HEAD + body, "f"), RULES)
    assert [one.finding.message for one in result.suppressed] == ["CXeh", "AXeh", "CYeh", "AYeh"]
    assert [one.reason for one in result.suppressed] == ["the text says so", "so", "the text says so", "too"]
    assert [one.by is None for one in result.suppressed] == [True, False, True, False]


class Crowd(Rule):
    """Finds many things at few places, in no order."""

    code = "SB307"
    name = "crowd"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        places = [(start, end, text) for start in (0, 3) for end in (4, 9) for text in "abc"]
        random.Random(5).shuffle(places)
        for start, end, text in places:
            yield self.finding(Span(start, end), text)


class OtherCrowd(Crowd):
    """The same under a later code."""

    code = "SB308"
    name = "other-crowd"


def test_the_order_is_place_code_end_and_message(make_registry: MakeRegistry) -> None:
    rules = make_registry(OtherCrowd, Crowd).select(["SB307", "SB308"])

    def half(job: Job, findings: Sequence[Finding], again: object) -> list[Finding]:
        return [one for one in findings if one.span.end == 9]

    for sieve in (None, half):
        result = lint_source(Source.from_text(HEAD, "f"), rules, LintOptions(sieve=sieve))
        for findings in (result.findings, result.known):
            keys = [(one.span.start, one.code, one.span.end, one.message) for one in findings]
            assert keys == sorted(keys)
        assert len(result.findings) + len(result.known) == 24
    body = "# sbatchlint: ignore-file[SB307, SB308]\n"
    suppressed = lint_source(Source.from_text(HEAD + body, "f"), rules).suppressed
    places = [one.finding for one in suppressed]
    keys = [(one.span.start, one.code, one.span.end, one.message) for one in places]
    assert len(keys) == 24 and keys == sorted(keys)


def test_the_sieve_may_look_at_another_version_in_full() -> None:
    seen: list[list[str]] = []

    def sieve(
        job: Job, findings: Sequence[Finding], again: Callable[[Source], Sequence[Finding]]
    ) -> list[Finding]:
        seen.append(told_of(again(script(["AXil", "BXeh"]))))
        return []

    result = lint_source(script(["BXeh"]), RULES, LintOptions(sieve=sieve, pedantic=False))
    assert seen == [["AXil", "BXeh"]], "asked once, with nothing held back or hidden"
    assert told_of(result.known) == ["BXeh"]


def test_the_options_of_another_version() -> None:
    options = LintOptions(
        release="24.05",
        sbatch_args=("-N2",),
        pedantic=False,
        sieve=lambda job, findings, again: findings,
        ask=lambda source: None,  # type: ignore[arg-type, return-value]
    )
    assert unsieved(options) == LintOptions(release="24.05", sbatch_args=("-N2",), pedantic=True)


class ByRelease(Rule):
    """Finds something where the script is read as a release that is known, and names it."""

    code = "SB310"
    name = "by-release"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        at = job.source.text.find("AXeh")
        if job.release is not None and at >= 0:
            fix = Fix.safe("mend it", Edit(Span(at, at + 4), "mended"))
            yield self.finding(Span(at, at + 4), job.release, fix=fix)


def test_another_version_is_read_with_the_same_options() -> None:
    rules = Registry([*rules_in(builtin), ByRelease]).select()
    seen: list[list[str]] = []

    def sieve(
        job: Job, findings: Sequence[Finding], again: Callable[[Source], Sequence[Finding]]
    ) -> Sequence[Finding]:
        seen.append([*told_of(findings), job.source.text, *told_of(again(script(["AXeh"])))])
        return findings

    text = script(["x", "AXeh"])
    result = lint_source(text, rules, LintOptions(release="24.05", sieve=sieve))
    assert seen == [["24.05", text.text, "24.05"]]
    options = LintOptions(release="24.05")
    held = with_fixes_that_hold(result, rules, options)
    assert [one.fix is not None for one in held.findings] == [True]
    assert fix_source(text, rules, options).converged.source.text == script(["x", "mended"]).text
    assert fix_source(text, rules).converged.source.text == text.text


def test_what_is_sourced_is_handed_on(tmp_path: Path, registry: Registry) -> None:
    (tmp_path / "env..sh").write_bytes(b"A=1\r\n")
    (tmp_path / "other.sh").write_text("A=2\n")
    text = HEAD + "source env..sh\nsource ../other.sh\nsrun hostname\n"
    rules = Registry.load().select()
    result = lint_source(Source.from_text(text, "f"), rules, LintOptions(folder=str(tmp_path)))
    assert [(one.path, one.text) for one in result.beside] == [("env..sh", "A=1\n")]
    assert lint_source(Source.from_text(text, "f"), rules).beside == ()


def raised(error: BaseException) -> InternalError:
    try:
        raise error
    except BaseException as caught:
        return InternalError.caught(caught, "SB301")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Torn", "Torn"),
        ("a b", "an exception"),
        ("\x1b[31m", "an exception"),
        ("E" * 60, "E" * 60),
        ("E" * 61, "an exception"),
    ],
)
def test_where_and_what_was_raised(name: str, kind: str) -> None:
    told = raised(type(name, (Exception,), {})("why"))
    assert (told.code, told.kind, told.message) == ("SB301", kind, "why")
    folder, file, line = re.fullmatch(r"(\w+)/(\w+\.py):(\d+)", told.place).groups()  # type: ignore[union-attr]
    assert (folder, file) == ("lint", "test_result.py")
    assert Path(__file__).read_text().splitlines()[int(line) - 1].strip() == "raise error"
    assert InternalError.caught(ValueError("never raised")).place == ""


def test_a_sieve_that_breaks_holds_nothing_back() -> None:
    def sieve(job: Job, findings: Sequence[Finding], again: object) -> list[Finding]:
        raise ValueError("torn")

    result = lint_source(script(["BXeh", "AXeh", "BYeh"]), RULES, LintOptions(sieve=sieve))
    assert told_of(result.findings) == ["BXeh", "AXeh", "BYeh"]
    assert result.known == ()
    (error,) = result.internal_errors
    assert (error.code, error.kind, error.message) == ("", "ValueError", "torn")
    assert error.traceback.startswith("Traceback (most recent call last):\n  File ")
    assert error.traceback.endswith("\nValueError: torn\n")


def test_another_severity_by_code() -> None:
    rules = RuleSet(RULES.registry, RULES.rules, {"SB304": Severity.INFO})
    result = lint_source(script(["BXeh", "AXeh"]), rules, LintOptions(pedantic=False))
    assert told_of(result.findings) == ["AXeh"]
    assert result.hidden == 1
    result = lint_source(script(["BXeh", "AXeh"]), rules)
    assert [one.severity for one in result.findings] == [Severity.INFO, Severity.ERROR]


def test_codes_of_a_run(registry: Registry) -> None:
    assert registry.select(["SB3", "SB001"]).codes == frozenset({"SB301", "SB001"})


class Stops(Rule):
    """Is interrupted."""

    code = "SB309"
    name = "stops"
    severity = Severity.WARNING
    error: BaseException = KeyboardInterrupt()

    def check(self, job: Job) -> Iterator[Finding]:
        yield self.finding(Span(0, 1), "before")
        raise self.error


def test_an_interrupt_is_no_fault_of_a_rule(make_registry: MakeRegistry) -> None:
    with pytest.raises(KeyboardInterrupt):
        lint_source(Source.from_text(HEAD, "f"), make_registry(Stops).select())


@pytest.mark.parametrize(
    "error", [SystemExit(3), GeneratorExit("x"), MemoryError("much"), StopIteration("x")]
)
def test_whatever_else_a_rule_raises_is_told(make_registry: MakeRegistry, error: BaseException) -> None:
    rule = type("Raises", (Stops,), {"error": error, "__doc__": "Raises."})
    result = lint_source(Source.from_text(HEAD + "old\n", "f"), make_registry(rule).select())
    assert [one.code for one in result.findings] == ["SB309", "SB301"]
    (told,) = result.internal_errors
    assert told.code == "SB309"
    assert not told.late


def test_an_idle_suppression_of_a_rule_that_broke_is_not_told(make_registry: MakeRegistry) -> None:
    rule = type("Raises", (Stops,), {"error": ValueError("x"), "__doc__": "Raises."})
    text = HEAD + "x # sbatchlint: ignore[SB309]\ny # sbatchlint: ignore[SB301]\n"
    result = lint_source(Source.from_text(text, "f"), make_registry(rule).select())
    assert [one.code for one in result.findings] == ["SB309", "SB002"]


class Over(Clock):
    """A clock whose time is used up."""

    @property
    def over(self) -> bool:
        return True


def test_rules_are_left_out_where_the_time_is_over(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "clock", Over)
    result = lint_source(Source.from_text(HEAD + "old\n", "f"), registry.select(["SB3", "SB4"]))
    assert result.findings == ()
    assert result.internal_errors == tuple(
        InternalError(code, "OutOfTime", "it was left out", "") for code in ("SB301", "SB401")
    )


def test_a_part_that_could_not_be_read_breaks_no_suppression(registry: Registry) -> None:
    text = HEAD + "for x in a; echo; done\ny # sbatchlint: ignore[SB301]\nz # sbatchlint: ignore\n"
    result = lint_source(Source.from_text(text, "f"), registry.select())
    assert [one.code for one in result.findings] == ["SB001", "SB003"]
    assert result.internal_errors == ()


def test_out_of_time_is_late_and_no_fault(registry: Registry) -> None:
    sound = lint_source(Source.from_text(HEAD + "old\n", "f"), registry.select())
    assert in_full(sound) is sound
    late = InternalError.caught(OutOfTime("longer than 2 s", "this"), "SB301")
    assert (late.code, late.kind, late.message) == ("SB301", "OutOfTime", "this takes longer than 2 s")
    assert late.late
    fault = InternalError.caught(ValueError("x"))
    assert not fault.late
    told = replace(sound, internal_errors=(fault,))
    assert in_full(told) is told
    with pytest.raises(OutOfTime):
        in_full(replace(sound, internal_errors=(fault, late)))
