"""Durations, as ``scontrol show job`` of a live Slurm 22.05 showed them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.times import Duration

Read = Callable[..., object]
Refusal = Callable[..., Refused]


@pytest.mark.parametrize(
    ("text", "minutes", "form"),
    [
        ("60", 60, "M"),
        ("1:30", 2, "M:S"),
        ("90:30", 91, "M:S"),
        ("24:00", 24, "M:S"),
        ("1:60", 2, "M:S"),
        ("0:0:30", 1, "H:M:S"),
        ("24:00:00", 1440, "H:M:S"),
        ("1-0", 1440, "D-H"),
        ("1-24:00", 2880, "D-H:M"),
        ("2-", 2880, "D-"),
        ("1-2:3:4", 1564, "D-H:M:S"),
        ("0", None, "M"),
        ("0:0", None, "M:S"),
        ("-1", None, "unlimited"),
        ("Infinite", None, "unlimited"),
        ("UNLIMITED", None, "unlimited"),
    ],
)
def test_minutes(read: Read, text: str, minutes: int | None, form: str) -> None:
    duration = read("time", text)
    assert isinstance(duration, Duration)
    assert (duration.minutes, duration.form) == (minutes, form)


def test_days_below_zero_make_thousands_of_years(read: Read) -> None:
    duration = read("time", "-5")
    assert isinstance(duration, Duration)
    assert duration.minutes is not None
    assert duration.minutes // 1440 == 2982611


@pytest.mark.parametrize("option", ["time", "time-min", "delay-boot"])
@pytest.mark.parametrize("text", ["", "1h", "1.5", "+5", "10:", "INF", "1-2-3", "1:2:3:4", "1:2-3", "\u0661"])
def test_refused(refusal: Refusal, option: str, text: str) -> None:
    refused = refusal(option, text)
    assert refused.said == f"Invalid --{option} specification"
    assert refused.stage is Stage.CLIENT


def test_a_delay_counts_seconds(read: Read) -> None:
    assert read("delay-boot", "1:30") == Duration(90, "M:S")


def test_immediate(read: Read, refusal: Refusal) -> None:
    assert read("immediate", "") is None
    assert read("immediate", "60") == 60
    assert refusal("immediate", "1m").said == 'Invalid numeric value "1m" for immediate.'
