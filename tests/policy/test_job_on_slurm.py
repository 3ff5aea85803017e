"""What an expression knows of a job is what a real Slurm makes of the same script.

``SBATCHLINT_RANDOM_SCRIPTS`` and ``SBATCHLINT_RANDOM_SEED`` set how many are tried and which.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbatchlint.slurm.options import parse_release
from tests.conformance.live_slurm import Slurm, running_slurm
from tests.conformance.live_submitter import Answer, LiveSubmitter
from tests.conformance.random_scripts import ScriptMaker, Submission
from tests.policy.job_on_slurm import differences, known_fields, values

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

COUNT = int(os.environ.get("SBATCHLINT_RANDOM_SCRIPTS", "400"))
SEED = int(os.environ.get("SBATCHLINT_RANDOM_SEED", "77"))
SCRIPTS = Path(__file__).parents[1] / "rules" / "cases"
BATCH = 100


@pytest.fixture(scope="module")
def slurm() -> Iterator[Slurm]:
    """A Slurm of four nodes."""
    with running_slurm(nodes=4, first_port=20400) as running:
        yield running


def test_of_random_directives(slurm: Slurm, capsys: pytest.CaptureFixture[str]) -> None:
    release = parse_release(slurm.release)
    assert release is not None
    submissions = list(ScriptMaker(SEED, release).submissions(COUNT))
    _compare(slurm, submissions, capsys, at_least=COUNT // 5)


def test_of_whole_scripts(slurm: Slurm, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [file.read_text("utf-8") for file in sorted(SCRIPTS.rglob("*.sh"))]
    submissions = [Submission(text, ("--partition=batch",)) for text in texts if "#SBATCH" in text]
    _compare(slurm, submissions, capsys, at_least=len(submissions) // 2)


def _compare(
    slurm: Slurm, submissions: list[Submission], capsys: pytest.CaptureFixture[str], at_least: int
) -> None:
    folder = slurm.folder / "policy"
    folder.mkdir(exist_ok=True)
    submitter = LiveSubmitter(folder, slurm.environment)
    accepted = known = 0
    found: list[str] = []
    for start in range(0, len(submissions), BATCH):
        for index, answer in enumerate(submitter.ask(submissions[start : start + BATCH])):
            accepted += answer.accepted
            name = str(folder / f"random-{index}.sh")
            known += _told(answer, slurm.release, name, found)
    with capsys.disabled():
        print(f"\n{accepted} jobs, {known} known values, {len(found)} of them wrong")
    assert accepted >= at_least
    assert not found, "\n".join(found[:20])


def _told(answer: Answer, release: str, name: str, found: list[str]) -> int:
    """Add to *found* what differs; return how many values were known."""
    if not answer.accepted:
        return 0
    known = 0
    for ours, shown in zip(values(answer.submission, release, name), answer.components, strict=False):
        known += known_fields(ours)
        found += [
            f"{field}: {mine!r}, Slurm: {theirs!r} of {answer.submission}"
            for field, mine, theirs in differences(ours, shown, name)
        ]
    return known
