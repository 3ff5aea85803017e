"""Splitting of argument lists, checked against what glibc does for Slurm."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.getopt import Parsed, ProblemKind, parse

UNKNOWN = "\ue000"


def pairs(parsed: Parsed) -> list[tuple[str, str | None]]:
    return [(use.spec.long, use.value) for use in parsed.uses]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("-N2", [("nodes", "2")]),
        ("-N 2", [("nodes", "2")]),
        ("-N=2", [("nodes", "=2")]),
        ("-HN2", [("hold", None), ("nodes", "2")]),
        ("-HN 2", [("hold", None), ("nodes", "2")]),
        ("--nodes=2", [("nodes", "2")]),
        ("--nodes 2", [("nodes", "2")]),
        ("--nodes=", [("nodes", "")]),
        ("--comment=a=b", [("comment", "a=b")]),
        ("-koff", [("no-kill", "off")]),
        ("-k", [("no-kill", None)]),
        ("--exclusive=user", [("exclusive", "user")]),
        ("--exclusive", [("exclusive", None)]),
        ("-nodes=2", [("ntasks", "odes=2")]),
        ("--comment --hold", [("comment", "--hold")]),
        ("--job=x --tasks=3", [("job-name", "x"), ("ntasks-per-node", "3")]),
    ],
)
def test_spellings(line: str, expected: list[tuple[str, str | None]]) -> None:
    parsed = parse(line.split(), "sbatch")
    assert pairs(parsed) == expected
    assert parsed.rest == len(line.split())
    assert parsed.problems == ()


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("-N2 script -J x", 1),
        ("-N2 -- -J x", 2),
        ("--exclusive user", 1),
        ("- -N2", 0),
        ("", 0),
        ("-N2 --", 2),
    ],
)
def test_options_end_at_the_first_operand(line: str, rest: int) -> None:
    assert parse(line.split(), "sbatch").rest == rest


@pytest.mark.parametrize(
    ("line", "kind", "name", "command"),
    [
        ("--bogus=1", ProblemKind.UNKNOWN, "--bogus", "sbatch"),
        ("-j", ProblemKind.UNKNOWN, "-j", "sbatch"),
        ("--node=2", ProblemKind.AMBIGUOUS, "--node", "sbatch"),
        ("--nodes", ProblemKind.MISSING_ARGUMENT, "--nodes", "sbatch"),
        ("-N", ProblemKind.MISSING_ARGUMENT, "-N", "sbatch"),
        ("--hold=1", ProblemKind.ARGUMENT_NOT_ALLOWED, "--hold", "sbatch"),
        ("--label", ProblemKind.WRONG_COMMAND, "--label", "sbatch"),
        ("-l", ProblemKind.WRONG_COMMAND, "-l", "sbatch"),
        ("--no-shell", ProblemKind.WRONG_COMMAND, "--no-shell", "srun"),
        ("--array=1-3", ProblemKind.WRONG_COMMAND, "--array", "srun"),
    ],
)
def test_mistakes(line: str, kind: ProblemKind, name: str, command: str) -> None:
    (problem,) = parse(line.split(), command).problems
    assert (problem.kind, problem.name, problem.word) == (kind, name, 0)


def test_option_of_a_later_release() -> None:
    (problem,) = parse(["--segment=4"], "sbatch", "23.11").problems
    assert problem.kind is ProblemKind.WRONG_RELEASE
    assert problem.spec is not None
    assert problem.spec.long == "segment"
    assert parse(["--segment=4"], "sbatch").problems == ()


def test_one_mistake_does_not_hide_what_follows() -> None:
    parsed = parse("--bogus -N2 --mpi pmix -J x --label -t 5 prog".split(), "sbatch")
    assert pairs(parsed) == [("nodes", "2"), ("job-name", "x"), ("time", "5")]
    assert [problem.name for problem in parsed.problems] == ["--bogus", "--mpi", "--label"]
    assert parsed.problems[1].value_word == 3
    assert parsed.rest == 9


def test_places_of_values() -> None:
    uses = parse("--nodes=2 -HN3 -J x --hold".split(), "sbatch").uses
    assert [(use.value_word, use.value_start) for use in uses] == [
        (0, 8),
        (None, 0),
        (1, 3),
        (3, 0),
        (None, 0),
    ]
    assert [(use.name_start, use.name_end) for use in uses] == [(0, 7), (1, 2), (2, 3), (0, 2), (0, 6)]


def test_unknown_text_is_a_value_like_any_other() -> None:
    parsed = parse(["-N", UNKNOWN, f"--job-name=a{UNKNOWN}", f"-n{UNKNOWN}"], "srun")
    assert pairs(parsed) == [("nodes", UNKNOWN), ("job-name", f"a{UNKNOWN}"), ("ntasks", UNKNOWN)]


def test_unknown_text_where_an_option_may_stand_ends_the_options() -> None:
    parsed = parse(["-N2", f"{UNKNOWN}x", "-n4"], "srun")
    assert (pairs(parsed), parsed.rest) == ([("nodes", "2")], 1)


@pytest.mark.parametrize("word", [f"--{UNKNOWN}", f"--no-{UNKNOWN}=1", f"-{UNKNOWN}"])
def test_unknown_name_is_passed_over(word: str) -> None:
    parsed = parse([word, "-N2"], "srun")
    assert pairs(parsed) == [("nodes", "2")]
    assert parsed.problems == ()
