"""Scripts of Megatron-Bridge are known by their path, never by a bare name alone."""

from __future__ import annotations

import pytest

from sbatchlint.launch.values import Unknown, Value, text_value
from sbatchlint.training.dialects import dialect
from sbatchlint.training.entrypoints import LaunchClass, by_name, by_path, entry_points

RUN_RECIPE = "scripts/training/run_recipe.py"


@pytest.mark.parametrize("head", ["", "./", "/opt/Megatron-Bridge/", "../"])
def test_every_path_is_found_whatever_stands_before_it(head: str) -> None:
    for point in entry_points():
        assert by_path(text_value(head + point.path)) == point


@pytest.mark.parametrize("between", ["/", "/sub/"])
def test_the_head_of_the_path_may_be_unknown(between: str) -> None:
    target = Value((Unknown("$REPO"), *text_value(between + RUN_RECIPE).segments))
    found = by_path(target)
    assert found is not None
    assert found.path == RUN_RECIPE


@pytest.mark.parametrize(
    "target",
    [
        text_value("run_recipe.py"),
        text_value("myscripts/training/run_recipe.py"),
        text_value("scripts/training/run_recipe.py.bak"),
        Value((*text_value("scripts/training/").segments, Unknown("$SCRIPT"))),
        Value((*text_value("scripts/").segments, Unknown("$D"), *text_value("/run_recipe.py").segments)),
    ],
    ids=lambda target: target.show(),
)
def test_what_only_looks_like_one_is_not_found(target: Value) -> None:
    assert by_path(target) is None


def test_every_script_reads_options_of_known_tables() -> None:
    for point in entry_points():
        table = dialect(point.dialects)
        assert table.flags or table.overrides or not point.dialects, point.path


def test_a_name_that_stands_for_scripts_started_differently_stands_for_none() -> None:
    classes: dict[str, set[LaunchClass]] = {}
    for point in entry_points():
        classes.setdefault(point.name, set()).add(point.launch)
    for name, found in classes.items():
        known = by_name(name)
        assert (known is not None) is (len(found) == 1)
        assert known is None or known.launch in found


def test_a_name_of_several_scripts_reads_the_options_of_all() -> None:
    point = by_name("run_recipe.py")
    assert point is not None
    assert {"bridge-run_recipe", "bridge-performance"} <= set(point.dialects)
