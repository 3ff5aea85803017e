"""Counts and small numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.counts import NodeShape, Range, Switches
from sbatchlint.slurm.grammar.node_counts import NodeCount

Read = Callable[..., object]
Refusal = Callable[..., Refused]


@pytest.mark.parametrize(("text", "count"), [("4", 4), ("+4", 4), ("08", 8), (" 4", 4)])
def test_integers(read: Read, text: str, count: int) -> None:
    assert read("ntasks", text) == count


@pytest.mark.parametrize("option", ["ntasks", "ntasks-per-node", "cpus-per-task", "thread-spec", "mincpus"])
@pytest.mark.parametrize("text", ["", "0", "-1", "1k", "4.0", "0x4", "1e3", "4 ", "\u0664"])
def test_not_integers(refusal: Refusal, option: str, text: str) -> None:
    assert refusal(option, text).said == f'Invalid numeric value "{text}" for --{option}.'


def test_zero_where_it_may_be(read: Read, refusal: Refusal) -> None:
    assert read("core-spec", "0") == 0
    assert read("core-spec", "") == 0
    assert refusal("core-spec", "-1").said == 'Invalid numeric value "-1" for --core-spec.'


def test_too_large_by_release(read: Read, refusal: Refusal) -> None:
    assert read("ntasks", "4294967296", "22.05") == 0
    said = "Numeric argument (4294967296) {} for --ntasks."
    assert refusal("ntasks", "4294967296", "23.02").said == said.format("to big")
    assert refusal("ntasks", "4294967296", "26.05").said == said.format("too large")
    assert "(9223372036854775807) to big" in refusal("ntasks", "9" * 5000).said


def test_a_number_cut_to_nothing(refusal: Refusal) -> None:
    assert refusal("cpus-per-task", "4294967296").said == "invalid number of cpus per task (-c 0)"
    assert refusal("ntasks", "2147483648").said == "invalid number of tasks (-n -2147483648)"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("4", 4, 4), ("2-4", 2, 4), ("-4", 1, 4), ("-1", 1, 1), ("1k", 1024, 1024), ("0-4", 0, 4), ("4 ", 4, 4)],
)
def test_nodes(read: Read, text: str, low: int, high: int) -> None:
    for release in ("20.11", "22.05", "26.05"):
        assert read("nodes", text, release) == NodeCount(low, high)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("abc", '"abc" is not a valid node count'),
        ("=2", '"=2" is not a valid node count'),
        ("1-2-3", '"2-3" is not a valid node count'),
        ("4-2", "Maximum node count 2 is less than minimum node count 4"),
        ("4-", "Maximum node count -1 is less than minimum node count 4"),
        ("-", "Maximum node count -1 is less than minimum node count 1"),
        ("2,4", '"2,4" is not a valid node count'),
    ],
)
def test_nodes_refused(refusal: Refusal, text: str, said: str) -> None:
    assert refusal("nodes", text).said == said


def test_no_node_is_refused_by_the_controller(refusal: Refusal) -> None:
    refused = refusal("nodes", "0")
    assert refused.said == "Batch job submission failed: Node count specification invalid"
    assert refused.stage is Stage.CONTROLLER


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("2,4", NodeCount(2, 4, (range(2, 3), range(4, 5)))),
        ("1-4,8", NodeCount(1, 8, (range(1, 5), range(8, 9)))),
        ("1-9:2", NodeCount(1, 7, (range(1, 9, 2),))),
    ],
)
def test_lists_since_23_02(read: Read, refusal: Refusal, text: str, count: NodeCount) -> None:
    assert read("nodes", text, "23.02") == count
    assert "is not a valid node count" in refusal("nodes", text, "22.05").said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1-4:x", '"x" is not a valid node count'),
        ("1-4:0", '"1-4:0" is not a valid node count'),
        ("1,2:3", '"1,2:3" is not a valid node count'),
        ("-2-4:1", '"-2-4:1" is not a valid node count'),
        ("-1-4:1", "invalid number of nodes (-N -1--1)"),
        (",4", "invalid number of nodes (-N -1--1)"),
        ("4-4:1", "invalid number of nodes (-N -1--1)"),
        ("1,16384", '"16384" is not a valid node count'),
    ],
)
def test_lists_refused(refusal: Refusal, text: str, said: str) -> None:
    assert refusal("nodes", text, "24.11").said == said


def test_shape_of_a_node(read: Read, refusal: Refusal) -> None:
    assert read("extra-node-info", "2:4:1") == NodeShape(Range(2, None), Range(4, None), Range(1, None))
    assert read("extra-node-info", "*:1-4") == NodeShape(None, Range(1, 4), None)
    said = 'Invalid numeric value "{}" for {} arg of -B.'
    assert refusal("extra-node-info", "x").said == said.format("x", "first")
    assert refusal("extra-node-info", "2:2-x").said == said.format("2-x", "second")


def test_switches(read: Read, refusal: Refusal) -> None:
    assert read("switches", "2@1:00") == Switches(2, 60)
    assert read("switches", "2@x") == Switches(2, None)
    assert refusal("switches", "x@60").said == 'Invalid numeric value "x" for --switches.'


@pytest.mark.parametrize(("text", "value"), [("0", False), ("1", True), ("", False), ("65536", False)])
def test_zero_or_one(read: Read, text: str, value: bool) -> None:
    assert read("wait-all-nodes", text) is value


def test_neither_zero_nor_one(refusal: Refusal) -> None:
    assert refusal("wait-all-nodes", "2").said == "Invalid --wait-all-nodes specification"
    assert refusal("wait-all-nodes", "x").said == 'Invalid numeric value "x" for --wait-all-nodes.'
    assert refusal("oom-kill-step", "2", "24.11").said == "Invalid --oom-kill-step specification"


def test_nice(read: Read, refusal: Refusal) -> None:
    assert read("nice", "") is None
    assert read("nice", "x") == 0
    assert read("nice", "-2147483645") == -2147483645
    assert refusal("nice", "2147483646").said == "Invalid --nice value, out of range (+/- 2147483645)"


def test_other_optional_numbers(read: Read, refusal: Refusal) -> None:
    assert read("kill-on-bad-exit", "0") == 0
    assert refusal("kill-on-bad-exit", "x").said == 'Invalid numeric value "x" for --kill-on-bad-exit.'
    assert refusal("resv-ports", "x", "24.05").said == 'Invalid numeric value "x" for --resv-port.'


def test_priority(read: Read, refusal: Refusal) -> None:
    assert read("priority", "x") == 0
    assert read("priority", "top") == 4294967293
    assert refusal("priority", "-1").said == "Priority must be >= 0"
    assert refusal("priority", "4294967294").said == "Priority must be < 4294967294"


def test_segment_and_tree(read: Read, refusal: Refusal) -> None:
    assert read("segment", "0", "24.05") == 0
    assert refusal("segment", "x", "24.05").said == "Invalid --segment specification"
    assert read("treewidth", "off", "24.05") == 65533
    assert refusal("treewidth", "x", "24.05").said == "Invalid --treewidth value: x"


def test_components(read: Read, refusal: Refusal) -> None:
    assert read("het-group", "[0,2-3]") == (0, 2, 3)
    assert refusal("het-group", "3-1").said == "Invalid --het-group value: 3-1"


def test_job_of_an_array_since_23_02(read: Read, refusal: Refusal) -> None:
    assert read("jobid", "12") == 12
    assert read("jobid", "12_3", "23.02") == "12_3"
    assert refusal("jobid", "12_3", "22.05").said == 'Invalid numeric value "12_3" for --jobid.'
