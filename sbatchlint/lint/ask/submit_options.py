"""Options on the lines of ``salloc`` and ``sbatch`` in a script that these commands refuse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.launch.options import arg_text
from sbatchlint.launch.plan import Arg, Submission
from sbatchlint.lint.ask.line_options import is_form, option_mistakes, sure_words
from sbatchlint.lint.ask.option_names import meant_option
from sbatchlint.lint.ask.placeholders import placeholders
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.slurm.getopt import Problem, ProblemKind, parse
from sbatchlint.source import Span

_NAMES = {
    ProblemKind.UNKNOWN: "is no option of {}",
    ProblemKind.AMBIGUOUS: "is short for several options",
    ProblemKind.WRONG_COMMAND: "is no option of {}",
}


@dataclass(frozen=True, slots=True)
class BadSubmitOption:
    """An option that ``salloc`` or ``sbatch`` refuses, and with it the job."""

    command: str
    span: Span
    """The value where that is wrong, else the word."""
    line: Span
    """The command."""
    written: str
    """The option as written, with its value where that is wrong."""
    fault: str
    """What is wrong with it: ``is no option of salloc``, or empty where Slurm's words say it all."""
    said: tuple[str, ...]
    """What the command prints, without its name in front."""
    meant: str | None
    """The only option that the name may be a slip for, or the option with its second dash."""
    possibilities: tuple[str, ...]
    """What an abbreviation may stand for; empty elsewhere."""
    sure: bool
    """True where no plugin of the site can have added the option."""
    known: bool
    """False where the word, or whether the command is run, rests on a default or a condition."""


def bad_submit_options(job: Job) -> Iterator[BadSubmitOption]:
    """Yield what ``salloc`` and ``sbatch`` of every release in question refuse on their own lines."""
    blanks = [place.span for place in placeholders(job)]
    for submission in job.plan.submissions:
        if is_form(job, submission.span):
            continue
        words = sure_words(submission.words)
        for bad in (*_names(job, submission, words), *_values(job, submission, words)):
            if not any(bad.span.overlaps(blank) for blank in blanks):
                yield bad


def _names(job: Job, submission: Submission, words: Sequence[Arg]) -> Iterator[BadSubmitOption]:
    command, release = submission.command, job.request.release
    for problem in parse([arg_text(word) for word in words], command, release).problems:
        word = words[problem.word]
        if problem.kind not in _NAMES or word.place is None or _may_be_of_plugin(job, problem):
            continue
        meant = meant_option(problem.name, command, release)
        yield BadSubmitOption(
            command,
            word.place,
            submission.span,
            problem.name,
            _NAMES[problem.kind].format(command),
            (),
            None if meant is None else f"--{meant}",
            problem.possibilities,
            meant is not None or problem.kind is not ProblemKind.UNKNOWN,
            _is_known(submission, word),
        )


def _may_be_of_plugin(job: Job, problem: Problem) -> bool:
    plugin = problem.spec is not None and problem.spec.plugin is not None
    return plugin or problem.name.lstrip("-") in job.known_options


def _values(job: Job, submission: Submission, words: Sequence[Arg]) -> Iterator[BadSubmitOption]:
    whole = len(words) + 1 == len(submission.words)
    texts = [arg_text(word) for word in words]
    for mistake in option_mistakes(texts, submission.command, job.verdict.asked, whole=whole):
        word = words[mistake.word]
        span = mistake.place(word)
        if span is None or mistake.name.lstrip("-") in job.known_options:
            continue
        separate = mistake.glued or not mistake.value
        yield BadSubmitOption(
            submission.command,
            span,
            submission.span,
            mistake.name if separate else f"{mistake.long}={mistake.value}",
            mistake.fault,
            mistake.said,
            mistake.long_word or None,
            (),
            True,
            _is_known(submission, word),
        )


def _is_known(submission: Submission, word: Arg) -> bool:
    return not submission.doubtful and word.value.certainty is Certainty.KNOWN


__all__ = ["BadSubmitOption", "bad_submit_options"]
