"""What sbatch passes over, or takes otherwise than it looks, without a word."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.verdict import Complaint, ComplaintKind, Effect, judge
from sbatchlint.source import Source

HEAD = "#!/bin/sh\n"


def complaints(text: str, release: str = "26.05", **more: object) -> tuple[Complaint, ...]:
    verdict = judge(Source.from_text(HEAD + text), release, **more)  # type: ignore[arg-type]
    assert not verdict.refused
    return verdict.complaints


@pytest.mark.parametrize(
    ("text", "kind", "effect", "shown"),
    [
        ("#SBATCH --comment=a#b -N2\n", ComplaintKind.CUT_WORD, Effect.DIFFERENT, "#b -N2"),
        ('#SBATCH -J a "" -N2\n', ComplaintKind.LOST_TEXT, Effect.IGNORED, '"" -N2'),
        ("#SBATCH hetjob -N2\n", ComplaintKind.LOST_AFTER_SEPARATOR, Effect.IGNORED, " -N2"),
        ("#SBATCH packjob\n", ComplaintKind.OLD_SEPARATOR, Effect.WARNED, "#SBATCH packjob"),
        ("#SLURM -N2\n", ComplaintKind.OLD_PREFIX, Effect.WARNED, "#SLURM"),
        ("date\n#SBATCH -N2\n", ComplaintKind.LATE_DIRECTIVE, Effect.IGNORED, "#SBATCH -N2"),
        ("#SBATCH --wrap=x\n", ComplaintKind.FIRST_PASS_ONLY, Effect.IGNORED, "--wrap=x"),
        ("#SBATCH --test-only\n", ComplaintKind.NEVER_SUBMITTED, Effect.DIFFERENT, "--test-only"),
        ("#SBATCH -N2 --tasks=3\n", ComplaintKind.ABBREVIATED, Effect.DIFFERENT, "--tasks=3"),
        ("#SBATCH -J=x\n", ComplaintKind.EQUALS_IN_VALUE, Effect.DIFFERENT, "-J=x"),
        ("#SBATCH -o none\n", ComplaintKind.VALUE_MISTAKEN, Effect.DIFFERENT, "-o none"),
        ("#SBATCH -t 5\n#SBATCH -t 6\n", ComplaintKind.OVERRIDDEN, Effect.IGNORED, "-t 5"),
        ("#SBATCH -J a\n#PBS -N b\n", ComplaintKind.OVERRIDDEN, Effect.IGNORED, "-J a"),
        ("#SBATCH -a 1-5%x\n", ComplaintKind.VALUE_DROPPED, Effect.IGNORED, "-a 1-5%x"),
        ("#SBATCH --switches=1@x\n", ComplaintKind.VALUE_DROPPED, Effect.IGNORED, "--switches=1@x"),
        ("#SBATCH --nice=x\n", ComplaintKind.VALUE_MISTAKEN, Effect.DIFFERENT, "--nice=x"),
        (
            "#SBATCH --mail-type=END,NONE\n",
            ComplaintKind.VALUE_MISTAKEN,
            Effect.DIFFERENT,
            "--mail-type=END,NONE",
        ),
        ("#SBATCH --gres=help\n", ComplaintKind.NEVER_SUBMITTED, Effect.DIFFERENT, "--gres=help"),
        ("#SBATCH --output=\n", ComplaintKind.VALUE_MISTAKEN, Effect.DIFFERENT, "--output="),
        ("#SBATCH -e x%Z\n", ComplaintKind.VALUE_MISTAKEN, Effect.DIFFERENT, "-e x%Z"),
        ("#SBATCH -t 0:0\n", ComplaintKind.VALUE_MISTAKEN, Effect.DIFFERENT, "-t 0:0"),
        ("#SBATCH -N1-4 -n2\n", ComplaintKind.VALUE_DROPPED, Effect.IGNORED, "-N1-4"),
        ("#SBATCH --mail-user=x\n", ComplaintKind.OPTION_WITHOUT_EFFECT, Effect.IGNORED, "--mail-user=x"),
        ("#SBATCH --gpus=gpu:8\n", ComplaintKind.TYPE_CALLED_GPU, Effect.DIFFERENT, "--gpus=gpu:8"),
        (
            "#SBATCH --hint=nomultithread --ntasks-per-core=1\n",
            ComplaintKind.OPTION_WITHOUT_EFFECT,
            Effect.IGNORED,
            "--hint=nomultithread",
        ),
        (
            "#SBATCH --requeue --no-requeue\n",
            ComplaintKind.OPTION_WITHOUT_EFFECT,
            Effect.IGNORED,
            "--requeue",
        ),
        (
            "#SBATCH --container-mounts=/a:/b\n",
            ComplaintKind.OPTION_WITHOUT_EFFECT,
            Effect.WARNED,
            "--container-mounts=/a:/b",
        ),
    ],
)
def test_said(text: str, kind: ComplaintKind, effect: Effect, shown: str) -> None:
    (found,) = complaints(text)
    assert (found.kind, found.effect) == (kind, effect)
    assert found.span is not None
    assert (HEAD + text)[found.span.start : found.span.end] == shown
    assert found.said or found.detail or kind is ComplaintKind.OVERRIDDEN


@pytest.mark.parametrize(
    "text",
    [
        "#SBATCH -N2 # a comment\n",
        "#SBATCH# a comment\n",
        "#SBATCH -t 5\n#SBATCH -t 5\n",
        "#SBATCH --job=x\n",
        "#SBATCH -J x=y --comment==\n",
        "#SBATCH -a 1-5%2\n",
        "#SBATCH --gpus=h100:8\n",
        "#SBATCH --mail-type=NONE\n",
        "#SBATCH --mail-type=END --mail-user=x\n",
        "#SBATCH -N1-4 -n4 -t 0:1 -o %j%%Z.out -e %x_%a.err\n",
        "#SBATCH --gres=gpu:1\n",
        "#SBATCH -t 5\n#SBATCH hetjob\n#SBATCH -t 6\n",
        "#SBATCH --container-mounts=/a --container-mounts=/b --container-image=x\n",
    ],
)
def test_nothing_to_say(text: str) -> None:
    assert complaints(text) == ()


def test_oversubscribe_and_exclusive_before_they_were_refused() -> None:
    (found,) = complaints("#SBATCH --exclusive -s\n", "22.05")
    assert (found.effect, found.options) == (Effect.IGNORED, ("exclusive", "oversubscribe"))


def test_command_line_overrides_without_a_word() -> None:
    assert complaints("#SBATCH -t 5\n", sbatch_args=["-t", "6"]) == ()


def test_variable_that_sbatch_does_not_read() -> None:
    environment = [("SBATCH_NODES", "2"), ("SBATCH_TIMELIMIT", "5"), ("SBATCH_MY_OWN", "x")]
    (found,) = complaints("", environment=environment)
    assert (found.kind, found.effect) == (ComplaintKind.UNREAD_VARIABLE, Effect.IGNORED)
    assert (found.variable, found.options) == ("SBATCH_NODES", ("nodes",))


def test_variable_of_a_newer_release_holds_for_the_older_ones() -> None:
    verdict = judge(Source.from_text(HEAD), environment=[("SBATCH_OUTPUT", "x")])
    (found,) = verdict.complaints
    assert found.releases == ((20, 11), (21, 8))
    assert not verdict.everywhere(found)


def test_known_options_of_the_site_are_no_problem() -> None:
    text = Source.from_text(HEAD + "#SBATCH --site-thing=3 --gpus-per-task=1\n")
    assert [one.kind for one in judge(text).refusals] == [ComplaintKind.UNKNOWN_OPTION]
    found = judge(text, known_options=["site-thing"]).refusals
    assert [one.options for one in found] == [("gpus-per-task",)]


def test_options_of_other_releases() -> None:
    verdict = judge(Source.from_text(HEAD + "#SBATCH --prefer=x\n"))
    (found,) = verdict.refusals
    assert found.kind is ComplaintKind.WRONG_RELEASE
    assert found.releases == ((20, 11), (21, 8))
    assert not verdict.refused
    assert judge(Source.from_text(HEAD + "#SBATCH --prefer=x\n"), "21.08.8").refused
