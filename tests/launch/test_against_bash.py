"""Every hand-written script: the plan says nothing that the real bash does not do."""

from __future__ import annotations

import pytest

from tests.launch.agreement import Agreement, compare, plan_of, surroundings
from tests.launch.bash_harness import Bench, Run
from tests.launch.script_files import hand_written

_SCRIPTS = hand_written()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[bool, Run]]:
    """What bash does with each script, by whether the environment was bare."""
    texts = list(_SCRIPTS.values())
    bench = Bench(tmp_path_factory.mktemp("bash"))
    bare = bench.run(texts)
    full = bench.run(texts, surroundings(texts))
    return {name: {True: bare[i], False: full[i]} for i, name in enumerate(_SCRIPTS)}


@pytest.mark.parametrize("bare", [True, False], ids=["bare", "full"])
@pytest.mark.parametrize("name", _SCRIPTS)
def test_plan_agrees(name: str, bare: bool, runs: dict[str, dict[bool, Run]]) -> None:
    text, run = _SCRIPTS[name], runs[name][bare]
    found = compare(text, plan_of(text), run, bare=bare)
    assert not found.wrong, "\n".join([text, *found.wrong, run.errors])


def test_share_known(runs: dict[str, dict[bool, Run]]) -> None:
    total = Agreement()
    for name, text in _SCRIPTS.items():
        found = compare(text, plan_of(text), runs[name][True], bare=True)
        total.words += found.words
        total.known += found.known
        total.assumed += found.assumed
    assert len(_SCRIPTS) >= 150
    assert (total.known + total.assumed) / total.words > 0.9
