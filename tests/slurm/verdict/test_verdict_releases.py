"""Asking all releases at once and asking each alone give the same."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.options import SUPPORTED_RELEASES, spell_release
from sbatchlint.slurm.verdict import Verdict, judge
from sbatchlint.source import Source
from tests.conformance.random_scripts import ScriptMaker, Submission

MAKERS = [ScriptMaker(seed, release) for seed, release in enumerate(((22, 5), (24, 5), (26, 5)))]
SUBMISSIONS = [submission for maker in MAKERS for submission in maker.submissions(40)]


def test_supported_releases() -> None:
    assert SUPPORTED_RELEASES[0] == (20, 11)
    assert SUPPORTED_RELEASES[-1] == (26, 5)
    assert len(SUPPORTED_RELEASES) == 10


@pytest.mark.parametrize("number", range(len(SUBMISSIONS)))
def test_all_at_once_is_each_alone(number: int) -> None:
    submission = SUBMISSIONS[number]
    together = _judged(submission, None)
    assert together.asked == SUPPORTED_RELEASES
    for release in SUPPORTED_RELEASES:
        alone = _judged(submission, spell_release(release))
        assert alone.asked == (release,)
        expected = {one.identity for one in together.complaints if release in one.releases}
        assert {one.identity for one in alone.complaints} == expected
        assert all(one.releases == (release,) for one in alone.complaints)


def _judged(submission: Submission, release: str | None) -> Verdict:
    source = Source.from_text(submission.text)
    arguments, environment = submission.arguments, submission.environment
    return judge(source, release, sbatch_args=arguments, environment=environment)


def test_complaints_come_in_the_order_of_the_file() -> None:
    source = Source.from_text("#!/bin/sh\n#SBATCH --mem=x\n#SBATCH -t 1h -N 0x2\n")
    verdict = judge(source, environment=[("SBATCH_PARTITION", "")])
    assert [one.line for one in verdict.refusals] == [2, 3, 3, None]
    assert verdict.refused


def test_a_release_that_is_none() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        judge(Source.from_text("#!/bin/sh\n"), "new")
