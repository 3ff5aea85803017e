"""Amounts of memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused
from sbatchlint.slurm.grammar.memory import Memory

Read = Callable[..., object]
Refusal = Callable[..., Refused]
LONG_MAX = 2**63 - 1


@pytest.mark.parametrize(
    ("text", "mebibytes", "unit"),
    [
        ("16", 16, ""),
        ("1500K", 2, "K"),
        ("1k", 1, "K"),
        ("512M", 512, "M"),
        ("2G", 2048, "G"),
        ("2gb", 2048, "G"),
        ("1TB", 1048576, "T"),
        ("+5G", 5120, "G"),
        ("0", 0, ""),
        ("08", 8, ""),
        (f"{LONG_MAX}", LONG_MAX, ""),
    ],
)
def test_mebibytes(read: Read, text: str, mebibytes: int, unit: str) -> None:
    assert read("mem", text) == Memory(mebibytes, unit)


@pytest.mark.parametrize("option", ["mem", "mem-per-cpu", "mem-per-gpu", "tmp"])
@pytest.mark.parametrize(
    "text", ["", "1.5G", "2GiB", "2P", "-1", "1B", "100%", "2 G", "G", f"{LONG_MAX + 1}"]
)
def test_refused(refusal: Refusal, option: str, text: str) -> None:
    assert refusal(option, text).said == f"Invalid --{option} specification"


def test_an_overflow_is_noticed_in_one_series(read: Read, refusal: Refusal) -> None:
    text = f"{2**53}G"
    assert read("mem", text, "22.05") == Memory(2**63, "G")
    assert refusal("mem", text, "23.02").said == "Invalid --mem specification"
    assert read("mem", text, "23.11") == Memory(2**63, "G")
