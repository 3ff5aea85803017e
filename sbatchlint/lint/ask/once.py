"""Questions that many rules ask, answered once for a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

from sbatchlint.lint.deadline import in_time
from sbatchlint.lint.job import Job

_Answer = TypeVar("_Answer")
_Key = TypeVar("_Key")
_More = ParamSpec("_More")


def asked_once(question: Callable[[Job], Iterable[_Answer]]) -> Callable[[Job], tuple[_Answer, ...]]:
    """Keep the whole answer of *question* with the job that it is asked about."""

    @wraps(question)
    def ask(job: Job) -> tuple[_Answer, ...]:
        if question not in job.answers:
            job.answers[question] = in_time(job.late, question, lambda: tuple(question(job)))
        return cast("tuple[_Answer, ...]", job.answers[question])

    return ask


def asked_by_key(
    question: Callable[[Job], Iterable[tuple[_Key, _Answer]]],
) -> Callable[[Job], Mapping[_Key, Sequence[_Answer]]]:
    """Keep the answers of *question* with the job that it is asked about, those of one key together."""

    @asked_once
    @wraps(question)
    def grouped(job: Job) -> Iterator[Mapping[_Key, Sequence[_Answer]]]:
        found: dict[_Key, list[_Answer]] = {}
        for key, answer in question(job):
            found.setdefault(key, []).append(answer)
        yield found

    @wraps(question)
    def ask(job: Job) -> Mapping[_Key, Sequence[_Answer]]:
        return grouped(job)[0]

    return ask


def kept(question: Callable[Concatenate[Job, _More], _Answer]) -> Callable[Concatenate[Job, _More], _Answer]:
    """Keep what *question* returns with the job, once for each set of its further arguments.

    The arguments are hashable, and nobody changes the answer.  A generator takes :func:`asked_once`.
    """

    @wraps(question)
    def ask(job: Job, /, *more: _More.args, **named: _More.kwargs) -> _Answer:
        key = (question, more, *named.items())
        if key not in job.answers:
            job.answers[key] = (in_time(job.late, key, lambda: question(job, *more, **named)),)
        (answer,) = job.answers[key]
        return cast("_Answer", answer)

    return ask
