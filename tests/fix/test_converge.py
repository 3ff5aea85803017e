"""Fixing in rounds, with small linters that replace words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from sbatchlint.fix.converge import Converged, converge
from sbatchlint.fix.edit import Edit, Fix, Safety
from sbatchlint.source import Source, Span

HEAD = "#!/bin/bash\n"


@dataclass(frozen=True)
class Found:
    """The least that a finding can be."""

    code: str
    message: str
    span: Span
    serious: bool = True
    fix: Fix | None = None


Lint = Callable[[Source], Sequence[Found]]


def replacing(
    pattern: str, replacement: str | None, code: str = "T1", *, safe: bool = True, serious: bool = True
) -> Lint:
    """Find *pattern* and offer to replace it."""

    def lint(source: Source) -> list[Found]:
        found = []
        for match in re.finditer(pattern, source.text):
            span = Span(*match.span())
            make = Fix.safe if safe else Fix.unsafe
            fix = None if replacement is None else make("replace", Edit(span, match.expand(replacement)))
            found.append(Found(code, match.group(), span, serious, fix))
        return found

    return lint


def all_of(*lints: Lint) -> Lint:
    return lambda source: [finding for lint in lints for finding in lint(source)]


def run(text: str, *lints: Lint, **options: object) -> Converged[Found]:
    return converge(Source.from_text(HEAD + text, "f"), all_of(*lints), **options)  # type: ignore[arg-type]


def text_of(result: Converged[Found]) -> str:
    return result.source.text.removeprefix(HEAD)


def test_all_findings_of_a_round_at_once() -> None:
    result = run("echo old; echo old\n", replacing("old", "new"))
    assert text_of(result) == "echo new; echo new\n"
    assert [applied.round for applied in result.applied] == [1, 1]
    assert result.remaining == ()
    assert result.changed
    assert result.stable


def test_nothing_to_fix() -> None:
    result = run("echo new\n", replacing("old", "new"))
    assert not result.changed
    assert result.source is result.before


def test_overlapping_fixes_take_rounds() -> None:
    result = run("echo abc\n", replacing("ab", "x", "T1"), replacing("bc|xc", "y", "T2"))
    assert text_of(result) == "echo y\n"
    assert [(applied.finding.code, applied.round) for applied in result.applied] == [("T1", 1), ("T2", 2)]


@pytest.mark.parametrize("before", ["# é 世界 \U0001f600\n", "# \udcff\n", "\techo\t'\t'\n", "echo a\r\n"])
def test_text_before_the_edit_does_not_matter(before: str) -> None:
    result = run(before + "\techo old\necho b\r\necho old", replacing("old", "newer"))
    assert result.source.to_bytes() == (HEAD + before + "\techo newer\necho b\r\necho newer").encode(
        "utf-8", "surrogateescape"
    )


def test_second_run_changes_nothing() -> None:
    lint = replacing("old", "new")
    once = converge(Source("f", HEAD + "echo old\n"), lint)
    assert not converge(once.source, lint).changed


def test_fix_that_breaks_the_syntax_is_dropped_alone() -> None:
    lint = all_of(replacing("old", "new", "T1"), replacing("fi\n", "\n", "T2"))
    result = converge(Source("f", HEAD + "if true; then echo old; fi\necho old\n"), lint)
    assert text_of(result) == "if true; then echo new; fi\necho new\n"
    (dropped,) = result.dropped
    assert dropped.finding.code == "T2"
    assert dropped.reason == "bash would no longer read the script"
    assert [finding.code for finding in result.remaining] == ["T2"]
    assert result.stable


def test_fix_that_leaves_its_finding_is_dropped() -> None:
    result = run("echo old\necho good\n", replacing("old", "old old"), replacing("good", "best", "T2"))
    assert text_of(result) == "echo old\necho best\n"
    assert [dropped.reason for dropped in result.dropped] == ["the finding would still be there"]
    assert [finding.message for finding in result.remaining] == ["old"]


def test_fix_that_brings_about_another_finding_is_dropped() -> None:
    result = run("echo old\n", replacing("old", "bad"), replacing("bad", None, "T2"))
    assert text_of(result) == "echo old\n"
    assert [dropped.reason for dropped in result.dropped] == ["it would bring about T2: bad"]


def test_findings_that_were_there_before_may_stay() -> None:
    lint = all_of(replacing("old", "x\n\n"), replacing("bad", None, "T2"))
    result = converge(Source("f", HEAD + "bad old bad\nbad old\n"), lint)
    assert text_of(result) == "bad x\n\n bad\nbad x\n\n\n"
    assert result.dropped == ()
    assert [finding.code for finding in result.remaining] == ["T2"] * 3


def test_a_remark_may_come_and_an_unfixed_twin_may_stay() -> None:
    def remark(source: Source) -> list[Found]:
        return [
            Found("T2", "x", Span(*match.span()), serious=False) for match in re.finditer("x", source.text)
        ]

    def twice(source: Source) -> list[Found]:
        """Report two things of one code at one place, of which one has no fix."""
        found = []
        for match in re.finditer("(a?)(b?)!", source.text):
            span = Span(*match.span())
            if match[1]:
                found.append(Found("T1", "a", span, fix=Fix.safe("no a", Edit(Span(*match.span(1)), "x"))))
            if match[2]:
                found.append(Found("T1", "b", span))
        return found

    result = run("echo ab!\n", twice, remark)
    assert text_of(result) == "echo xb!\n"
    assert result.dropped == ()
    assert sorted(finding.message for finding in result.remaining) == ["b", "x"]


def test_unsafe_fixes_only_on_request_and_after_the_safe_ones() -> None:
    lints = (replacing("q", "w", "T1", safe=False), replacing("y", "z", "T2"))
    text = "v=qy\n"
    assert text_of(run(text, *lints)) == "v=qz\n"
    result = run(text, *lints, unsafe=True)
    assert text_of(result) == "v=wz\n"
    assert [applied.finding.code for applied in result.applied] == ["T2", "T1"]
    assert [applied.fix.safety for applied in result.applied] == [Safety.SAFE, Safety.UNSAFE]


def test_safe_fix_may_not_lose_a_comment_but_an_unsafe_one_may() -> None:
    text = "echo old # why\n"
    result = run(text, replacing("old # why", "new"))
    assert not result.changed
    assert [dropped.reason for dropped in result.dropped] == ["it would lose the comment '# why'"]
    assert text_of(run(text, replacing("old # why", "new", safe=False), unsafe=True)) == "echo new\n"


def test_bookkeeping_may_delete_its_comment_and_may_be_brought_about() -> None:
    def own_comment(source: Source) -> Sequence[Found]:
        """Want the comment while there is an ``old`` and no comment without."""
        if "old" in source.text:
            return []
        return replacing(" # hush", "", "T9")(source)

    lints = (replacing("old", "new", "T1"), own_comment)
    result = run("echo old # hush\n", *lints, bookkeeping=["T9"])
    assert text_of(result) == "echo new\n"
    assert result.dropped == ()
    assert not run("echo old # hush\n", *lints).changed


def test_unsound_fixes_are_dropped_with_a_reason() -> None:
    def lint(source: Source) -> list[Found]:
        return [
            Found("T1", "m", Span(0, 1), fix=Fix.safe("far", Edit(Span(0, 999), "x"))),
            Found("T2", "m", Span(0, 1), fix=Fix.safe("same", Edit(Span(0, 1), "#"))),
        ]

    result = run("echo\n", lint)
    assert [dropped.reason for dropped in result.dropped] == [
        "an edit lies outside the file",
        "it changes nothing",
    ]
    assert [dropped.fix.title for dropped in result.dropped] == ["far", "same"]
    assert not result.changed
    assert len(result.remaining) == 2
    assert result.stable


def test_where_nothing_can_be_applied_nothing_is_linted_again() -> None:
    looked = []

    def lint(source: Source) -> list[Found]:
        looked.append(source)
        return [Found("T1", "m", Span(0, 1), fix=Fix.safe("far", Edit(Span(0, 999), "x")))]

    run("echo\n", lint)
    assert len(looked) == 1


def test_what_cannot_be_checked_is_not_kept() -> None:
    def lint(source: Source) -> Sequence[Found]:
        if "new" in source.text:
            raise RecursionError("too deep")
        return all_of(replacing("old", "new", "T1"), replacing("good", "best", "T2"))(source)

    result = run("echo old\necho good\n", lint)
    assert text_of(result) == "echo old\necho best\n"
    assert [(dropped.finding.code, dropped.reason) for dropped in result.dropped] == [
        ("T1", "it could not be checked: too deep")
    ]


def test_fix_of_something_else_is_dropped() -> None:
    """The finding is where it was and says the same."""
    result = run("echo old\n", replacing("old", "older"))
    assert not result.changed
    assert [dropped.reason for dropped in result.dropped] == ["the finding would still be there"]
    assert result.dropped[0].fix.title == "replace"


@pytest.mark.parametrize(
    ("text", "dropped"), [("yx", True), ("xz", True), ("y-x", False), ("x-z", False), ("yxz", True)]
)
def test_finding_that_moves_aside_is_still_there(text: str, dropped: bool) -> None:
    """``x`` is found, and once it is gone what stands beside it."""

    def lint(source: Source) -> list[Found]:
        found = [*replacing("x", "X", serious=False)(source)]
        return found or [*replacing("y|z", None, serious=False)(source)]

    result = run(f": {text}\n", lint)
    assert result.changed is not dropped


def test_bookkeeping_comes_after_the_unsafe_ones() -> None:
    lints = (replacing("q", "w", "T1", safe=False), replacing("# hush", "", "T9", safe=False))
    result = run("v=q # hush\n", *lints, unsafe=True, bookkeeping=["T9"])
    assert [(applied.finding.code, applied.round) for applied in result.applied] == [("T1", 1), ("T9", 2)]


def test_comment_that_becomes_a_directive_is_not_lost() -> None:
    def lint(source: Source) -> list[Found]:
        return [
            Found("T1", "m", Span(*each.span()), fix=make("revive", Edit(Span(*each.span()), "echo")))
            for each in re.finditer("#echo", source.text)
        ]

    make = Fix.reviving
    assert text_of(run("#echo a\n", lint)) == "echo a\n"
    make = Fix.safe  # type: ignore[assignment]
    result = run("#echo a\n", lint)
    assert [dropped.reason for dropped in result.dropped] == ["it would lose the comment '#echo a'"]


def test_refused_fix_is_not_tried_again_after_the_text_moved() -> None:
    lints = (replacing("(?m)^fi$", "", "T2"), replacing("ab", ": one\n", "T1"))
    remark = replacing("one", "1", "T3", serious=False)
    result = run("ab\nif true; then :\nfi\n", *lints, remark)
    assert [applied.round for applied in result.applied] == [1, 2]
    assert [dropped.finding.code for dropped in result.dropped] == ["T2"]
    assert text_of(result) == ": 1\n\nif true; then :\nfi\n"


def test_rounds_are_bounded() -> None:
    def flip(source: Source) -> list[Found]:
        found = re.search(r"v(\d+)", source.text)
        assert found is not None
        span = Span(*found.span())
        fix = Fix.safe("up", Edit(span, f"v{int(found[1]) + 1}"))
        return [Found(f"T{found[1]}", "m", span, serious=False, fix=fix)]

    result = run("echo v0\n", flip)
    assert text_of(result) == "echo v10\n"
    assert not result.stable
    assert text_of(run("echo v0\n", flip, rounds=2)) == "echo v2\n"
