"""Free text and how long it may be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused, Stage

Read = Callable[..., object]
Refusal = Callable[..., Refused]
TOO_LONG = "Batch job submission failed: Pathname of a file, directory or other parameter too long"


@pytest.mark.parametrize("option", ["comment", "job-name", "account", "qos", "mail-user"])
def test_length_counts_bytes(read: Read, refusal: Refusal, option: str) -> None:
    for text in ("x" * 1024, "\u00fc" * 512, "\udcff" * 1024):
        assert read(option, text) == text
    for text in ("x" * 1025, "\u00fc" * 513):
        refused = refusal(option, text)
        assert refused.said == TOO_LONG
        assert refused.stage is Stage.CONTROLLER


def test_no_limit_where_slurm_has_none(read: Read) -> None:
    assert read("wrap", "x" * 5000) == "x" * 5000
