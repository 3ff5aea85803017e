"""The commands of docs/ci.md for GitLab, for Jenkins and for a workflow without the action, run by bash."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.ci.documents import blocks, read_yaml
from tests.ci.gitlab import GITLAB, code_quality, run_job
from tests.ci.scripts import ALSO_EARLY, EARLY, GOOD, SRUN_ONLY
from tests.hook.repository import ADDRESS, RELEASE, Repository, repository_of_the_tool
from tests.packaging import PROJECT

EVERY_LINE, CHANGED_LINES = GITLAB
PACKAGE = f"git+{ADDRESS}@{RELEASE}"
(JENKINSFILE,) = blocks("ci.md", "groovy")


def test_the_gitlab_job(without_pip: Repository, tmp_path: Path) -> None:
    without_pip.write("jobs/a.sh", SRUN_ONLY)
    assert run_job(EVERY_LINE, without_pip) == 1
    assert (tmp_path / "installed.txt").read_text() == f"install\nsbatchlint @ {PACKAGE}\n"
    assert code_quality(without_pip) == ["SB101"]
    junit = ET.parse(without_pip.folder / "sbatchlint.xml").getroot()
    assert len(list(junit.iter("failure"))) == 1
    without_pip.write("jobs/a.sh", GOOD)
    assert run_job(EVERY_LINE, without_pip) == 0
    assert code_quality(without_pip) == []


@pytest.mark.parametrize("job", GITLAB)
def test_what_a_gitlab_job_keeps_is_what_it_writes(job: Mapping[str, Any], without_pip: Repository) -> None:
    without_pip.write("jobs/a.sh", GOOD)
    without_pip.commit()
    run_job(job, without_pip, CI_MERGE_REQUEST_DIFF_BASE_SHA=without_pip.head())
    for report in job["artifacts"]["reports"].values():
        assert (without_pip.folder / report).is_file()


@pytest.fixture
def merge_request(without_pip: Repository) -> dict[str, str]:
    """Return names of commits: the branch `change` adds SB401 to an old SB101 while main goes on."""
    script = without_pip.write("jobs/a.sh", SRUN_ONLY)
    without_pip.commit()
    commits = {"start": without_pip.head()}
    without_pip.run("git", "checkout", "-q", "-b", "change")
    script.write_text(SRUN_ONLY + ALSO_EARLY)
    without_pip.commit()
    commits["change"] = without_pip.head()
    without_pip.run("git", "checkout", "-q", "main")
    without_pip.write("jobs/meanwhile.sh", SRUN_ONLY)
    without_pip.commit()
    commits["target"] = without_pip.head()
    return commits


def test_a_merge_request(without_pip: Repository, merge_request: dict[str, str]) -> None:
    without_pip.run("git", "checkout", "-q", "--detach", merge_request["change"])
    job = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": merge_request["start"], "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": ""}
    assert run_job(CHANGED_LINES, without_pip, **job) == 1
    assert code_quality(without_pip) == ["SB401"]


def test_a_merged_result(without_pip: Repository, merge_request: dict[str, str]) -> None:
    without_pip.run("git", "merge", "-q", "--no-ff", "-m", "merge", "change")
    job = {
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": merge_request["start"],
        "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": merge_request["target"],
    }
    assert run_job(CHANGED_LINES, without_pip, **job) == 1
    assert code_quality(without_pip) == ["SB401"]


def test_a_merge_request_that_brings_nothing(without_pip: Repository, merge_request: dict[str, str]) -> None:
    job = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": merge_request["target"]}
    assert run_job(CHANGED_LINES, without_pip, **job) == 0


def test_the_workflow_without_the_action(without_pip: Repository, tmp_path: Path) -> None:
    (block,) = (block for block in blocks("ci.md", "yaml") if block.heading == "Without the action")
    steps = read_yaml(block.text)["jobs"]["sbatchlint"]["steps"]
    without_pip.write("jobs/a.sh", EARLY)
    install, check = (step["run"] for step in steps if "run" in step)
    without_pip.run("bash", "-e", "-c", install)
    assert (tmp_path / "installed.txt").read_text() == f"install\nsbatchlint @ {PACKAGE}\n"
    done = without_pip.run("bash", "-e", "-c", check, check=False)
    assert done.returncode == 1
    assert re.match(r"::warning [^\n]*file=jobs/a.sh[^\n]*SB401", done.stdout)


GH = '''\
#!{python}
"""gh, as far as the recipe needs it: lists the comments of comments.json through jq, and notes the rest."""
import subprocess, sys
if "--jq" in sys.argv:
    expression = sys.argv[sys.argv.index("--jq") + 1]
    subprocess.run(["jq", "--raw-output", expression, "comments.json"], check=True)
else:
    print("gh", *sys.argv[1:])
'''
OURS: dict[str, Any] = {
    "id": 7,
    "user": {"login": "github-actions[bot]"},
    "body": "<!-- sbatchlint -->\n\nold",
}
COMMENT = "repos/a/b/issues/comments/7"
OTHERS = [OURS | {"id": 1, "body": "hello"}, OURS | {"id": 2, "user": {"login": "someone"}}]


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
@pytest.mark.parametrize(
    ("comments", "count", "told"),
    [
        (OTHERS, "0", ""),
        ([], "1", "gh pr comment 5 --body-file sbatchlint.md\n"),
        (OTHERS, "", "gh pr comment 5 --body-file sbatchlint.md\n"),
        *(
            ([*OTHERS, OURS, OURS], count, f"gh api --method PATCH {COMMENT} --field body=@sbatchlint.md\n")
            for count in ("0", "1")
        ),
    ],
)  # fmt: skip
def test_the_comment(
    without_pip: Repository, tmp_path: Path, comments: object, count: str, told: str
) -> None:
    (block,) = (block for block in blocks("ci.md", "yaml") if "gh pr comment" in block.text)
    step = read_yaml(block.text)["jobs"]["sbatchlint"]["steps"][-1]
    gh = tmp_path / "bin" / "gh"
    gh.write_text(GH.format(python=sys.executable))
    gh.chmod(0o755)
    without_pip.write("comments.json", json.dumps(comments))
    variables = {"GITHUB_REPOSITORY": "a/b", "PULL_REQUEST": "5", "COUNT": count}
    assert without_pip.run("bash", "-e", "-c", step["run"], check=True, **variables).stdout == told


def test_the_comment_is_known_by_what_the_markdown_begins_with(without_pip: Repository) -> None:
    without_pip.write("a.sh", GOOD)
    done = without_pip.run("sbatchlint", "--output-format", "markdown", "a.sh")
    assert done.stdout.startswith(OURS["body"].partition("\n")[0])


@pytest.mark.slow
def test_the_jenkinsfile_with_a_real_installation(tmp_path: Path) -> None:
    """Its install line is the same as that of the other recipes."""
    tool = repository_of_the_tool(tmp_path)
    repository = Repository(tmp_path / "work space", tool.home)
    repository.write("jobs/a.sh", SRUN_ONLY)
    shell = re.search(r"sh '''\n(.*?)'''", JENKINSFILE.text, re.DOTALL)
    assert shell is not None
    done = repository.run("bash", "-xe", "-c", textwrap.dedent(shell[1]), check=False)
    assert done.returncode == 1, done.stderr
    assert "error[SB101]" in done.stdout, done.stderr
    named = re.findall(r"(?:testResults|pattern): '([^']*)'", JENKINSFILE.text)
    junit, checkstyle = (ET.parse(repository.folder / name).getroot() for name in named)
    assert len(list(junit.iter("failure"))) == len(list(checkstyle.iter("error"))) == 1


def test_every_recipe_installs_in_the_same_way() -> None:
    page = (PROJECT / "docs" / "ci.md").read_text("utf-8")
    assert page.count("git+") == page.count(f'install "sbatchlint @ {PACKAGE}"') + page.count(
        f'install -q "sbatchlint @ {PACKAGE}"'
    )
