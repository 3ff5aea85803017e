from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.diagnose.labels import Label, label_of_file, read_head
from sbatchlint.diagnose.stamps import Clock, find_stamp

NUMBERS = st.none() | st.integers(0, 9999)
STAMPS = {
    "2026-03-04 10:16:00": ("", "2026-03-04 10:16:00"),
    "2026-03-04T10:16:00.123Z": ("", "2026-03-04 10:16:00"),
    "[2026-03-04 10:16:00]": ("", "2026-03-04 10:16:00"),
    "2026-03-04 10:16:00,114 ERROR": ("E", "2026-03-04 10:16:00"),
    "2026-03-04 10:16:00,114 - root - WARNING -": ("W", "2026-03-04 10:16:00"),
    "[2026-03-04 10:16:00,114] [ERROR] [launch.py:3:f]": ("E", "2026-03-04 10:16:00"),
    "[NeMo W 2026-03-04 10:16:00 nemo_logging:393]": ("W", "2026-03-04 10:16:00"),
    "[E304 10:16:00.204 ProcessGroupNCCL.cpp:632]": ("E", "03-04 10:16:00"),
    "W0304 10:16:00.551000 39990 torch/api.py:898]": ("W", "03-04 10:16:00"),
    "I1231 10:16:00.551000 39990 torch/api.py:898]": ("I", "12-31 10:16:00"),
    "Mar  4 10:16:00 gpu-b01 kernel:": ("", "03-04 10:16:00"),
    "": ("", None),
}


@pytest.mark.parametrize("head", STAMPS)
@given(NUMBERS, NUMBERS, NUMBERS)
def test_labels_in_front_of_any_time(
    head: str, task: int | None, local: int | None, rank: int | None
) -> None:
    prefix = "" if task is None else f"{task}: "
    prefix += "" if local is None else f"[default{local}]:"
    prefix += "" if rank is None else f"[rank{rank}]:"
    read = read_head(f"{prefix}{head} something happened")
    level, time = STAMPS[head]
    assert read.label == Label(task, local, rank)
    assert read.level == level
    assert (read.stamp.text if read.stamp else None) == time


@pytest.mark.parametrize(
    ("line", "label", "level"),
    [
        ("gpu-b01:40001:40110 [1] NCCL WARN Cuda failure 2", Label(node="gpu-b01"), "W"),
        ("3: gpu-b01:4:5 [1] NCCL INFO Channel 0", Label(task=3, node="gpu-b01"), "I"),
        ("my-job/7 [default0]:[rank56]: text", Label(task=7, local=0, rank=56), ""),
        (" 12: text", Label(task=12), ""),
        ("slurmstepd: error: Detected 1 oom_kill event", Label(), "E"),
        ("/opt/a.py:31: FutureWarning: use b", Label(), "W"),
        ("10:16:00 it was", Label(), ""),
        ("error_rate: 0.3", Label(), ""),
        ("metrics/3 files", Label(), ""),
    ],
)
def test_other_heads(line: str, label: Label, level: str) -> None:
    read = read_head(line)
    assert (read.label, read.level) == (label, level)


@given(st.text(max_size=200))
def test_any_line_can_be_read(line: str) -> None:
    assert read_head(line).body in line


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("rank_3.log", Label(rank=3)),
        ("logs/out.rank-12.txt.gz", Label(rank=12)),
        ("log_node01.out", Label(node="node01")),
        ("pre_train_123456_2.out", Label(task=2)),
        ("el/attempt_0/5/stderr.log", Label(local=5)),
        ("slurm-123456.out", Label()),
        ("frank_7.log", Label()),
        ("-", Label()),
    ],
)
def test_names_of_files(path: str, label: Label) -> None:
    assert label_of_file(path) == label


def test_times_that_are_none() -> None:
    for text in ("2026-13-40 10:00:00", "E1399 99:99:99", "Feb 31 10:00:00", "10:00"):
        assert find_stamp(text) is None


def test_times_with_and_without_a_year_are_compared() -> None:
    texts = ["2026-03-04 10:16:00", "E304 10:16:01", "Mar  4 10:16:02", "2026-03-04T10:16:03.5"]
    stamps = [stamp for text in texts if (stamp := find_stamp(text))]
    clock = Clock(stamps)
    seconds = [clock.seconds(stamp) for stamp in stamps]
    assert [second - seconds[0] for second in seconds if second and seconds[0]] == [0, 1, 2, 3.5]


def test_the_29th_of_february_without_a_year() -> None:
    stamps = [stamp for text in ("W0229 10:00:00", "2027-03-04 10:00:00") if (stamp := find_stamp(text))]
    assert Clock(stamps).seconds(stamps[0]) is not None


def test_times_of_another_zone_are_not_compared() -> None:
    texts = ["2026-03-04 10:16:00", "2026-03-04 10:17:00", "2026-03-04T02:16:00Z"]
    stamps = [stamp for text in texts if (stamp := find_stamp(text))]
    clock = Clock(stamps)
    assert [clock.seconds(stamp) is None for stamp in stamps] == [False, False, True]
