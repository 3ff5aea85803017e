"""Questions that many rules ask, answered once for a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TypeVar, cast

from sbatchlint.lint.job import Job

_Answer = TypeVar("_Answer")


def asked_once(question: Callable[[Job], Iterable[_Answer]]) -> Callable[[Job], tuple[_Answer, ...]]:
    """Keep the whole answer of *question* with the job that it is asked about."""

    @wraps(question)
    def ask(job: Job) -> tuple[_Answer, ...]:
        if question not in job.answers:
            job.answers[question] = tuple(question(job))
        return cast("tuple[_Answer, ...]", job.answers[question])

    return ask
