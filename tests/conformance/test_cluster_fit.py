"""The profile imported from a live Slurm, and random requests: what we refuse is what that Slurm refuses.

Each request is put to Slurm three times: to ``sbatch --test-only``, as a held job, and as a job that may
begin in an hour.  The last is a submission like any other, and so must agree with us to the letter;
the other two leave out some of slurmctld's checks, and those of our misfits are left out then.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbatchlint.cluster.assemble import profile_from
from sbatchlint.cluster.commands import ask_live
from sbatchlint.cluster.configuration import read_configuration
from sbatchlint.cluster.fit import fit
from sbatchlint.cluster.load import read_profile
from sbatchlint.cluster.memory_limits import PARTITION_CONFIG
from sbatchlint.cluster.misfit import Misfit, MisfitKind, Outcome
from sbatchlint.cluster.nodes import UNAVAILABLE
from sbatchlint.cluster.profile import Profile
from sbatchlint.cluster.write import profile_toml
from sbatchlint.slurm.request import read_request
from sbatchlint.slurm.verdict import judge
from sbatchlint.source import Source
from tests.conformance.cluster_oracle import Answer, Way, ask
from tests.conformance.cluster_requests import Options, requests, script
from tests.conformance.live_slurm import Slurm, running_slurm

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

NUMBER = int(os.environ.get("SBATCHLINT_FIT_REQUESTS", "150"))
SEED = int(os.environ.get("SBATCHLINT_FIT_SEED", "1"))
DEFAULT = "batch"


@pytest.fixture(scope="module", params=["ALL", "ANY", "NO"])
def cluster(request: pytest.FixtureRequest) -> Iterator[Slurm]:
    with running_slurm(nodes=16, first_port=18560, enforce=request.param) as running:
        yield running


@pytest.fixture(scope="module")
def profile(cluster: Slurm) -> Profile:
    """Import the profile as the command does, and read it back from its text."""
    told: list[tuple[str, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.environment.items():
            patch.setenv(name, value)
        records = ask_live(lambda command, what: told.append((command, what)))
    assert told == []
    written = profile_toml(profile_from(records))
    return read_profile(Source.from_text(written, "cluster.toml"))


def misfits(options: Options, profile: Profile) -> tuple[Misfit, ...]:
    source = Source.from_text(script(options), "request.sh")
    return fit(read_request(source, profile.release), profile)


def refused(found: tuple[Misfit, ...], options: Options, way: Way) -> bool:
    """Tell whether the request is refused, put to Slurm in this way."""
    if way is Way.LATER:
        return any(misfit.outcome is Outcome.REFUSED for misfit in found)
    later = {UNAVAILABLE, PARTITION_CONFIG} if way is Way.TEST_ONLY else {UNAVAILABLE}
    for misfit in found:
        late = (
            way is Way.HELD and misfit.said == PARTITION_CONFIG and misfit.kind is MisfitKind.TOO_MANY_NODES
        )
        if misfit.outcome is Outcome.REFUSED and misfit.said not in later and not late:
            return True
    return way is Way.TEST_ONLY and partitions(options) <= {
        name for misfit in found if misfit.said == UNAVAILABLE for name in misfit.partitions
    }


def partitions(options: Options) -> set[str]:
    named = [option.partition("=")[2] for option in options if option.startswith("--partition=")]
    return set((named or [DEFAULT])[-1].split(","))


def differs(options: Options, way: Way, cluster: Slurm, profile: Profile) -> bool | None:
    """Tell whether Slurm and we disagree; None where it refuses for reasons of every cluster.

    None too where we don't say what becomes of a job of several partitions, none of which can run it.
    """
    if way is Way.TEST_ONLY and any(option.startswith("--nodelist=") for option in options):
        return None  # it takes the listed nodes for all that the job may have
    answer = ask(cluster, options, way)
    found = misfits(options, profile)
    if _anywhere(options, answer, profile) or any(misfit.outcome is Outcome.UNSURE for misfit in found):
        return None
    return refused(found, options, way) is answer.accepted


def _anywhere(options: Options, answer: Answer, profile: Profile) -> bool:
    """Tell whether every cluster refuses this: what tests of the verdict are about."""
    source = Source.from_text(script(options), "request.sh")
    return answer.for_other_reasons or judge(source, profile.release).refused


def shrunk(options: Options, way: Way, cluster: Slurm, profile: Profile) -> Options:
    """Leave out options as long as the disagreement stays."""
    for index in range(len(options)):
        fewer = options[:index] + options[index + 1 :]
        if differs(fewer, way, cluster, profile):
            return shrunk(fewer, way, cluster, profile)
    return options


def enforced(profile: Profile) -> str | None:
    return profile.settings.enforce_part_limits


def test_slurm_refuses_what_we_refuse(cluster: Slurm, profile: Profile) -> None:
    # A held job and --test-only are compared with all limits under ALL alone.
    for way in Way if enforced(profile) == "ALL" else (Way.LATER,):
        compare(way, cluster, profile)


def compare(way: Way, cluster: Slurm, profile: Profile) -> None:
    """Put all requests to Slurm in this way; some must be taken, some refused, and few left out."""
    wrong = []
    compared = said_no = 0
    for options in requests(SEED, NUMBER):
        answer = differs(options, way, cluster, profile)
        if answer:
            wrong.append(" ".join(shrunk(options, way, cluster, profile)))
        if answer is not None:
            compared += 1
            said_no += refused(misfits(options, profile), options, way)
    print(f"{enforced(profile)}, {way.name}: {compared} compared, {said_no} refused, {len(wrong)} differ")
    assert sorted(set(wrong)) == []
    assert compared > NUMBER * 0.8 and NUMBER * 0.1 < said_no < compared


WAITING: tuple[tuple[Options, str, str], ...] = (
    (("--partition=down",), "ALL ANY NO", "PartitionDown"),
    (("--time=3-0",), "NO", "PartitionTimeLimit"),
    (("--partition=interactive", "--time=5:00:00"), "NO", "PartitionTimeLimit"),
    (("--nodes=17",), "NO", "PartitionNodeLimit"),
    (("--partition=interactive", "--nodes=2"), "NO", "PartitionNodeLimit"),
    (("--partition=cpu", "--mem=450000"), "NO", "MaxMemPerLimit"),
    (("--partition=cpu",), "NO", "MaxMemPerLimit"),
    (("--ntasks=3000",), "NO", "PartitionConfig"),
)
"""Request, the modes in which it is accepted, and why it waits."""


@pytest.mark.parametrize(("options", "modes", "reason"), WAITING)
def test_what_waits_waits_for_the_reason_that_we_give(
    cluster: Slurm, profile: Profile, options: Options, modes: str, reason: str
) -> None:
    found = misfits(options, profile)
    path = cluster.folder / "waiting.sh"
    path.write_text(script(options), "utf-8")
    done = cluster.run("sbatch", "--parsable", "--output=/dev/null", str(path))
    if enforced(profile) not in modes.split():
        assert done.returncode != 0
        assert any(misfit.outcome is Outcome.REFUSED for misfit in found)
        return
    assert done.returncode == 0, done.stderr
    job = done.stdout.strip()
    try:
        seen = real_reason(cluster, job, reason)
    finally:
        cluster.run("scancel", "-Q", job)
    assert [(misfit.outcome, misfit.reason) for misfit in found] == [(Outcome.WAITS, reason)]
    assert seen == reason


def real_reason(cluster: Slurm, job: str, expected: str) -> str:
    """Return why the job waits, once the scheduler has looked at it: the first reason is a general one."""
    shown = ["", ""]
    for _ in range(100):
        shown = cluster.run("squeue", "-h", "-j", job, "-o", "%T %r").stdout.split()
        assert shown[0] == "PENDING", shown
        if shown[1] == expected:
            break
        time.sleep(0.2)
    return shown[1]


def test_files_tell_the_same_as_the_controller(cluster: Slurm, profile: Profile) -> None:
    folder = Path(cluster.environment["SLURM_CONF"]).parent
    written = profile_from(read_configuration(folder / "slurm.conf", folder / "gres.conf"))
    assert written.partitions is not None and profile.partitions is not None
    for ours, live in zip(written.partitions, profile.partitions, strict=True):
        assert ours.model_copy(update={"over_subscribe": live.over_subscribe}) == live
    assert written.node_types == profile.node_types
    assert written.licenses == profile.licenses
    assert written.settings.enforce_part_limits == enforced(profile)
    assert written.settings.max_array_size == profile.settings.max_array_size


def test_words_of_refusals_are_those_of_slurm(cluster: Slurm, profile: Profile) -> None:
    """What we quote is what Slurm says, put to it with the options that take part and no others."""
    compared = 0
    for every in requests(SEED + 1, NUMBER // 2):
        guilty = {name for misfit in misfits(every, profile)[:1] for name in misfit.options}
        options = tuple(one for one in every if one.lstrip("-").partition("=")[0] in {*guilty, "partition"})
        found = misfits(options, profile)
        if len(found) != 1 or found[0].outcome is not Outcome.REFUSED:
            continue
        answer = ask(cluster, options, Way.LATER)
        if not _anywhere(options, answer, profile):
            assert found[0].said in re.sub(r"\s+", " ", answer.said), (options, answer.said)
            compared += 1
    assert compared > NUMBER * 0.05
