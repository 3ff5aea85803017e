"""Every hand-written script: the plan says nothing that the real bash does not do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from agreement import Agreement, compare
from bash_harness import Run, run_scripts
from script_files import hand_written

from sbatchlint.launch.evaluate import plan_launches
from sbatchlint.launch.plan import LaunchPlan
from sbatchlint.shell.reader import read_script
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source

_SCRIPTS = hand_written()
_OWN = re.compile(r"PATH|HOME|IFS|PWD|OLDPWD|RANDOM|SECONDS|LINENO|UID|EUID|PPID|REPLY|OPT.*|BASH.*|SLURM.*|STANDIN.*")


def plan_of(text: str) -> LaunchPlan:
    source = Source.from_text(text, "job.sh")
    return plan_launches(read_script(source), read_request(source))


def surroundings(texts: list[str]) -> dict[str, str]:
    """An environment in which every variable that any of *texts* names has a value of its own."""
    names = {name for text in texts for name in re.findall(r"[A-Z][A-Z0-9_]*", text)}
    return {name: "17" for name in sorted(names) if not _OWN.fullmatch(name)}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[bool, Run]]:
    """What bash does with each script, by whether the environment was bare."""
    texts = list(_SCRIPTS.values())
    folder = tmp_path_factory.mktemp("bash")
    bare = run_scripts(folder / "bare", texts)
    full = run_scripts(folder / "full", texts, surroundings(texts))
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
