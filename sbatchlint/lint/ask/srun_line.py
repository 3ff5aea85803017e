"""The one srun of a script, if there is just one, and where another option goes on its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from sbatchlint.launch.plan import LayerOption, Step
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import Simple, Word
from sbatchlint.source import Span

_SRUN = re.compile(r"(?<![\w.-])srun(?![\w.-])")
_GAP = re.compile(r"(?:[ \t]|\\\n)+")


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
    comments = [comment.span for comment in job.script.comments]
    written = [
        match.start()
        for match in _SRUN.finditer(job.source.text)
        if not any(span.start <= match.start() < span.end for span in comments)
    ]
    if len(written) != 1:
        return None
    for command in _simple_commands(job.script):
        for word in command.words:
            if word.span.end == written[0] + len("srun") and (word.literal or "").endswith("srun"):
                return word
    return None


def _simple_commands(node: object) -> Iterator[Simple]:
    if isinstance(node, Simple):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from _simple_commands(item)
    elif is_dataclass(node) and not isinstance(node, Word):
        for field in fields(node):
            yield from _simple_commands(getattr(node, field.name))


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
