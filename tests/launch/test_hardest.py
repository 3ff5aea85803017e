"""The hardest things that scripts do: being right is not enough, nothing may stay unknown but a rank."""

from __future__ import annotations

import pytest

from sbatchlint.launch.values import Text, Unknown, Value
from tests.launch.agreement import Agreement, compare, plan_of
from tests.launch.bash_harness import Bench
from tests.launch.script_files import hand_written

_HARDEST = {name: text for name, text in hand_written().items() if name.startswith("hardest: ")}


def _clear(value: Value) -> bool:
    """Whether *value* is known, or differs only by task."""
    return all(
        isinstance(part, Text) or (isinstance(part, Unknown) and part.per_task) for part in value.segments
    )


def test_number() -> None:
    assert len(_HARDEST) >= 25


@pytest.fixture(scope="module")
def agreements(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Agreement]:
    runs = Bench(tmp_path_factory.mktemp("bash")).run(list(_HARDEST.values()))
    return {
        name: compare(text, plan_of(text), run, bare=True)
        for (name, text), run in zip(_HARDEST.items(), runs, strict=True)
    }


@pytest.mark.parametrize("name", _HARDEST)
def test_every_word_is_known(name: str, agreements: dict[str, Agreement]) -> None:
    plan = plan_of(_HARDEST[name])
    lines = [step.words for step in plan.steps] + [program.words for _, program in plan.programs()]
    assert not agreements[name].wrong
    assert agreements[name].words > 2
    unclear = [word.value.show() for line in lines for word in line if not _clear(word.value)]
    assert not unclear
