"""Random directives, variables and arguments, put to a live Slurm and to us.

Both must say the same: refused or not, and for a job what it asks for.  ``SBATCHLINT_RANDOM_SCRIPTS`` and
``SBATCHLINT_RANDOM_SEED`` set how many are tried and which; the controller remembers cancelled jobs for five
minutes and takes 10,000, so that one run may try some 15,000.
"""

from __future__ import annotations

import os

import pytest

from sbatchlint.slurm.options import parse_release
from tests.conformance.live_slurm import Slurm
from tests.conformance.live_submitter import LiveSubmitter
from tests.conformance.random_agreement import Disagreement, disagreement
from tests.conformance.random_scripts import ScriptMaker

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

COUNT = int(os.environ.get("SBATCHLINT_RANDOM_SCRIPTS", "2000"))
SEED = int(os.environ.get("SBATCHLINT_RANDOM_SEED", "20260105"))
BATCH = 250


def test_verdict_and_fields_are_slurms(slurm: Slurm, capsys: pytest.CaptureFixture[str]) -> None:
    release = parse_release(slurm.release)
    assert release is not None
    folder = slurm.folder / "random"
    folder.mkdir()
    submitter = LiveSubmitter(folder, slurm.environment)
    maker = ScriptMaker(SEED, release)
    tried = accepted = 0
    differing: list[Disagreement] = []
    while tried < COUNT:
        answers = submitter.ask(list(maker.submissions(min(BATCH, COUNT - tried))))
        tried += len(answers)
        accepted += sum(answer.accepted for answer in answers)
        for index, answer in enumerate(answers):
            found = disagreement(answer, slurm.release, f"random-{index}.sh")
            if found is not None:
                differing.append(found)
    with capsys.disabled():
        print(f"\n{tried} random submissions, {accepted} accepted, {len(differing)} judged otherwise")
    assert COUNT // 5 < accepted < COUNT * 4 // 5
    assert not differing, "\n".join(map(str, differing[:20]))
