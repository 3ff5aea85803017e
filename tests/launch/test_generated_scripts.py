"""Scripts made at random: the plan says nothing that the real bash does not do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, given, settings

from tests.launch.agreement import BROKEN_OFF, compare, plan_of, surroundings
from tests.launch.bash_harness import Bench
from tests.launch.launch_grammar import scripts

_CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield Bench(tmp_path_factory.mktemp("bash"))


def check(bench: Bench, text: str) -> None:
    """Compare a script's plan with what it does, with and without its variables in the environment."""
    plan = plan_of(text)
    for bare, environment in ((True, {}), (False, surroundings([text]))):
        run = bench.run([text], environment)[0]
        assume(not BROKEN_OFF.search(run.errors))
        found = compare(text, plan, run, bare=bare)
        assert not found.wrong, "\n".join([text, f"# bare: {bare}", *found.wrong, run.errors])


@settings(max_examples=75, suppress_health_check=_CHECKS)
@given(text=scripts())
def test_generated_script_agrees(bench: Bench, text: str) -> None:
    check(bench, text)


@pytest.mark.slow
@settings(max_examples=2000, suppress_health_check=_CHECKS)
@given(text=scripts())
def test_many_generated_scripts_agree(bench: Bench, text: str) -> None:
    check(bench, text)
