"""The action in a pull request, with the checkouts that GitHub makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ci.documents import action
from tests.ci.runner import Runner
from tests.ci.scripts import ALSO_EARLY, GOOD, MISSPELT, SRUN_ONLY
from tests.ci.test_action import codes
from tests.hook.repository import Repository
from tests.packaging import PROJECT

Checkout = Callable[..., Runner]


@pytest.fixture
def pull_request(repository: Repository, runner: Runner, tmp_path: Path) -> Checkout:
    """Return what makes a checkout of a pull request, and a runner in it.

    The pull request adds SB401 below an old SB101; meanwhile a file with SB609 came to the branch it goes to.
    """
    repository.write("old.sh", SRUN_ONLY)
    repository.commit()
    start = repository.head()
    repository.run("git", "checkout", "-q", "-b", "change")
    repository.write("old.sh", SRUN_ONLY.replace("\n\n", "\n# one line more\n\n") + ALSO_EARLY)
    repository.commit()
    head = repository.head()
    repository.run("git", "checkout", "-q", "main")
    repository.write("meanwhile.sh", MISSPELT)
    repository.commit()
    repository.run("git", "checkout", "-q", "--detach")
    repository.run("git", "merge", "-q", "--no-ff", "-m", "merge", "change")
    merge = repository.head()
    repository.run("git", "update-ref", "refs/pull/1/merge", merge)

    def checkout(*, depth: int, commit: str = "merge", event: str = "pull_request") -> Runner:
        place = Repository(tmp_path / "checkout", tmp_path / "home")
        wanted = {"merge": merge, "head": head}[commit]
        limit = [f"--depth={depth}"] if depth else []
        origin = repository.folder.as_uri()
        place.run("git", "fetch", "-q", "--no-tags", *limit, origin, wanted, *([] if depth else ["main"]))
        place.run("git", "checkout", "-q", "--detach", wanted)
        made = Runner(action(), PROJECT, place.folder, runner.environment)
        made.preset = runner.preset
        # GitHub tells where the branch stood when the pull request was last pushed to.
        pull = {"base": {"sha": start}, "head": {"sha": head}}
        made.github = {"event_name": event, "event": {"pull_request": pull} if "pull" in event else {}}
        return made

    return checkout


def test_the_merge_of_two_commits_is_enough(pull_request: Checkout, tmp_path: Path) -> None:
    run = pull_request(depth=2).run(tmp_path / "temp", only_changed_lines="true")
    assert (codes(run), run.status, run.outputs["count"]) == (["SB401"], 1, "1")


def test_the_whole_history(pull_request: Checkout, tmp_path: Path) -> None:
    assert codes(pull_request(depth=0).run(tmp_path / "temp", only_changed_lines="true")) == ["SB401"]


def test_the_head_itself(pull_request: Checkout, tmp_path: Path) -> None:
    run = pull_request(depth=0, commit="head").run(tmp_path / "temp", only_changed_lines="true")
    assert codes(run) == ["SB401"]


@pytest.mark.parametrize("commit", ["merge", "head"])
def test_one_commit_alone_is_too_little_and_is_told(
    pull_request: Checkout, tmp_path: Path, commit: str
) -> None:
    run = pull_request(depth=1, commit=commit).run(tmp_path / "temp", only_changed_lines="true")
    assert run.status == 2
    assert "fetch-depth" in run.log
    assert len(run.commands("error")) == 1


@pytest.mark.parametrize("event", ["push", "pull_request_target"])
def test_elsewhere_every_line_is_checked(pull_request: Checkout, tmp_path: Path, event: str) -> None:
    run = pull_request(depth=2, event=event).run(tmp_path / "temp", only_changed_lines="true")
    assert codes(run) == ["SB101", "SB401", "SB609"]
    assert "every line is checked" in run.log


def test_a_revision_named(pull_request: Checkout, tmp_path: Path) -> None:
    runner = pull_request(depth=0, event="push")
    assert codes(runner.run(tmp_path / "temp", diff_against="HEAD^2")) == ["SB609"]
    assert codes(runner.run(tmp_path / "parted", diff_against="HEAD^1...HEAD^2")) == ["SB401", "SB609"]
    assert runner.run(tmp_path / "again", diff_against="no-such-branch").status == 2
    assert runner.run(tmp_path / "third", diff_against="--help").status == 2


def test_nothing_changed_in_scripts(pull_request: Checkout, repository: Repository, tmp_path: Path) -> None:
    runner = pull_request(depth=2)
    (tmp_path / "checkout" / "old.sh").write_text(GOOD)
    assert runner.run(tmp_path / "temp", only_changed_lines="true").status == 0
