"""The grammars of values; good and bad as the live Slurm took them."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.values import (
    count_hosts,
    gpu_count,
    gres_gpus,
    node_range,
    positive_integer,
    tres_gpus,
)


@pytest.mark.parametrize(("text", "value"), [("4", 4), ("+4", 4), ("08", 8), (" 4", 4)])
def test_integers(text: str, value: int) -> None:
    assert positive_integer(text) == value


@pytest.mark.parametrize("text", ["0", "-1", "1k", "4.0", "0x4", "1e3", "", "4 ", "\u0664", "\ue000"])
def test_not_integers(text: str) -> None:
    assert positive_integer(text) is None


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("4", (4, 4)),
        ("2-4", (2, 4)),
        ("-4", (1, 4)),
        ("1k", (1024, 1024)),
        ("2,4", (2, 4)),
        ("1-9:2", (1, 7)),
        ("0-4", (1, 4)),
        ("1-4,8", (1, 8)),
    ],
)
def test_node_counts(text: str, bounds: tuple[int, int]) -> None:
    assert node_range(text) == bounds


@pytest.mark.parametrize("text", ["abc", "", "4-2", "=2", "1-", "2g", "1-4:x", "0"])
def test_not_node_counts(text: str) -> None:
    assert node_range(text) is None


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("8", 8),
        ("8,", 8),
        ("h100:8", 8),
        ("h100", 1),
        ("a100:2,h100:6", 8),
        ("gpu:8", 8),
        ("0", 0),
        ("1,2", 2),
    ],
)
def test_gpu_counts(text: str, count: int) -> None:
    assert gpu_count(text) == count


@pytest.mark.parametrize("text", ["", "h100:", "h100:x", "h100:1,1", "\ue000", "h100=2"])
def test_not_gpu_counts(text: str) -> None:
    assert gpu_count(text) is None


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("gpu", 1),
        ("gpu:8", 8),
        ("gpu:h100", 1),
        ("gpu:h100:8", 8),
        ("gpu=4", 4),
        ("gres:gpu:2", 2),
        ("nvme:1,gpu:h100:2,gpu:a100:1", 3),
        ("gpu:1,gpu:2", 2),
        ("gpu:2,gpu:a100:1", None),
        ("nvme:1", 0),
        ("none", 0),
    ],
)
def test_gres(text: str, count: int) -> None:
    assert gres_gpus(text) == count


def test_tres() -> None:
    assert tres_gpus("cpu=4,gres/gpu=2") == 2
    assert tres_gpus("gres/gpu:h100=1") == 1
    assert tres_gpus("cpu=4") == 0


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("gpu01", 1),
        ("gpu[01-03]", 3),
        ("gpu[01-03,07],login1", 5),
        ("gpu[1-2]r[1-2]", 4),
        ("a,a", 1),
        ("a,,b", 2),
        ("gpu[1-2]x", 2),
        ("/etc/hosts", None),
        ("gpu[03-01]", None),
        ("gpu[1-999999999]", None),
        ("gpu[", None),
        ("\ue000[1-2]", 2),
        ("", None),
    ],
)
def test_hosts(text: str, count: int | None) -> None:
    assert count_hosts(text) == count
