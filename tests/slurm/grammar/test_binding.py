"""Binding to CPUs, memory and GPUs; clock rates; flags of srun."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.binding import AccelBinding, X11Forwarding
from sbatchlint.slurm.grammar.frequencies import CpuFrequency, GpuFrequency
from sbatchlint.slurm.grammar.gres_binding import GresBinding
from sbatchlint.slurm.grammar.task_binding import Binding

Read = Callable[..., object]
Refusal = Callable[..., Refused]


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("cpu-bind", "cores", Binding("cores")),
        ("cpu-bind", "Core", Binding("cores")),
        ("cpu-bind", "v,no", Binding("none", verbose=True)),
        ("cpu-bind", "map_cpu:0,1*2,verbose", Binding("map_cpu", ("0", "1*2"), verbose=True)),
        ("cpu-bind", "maskcpu=0x3,c", Binding("mask_cpu", ("0x3", "c"))),
        ("cpu-bind", "map_cpu:1,sockets", Binding("sockets")),
        ("cpu-bind", "one_thread,cores", Binding("cores", flags=("one_thread",))),
        ("cpu-bind", "help,x", Binding(help=True)),
        ("mem-bind", "local", Binding("local")),
        ("mem-bind", "p,mask_mem:1,2", Binding("mask_mem", ("1", "2"), flags=("prefer",))),
    ],
)
def test_bindings_of_tasks(read: Read, option: str, text: str, value: Binding) -> None:
    assert read(option, text) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", 'unrecognized --mem-bind argument "x"'),
        ("", 'unrecognized --mem-bind argument ""'),
        ("local,", 'unrecognized --mem-bind argument "local,"'),
        ("map_mem:", 'missing list for "--mem-bind=map_mem:<list>"'),
        ("map_mem:x", "Failed to validate number: x, the offending character is x"),
        ("map_mem:0*0", "Invalid map_mem multiplier: 0"),
        ("map_mem:0*x", "Failed to validate number: *x, the offending character is x"),
        ("map_cpu:0", 'unrecognized --mem-bind argument "map_cpu:0"'),
    ],
)
def test_memory_bindings_refused(refusal: Refusal, text: str, said: str) -> None:
    assert refusal("mem-bind", text).said == said


def test_bindings_that_releases_differ_in(read: Read, refusal: Refusal) -> None:
    last = "Failed to parse --cpu-bind= values."
    assert refusal("cpu-bind", "x", "21.08").said == 'unrecognized --cpu-bind argument "x"'
    assert refusal("cpu-bind", "x").said == f'unrecognized --cpu-bind argument "x"\n{last}'
    assert read("cpu-bind", "boards", "21.08") == Binding("boards")
    assert refusal("cpu-bind", "boards").said.endswith(last)
    assert read("mem-bind", "sort,local", "25.11") == Binding("local", flags=("sort",))
    assert refusal("mem-bind", "sort", "26.05").said == 'unrecognized --mem-bind argument "sort"'
    assert refusal("mem-bind", "map_mem:,", "23.02").said == "Failed to expand list: ','"


@pytest.mark.parametrize(
    ("text", "release", "value"),
    [
        ("closest", "20.11", GresBinding("gpu", "closest")),
        ("Verbose,Closest", "22.05", GresBinding("gpu", "closest", verbose=True)),
        ("c", "22.05", GresBinding("gpu", "closest")),
        ("nothing", "22.05", GresBinding("gpu", "none")),
        ("nonesuch", "26.05", GresBinding("gpu", "none")),
        ("single:2", "22.05", GresBinding("gpu", "single", "2")),
        ("map_gpu:0,1*2", "22.05", GresBinding("gpu", "map", "0,1*2")),
        ("mask_gpu:0x3,c", "26.05", GresBinding("gpu", "mask", "0x3,c")),
        ("map:0,1", "26.05", GresBinding("gpu", "map", "0,1")),
    ],
)
def test_bindings_to_gpus(read: Read, text: str, release: str, value: GresBinding) -> None:
    assert read("gpu-bind", text, release) == value


@pytest.mark.parametrize(
    ("text", "release", "said"),
    [
        ("x", "22.05", "Invalid --gpu-bind argument: gpu:x"),
        ("x", "26.05", "Invalid --gpu-bind argument: x"),
        ("none", "20.11", "Invalid --gpu-bind argument: gpu:none"),
        ("Closest", "20.11", "Invalid --gpu-bind argument: gpu:Closest"),
        ("c", "23.02", "Invalid --gpu-bind argument: gpu:c"),
        ("map:0", "23.02", "Invalid --gpu-bind argument: gpu:map:0"),
        ("single:-1", "22.05", "Invalid --gpu-bind argument: gpu:single:-1"),
        ("closest;x", "22.05", "Invalid --gpu-bind argument: gpu:closest;x"),
        (
            "map_gpu:x",
            "22.05",
            "Failed to validate x, offending character is x\nInvalid --gpu-bind argument: gpu:map_gpu:x",
        ),
    ],
)
def test_bindings_to_gpus_refused(refusal: Refusal, text: str, release: str, said: str) -> None:
    assert refusal("gpu-bind", text, release).said == said


def test_bindings_to_several_resources(read: Read, refusal: Refusal) -> None:
    assert read("tres-bind", "gres/gpu:closest+gres/shard:per_task:2", "24.05") == (
        GresBinding("gpu", "closest"),
        GresBinding("shard", "per_task", "2"),
    )
    refused = refusal("tres-bind", "gres/shard:closest", "24.05")
    assert refused.said == "Invalid Trackable RESource (TRES) specification"
    assert refused.stage is Stage.CONTROLLER


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("High", CpuFrequency("high")),
        ("him1", CpuFrequency("highm1")),
        ("2400000", CpuFrequency(2_400_000)),
        ("low-high:Performance", CpuFrequency("high", "low", "Performance")),
        ("ondemand", CpuFrequency(governor="OnDemand")),
        ("5x", CpuFrequency(5)),
    ],
)
def test_clock_rates_of_cpus(read: Read, text: str, value: CpuFrequency) -> None:
    assert read("cpu-freq", text) == value


@pytest.mark.parametrize(
    ("text", "release", "said"),
    [
        ("x", "22.05", 'unrecognized --cpu-freq argument "x"'),
        ("5x", "23.11", 'unrecognized --cpu-freq argument "5x"'),
        ("high-low", "22.05", "min cpu-frec (high) must be < max cpu-freq (low)"),
        ("high:foo", "22.05", "gov on cpu-frec (foo) illegal without max"),
        ("high:foo", "23.11", "illegal governor: foo on --cpu-freq"),
        ("high:OnDemand", "23.11", "gov on cpu-frec (OnDemand) illegal without max"),
        ("Performance:x", "22.05", "governor cannot be specified twice Performance{-}:x in --cpu-freq"),
        ("h:x0-:x", "22.05", 'unrecognized --cpu-freq argument "h:x0"'),
    ],
)
def test_clock_rates_of_cpus_refused(refusal: Refusal, text: str, release: str, said: str) -> None:
    assert refusal("cpu-freq", text, release).said == f"{said}\nInvalid --cpu-freq argument"


def test_a_governor_may_go_without_a_range_if_it_is_userspace(read: Read, refusal: Refusal) -> None:
    assert read("cpu-freq", "high:UserSpace", "23.11") == CpuFrequency("high", governor="UserSpace")
    assert refusal("cpu-freq", "low-high:UserSpace", "23.11").said.startswith("UserSpace governor does not")


def test_clock_rates_of_gpus(read: Read, refusal: Refusal) -> None:
    assert read("gpu-freq", "medium,memory=high,verbose") == GpuFrequency("medium", "high", verbose=True)
    assert read("gpu-freq", "450") == GpuFrequency("450")
    for text in ("x", "", "HIGH", "memory=x", "low=high"):
        assert refusal("gpu-freq", text).said == f"Invalid --gpu-freq argument: gpu:{text}"


def test_flags_of_srun(read: Read, refusal: Refusal) -> None:
    assert read("accel-bind", "gxv") == AccelBinding(True, False, True)
    assert refusal("accel-bind", "m").said == "Invalid --accel-bind specification"
    assert read("accel-bind", "m", "20.11") == AccelBinding(False, False, False)
    assert read("x11", "First") == X11Forwarding("first")
    assert read("x11", "everywhere") == X11Forwarding("")
