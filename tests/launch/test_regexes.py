"""Regular expressions of ``[[ =~ ]]``: which are understood, and that none takes long."""

from __future__ import annotations

import time

import pytest

from sbatchlint.launch.regexes import LONGEST_TEXT, regex_of
from tests.launch.agreement import plan_of

_FOUND = [
    ("^[0-9]+$", "16", "16x"),
    ("^#.*$", "# a", "a"),
    ("([0-9]+)b", "llama-7b", "llama"),
    (r"^(llama|qwen)-[0-9.]+b\.ya?ml$", "qwen-7b.yml", "qwen-7b.json"),
    ("^[[:space:]]*$", " ", " a"),
    ("^(a|b)?c$", "ac", "abc"),
    ("a$", "a", "a\n"),
    ("^[^/]{2,3}$", "abc", "a/c"),
]


@pytest.mark.parametrize(("expression", "found", "not_found"), _FOUND)
def test_what_is_understood(expression: str, found: str, not_found: str) -> None:
    regex = regex_of(((expression, False),))
    assert regex is not None
    assert regex.search(found) and not regex.search(not_found)


def test_what_is_quoted_stands_for_itself() -> None:
    regex = regex_of((("^", False), ("a.*", True), ("$", False)))
    assert regex is not None
    assert regex.search("a.*") and not regex.search("abc")


@pytest.mark.parametrize(
    "expression", ["(", "[", "a{", "*a", "a**", r"\d", "|a", "()", "[]a]", "[[.a.]]", "(a+)+"]
)
def test_what_is_read_differently_is_not_understood(expression: str) -> None:
    assert regex_of(((expression, False),)) is None


@pytest.mark.parametrize(
    "expression", [".*" * 20 + "c", "(a|a)+" * 3 + "c", "a?" * 40 + "c", "(a|aa){1,9}" * 9]
)
def test_what_would_take_long_is_not_tried(expression: str) -> None:
    assert regex_of(((expression, False),)) is None


@pytest.mark.parametrize("expression", [".*.*.*(a|b)?a?a?c", ".*.*" + "a?" * 8 + "c", "(a|a)" * 8 + "c"])
def test_the_slowest_that_are_tried(expression: str) -> None:
    regex = regex_of(((expression, False),))
    assert regex is not None
    before = time.process_time()
    assert regex.search("a" * LONGEST_TEXT) is None
    assert time.process_time() - before < 2


def test_a_decided_expression_leaves_one_way() -> None:
    plan = plan_of(
        "N=8\nif [[ $N =~ ^[0-9]+$ ]]; then srun a; else srun b; fi\n[[ $N =~ ^[a-z] ]] && srun c\n"
    )
    assert [(step.words[1].text, step.conditional) for step in plan.steps] == [("a", False)]
