"""Small scripts with what real Slurms, 22.05.8 and 26.05.3, made of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.slurm.batch_file import FileProblemKind, file_problem
from sbatchlint.slurm.directives import DirectiveProblemKind
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source

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
        if use is not None and use.value and not request.translated:
            assert job["JobName"] == use.value
