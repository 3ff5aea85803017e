"""Where the options of a typed ``salloc`` are written, and what its command adds to the plan."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.api import Job, Source
from sbatchlint.lint.job import LintOptions
from sbatchlint.slurm.option_use import Origin


def interactive(text: str, release: str | None = None) -> Job:
    return Job(Source.from_text(text, "run.sh"), LintOptions(interactive=True, release=release))


OPTIONS = st.sampled_from(
    [
        # as written, the whole option, the value where it stands as it is
        ("-N2", "-N2", "2"),
        ("-N 2", "-N 2", "2"),
        ("--nodes=2", "--nodes=2", "2"),
        ("--nodes 2", "--nodes 2", "2"),
        ("--nodes='2'", "--nodes='2'", None),
        ('-N "2"', '-N "2"', None),
        ("-N \\\n  2", "-N \\\n  2", "2"),
        ("--exclusive", "--exclusive", None),
        ("-n8", "-n8", "8"),
        ("--gpus-per-node=a100:8", "--gpus-per-node=a100:8", "a100:8"),
        ("-Hn4", "-Hn4", "4"),
        ("-t $T", "-t $T", None),
        ("-J ${T}x", "-J ${T}x", None),
    ]
)


@given(st.lists(OPTIONS, max_size=4), st.booleans())
@settings(max_examples=60)
def test_each_option_is_found_where_it_is_written(
    options: list[tuple[str, str, str | None]], indent: bool
) -> None:
    text = "T=10\n" + "  " * indent + " ".join(["salloc", *(option[0] for option in options)]) + "\n"
    job = interactive(text)
    assert not job.request.elsewhere
    uses = [use for use in job.request.uses if use.spec.long != "hold"]
    at = text.index("salloc")
    assert len(uses) == len(options)
    for use, (written, whole, value) in zip(uses, options, strict=True):
        at = text.index(written, at)
        assert use.span is not None
        assert (use.span.start, job.source.slice(use.span)) == (at, whole)
        assert use.line == text[:at].count("\n") + 1
        assert use.origin is Origin.COMMAND_LINE
        found = None if use.value_span is None else job.source.slice(use.value_span)
        assert found == value
        at += len(written)


@pytest.mark.parametrize("release", ["22.05", "24.05", None])
def test_the_release_is_that_of_the_options(release: str | None) -> None:
    assert interactive("salloc -N2\n", release).request.release == release
    assert interactive("hostname\n", release).request.release == release


@pytest.mark.parametrize("text", ["salloc -N2 --no-such-option\n", "salloc -N2 --nodes\n"])
def test_options_that_salloc_refuses_tell_nothing(text: str) -> None:
    request = interactive(text).request
    assert request.elsewhere
    assert request.uses == ()


def test_a_submission_beside_it_is_no_allocation() -> None:
    request = interactive("sbatch -N8 a.sh\nsalloc -N2\nsbatch -N4 b.sh\n").request
    assert [(use.spec.long, use.value) for use in request.uses] == [("nodes", "2")]
    assert interactive("sbatch -N8 a.sh\n").request.elsewhere


@pytest.mark.parametrize(("release", "known"), [("22.05", False), ("24.05", True), (None, True)])
def test_an_option_that_the_release_does_not_have_tells_nothing(release: str | None, known: bool) -> None:
    assert interactive("salloc -N2 --tres-per-task=cpu:2\n", release).request.elsewhere is not known


def test_what_its_command_uses_and_writes_is_of_the_plan() -> None:
    before = "source /opt/a.sh\nhostname > /tmp/one\n"
    alone = interactive(before + "salloc -N2\n").plan
    behind = interactive(
        before + "salloc -N2 bash -c 'source /opt/b.sh; hostname > /tmp/two; python a.py; srun hostname'\n"
    ).plan
    assert {use.path for use in alone.file_uses} < {use.path for use in behind.file_uses}
    assert len(behind.file_uses) == len(alone.file_uses) + 1
    assert len(behind.steps) == len(alone.steps) + 1
    assert len(behind.host_programs) > len(alone.host_programs)
    assert alone.written < behind.written
