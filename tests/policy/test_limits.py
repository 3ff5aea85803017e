"""Expressions that are too much: refused when they are read, or without an answer, and never a traceback."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.policy.check import Checked, check
from sbatchlint.policy.evaluate import TOO_LONG, evaluate
from sbatchlint.policy.syntax import MOST_CHARACTERS, MOST_NESTED, Fault
from sbatchlint.policy.values import Items, Object, cel
from tests.policy.expressions import Pair, expressions, variables

VALUES = {
    "job": Object({"nodes": cel(2), "name": cel("a")}),
    "steps": Items([Object({"tasks": cel(1)})] * 40),
}
DEEP: dict[str, Callable[[int], str]] = {
    "parentheses": lambda n: "(" * n + "job.nodes == 2" + ")" * n,
    "and": lambda n: " && ".join(["job.nodes == 2"] * n),
    "not": lambda n: "!(" * n + "true" + ")" * n,
    "negation": lambda n: "-(" * n + "1" + ")" * n + " != 0",
    "choices": lambda n: "true ? (" * n + "true" + ") : true" * n,
    "lists": lambda n: "[" * n + "1" + "]" * n + " == " + "[" * n + "1" + "]" * n,
    "sums": lambda n: "+".join(["1"] * n) + " > 0",
    "maps": lambda n: "{'a':" * n + "1" + "}" * n + ".a" * n + " == 1",
    "macros": lambda n: "".join(f"['a'].all(x{i}, " for i in range(n)) + "true" + ")" * n,
}


@pytest.mark.parametrize("kind", DEEP)
def test_what_is_accepted_can_be_worked_out_however_deep_it_is(kind: str) -> None:
    """Else such a policy would never be heard of again."""
    for depth in (1, 5, 20, 30, 45, 60, 95, MOST_NESTED, 200, 300):
        found = check(DEEP[kind](depth))
        if isinstance(found, Checked):
            assert evaluate(found, VALUES).verdict is not None, depth
        else:
            assert depth > 25 and "nested too deeply" in found[0].message


def test_parentheses_cost_nothing() -> None:
    assert isinstance(check(DEEP["parentheses"](1000)), Checked)


def test_a_long_expression_is_refused() -> None:
    text = "job.name in ['" + "', '".join(map(str, range(200_000))) + "']"
    found = check(text)
    assert isinstance(found[0] if isinstance(found, tuple) else None, Fault) and len(text) > MOST_CHARACTERS


def test_macros_in_macros_end() -> None:
    found = check("steps.all(a, steps.all(b, steps.all(c, steps.all(d, a.tasks == d.tasks))))")
    assert isinstance(found, Checked)
    outcome = evaluate(found, VALUES)
    assert outcome.verdict is None and outcome.why == TOO_LONG


_LETTERS = st.lists(
    st.sampled_from(
        [*"()[]{}'\"\\.,:?!&|<>=+-*/%09aexr_ \n\t\0", "job", "steps", "all", "in", "🙂", "\udc80"]
    ),
    max_size=40,
).map("".join)


@settings(max_examples=400)
@given(_LETTERS)
def test_any_text_is_an_expression_or_has_its_faults_inside(text: str) -> None:
    _is_sound(text)


@settings(max_examples=200)
@given(expressions(), variables(), st.integers(0, 2**32))
def test_a_sound_expression_with_a_slip(text: str, values: Pair, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 1, 5)))
        text = (
            text[:start] + chance.choice(("", "(", ")", "'", " ", "job", ".", "[0]", "\\", "\0")) + text[end:]
        )
    found = _is_sound(text)
    if found is not None:
        evaluate(found, values.known)


def _is_sound(text: str) -> Checked | None:
    found = check(text)
    if isinstance(found, Checked):
        return found
    assert found
    for fault in found:
        assert 0 <= fault.start <= fault.end <= len(text) and fault.message
    return None


@settings(max_examples=60)
@given(
    st.sampled_from(["'", '"', "'''", '"""', "r'", 'b"']),
    st.lists(st.sampled_from(["\\\\", "\\n", "\\123", "\\x41", "\\'", '\\"', "a", "\\"]), max_size=50).map(
        "".join
    ),
    st.sampled_from(["", "\n", "'", '"', " || true", "\\"]),
)
def test_a_text_without_an_end_is_not_looked_for_in_all_ways(mark: str, inside: str, after: str) -> None:
    before = time.process_time()
    _is_sound(f"job.name == {mark}{inside}{after}")
    assert time.process_time() - before < 2


def test_escapes_of_a_text_that_ends() -> None:
    for text in (
        r"'\\\\\\\\\\\\\\\\\\\\\\\\\\\\'",
        r"r'\d\d\d\d\d\d\d\d\d\d\d\d\'",
        "'''\n" + r"\n" * 30 + "'''",
    ):
        assert isinstance(check(f"job.name == {text}"), Checked), text
    assert isinstance(check("job.nodes == 2 // it's" + r"\n" * 30), Checked)
