"""Functions with local variables on some ways only: the plan says nothing that bash does not do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.launch.agreement import compare, plan_of
from tests.launch.bash_harness import Bench

NAMES = st.sampled_from("AB")
SIMPLE = st.one_of(
    st.builds("{}={}".format, NAMES, st.sampled_from("123")),
    st.builds("local {}={}".format, NAMES, st.sampled_from("456")),
    st.builds("local {}".format, NAMES),
    st.builds("declare {0}=${0}x".format, NAMES),
    st.builds("unset {}".format, NAMES),
    st.builds("export {}".format, NAMES),
    st.builds("declare -g {}=0".format, NAMES),
    st.builds("{0}+=y".format, NAMES),
    st.sampled_from(["return", "inner", "A=7 inner", "python part $A $B"]),
)
CONDITIONS = ('[ -n "$U" ]', '[ "$A" = 1 ]', "true")


def _choice(condition: str, then: list[str], otherwise: list[str]) -> str:
    return "\n".join([f"if {condition}; then", *then, "else", *otherwise, "fi"])


def _in_turn(lines: list[str]) -> str:
    return "\n".join(["for i in 1 2; do", *lines, "done"])


def _case(lines: list[str]) -> str:
    return "\n".join(["case $A in 1)", *lines, ";; esac"])


def _compound(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lines = st.lists(inside, min_size=1, max_size=3)
    return st.one_of(
        st.builds(_choice, st.sampled_from(CONDITIONS), lines, lines),
        st.builds("{} && {}".format, st.sampled_from(CONDITIONS), SIMPLE),
        st.builds(_in_turn, lines),
        st.builds(_case, lines),
    )


BODY = st.lists(st.recursive(SIMPLE, _compound, max_leaves=6), min_size=1, max_size=5)


def _script(inner: list[str], other: list[str], outer: list[str]) -> str:
    """Put a script together; *inner* does not call itself, and is *other* where the environment has U."""
    calls = ["A=1", "outer", "python one $A $B", "B=8 A=9 outer", "python two $A $B"]
    several = ['if [ -n "$U" ]; then', *_inner(other), "fi"] if other else []
    return "\n".join([*_inner(inner), *several, "outer() {", *outer, "}", *calls])


def _inner(body: list[str]) -> list[str]:
    return ["inner() {", *(one for one in body if "inner" not in one), ":; }"]


SCRIPTS = st.builds(_script, BODY, st.one_of(st.just([]), BODY), BODY)
_CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield Bench(tmp_path_factory.mktemp("bash"))


def check(bench: Bench, text: str) -> None:
    for bare, environment in ((True, {}), (False, {"U": "u", "V": "v", "B": "17"})):
        run = bench.run([text], environment)[0]
        found = compare(text, plan_of(text), run, bare=bare)
        assert not found.wrong, "\n".join([text, f"# bare: {bare}", *found.wrong, run.errors])


@settings(max_examples=25, suppress_health_check=_CHECKS)
@given(SCRIPTS)
def test_the_plan_agrees(bench: Bench, text: str) -> None:
    check(bench, text)


@pytest.mark.slow
@settings(max_examples=100, suppress_health_check=_CHECKS)
@given(SCRIPTS)
def test_the_plan_agrees_with_many(bench: Bench, text: str) -> None:
    check(bench, text)
