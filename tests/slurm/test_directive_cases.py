"""Small scripts with what real Slurms, 22.05.8 and 26.05.3, made of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.slurm.batch_file import FileProblemKind, file_problem
from sbatchlint.slurm.directives import DirectiveProblemKind
from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.request import read_request
from sbatchlint.slurm.verdict import Verdict, judge
from sbatchlint.source import Source
from tests.slurm.shown_job import differences

FOLDER = Path(__file__).with_name("cases") / "directives"
CASES: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text("utf-8"))["cases"]
RELEASES = ("22.05.8", "26.05.3")

READING = re.compile(
    r"unrecognized option|invalid option --|is ambiguous|requires an argument|doesn't allow an argument"
    r"|Invalid directive found|Unmatched|Unexpected `:`|Change from #SLURM"
)
"""What sbatch says when it cannot split a directive into options."""
FILE = {
    "Batch script is empty": FileProblemKind.EMPTY,
    "only whitespace": FileProblemKind.ONLY_WHITESPACE,
    "does not look like a batch script": FileProblemKind.NO_INTERPRETER_LINE,
    "NULL character": FileProblemKind.NUL_CHARACTER,
    "DOS line breaks": FileProblemKind.DOS_LINE_ENDS,
}
WITHOUT_PLUGIN = "179"
"""A cluster without Pyxis: the table takes Pyxis for granted."""


def source_of(case: dict[str, Any]) -> Source:
    return Source.from_bytes((FOLDER / case["script"]).read_bytes(), case["script"])


def problem_lines(case: dict[str, Any], release: str | None) -> set[int]:
    request = read_request(source_of(case), release, case["args"])
    return {problem.line for problem in request.problems} | {
        problem.line for problem in request.directives.problems
    }


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("number", sorted(set(CASES) - {WITHOUT_PLUGIN}))
def test_problem_where_sbatch_cannot_read(number: str, release: str) -> None:
    case = CASES[number]
    said = case["results"][release]["stderr"]
    found = problem_lines(case, release)
    if not READING.search(said):
        expected: set[int] = set()
        if "is not a valid node count" in said and "= 2" in source_of(case).text:
            expected = {2}  # sbatch stops at the value "=" before it comes to the stray 2
        assert found == expected
        return
    text = source_of(case).text
    guilty = re.search(r"line (\d+): Un|batch script: (\S+)|option '?(?:-- ')?([^' =]+)", said)
    assert guilty is not None or "#SLURM" in said
    (line,) = found
    if guilty is not None and guilty[1]:
        assert line == int(guilty[1])
    elif guilty is not None:
        assert (guilty[2] or guilty[3]) in text.splitlines()[line - 1]


@pytest.mark.parametrize("number", sorted(CASES))
def test_no_problem_where_both_accept(number: str) -> None:
    case = CASES[number]
    if not all(case["results"][release]["accepted"] for release in RELEASES):
        assert any(case["results"][release]["rc"] for release in RELEASES)
        return
    request = read_request(source_of(case), None, case["args"])
    old_prefix = {DirectiveProblemKind.OLD_PREFIX}
    assert request.problems == ()
    assert {problem.kind for problem in request.directives.problems} <= old_prefix
    assert file_problem(source_of(case)) is None


@pytest.mark.parametrize("number", sorted(CASES))
def test_file_as_a_whole(number: str) -> None:
    case = CASES[number]
    said = case["results"]["26.05.3"]["stderr"]
    expected = next((kind for text, kind in FILE.items() if text in said), None)
    problem = file_problem(source_of(case))
    assert (problem and problem.kind) == expected


@pytest.mark.parametrize("number", sorted(CASES))
def test_nodes_tasks_and_name_are_those_of_the_job(number: str) -> None:
    """Where both releases agree on what the job is, a reading that is sure says the same."""
    case = CASES[number]
    request = read_request(source_of(case), None, case["args"])
    jobs = [case["results"][release].get("job") for release in RELEASES]
    if not all(jobs) or request.hetjob:
        assert any(not job for job in jobs) or len(request.components) == 2
        return
    for job in jobs:
        low = int(job["NumNodes"].partition("-")[0])
        if request.nodes is not None:
            assert request.nodes.value == low
        if request.ntasks is not None and "NumTasks" in job and request.tasks_are_set:
            assert str(request.ntasks.value) == job["NumTasks"]
        use = request.get("job-name")
        if use is not None and use.value and not request.unsure:
            assert job["JobName"] == use.value


ONLY_THIS_CLUSTER = {
    "086": "over the partition's MaxTime",
    "098": "more nodes than the cluster has",
    "104": "an index beyond this cluster's MaxArraySize",
    "109": "a resource that this cluster does not know",
    "115": "a feature that no node has",
    "131": "hosts that the cluster does not have",
    "134": "more licences than the cluster has",
    "139": "a partition that the cluster does not have",
    "158": "over the partition's MaxNodes",
    WITHOUT_PLUGIN: "a cluster without Pyxis",
}
"""What a profile of the cluster is needed for: the verdict rests on the script alone."""
ONLY_WHILE_HELD = "097"
"""``--nodes=0``: the cases were submitted held; without the hold the controller refuses it."""


def verdict_on(case: dict[str, Any], release: str | None) -> Verdict:
    environment = [tuple(entry.split("=", 1)) for entry in case["env"]]
    return judge(source_of(case), release, sbatch_args=case["args"], environment=environment)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("number", sorted(set(CASES) - {ONLY_WHILE_HELD}))
def test_verdict_is_slurms(number: str, release: str) -> None:
    result = CASES[number]["results"][release]
    verdict = verdict_on(CASES[number], release)
    if number in ONLY_THIS_CLUSTER:
        assert not result["accepted"]
        assert verdict.refusals == ()
    else:
        assert verdict.refused is not result["accepted"]


@pytest.mark.parametrize("number", sorted(CASES))
def test_without_a_release_only_what_all_refuse_is_refused_by_all(number: str) -> None:
    results = CASES[number]["results"]
    accepted = [results[release]["accepted"] for release in RELEASES]
    verdict = verdict_on(CASES[number], None)
    assert all(complaint.releases for complaint in verdict.complaints)
    if any(accepted) and number != ONLY_WHILE_HELD:
        assert not verdict.refused
        at_once = [complaint for complaint in verdict.refusals if complaint.stage is not Stage.NODES]
        assert not any(verdict.everywhere(complaint) for complaint in at_once)
    if verdict.never_runs and not verdict.refused:
        assert not any(results[release]["fits"] for release in RELEASES)
    elif all(accepted) and number != ONLY_WHILE_HELD:
        refusing = {release for complaint in verdict.refusals for release in complaint.releases}
        assert refusing.isdisjoint({(22, 5), (26, 5)})


@pytest.mark.parametrize("number", sorted(set(CASES) - set(ONLY_THIS_CLUSTER)))
def test_refusal_stands_at_the_guilty_line_and_says_what_slurm_says(number: str) -> None:
    case = CASES[number]
    for release in RELEASES:
        if case["results"][release]["accepted"]:
            continue
        said = (
            case["results"][release]["stderr"].replace("sbatch: error: ", "").replace("sbatch: fatal: ", "")
        )
        first = verdict_on(case, release).refusals[0]
        assert any(complaint.said in said for complaint in verdict_on(case, release).refusals), said
        if first.span is None:
            assert case["args"] or case["env"]
        elif number not in ("019", "020"):  # a blank first line, and one of a byte order mark
            assert source_of(case).slice(first.span).strip("\n") or number in ("023", "024")


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("number", sorted(CASES))
def test_fields_are_those_of_the_job(number: str, release: str) -> None:
    case = CASES[number]
    result = case["results"][release]
    if not result["accepted"]:
        assert "job" not in result
        return
    environment = [tuple(entry.split("=", 1)) for entry in case["env"]]
    request = read_request(source_of(case), release, case["args"], environment)
    jobs = result.get("components") or [result["job"]]
    assert len(jobs) == len(request.components)
    for component, job in zip(request.components, jobs, strict=True):
        assert differences(component, {"JobId": "JOBID", **job}) == {}
