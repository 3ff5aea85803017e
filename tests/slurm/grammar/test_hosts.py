"""Host lists."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.hosts import HostFile, HostList

Read = Callable[..., object]
Refusal = Callable[..., Refused]

OUT_OF_MEMORY = "memory allocation failure"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpu01", ["gpu01"]),
        ("gpu[01-03,07],login1", ["gpu01", "gpu02", "gpu03", "gpu07", "login1"]),
        ("gpu[1-2]r[1-2]", ["gpu1r1", "gpu1r2", "gpu2r1", "gpu2r2"]),
        ("gpu[9-11]", ["gpu9", "gpu10", "gpu11"]),
        ("gpu[099-101]", ["gpu099", "gpu100", "gpu101"]),
        ("a,,b c", ["a", "b", "c"]),
        ("a,a", ["a"]),
        ("gpu[01-]", ["gpu01"]),
        ("gpu[1 -3]", ["gpu01", "gpu02", "gpu03"]),
        ("[gpu01", ["gpu01"]),
        ("", []),
    ],
)
def test_names(read: Read, text: str, names: list[str]) -> None:
    hosts = read("nodelist", text)
    assert isinstance(hosts, HostList)
    assert list(hosts.names() or ()) == names
    assert hosts.count() == len(names)


@pytest.mark.parametrize(
    ("text", "first_line"),
    [
        ("gpu[03-01]", "_parse_single_range: Invalid range: `03-01'"),
        ("gpu[]", "_parse_single_range: Invalid range: `'"),
        ("gpu[01,]", "_parse_single_range: Invalid range: `'"),
        ("gpu[a]", "_parse_single_range: Invalid range: `a'"),
        ("gpu[-1]", "_parse_single_range: Invalid range: `-1'"),
        ("gpu[0x1]", "_parse_single_range: Invalid range: `0x1'"),
        ("gpu[01-99999999]", "_parse_single_range: Too many hosts in range `01-99999999'"),
    ],
)
def test_a_wrong_range_is_refused_by_sbatch(refusal: Refusal, text: str, first_line: str) -> None:
    assert refusal("nodelist", text).said == f"{first_line}\n{OUT_OF_MEMORY}"
    assert refusal("nodelist", text, "26.05").said == f"{first_line}\nInvalid node list specified"
    excluded = refusal("exclude", text)
    assert (excluded.said, excluded.stage) == ("Invalid node name specified", Stage.CONTROLLER)


def test_a_name_goes_on_behind_its_bracket_from_2311_on(read: Read, refusal: Refusal) -> None:
    assert refusal("nodelist", "gpu[1-2]x", "23.02").said == OUT_OF_MEMORY
    assert read("nodelist", "gpu[1-2]x", "23.11") == HostList(("gpu[1-2]x",))


def test_an_open_bracket_is_left_to_the_controller_before_2302(refusal: Refusal) -> None:
    old, new = refusal("nodelist", "gpu[01"), refusal("nodelist", "gpu[01", "23.02")
    assert (old.said, old.stage) == ("Invalid node name specified", Stage.CONTROLLER)
    assert (new.said, new.stage) == (OUT_OF_MEMORY, Stage.CLIENT)


@pytest.mark.parametrize("option", ["nodelist", "exclude"])
@pytest.mark.parametrize("text", ["[gpu[01-02]", "gpu01]", "gpu02,]", "]a[1]b[1]"])
def test_a_bracket_without_a_partner_is_in_no_name(refusal: Refusal, option: str, text: str) -> None:
    refused = refusal(option, text)
    assert (refused.said, refused.stage) == ("Invalid node name specified", Stage.CONTROLLER)


def test_an_open_bracket_alone_is_dropped_from_the_nodelist_only(read: Read, refusal: Refusal) -> None:
    for text in ("[", "gpu01,[", "[,gpu01"):
        assert "[" not in "".join(read("nodelist", text).items)  # type: ignore[attr-defined]
        assert refusal("exclude", text).stage is Stage.CONTROLLER
    assert read("exclude", "[gpu01") == HostList(("gpu01",))


@pytest.mark.parametrize("text", ["/etc/hosts", "./a", "a/b"])
def test_a_slash_makes_a_file(read: Read, text: str) -> None:
    assert read("nodelist", text) == HostFile(text)


@pytest.mark.parametrize("text", ["n[1-60000],m[1-60000]", "n[1-1000]r[1-1000]"])
def test_too_many_names_are_not_expanded(read: Read, text: str) -> None:
    hosts = read("nodelist", text)
    assert isinstance(hosts, HostList)
    assert hosts.names() is None
    assert hosts.count() is None


def test_mistakes_far_in_front_are_forgiven(read: Read) -> None:
    assert read("nodelist", "a[2-1]b[1]c[1],d") == HostList(("d",))
