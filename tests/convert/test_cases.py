"""Commands with the batch scripts that people wrote for them by hand: ours do the same."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.convert.site import Site
from tests.convert.scripts import findings, made
from tests.convert.simulated import Call, Cluster, Outcome, is_bash

CASES = Path(__file__).with_name("cases")
INDEX: list[dict[str, Any]] = json.loads((CASES / "index.json").read_text("utf-8"))
SITE = Site(
    nodes=2,
    time="00:30:00",
    account="CHANGE_ME",
    partition="CHANGE_ME",
    image="/shared/images/nemo.sqsh",
    shared="/shared",
    mounts=("/shared/src/Megatron-Bridge:/opt/Megatron-Bridge",),
    workdir="/opt/Megatron-Bridge",
    log_folder="/shared/logs",
)
OF_TRAINING = re.compile(
    r"RANK|WORLD_SIZE|LOCAL_RANK|MASTER_.*|HEAD_.*|HF_.*|UV_.*|NEMO_.*|TRITON_.*|CUDA_.*|PYTHON.*|SLURM_.*"
)


def script_of(case: dict[str, Any]) -> str:
    # All of them run in uv's environment, also where the command as it was typed did not.
    return made(case["input"], replace(SITE, job_name=_job_name(case)), uv=True)


def _job_name(case: dict[str, Any]) -> str:
    match = re.search(r"--job-name=(.*)", (CASES / case["expected_file"]).read_text("utf-8"))
    assert match is not None
    return match[1]


def behaviour(outcome: Outcome) -> object:
    """What can be told of a run from the outside."""
    assert (outcome.status, outcome.errors) == (0, "")
    steps = [(call.step, _options(call)) for call in outcome.named("srun")]
    uv = sorted(
        (call.step, call.words[: 4 if call.words[0] == "run" else None]) for call in outcome.named("uv")
    )
    return steps, [(step, words[:3]) for step, words in uv], [_of_rank(call) for call in outcome.ranks]


def _options(call: Call) -> list[str]:
    # What the command itself sets may be kept from the image, too.
    return sorted(word.removesuffix(",CUDA_DEVICE_MAX_CONNECTIONS") for word in call.words)


def _of_rank(call: Call) -> object:
    place = call.environment["PWD"]
    environment = {
        name: value.replace(place, "HERE")
        for name, value in call.environment.items()
        if OF_TRAINING.fullmatch(name)
    }
    return call.step, call.rank, call.world, call.words, environment


@pytest.mark.parametrize("case", INDEX, ids=[case["id"] for case in INDEX])
def test_does_what_the_script_by_hand_does(case: dict[str, Any], cluster: Cluster) -> None:
    by_hand = cluster.run((CASES / case["expected_file"]).read_bytes())
    ours = cluster.run(script_of(case).encode())
    assert behaviour(ours) == behaviour(by_hand)
    assert [call.rank for call in ours.ranks] == list(range(16))
    assert {call.words for call in ours.ranks} == {tuple(case["argv"])}


@pytest.mark.parametrize("case", INDEX, ids=[case["id"] for case in INDEX])
def test_asks_for_the_same_job(case: dict[str, Any]) -> None:
    by_hand = (CASES / case["expected_file"]).read_text("utf-8")
    directives = re.compile(r"^#SBATCH .*$", re.M)
    assert directives.findall(script_of(case)) == directives.findall(by_hand)


@pytest.mark.parametrize("case", INDEX, ids=[case["id"] for case in INDEX])
def test_is_clean_once_it_is_filled_in(case: dict[str, Any]) -> None:
    script = script_of(case)
    assert is_bash(script.encode())
    assert [one[:5] for one in findings(script)] == ["SB114", "SB114"]
    assert findings(script.replace("CHANGE_ME", "acme")) == []
