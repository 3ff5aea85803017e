"""The resolved options of a job and the places they stand at."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.getopt import ProblemKind
from sbatchlint.slurm.option_use import Origin
from sbatchlint.slurm.request import JobRequest, read_request
from sbatchlint.source import Source, Span

HEAD = "#!/bin/bash\n"


def read(*lines: str, release: str | None = None, args: tuple[str, ...] = ()) -> JobRequest:
    directives = "".join(f"#SBATCH {line}\n" for line in lines)
    return read_request(Source.from_text(HEAD + directives), release, args)


def texts(request: JobRequest, name: str) -> tuple[str, str | None]:
    use = request.get(name)
    assert use is not None
    assert use.span is not None
    value = None if use.value_span is None else request.source.slice(use.value_span)
    return request.source.slice(use.span), value


@pytest.mark.parametrize(
    ("line", "name", "whole", "value"),
    [
        ("--nodes=2", "nodes", "--nodes=2", "2"),
        ("--nodes  2 -J x", "nodes", "--nodes  2", "2"),
        ("-N2", "nodes", "-N2", "2"),
        ("-HN2", "nodes", "N2", "2"),
        ("-HN2", "hold", "H", None),
        ("-H", "hold", "-H", None),
        ("--hold -N2", "hold", "--hold", None),
        ('--job-name="a b" -N2', "job-name", '--job-name="a b"', "a b"),
        ("-J 'a b'", "job-name", "-J 'a b'", "a b"),
        (r"--comment=a\#b", "comment", r"--comment=a\#b", r"a\#b"),
        ('--comment=""', "comment", '--comment=""', ""),
        ("--tasks=8", "ntasks-per-node", "--tasks=8", "8"),
        ("-J \u00fc\u96ea -N2", "nodes", "-N2", "2"),
    ],
)
def test_places(line: str, name: str, whole: str, value: str | None) -> None:
    assert texts(read(line), name) == (whole, value)


def test_value_on_the_next_line() -> None:
    request = read("--nodes", "4 -J x")
    use = request.get("nodes")
    assert use is not None
    assert (use.value, use.line) == ("4", 2)
    assert texts(request, "nodes") == ("--nodes\n#SBATCH 4", "4")


def test_last_use_counts_and_all_are_kept() -> None:
    request = read("-N1 --nodes=3", "-N 5")
    assert [use.value for use in request.uses] == ["1", "3", "5"]
    use = request.get("nodes")
    assert use is not None
    assert (use.value, use.line) == ("5", 3)


def test_command_line_overrides_directives() -> None:
    request = read("-N2 -J x", args=("-N4", "--bogus"))
    use = request.get("nodes")
    assert use is not None
    assert (use.value, use.span, use.line, use.origin) == ("4", None, None, Origin.COMMAND_LINE)
    assert [problem.name for problem in request.argument_problems] == ["--bogus"]
    assert request.problems == ()


def test_asking_for_an_option_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        read("-N2").get("bogus")


@pytest.mark.parametrize(
    ("line", "kind", "whole", "name"),
    [
        ("-N2 --mpi pmix -J x", ProblemKind.WRONG_COMMAND, "--mpi pmix", "--mpi"),
        ("--mpi=pmix", ProblemKind.WRONG_COMMAND, "--mpi=pmix", "--mpi"),
        ("--label", ProblemKind.WRONG_COMMAND, "--label", "--label"),
        ("-Hl", ProblemKind.WRONG_COMMAND, "-Hl", "l"),
        ("--bogus=1", ProblemKind.UNKNOWN, "--bogus=1", "--bogus"),
        ("--node=2", ProblemKind.AMBIGUOUS, "--node=2", "--node"),
        ("--time=2 hours", ProblemKind.STRAY_WORD, "hours", "hours"),
        ("-N2 foo bar", ProblemKind.STRAY_WORD, "foo", "foo"),
    ],
)
def test_problem_places(line: str, kind: ProblemKind, whole: str, name: str) -> None:
    request = read(line)
    (problem,) = request.problems
    assert problem.kind is kind
    assert request.source.slice(problem.span) == whole
    assert request.source.slice(problem.name_span) == name


def test_reading_goes_on_after_mistakes() -> None:
    request = read("--time=2 hours", "--bogus value -N2", "-J x", "--", "-n4")
    assert [(use.spec.long, use.value) for use in request.uses] == [
        ("time", "2"),
        ("nodes", "2"),
        ("job-name", "x"),
    ]
    assert [(problem.kind, problem.line) for problem in request.problems] == [
        (ProblemKind.STRAY_WORD, 2),
        (ProblemKind.UNKNOWN, 3),
        (ProblemKind.STRAY_WORD, 6),
    ]


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("-J x <OPTIONS> --ntasks=4", True),
        ("--mem 16 G -n4", True),
        ("--time=2 hours", False),
        ("-J my job - 4 tasks", False),
        ("-J x # all --ntasks=4", False),
    ],
)
def test_the_size_is_not_known_where_options_stand_behind_a_stray_word(line: str, lost: bool) -> None:
    assert (read(line, "-N2").nodes is None) is lost


def test_components_of_a_heterogeneous_job() -> None:
    request = read("-N1 -J a --gpus-per-node=8 -t 5", "hetjob", "-N2 --bogus")
    first, second = request.components
    assert first is request
    assert request.hetjob
    assert [component.nodes and component.nodes.value for component in (first, second)] == [1, 2]
    assert second.get("job-name") is not None
    assert second.get("gpus-per-node") is None
    assert [(problem.component, problem.line) for problem in request.problems] == [(1, 4)]


def test_plain_job_has_one_component() -> None:
    request = read("-N2")
    assert request.components == (request,)
    assert not request.hetjob


def test_other_systems_lines_override() -> None:
    source = Source.from_text(HEAD + "#SBATCH -N2\n#PBS -l nodes=4\n")
    nodes = read_request(source).nodes
    assert nodes is not None
    assert nodes.value == 4
    ignoring = Source.from_text(HEAD + "#SBATCH -N2 --ignore-pbs\n#PBS -l nodes=4\n")
    nodes = read_request(ignoring).nodes
    assert nodes is not None
    assert nodes.spans == (Span(20, 23),)


def test_nothing_is_sure_where_other_systems_lines_are_refused() -> None:
    source = Source.from_text(HEAD + "#SBATCH -N2\n#PBS -l nodes=4 -Z\n")
    assert read_request(source).unsure
    assert read_request(source).nodes is None
