"""The one srun of a script, if there is just one, and where another option goes on its line."""

from __future__ import annotations

from sbatchlint.fix.edit import Edit
from sbatchlint.launch.plan import LayerOption, Step
from sbatchlint.lint.ask.code_text import found_in_code
from sbatchlint.lint.ask.nodes import walk
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Simple, Word
from sbatchlint.source import Span

_SRUN = regex(r"(?<![\w.-])srun(?![\w.-])")
_GAP = regex(r"(?:[ \t]|\\\n)+")


@dataclass(frozen=True, slots=True)
class SrunLine:
    """The only srun that is written in a script, as a plain command."""

    step: Step
    """What it starts; the last of them where a loop or a function starts it more than once."""
    place: Span
    """The empty span behind ``srun`` and the options written next to it."""
    complete: bool
    """False where unknown words may hold more options."""

    def get(self, name: str) -> LayerOption | None:
        """The use of the long option *name* on the line."""
        return self.step.get(name)


def add_to_srun(job: Job, step: Step, option: str) -> Edit | None:
    """The edit that gives *option* to the srun of *step*; None where ``srun`` itself does not stand there."""
    if job.source.slice(step.span).rpartition("/")[2] != "srun":
        return None
    return Edit(Span(step.span.end, step.span.end), f" {option}")


def only_srun(job: Job) -> SrunLine | None:
    """The script's only srun; None where there is none, more than one, or one inside a string."""
    word = _only_word(job)
    if word is None:
        return None
    steps = [step for step in job.plan.steps if step.words[0].span == word.span]
    if not steps or len(steps) < len(job.plan.steps):
        return None
    place = {_behind_options(job, step) for step in steps}
    if len(place) > 1:
        return None
    end = place.pop()
    return SrunLine(steps[-1], Span(end, end), all(step.options_complete for step in steps))


def _only_word(job: Job) -> Word | None:
    written = list(found_in_code(job, _SRUN))
    if len(written) != 1:
        return None
    commands = (place.node for place in walk(job.script) if isinstance(place.node, Simple))
    words = (word for command in commands for word in command.words)
    ends = (word for word in words if word.span.end == written[0].end)
    return next((word for word in ends if (word.literal or "").endswith("srun")), None)


def _behind_options(job: Job, step: Step) -> int:
    """The end of ``srun`` and of the options that follow it with nothing else between.

    An option and the value behind it are passed together or not at all.
    """
    end = step.words[0].span.end if step.words[0].span is not None else step.span.end
    for option in step.options:
        words = [option.arg] if option.value_arg in (None, option.arg) else [option.arg, option.value_arg]
        behind = end
        for word in words:
            if word is None or word.optional or word.open or word.span is None:
                return end
            if word.span.end <= behind:
                continue  # one more of a bundle such as -lu
            if word.span.start < behind or not _GAP.fullmatch(job.source.text, behind, word.span.start):
                return end
            behind = word.span.end
        end = behind
    return end
