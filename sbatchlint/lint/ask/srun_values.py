"""Options on a line of srun whose arguments srun refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sbatchlint.certainty import Certainty
from sbatchlint.launch.options import arg_text, tail
from sbatchlint.launch.plan import Arg, Step
from sbatchlint.lint.ask.placeholders import placeholders
from sbatchlint.lint.job import Job
from sbatchlint.slurm.getopt import ProblemKind, holds_unknown, parse
from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.option_values import read_value
from sbatchlint.slurm.options import Release, option_table, spell_release
from sbatchlint.source import Span

_PROBLEMS = {
    ProblemKind.MISSING_ARGUMENT: ("option '{}' requires an argument", "has no argument"),
    ProblemKind.ARGUMENT_NOT_ALLOWED: ("option '{}' doesn't allow an argument", "takes no argument"),
}
"""What getopt says of a long name, and what we do."""
_BLANK = re.compile(r"[<>{}…]|\[\[|\.\.\.|^@.*@$|^[A-Z][A-Z:_-]*$|(?i:your)")
"""What stands where somebody has yet to fill in a value."""


@dataclass(frozen=True, slots=True)
class BadSrunValue:
    """An option of srun with an argument that srun does not take, or without the one that it needs."""

    step: Step
    span: Span
    """The value where it is written as such, else the word."""
    name: str
    """The option as written, with its dashes and without a value."""
    long: str
    """Its long name with its dashes, where it is an option with a value; else as written."""
    value: str
    """The argument, empty where there is none."""
    said: tuple[str, ...]
    """What srun prints, without ``srun: `` in front."""
    fault: str
    """In our words, to follow "the option ..."; empty where Slurm's words say it all."""
    glued: bool
    """True where the argument as such is the mistake (``--label=1``)."""
    known: bool
    """False where the word rests on a default, or stands there on some ways only."""
    long_word: str = ""
    """The word with a second dash, where a long name stands behind one (``-ntasks=4``); empty elsewhere."""


@dataclass(frozen=True, slots=True)
class _Mistake:
    name: str
    long: str
    value: str
    said: tuple[str, ...]
    fault: str
    word: int
    start: int
    long_word: str = ""


def bad_srun_values(job: Job) -> Iterator[BadSrunValue]:
    """Yield what srun of every release in question refuses on the lines of the steps."""
    blanks = [place.span for place in placeholders(job)]
    for step in job.plan.steps:
        words = _sure_words(step)
        whole = len(words) + 1 == len(step.words)
        texts = [arg_text(word) for word in words]
        for mistake in _in_all_releases(texts, whole, job.verdict.asked):
            word = words[mistake.word]
            span = _place(word, mistake)
            if span is None or mistake.name.lstrip("-") in job.known_options:
                continue
            if any(span.overlaps(blank) for blank in blanks):
                continue
            yield BadSrunValue(
                step,
                span,
                mistake.name,
                mistake.long,
                mistake.value,
                mistake.said,
                mistake.fault,
                bool(mistake.value) and mistake.fault == _PROBLEMS[ProblemKind.ARGUMENT_NOT_ALLOWED][1],
                word.value.certainty is Certainty.KNOWN,
                mistake.long_word,
            )


def _sure_words(step: Step) -> Sequence[Arg]:
    """The words behind ``srun`` up to the first that may be missing, or be several."""
    words = step.words[1:]
    end = next((at for at, word in enumerate(words) if word.optional or word.open or word.splits), len(words))
    return words[:end]


def _in_all_releases(words: Sequence[str], whole: bool, releases: Sequence[Release]) -> list[_Mistake]:
    """The mistakes of the oldest release that all the others find at the same word."""
    found = [list(_mistakes(words, whole, release)) for release in releases]
    others = [{mistake.word for mistake in mistakes} for mistakes in found[1:]]
    return [one for one in found[0] if all(one.word in places for places in others)] if found else []


def _mistakes(words: Sequence[str], whole: bool, release: Release) -> Iterator[_Mistake]:
    """What *release* has against *words*; *whole* is False where more words follow that are not known."""
    parsed = parse(words, "srun", spell_release(release))
    # Behind an option that is no option of srun, nobody knows what is the value of what.
    end = min((one.word for one in parsed.problems if one.kind not in _PROBLEMS), default=len(words))
    for problem in parsed.problems:
        missing = problem.kind is ProblemKind.MISSING_ARGUMENT
        if problem.word < end and (whole or not missing):
            said, fault = _PROBLEMS[problem.kind]
            name, argument = problem.name, problem.text.partition("=")[2]
            start = len(name) + 1 if argument else 0
            yield _Mistake(name, name, argument, (said.format(problem.name),), fault, problem.word, start)
    for use in parsed.uses:
        if not use.value or use.value_word is None or use.name_word >= end or use.spec.plugin is not None:
            continue
        if holds_unknown(use.value) or _BLANK.search(use.value):
            continue
        value = read_value(use.spec.long, use.value, release, "srun")
        if isinstance(value, Refused) and value.stage is Stage.CLIENT:
            name = words[use.name_word][use.name_start : use.name_end]
            name = name if name.startswith("-") else f"-{name}"
            printed = tuple(f"error: {line}" for line in value.said.splitlines() if line)
            long = f"--{use.spec.long}"
            dashed = (
                _with_two_dashes(words[use.name_word], release) if use.name_word == use.value_word else ""
            )
            yield _Mistake(
                name, long, use.value, printed, value.detail, use.value_word, use.value_start, dashed
            )


def _with_two_dashes(word: str, release: Release) -> str:
    """Return the long option that a word with one dash spells (``-ntasks=4``); empty where it spells none."""
    name = word.removeprefix("-").partition("=")[0]
    names = option_table().names("srun", release)
    return f"-{word}" if len(name) > 1 and name.replace("_", "-") in names else ""


def _place(word: Arg, mistake: _Mistake) -> Span | None:
    """Where the argument is written, or its first piece; without one the place of its word."""
    return tail(word.value, mistake.start).span or word.place
