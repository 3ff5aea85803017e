"""Points in time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from sbatchlint.slurm.grammar.base import Refused
from sbatchlint.slurm.grammar.moments import Moment

Read = Callable[..., object]
Refusal = Callable[..., Refused]
NOW = datetime(2026, 11, 30, 10, 15, 30)


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("now", "2026-11-30T10:15:30"),
        ("now+60", "2026-11-30T10:16:30"),
        ("now+60minutes", "2026-11-30T11:15:30"),
        ("now + 1 hour", "2026-11-30T11:15:30"),
        ("now+2days", "2026-12-02T10:15:30"),
        ("now+1week", "2026-12-07T10:15:30"),
        ("now-1hour", "2026-11-30T09:15:30"),
        ("now+1day 16:00", "2026-12-01T16:00:00"),
        ("today", "2026-11-30T00:00:00"),
        ("tomorrow", "2026-12-01T00:00:00"),
        ("tomorrow noon", "2026-12-01T12:00:00"),
        ("noon", "2026-11-30T12:00:00"),
        ("midnight", "2026-12-01T00:00:00"),
        ("fika", "2026-11-30T15:00:00"),
        ("teatime", "2026-11-30T16:00:00"),
        ("16:30", "2026-11-30T16:30:00"),
        ("9:00", "2026-12-01T09:00:00"),
        ("10:15", "2026-12-01T10:15:00"),
        ("10:16", "2026-11-30T10:16:00"),
        ("10:05am", "2026-12-01T10:05:00"),
        ("11/30", "2027-11-30T00:00:00"),
        ("11/30 10:16", "2026-11-30T10:16:00"),
        ("9:00pm", "2026-11-30T21:00:00"),
        ("12:05:07 am", "2026-12-01T00:05:07"),
        ("12:30pm", "2026-11-30T12:30:00"),
        ("2030-01-20", "2030-01-20T00:00:00"),
        ("2030-01-20T12:34", "2030-01-20T12:34:00"),
        ("01/20", "2027-01-20T00:00:00"),
        ("12/24", "2026-12-24T00:00:00"),
        ("012030", "2030-01-20T00:00:00"),
        ("01.20.30-04:05", "2030-01-20T04:05:00"),
        ("02/31/27", "2027-03-03T00:00:00"),
    ],
)
def test_moment(read: Read, text: str, then: str) -> None:
    moment = read("begin", text)
    assert isinstance(moment, Moment)
    assert moment.at(NOW) == datetime.fromisoformat(then)


def test_tomorrow_late_in_the_day(read: Read) -> None:
    moment = read("begin", "tomorrow")
    assert isinstance(moment, Moment)
    assert moment.at(datetime(2026, 12, 31, 23, 59)) == datetime(2027, 1, 1)


def test_seconds_since_1970(read: Read) -> None:
    moment = read("begin", "uts1900000000")
    assert isinstance(moment, Moment)
    assert moment.epoch_seconds == 1900000000
    assert moment.at(NOW).timestamp() == 1900000000


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("4pm", 1),
        ("yesterday", 0),
        ("now+", 3),
        ("now+1x", 4),
        ("noon+1hour", 4),
        ("24:00", 0),
        ("Tomorrow", 1),
        ("uts12", 0),
    ],
)
def test_refused(refusal: Refusal, text: str, position: int) -> None:
    refused = refusal("begin", text)
    assert refused.said == "Invalid --begin specification"
    assert refused.detail == f"Invalid time specification (pos={position}): {text}"


@pytest.mark.parametrize("text", ["", "T", "-", " "])
def test_no_time_at_all(refusal: Refusal, text: str) -> None:
    refused = refusal("deadline", text)
    assert (refused.said, refused.detail) == ("Invalid --deadline specification", "it names no time")


def test_elevenses_since_24_05(read: Read, refusal: Refusal) -> None:
    assert refusal("begin", "elevenses", "23.11").said == "Invalid --begin specification"
    moment = read("begin", "elevenses", "24.05")
    assert isinstance(moment, Moment)
    assert moment.at(NOW) == datetime(2026, 11, 30, 11)


def test_far_beyond_any_calendar(read: Read) -> None:
    moment = read("begin", "now+" + "9" * 500 + "weeks")
    assert isinstance(moment, Moment)
    assert moment.at(NOW).year > 3000
