"""Complaints about the file and about how its directives are split into options."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from sbatchlint.slurm.batch_file import FileProblemKind, file_problem
from sbatchlint.slurm.directives import DirectiveProblem, DirectiveProblemKind
from sbatchlint.slurm.getopt import Problem, ProblemKind
from sbatchlint.slurm.option_use import Origin
from sbatchlint.slurm.request import JobRequest, RequestProblem
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect
from sbatchlint.source import Source

_FILE = {
    FileProblemKind.EMPTY: (ComplaintKind.EMPTY_FILE, "Batch script is empty!"),
    FileProblemKind.ONLY_WHITESPACE: (
        ComplaintKind.ONLY_WHITESPACE,
        "Batch script contains only whitespace!",
    ),
    FileProblemKind.NO_INTERPRETER_LINE: (
        ComplaintKind.NO_INTERPRETER_LINE,
        "This does not look like a batch script.  The first\n"
        "line must start with #! followed by the path to an interpreter.\n"
        "For instance: #!/bin/sh",
    ),
    FileProblemKind.NUL_CHARACTER: (
        ComplaintKind.NUL_CHARACTER,
        "The Slurm controller does not allow scripts that\ncontain a NULL character '\\0'.",
    ),
    FileProblemKind.DOS_LINE_ENDS: (
        ComplaintKind.DOS_LINE_ENDS,
        "Batch script contains DOS line breaks (\\r\\n)\ninstead of expected UNIX line breaks (\\n).",
    ),
}
_OLD_PREFIX = "Change from #SLURM to #SBATCH in your script and verify the options are valid in sbatch"
_KINDS = {
    ProblemKind.UNKNOWN: ComplaintKind.UNKNOWN_OPTION,
    ProblemKind.AMBIGUOUS: ComplaintKind.AMBIGUOUS_OPTION,
    ProblemKind.MISSING_ARGUMENT: ComplaintKind.MISSING_ARGUMENT,
    ProblemKind.ARGUMENT_NOT_ALLOWED: ComplaintKind.ARGUMENT_NOT_ALLOWED,
    ProblemKind.WRONG_COMMAND: ComplaintKind.WRONG_COMMAND,
    ProblemKind.WRONG_RELEASE: ComplaintKind.WRONG_RELEASE,
    ProblemKind.STRAY_WORD: ComplaintKind.STRAY_WORD,
}
_OF_A_PLUGIN = (ProblemKind.UNKNOWN, ProblemKind.WRONG_COMMAND, ProblemKind.WRONG_RELEASE)
"""What an option of a site's plugin looks like to a table that does not hold it."""


def file_complaints(source: Source) -> Iterator[Complaint]:
    """Say why sbatch refuses the file as a whole, if it does."""
    problem = file_problem(source)
    if problem is not None:
        kind, said = _FILE[problem.kind]
        line = source.position(problem.span.start).line
        yield Complaint(kind, Effect.REFUSED, said, span=problem.span, line=line)


def split_complaints(request: JobRequest) -> Iterator[Complaint]:
    """Say what is wrong in splitting directives, and other batch systems' lines, into words."""
    for problem in request.directives.problems:
        yield _split(request, problem)
    if not request.ignores_foreign:
        for problem in request.directives.foreign_problems:
            yield _split(request, problem)
    for component in request.components:
        for foreign in component.foreign_problems:
            kind = ComplaintKind.FOREIGN_LINE
            yield Complaint(
                kind,
                Effect.REFUSED,
                foreign.said,
                span=foreign.span,
                line=foreign.line,
                origin=Origin.FOREIGN,
            )


def _split(request: JobRequest, problem: DirectiveProblem) -> Complaint:
    if problem.kind is DirectiveProblemKind.OLD_PREFIX:
        return Complaint(
            ComplaintKind.OLD_PREFIX, Effect.WARNED, _OLD_PREFIX, span=problem.span, line=problem.line
        )
    source = request.source
    after = source.text[_word_start(request, problem) : source.line_span(problem.line).end]
    if problem.kind is DirectiveProblemKind.FREE_COLON:
        kind, said = ComplaintKind.FREE_COLON, f"Unexpected `:` in [{after}]"
    else:
        kind, said = (
            ComplaintKind.UNMATCHED_QUOTE,
            f"Unmatched `{source.text[problem.span.start]}` in [{after}]",
        )
    said = f"{source.path}: line {problem.line}: {said}"
    return Complaint(kind, Effect.REFUSED, said, span=problem.span, line=problem.line)


def _word_start(request: JobRequest, problem: DirectiveProblem) -> int:
    """Return where the rest of the line begins that sbatch prints: after the word before the guilty one."""
    for line in (*request.directives.lines, *request.directives.foreign):
        if line.number == problem.line:
            ends = [token.span.end for token in line.tokens if token.span.end <= problem.span.start]
            return max([line.span.start + len(line.prefix), *ends])
    return problem.span.start


def getopt_complaints(request: JobRequest, known_options: Collection[str]) -> Iterator[Complaint]:
    """Say what sbatch refuses when it looks for options in the words."""
    for problem in request.problems:
        if not _allowed(problem, known_options):
            yield Complaint(
                _KINDS[problem.kind],
                Effect.REFUSED,
                said_of(problem),
                options=() if problem.spec is None else (problem.spec.long,),
                span=problem.span,
                line=problem.line,
                component=problem.component,
                origin=Origin.DIRECTIVE,
            )
    for argument in request.argument_problems:
        if not _allowed(argument, known_options):
            yield Complaint(
                _KINDS[argument.kind],
                Effect.REFUSED,
                said_of(argument),
                options=() if argument.spec is None else (argument.spec.long,),
                origin=Origin.COMMAND_LINE,
            )


def hides_options(
    problems: Sequence[RequestProblem | Problem], known_options: Collection[str], component: int
) -> bool:
    """Tell whether a problem may stand for an option that *component* then seems to lack."""
    return any(
        problem.kind is not ProblemKind.WRONG_COMMAND
        and not _allowed(problem, known_options)
        and (isinstance(problem, Problem) or problem.component <= component)
        for problem in problems
    )


def _allowed(problem: RequestProblem | Problem, known_options: Collection[str]) -> bool:
    return problem.kind in _OF_A_PLUGIN and problem.name.lstrip("-") in known_options


def said_of(problem: RequestProblem | Problem) -> str:
    """Return what sbatch prints for a problem with an option."""
    kind, name = problem.kind, problem.name
    if kind is ProblemKind.STRAY_WORD:
        return f"Invalid directive found in batch script: {problem.text}"
    if kind is ProblemKind.AMBIGUOUS:
        names = " ".join(f"'--{one}'" for one in problem.possibilities)
        return f"option '{problem.text}' is ambiguous; possibilities: {names}"
    if kind is ProblemKind.ARGUMENT_NOT_ALLOWED:
        long = name if problem.spec is None else f"--{problem.spec.long}"
        return f"option '{long}' doesn't allow an argument"
    if kind is ProblemKind.MISSING_ARGUMENT:
        if not name.startswith("--"):
            return f"option requires an argument -- '{name[1:]}'"
        long = name if problem.spec is None else f"--{problem.spec.long}"
        return f"option '{long}' requires an argument"
    return (
        f"unrecognized option '{problem.text}'"
        if name.startswith("--")
        else f"invalid option -- '{name[1:]}'"
    )
