"""A finding of which one part has the wrong type: each is named, and none is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.api import Confidence, Edit, Finding, Fix, Related, Severity, Span
from sbatchlint.lint.well_formed import problem_of

FIX = Fix.safe("t", Edit(Span(0, 1), "x"), Edit(Span(1, 2), "y"))
SOUND = Finding(
    "ACME001",
    "a-rule",
    Severity.INFO,
    "m",
    Span(0, 1),
    label="l",
    related=(Related(Span(1, 2), "r"), Related(Span(2, 2), "r")),
    help="h",
    notes=("n", "o"),
    fix=FIX,
    confidence=Confidence.LOW,
)
ODD = object()


def wrong(**parts: Any) -> Finding:
    return replace(SOUND, **parts)


def wrong_fix(**parts: Any) -> Finding:
    return replace(SOUND, fix=replace(FIX, **parts))


@pytest.mark.parametrize("length", [2, 3, 1000])
def test_what_is_sound(length: int) -> None:
    assert problem_of(SOUND, length) == ""


@pytest.mark.parametrize("thing", [None, "finding", {}, Finding, SOUND.span])
def test_what_is_no_finding(thing: object) -> None:
    assert problem_of(thing, 9) == f"{type(thing).__name__} yielded, which is no finding"


@pytest.mark.parametrize(
    ("finding", "part", "kind"),
    [
        *(
            (wrong(**{part: ODD}), part, kind)
            for part, kind in {
                "code": "str",
                "name": "str",
                "severity": "Severity",
                "confidence": "Confidence",
                "message": "str",
                "label": "str",
                "help": "str",
                "span": "Span",
                "notes": "tuple",
                "related": "tuple",
                "fix": "Fix",
            }.items()
        ),
        (wrong(notes=("n", ODD)), "note", "str"),
        (wrong(related=(*SOUND.related, ODD)), "related place", "Related"),
        (wrong(related=(Related(ODD, "r"),)), "related span", "Span"),  # type: ignore[arg-type]
        (wrong(related=(Related(Span(0, 0), ODD),)), "related message", "str"),  # type: ignore[arg-type]
        (wrong_fix(title=ODD), "fix title", "str"),
        (wrong_fix(safety=ODD), "fix safety", "Safety"),
        (wrong_fix(edits=(FIX.edits[0], ODD)), "fix edit", "Edit"),
        (wrong_fix(edits=(Edit(ODD, ""),)), "fix span", "Span"),  # type: ignore[arg-type]
        (wrong_fix(edits=(Edit(Span(0, 1), ODD),)), "fix text", "str"),  # type: ignore[arg-type]
    ],
)
def test_a_part_of_another_type_is_named(finding: Finding, part: str, kind: str) -> None:
    assert problem_of(finding, 9) == f"finding whose {part} is object, not {kind}"


@pytest.mark.parametrize(("ends", "part"), [((0.0, 1), "fix start"), ((0, 1.0), "fix end")])
def test_the_ends_of_an_edit_are_whole_numbers(ends: tuple[Any, Any], part: str) -> None:
    assert problem_of(wrong_fix(edits=(Edit(Span(*ends), ""),)), 9) == (
        f"finding whose {part} is float, not int"
    )


ENDS = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted)


@given(ENDS, ENDS, st.integers(0, 6))
def test_places_lie_inside_the_text(own: list[int], other: list[int], length: int) -> None:
    span, related = Span(*own), Span(*other)
    finding = wrong(span=span, related=(Related(Span(0, 0), "r"), Related(related, "r")))
    expected = ""
    if span.end > length:
        expected = f"finding outside the file: {span}"
    elif related.end > length:
        expected = f"finding with a related place outside the file: {related}"
    assert problem_of(finding, length) == expected


@pytest.mark.parametrize("ends", [(-1, 1), (2, 1), (True, 1), (0, True), (0.0, 1), (0, 1.0)])
def test_places_that_are_none(ends: tuple[Any, Any]) -> None:
    span = object.__new__(Span)
    object.__setattr__(span, "start", ends[0])
    object.__setattr__(span, "end", ends[1])
    assert problem_of(wrong(span=span), 9).startswith("finding outside the file: ")
    assert problem_of(wrong(related=(Related(span, "r"),)), 9).startswith("finding with a related place out")
