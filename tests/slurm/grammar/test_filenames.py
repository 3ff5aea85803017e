"""File names with specifiers; the names are those that a live Slurm 22.05 made."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.filenames import FilePattern, JobFacts

Read = Callable[..., object]
Refusal = Callable[..., Refused]

JOB = JobFacts(job_id=6003, job_name="train", user="ann", node="gpu01")
TASK = JobFacts(job_id=6005, job_name="train", user="ann", node="gpu01", array_job_id=6004, array_task=13)


def pattern(read: Read, text: str, release: str = "22.05") -> FilePattern:
    found = read("output", text, release)
    assert isinstance(found, FilePattern)
    return found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("o-%j", "o-6003"),
        ("%J", "6003"),
        ("%A_%a-%x", "6003_4294967294-train"),
        ("%5j.%t.%n", "06003.0.0"),
        ("%N-%u", "gpu01-ann"),
        ("%s%%j", "batch%j"),
        ("%Z%h", "%Z%h"),
        ("100%", "100%"),
        ("%99j", "0000006003"),
        ("%05j", "06003"),
        ("%5N", "gpu01"),
        ("%3s", "batch"),
        ("%5Z-%j", "5Z-6003"),
        ("%12Z", "2Z"),
        ("%5%j", "56003"),
        ("x%5", "x5"),
        ("a\\b%j", "ab%j"),
        ("%r%b%S", "%r%b%S"),
        ("none", "/dev/null"),
        ("NONE", "/dev/null"),
    ],
)
def test_name(read: Read, text: str, name: str) -> None:
    assert pattern(read, text).expand(JOB) == name


def test_name_of_an_array_task(read: Read) -> None:
    assert pattern(read, "%A_%4a.%j").expand(TASK) == "6004_0013.6005"


@pytest.mark.parametrize(
    ("text", "before", "since", "name"),
    [("%b", "24.05", "24.11", "3"), ("%r", "25.05", "25.11", "0"), ("%5Z", "25.05", "25.11", "%5Z")],
)
def test_names_by_release(read: Read, text: str, before: str, since: str, name: str) -> None:
    assert pattern(read, text, before).expand(TASK) != name
    assert pattern(read, text, since).expand(TASK) == name


def test_specifiers(read: Read) -> None:
    found = pattern(read, "%A_%4a-%%j-%Z")
    assert found.specifiers == ("A", "a")
    assert found.unknown == ("Z",)
    assert pattern(read, "\\%j").specifiers == ()
    assert pattern(read, "\\%Z").unknown == ()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("log", True),
        ("%A", True),
        ("%x", True),
        ("%a", False),
        ("%j", False),
        ("none", False),
        ("\\%a", True),
    ],
)
def test_one_file_for_a_whole_array(read: Read, text: str, same: bool) -> None:
    assert pattern(read, text).is_the_same_for_all_tasks() is same


@pytest.mark.parametrize("option", ["output", "chdir"])
def test_too_long(read: Read, refusal: Refusal, option: str) -> None:
    assert read(option, "x" * 4096) is not None
    refused = refusal(option, "x" * 4097)
    assert refused.said.endswith("Pathname of a file, directory or other parameter too long")
    assert refused.stage is Stage.CONTROLLER


def test_a_path_is_taken_as_it_is(read: Read) -> None:
    assert read("chdir", "~/run") == "~/run"
    assert read("container", "x" * 5000) == "x" * 5000
