"""Every hand-written script: the plan says nothing that the real bash does not do."""

from __future__ import annotations

import pytest

from tests.launch.agreement import Agreement, compare, plan_of, surroundings
from tests.launch.bash_harness import Bench, Run
from tests.launch.script_files import hand_written

_SCRIPTS = hand_written()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """What bash does with each script in a bare environment."""
    bench = Bench(tmp_path_factory.mktemp("bash"))
    return dict(zip(_SCRIPTS, bench.run([*_SCRIPTS.values()]), strict=True))


@pytest.fixture(scope="module")
def full_runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """What it does where each variable that a script names has a value already."""
    texts = [*_SCRIPTS.values()]
    bench = Bench(tmp_path_factory.mktemp("bash"))
    return dict(zip(_SCRIPTS, bench.run(texts, surroundings(texts)), strict=True))


def _agree(text: str, run: Run, *, bare: bool) -> None:
    found = compare(text, plan_of(text), run, bare=bare)
    assert not found.wrong, "\n".join([text, *found.wrong, run.errors])


@pytest.mark.parametrize("name", _SCRIPTS)
def test_plan_agrees(name: str, runs: dict[str, Run]) -> None:
    _agree(_SCRIPTS[name], runs[name], bare=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", _SCRIPTS)
def test_plan_agrees_in_a_full_environment(name: str, full_runs: dict[str, Run]) -> None:
    _agree(_SCRIPTS[name], full_runs[name], bare=False)


def test_share_known(runs: dict[str, Run]) -> None:
    total = Agreement()
    for name, text in _SCRIPTS.items():
        found = compare(text, plan_of(text), runs[name], bare=True)
        total.words += found.words
        total.known += found.known
        total.assumed += found.assumed
    assert len(_SCRIPTS) >= 150
    assert (total.known + total.assumed) / total.words > 0.9
