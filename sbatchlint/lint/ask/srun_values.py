"""Options on a line of srun whose arguments srun refuses."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.launch.options import arg_text
from sbatchlint.launch.plan import Step
from sbatchlint.lint.ask.line_options import is_form, option_mistakes, sure_words
from sbatchlint.lint.ask.placeholders import placeholders
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.source import Span


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


def bad_srun_values(job: Job) -> Iterator[BadSrunValue]:
    """Yield what srun of every release in question refuses on the lines of the steps."""
    blanks = [place.span for place in placeholders(job)]
    for step in job.plan.steps:
        if is_form(job, step.line_span):
            continue
        words = sure_words(step.words)
        whole = len(words) + 1 == len(step.words)
        texts = [arg_text(word) for word in words]
        for mistake in option_mistakes(texts, "srun", job.verdict.asked, whole=whole):
            word = words[mistake.word]
            span = mistake.place(word)
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
                mistake.glued,
                word.value.certainty is Certainty.KNOWN,
                mistake.long_word,
            )
