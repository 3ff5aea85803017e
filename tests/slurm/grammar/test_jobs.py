"""Arrays, dependencies, distributions, exported variables, lists of names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.arrays import ArraySpec
from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.dependencies import Dependencies, Dependency
from sbatchlint.slurm.grammar.distributions import Distribution
from sbatchlint.slurm.grammar.jobs import Export, NameList

Read = Callable[..., object]
Refusal = Callable[..., Refused]


@pytest.mark.parametrize(
    ("text", "indices", "throttle"),
    [
        ("7", [7], None),
        ("0-3", [0, 1, 2, 3], None),
        ("0-15:4", [0, 4, 8, 12], None),
        ("1,3,5-6%2", [1, 3, 5, 6], 2),
        ("[1-3]", [1, 2, 3], None),
        ("[1-3]%4", [1, 2, 3], 4),
        ("1,,2", [1, 2], None),
        ("2,1,1-2", [1, 2], None),
        ("%2", [0], 2),
        ("1-3%0", [1, 2, 3], None),
        ("1-3%", [1, 2, 3], None),
        ("1-3%x", [1, 2, 3], None),
        ("1-3%-1", [1, 2, 3], None),
        ("1%2,3%4", [1, 3], 2),
        ("1, 2", [1, 2], None),
        ("0-", [0], None),
        ("", [], None),
    ],
)
def test_arrays(read: Read, text: str, indices: list[int], throttle: int | None) -> None:
    array = read("array", text)
    assert isinstance(array, ArraySpec)
    assert list(array.indices(100)) == indices
    assert array.count() == len(indices)
    assert array.max_index == max(indices, default=-1)
    assert array.throttle == throttle


def test_the_end_of_a_range_is_what_slurm_compares(read: Read) -> None:
    array = read("array", "0-10:4")
    assert isinstance(array, ArraySpec)
    assert (array.max_index, array.greatest_written) == (8, 10)


def test_the_greatest_array_is_counted_and_its_indices_bounded(read: Read) -> None:
    array = read("array", "0-4000000,0-4000000:2")
    assert isinstance(array, ArraySpec)
    assert array.count() == 4_000_001
    assert array.indices(3) == (0, 1, 2)


@pytest.mark.parametrize(
    "text", ["5-1", "1-", "1-3:0", "1-3:-1", "abc", "1.5", "1;2", "$N", "1:2", "-1", "0-4000001", "1-3:2x"]
)
def test_arrays_refused(refusal: Refusal, text: str) -> None:
    refused = refusal("array", text)
    assert (refused.said, refused.stage) == ("Invalid job array specification", Stage.CONTROLLER)


def test_a_step_is_compared_with_the_greatest_size_from_2205_on(read: Read, refusal: Refusal) -> None:
    assert read("array", "1-3:9000000", "21.08") == ArraySpec(((1, 3, 9_000_000),))
    assert refusal("array", "1-3:9000000", "22.05").stage is Stage.CONTROLLER


def job(kind: str, number: int, task: str = "", delay: int = 0) -> Dependency:
    return Dependency(kind, number, task, delay)


@pytest.mark.parametrize("release", ["20.11", "22.05", "25.05", "25.11", "26.05"])
@pytest.mark.parametrize(
    ("text", "items", "any_of_them"),
    [
        ("afterok:123", [job("afterok", 123)], False),
        ("AfterOk:1:2", [job("afterok", 1), job("afterok", 2)], False),
        ("after:5+10", [job("after", 5, delay=10)], False),
        ("after:5_3+10:6", [job("after", 5, "3", 10), job("after", 6)], False),
        ("aftercorr:5_*", [job("aftercorr", 5, "*")], False),
        ("afterany:5_[1-3,7]", [job("afterany", 5, "1-3,7")], False),
        ("123", [job("afterany", 123)], False),
        ("12_4,13", [job("afterany", 12, "4"), job("afterany", 13)], False),
        ("singleton", [Dependency("singleton")], False),
        ("afterok:1,singleton", [job("afterok", 1), Dependency("singleton")], False),
        ("afterok:1?afternotok:2", [job("afterok", 1), job("afternotok", 2)], True),
        ("afterok:1(failed),afterany:2", [job("afterok", 1), job("afterany", 2)], False),
        ("afterburstbuffer:4", [job("afterburstbuffer", 4)], False),
        ("0", [], False),
        ("", [], False),
    ],
)
def test_dependencies(
    read: Read, text: str, items: list[Dependency], any_of_them: bool, release: str
) -> None:
    assert read("dependency", text, release) == Dependencies(tuple(items), any_of_them)


@pytest.mark.parametrize(
    "text",
    [
        *("afterok", "afterok:", "afterok:x", "before:1", "none", "$JID", "afterok:1,", "1?2", "5+1"),
        *("after:1+0", "singletonx", "1,afterok:2", "after:1(x", "afterok:1_[3-1]", "afterok:1_[]"),
        *("5_[1-3]", "afterok:0"),
    ],
)
def test_dependencies_refused(refusal: Refusal, text: str) -> None:
    for release in ("22.05", "26.05"):
        refused = refusal("dependency", text, release)
        assert (refused.said, refused.stage) == ("Job dependency problem", Stage.CONTROLLER)


def test_what_2511_made_strict(read: Read, refusal: Refusal) -> None:
    mixed = read("dependency", "after:1,after:2?after:3", "25.05")
    assert isinstance(mixed, Dependencies)
    assert mixed.any
    for text in ("after:1,after:2?after:3", "after:1(x)y", "after:1_"):
        read("dependency", text, "25.05")
        assert refusal("dependency", text, "25.11").said == "Job dependency problem"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("block", Distribution("block")),
        ("CYCLIC", Distribution("cyclic")),
        ("*", Distribution("block")),
        ("plane=4", Distribution("plane", plane_size=4)),
        ("hostfile", Distribution("arbitrary")),
        ("block:fcyclic", Distribution("block", "fcyclic")),
        ("*:*:*", Distribution("block", "cyclic", "cyclic")),
        ("cyclic:block:*,NoPack", Distribution("cyclic", "block", "block", pack=False)),
        ("pack", Distribution(pack=True)),
        ("block,", Distribution("block")),
    ],
)
def test_distributions(read: Read, text: str, value: Distribution) -> None:
    assert read("distribution", text) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plane", "Invalid plane size or size not specified\nInvalid --distribution specification"),
        ("plane=0", "Invalid plane size or size not specified\nInvalid --distribution specification"),
        ("plane=4,pack", "Invalid plane size or size not specified\nInvalid --distribution specification"),
        ("x", "Invalid --distribution specification"),
        ("", "Invalid --distribution specification"),
        ("fcyclic", "Invalid --distribution specification"),
        ("arbitrary:block", "Invalid --distribution specification"),
        ("block,pack,nopack", "Invalid --distribution specification"),
        ("block:block:block:block", "Invalid --distribution specification"),
    ],
)
def test_distributions_refused(refusal: Refusal, text: str, said: str) -> None:
    assert refusal("distribution", text).said == said


def test_2011_takes_beginnings_of_words(read: Read, refusal: Refusal) -> None:
    assert read("distribution", "cy,x", "20.11") == Distribution("cyclic")
    assert refusal("distribution", "cy", "21.08").said == "Invalid --distribution specification"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("all", Export(all=True)),
        ("NONE", Export()),
        ("PATH,HOME", Export(names=("PATH", "HOME"))),
        ("ALL,A=1,B=x=y", Export(all=True, assignments=(("A", "1"), ("B", "x=y")))),
        ("A='1,2',B", Export(names=("B",), assignments=(("A", "'1,2'"),))),
        ("", Export()),
    ],
)
def test_exports(read: Read, text: str, value: Export) -> None:
    assert read("export", text) == value


def test_nil_is_a_name_before_2302(read: Read) -> None:
    assert read("export", "NIL", "22.05") == Export(names=("NIL",))
    assert read("export", "NIL", "23.02") == Export(nil=True)


def test_lists_of_names(read: Read, refusal: Refusal) -> None:
    assert read("partition", "a,b,") == NameList(("a", "b"))
    assert read("reservation", "") == NameList(())
    assert read("partition", "", "24.11") == NameList(())
    refused = refusal("partition", "", "22.05")
    assert refused.said == "invalid partition specified: (null)\nInvalid partition name specified"
    assert refused.stage is Stage.CONTROLLER
