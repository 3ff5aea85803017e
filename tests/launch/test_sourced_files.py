"""Files that a script sources: read where they stand beside it, and never more than assumed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.launch.evaluate import plan_launches
from sbatchlint.launch.plan import LaunchPlan
from sbatchlint.shell.reader import read_script
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source


def plan_of(text: str, files: Mapping[str, str]) -> LaunchPlan:
    source = Source.from_text("#!/bin/bash\n" + text)
    return plan_launches(read_script(source), read_request(source), beside=files.get)


@pytest.mark.parametrize("command", ["source env.sh", ". env.sh", "[ -f env.sh ] && . env.sh", ". ./env.sh"])
def test_what_a_file_sets_is_assumed(command: str) -> None:
    files = dict.fromkeys(("env.sh", "./env.sh"), "TP=4\nexport NP=8\n")
    value = plan_of(command, files).variables["TP"]
    assert value.text in ("4", None)
    assert value.certainty is not Certainty.KNOWN


def test_what_it_starts_is_seen_at_the_place_that_sources_it() -> None:
    text = "source launch.sh\n"
    (step,) = plan_of(text, {"launch.sh": "srun bash -c 'python train.py'\n"}).steps
    assert step.programs[0].target.text == "train.py"
    assert step.assumed
    assert step.span.start == len("#!/bin/bash\n")


def test_return_ends_the_file_and_not_the_script() -> None:
    plan = plan_of("source env.sh\nsrun python after.py", {"env.sh": "A=1\nreturn 0\nA=2\n"})
    assert plan.variables["A"].text == "1"
    assert len(plan.steps) == 1


def test_exit_ends_both() -> None:
    assert plan_of("source env.sh\nsrun python after.py", {"env.sh": "exit 1\n"}).steps == ()


def test_a_file_may_source_another() -> None:
    plan = plan_of("source a.sh", {"a.sh": "source b.sh\n", "b.sh": "X=7\n"})
    assert plan.variables["X"].text == "7"


def test_a_file_that_sources_itself_comes_to_an_end() -> None:
    assert plan_of("source a.sh\nsrun python x", {"a.sh": "N=1\nsource a.sh\n"}).steps


def test_a_file_that_is_not_there_is_counted_on() -> None:
    plan = plan_of("TP=2\nsource ~/venv/bin/activate || exit 1\nsrun python x --tp $TP", {})
    assert [word.text for word in plan.steps[0].words[-1:]] == ["2"]


def test_a_step_does_not_read_the_batch_hosts_files() -> None:
    plan = plan_of("srun bash -c 'source env.sh; python $WHAT'", {"env.sh": "WHAT=train.py\n"})
    assert plan.steps[0].programs[0].target.text is None
