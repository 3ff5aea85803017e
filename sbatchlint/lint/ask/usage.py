"""What a script's own comments say of how it is submitted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.slurm.request import OptionUse

_SUBMITS = regex(r"(?:^|[#\s$`])sbatch\s")


def is_given_when_submitted(job: Job, use: OptionUse) -> bool:
    """Tell whether a comment shows a command line of sbatch with the option of *use*, which then wins."""
    names = [rf"--{re.escape(use.spec.long)}(?![\w-])"]
    if use.spec.short:
        names.append(rf"-{re.escape(use.spec.short)}(?!-)")  # its value may be glued to it: ``-N4``
    option = re.compile(rf"(?<!\S)(?:{'|'.join(names)})")
    return any(option.search(line) is not None for line in _submissions(job))


def _submissions(job: Job) -> Iterator[str]:
    """Yield each command line of sbatch in the comments, continued lines joined."""
    comments = [job.source.slice(comment.span).lstrip("#").strip() for comment in job.script.comments]
    if not comments:
        return
    text = comments[0]
    for before, line in pairwise(comments):
        text = f"{text.removesuffix(chr(92))} {line}" if before.endswith("\\") else f"{text}\n{line}"
    yield from (line for line in text.splitlines() if _SUBMITS.search(line))
