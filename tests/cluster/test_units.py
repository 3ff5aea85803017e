"""Times, amounts and host lists as Slurm's configuration writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.cluster.hosts import compress_hosts, expand_hosts
from sbatchlint.cluster.units import UNLIMITED, count, gres_amount, mebibytes, minutes, show_minutes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("30", 30),
        ("1:30", 2),
        ("90:00", 90),
        ("01:00:00", 60),
        ("2-00:00:00", 2880),
        ("1-12", 2160),
        ("1-12:30", 2190),
        ("UNLIMITED", UNLIMITED),
        ("infinite", UNLIMITED),
        ("NONE", None),
        ("2 days", None),
        ("", None),
    ],
)
def test_times(text: str, value: object) -> None:
    assert minutes(text) == value


@given(st.integers(0, 10**6))
def test_a_time_reads_back(value: int) -> None:
    assert minutes(show_minutes(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("500000", 500000),
        ("2000000M", 2000000),
        ("4G", 4096),
        ("1500K", 2),
        ("UNLIMITED", UNLIMITED),
        ("x", None),
    ],
)
def test_memory(text: str, value: object) -> None:
    assert mebibytes(text) == value


def test_numbers() -> None:
    assert (count("16"), count("UNLIMITED"), count("many")) == (16, UNLIMITED, None)
    assert (gres_amount("8"), gres_amount("4K"), gres_amount("h100")) == (8, 4096, None)


@pytest.mark.parametrize(
    ("hosts", "text"),
    [
        (("gpu01", "gpu02", "gpu03", "gpu07", "login1"), "gpu[01-03,07],login1"),
        (("n8", "n9", "n10", "n11"), "n[8-11]"),
        (("n08", "n09", "n10", "n11"), "n[08-11]"),
        (("a1", "a01"), "a1,a01"),
        (("login",), "login"),
        ((), ""),
    ],
)
def test_hosts_are_written_short(hosts: tuple[str, ...], text: str) -> None:
    written = compress_hosts(hosts)
    assert set(written.split(",")) == set(text.split(",")) or written == text
    assert set(expand_hosts(written) or ()) == set(hosts)


@given(st.sets(st.from_regex(r"[a-z]{1,2}0{0,2}[0-9]{1,3}", fullmatch=True), max_size=30))
def test_hosts_read_back(hosts: set[str]) -> None:
    assert set(expand_hosts(compress_hosts(hosts)) or ()) == hosts


def test_a_host_with_a_number_of_any_length() -> None:
    long = "gpu" + "9" * 5000
    assert compress_hosts([long]) == long


@pytest.mark.parametrize("text", ["gpu[01-16", "gpu[3-1]", "./hosts", "{feature=h100}"])
def test_what_is_no_host_list(text: str) -> None:
    assert expand_hosts(text) is None
