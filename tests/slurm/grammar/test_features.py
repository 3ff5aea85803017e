"""Constraints."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.features import Constraint, Feature

Read = Callable[..., object]
Refusal = Callable[..., Refused]

A, B, C = Feature("a"), Feature("b"), Feature("c")


@pytest.mark.parametrize("release", ["20.11", "22.05", "23.02", "26.05"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a", Constraint((A,))),
        ("a&b", Constraint((A, B), ("&",))),
        ("a,b", Constraint((A, B), ("&",))),
        ("a|b&c", Constraint((A, B, C), ("|", "&"))),
        ("a*2", Constraint((Feature("a", 2),))),
        ("[a|b]", Constraint((Constraint((A, B), ("|",), "["),))),
        ("(a|b)&c", Constraint((Constraint((A, B), ("|",), "("), C), ("&",))),
        (
            "[(a&b)*1&c*2]",
            Constraint((Constraint((Constraint((A, B), ("&",), "(", 1), Feature("c", 2)), ("&",), "["),)),
        ),
        ("a&", Constraint((A,), ("&",))),
        ("", Constraint(())),
    ],
)
def test_the_tree(read: Read, text: str, value: Constraint, release: str) -> None:
    assert read("constraint", text, release) == value


def test_names_are_found_in_brackets_too(read: Read) -> None:
    constraint = read("constraint", "[(a&b)*1&c*2]")
    assert isinstance(constraint, Constraint)
    assert list(constraint.names()) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "text", ["&a", "|a", "(a", "a)", "[a", "()", "[]", "a*0", "a*", "((a))", "a(b)", "[a][b]"]
)
def test_refused_by_the_controller(refusal: Refusal, text: str) -> None:
    refused = refusal("constraint", text)
    assert (refused.said, refused.stage) == ("Invalid feature specification", Stage.CONTROLLER)


@pytest.mark.parametrize(
    ("text", "takers"),
    [
        ("(a)b", "20.11 21.08 22.05"),
        ("a*1&b", "20.11 21.08 22.05"),
        ("[a&b]", "20.11"),
        ("[a*1|b*1]", "20.11"),
        ("[a]&[b]", "20.11"),
        ("([a])", "20.11 21.08 22.05"),
        ("[a*1&b*1]&c", "20.11 21.08 22.05 23.02 26.05"),
        ("a*2b", "20.11 21.08 22.05 23.02 26.05"),
    ],
)
def test_what_releases_differ_in(read: Read, text: str, takers: str) -> None:
    taken = []
    for release in ("20.11", "21.08", "22.05", "23.02", "26.05"):
        try:
            read("constraint", text, release)
        except Refused:
            continue
        taken.append(release)
    assert taken == takers.split()


def test_what_follows_a_bracket_unjoined_is_lost_before_2302(read: Read) -> None:
    assert read("constraint", "(a)b") == Constraint((Constraint((A,), (), "("),))


@pytest.mark.parametrize(
    ("text", "release", "said"),
    [
        ("(a", "22.05", "Invalid preferred feature specification"),
        ("[a", "22.05", "Invalid feature specification"),
        ("a&&b", "22.05", "Invalid feature specification"),
        ("a]", "22.05", "Invalid preferred feature specification"),
        ("[a&b]", "22.05", "Invalid preferred feature specification"),
        ("[a", "23.02", "Invalid preferred feature specification"),
    ],
)
def test_preferred_features_have_words_of_their_own(
    refusal: Refusal, text: str, release: str, said: str
) -> None:
    assert refusal("prefer", text, release).said == said


def test_lists_without_brackets(read: Read) -> None:
    assert read("batch", "a|b") == Constraint((A, B), ("|",))
    assert read("cluster-constraint", "a,b") == Constraint((A, B), ("&",))
