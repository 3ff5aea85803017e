"""What a value means where no release is given."""

from __future__ import annotations

from sbatchlint.slurm.grammar.gres_items import Gres, GresRequest
from sbatchlint.slurm.option_values import agreed, readings


def gpus(reading: object) -> int | None:
    return reading.count() if isinstance(reading, GresRequest) else None


def test_releases_that_refuse_have_no_say() -> None:
    assert readings("gres", "gpu=4") == (GresRequest((Gres("gpu", None, 4),)),)
    assert agreed("gres", "gpu=4", gpus) == 4


def test_releases_that_differ_give_no_answer() -> None:
    assert len(readings("gpus", "h100=2")) == 2
    assert agreed("gpus", "h100=2", gpus) is None


def test_what_differs_may_not_matter() -> None:
    assert len(readings("gpus-per-task", "a:1,b:0")) == 2
    assert agreed("gpus-per-task", "a:1,b:0", gpus) == 1


def test_what_all_refuse_has_no_meaning() -> None:
    assert readings("gres", "gpu:") == ()
    assert agreed("gres", "gpu:", gpus) is None


def test_only_releases_that_have_the_option_are_asked() -> None:
    assert agreed("tres-per-task", "mem=1", lambda _: 1) is None
    assert len(readings("tres-bind", "gres/gpu:closest")) == 1
