"""GPUs, other generic resources, licences, resources per task."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.gres_items import Gres, GresRequest
from sbatchlint.slurm.grammar.licenses import License, Licenses
from sbatchlint.slurm.grammar.tres import TresRequest

Read = Callable[..., object]
Refusal = Callable[..., Refused]

GRES = "Invalid generic resource (gres) specification"
TRES = "Invalid Trackable RESource (TRES) specification"
GRES_TYPE = "Invalid GRES specification (with and without type identification)"


def request(*items: tuple[str, str | None, int]) -> GresRequest:
    return GresRequest(tuple(Gres(*item) for item in items))


@pytest.mark.parametrize("release", ["20.11", "22.05", "23.02", "23.11", "26.05"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("gpu", request(("gpu", None, 1))),
        ("gpu:8", request(("gpu", None, 8))),
        ("gpu:h100", request(("gpu", "h100", 1))),
        ("gpu:h100:8", request(("gpu", "h100", 8))),
        ("nvme:2,gpu:1k", request(("nvme", None, 2), ("gpu", None, 1024))),
        ("gpu:0", request(("gpu", None, 0))),
        ("None", request()),
        ("HELP", GresRequest((), help=True)),
    ],
)
def test_gres_that_all_releases_read_alike(read: Read, text: str, value: GresRequest, release: str) -> None:
    assert read("gres", text, release) == value


@pytest.mark.parametrize(
    ("text", "takers"),
    [
        ("gpu=4", "23.11 24.05 25.05 26.05"),
        ("gpu:h100=4", "20.11 21.08 22.05 23.02 23.11 24.05 25.05 26.05"),
        ("gres:gpu:4", "21.08 22.05 23.02"),
        ("gres/gpu:4", "23.11 24.05 25.05 26.05"),
        ("gpu:4,", "20.11 23.11 24.05 25.05 26.05"),
        ("gpu:2080ti", "20.11 23.11 24.05 25.05 26.05"),
        ("gpu:2080ti:4", "20.11 21.08 22.05 23.02 23.11 24.05 25.05 26.05"),
    ],
)
def test_gres_that_some_releases_refuse(read: Read, text: str, takers: str) -> None:
    taken = []
    for release in ("20.11", "21.08", "22.05", "23.02", "23.11", "24.05", "25.05", "26.05"):
        try:
            read("gres", text, release)
        except Refused:
            continue
        taken.append(release)
    assert taken == takers.split()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gpu:", GRES),
        ("gpu::2", GRES),
        ("gpu:a:", GRES),
        ("gpu:a:b", GRES),
        ("gpu=4", GRES),
        ("gres/gpu:1", GRES),
        (":2", GRES),
        ("gpu:1,", TRES),
        ("", TRES),
        ("gpu:1.5", TRES),
        ("gpu:0x4", TRES),
        ("gpu:h100:1,gpu:1", GRES_TYPE),
        ("gpu:1,shard:2", GRES),
    ],
)
def test_gres_refused_as_the_live_slurm_does(refusal: Refusal, text: str, said: str) -> None:
    assert refusal("gres", text).said == said


@pytest.mark.parametrize(
    ("text", "said"),
    [("gres:gpu:2", GRES), ("gpu=x", TRES), ("gpu=", TRES), ("8", TRES), ("gpu:a:b", TRES)],
)
def test_gres_refused_from_2311_on(refusal: Refusal, text: str, said: str) -> None:
    assert refusal("gres", text, "26.05").said == said


def test_of_the_same_resource_the_last_counts() -> None:
    asked = request(("gpu", None, 1), ("gpu", None, 2), ("gpu", None, 0), ("nvme", None, 5))
    assert asked.count() == 2
    assert request(("gpu", "a", 1), ("gpu", "b", 2)).count() == 3


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [("8", None, 8), ("h100:8", "h100", 8), ("h100", "h100", 1), ("gpu:8", "gpu", 8), ("8,", None, 8)],
)
def test_gpu_counts_show_the_type(read: Read, text: str, kind: str | None, count: int) -> None:
    asked = read("gpus", text)
    assert isinstance(asked, GresRequest)
    assert asked.count() == count
    assert asked.types() == ((kind,) if kind else ())


def test_a_count_of_gpus_behind_an_equals_sign_is_a_type_before_2311(read: Read) -> None:
    assert read("gpus", "h100=2", "22.05") == request(("gpu", "h100=2", 1))
    assert read("gpus", "h100=2", "23.11") == request(("gpu", "h100", 2))


@pytest.mark.parametrize(
    ("text", "release", "value"),
    [
        ("h100", "23.02", request(("gpu", "h100", 1))),
        ("h100", "23.11", request()),
        ("h100", "26.05", request()),
        ("a:1,b:2", "23.02", request(("gpu", "a", 1), ("gpu", "b", 2))),
        ("a:1,b:2", "24.11", request(("gpu", "a", 1))),
        ("a:1,b:2", "25.05", request(("gpu", "a", 1), ("gpu", "b", 2))),
        ("a=2", "23.11", request()),
        ("a=2", "24.05", request(("gpu", "a", 2))),
        ("2", "26.05", request(("gpu", None, 2))),
    ],
)
def test_gpus_per_task_are_read_anew_from_2311_on(
    read: Read, text: str, release: str, value: GresRequest
) -> None:
    assert read("gpus-per-task", text, release) == value


@pytest.mark.parametrize(
    ("text", "release", "value"),
    [
        ("cpu:4,gres:gpu:2", "23.02", TresRequest(4, request(("gpu", None, 2)))),
        ("cpu=4,gres/gpu=2", "23.11", TresRequest(4, request(("gpu", None, 2)))),
        ("gres/gpu:h100=1", "26.05", TresRequest(None, request(("gpu", "h100", 1)))),
        ("gres:gpu:h100:1", "26.05", TresRequest(None, request(("gpu", "h100", 1)))),
        ("license/matlab=2", "26.05", TresRequest(None, request(), (License("matlab", 2),))),
        ("license:matlab:2", "23.02", TresRequest(None, request(), (License("matlab", 2),))),
    ],
)
def test_tres_per_task(read: Read, text: str, release: str, value: TresRequest) -> None:
    assert read("tres-per-task", text, release) == value


@pytest.mark.parametrize(
    ("text", "release", "said"),
    [
        ("mem=4G", "24.05", "Invalid TRES for --tres-per-task: mem"),
        ("cpu=1,Node=2", "24.05", "Invalid TRES for --tres-per-task: node"),
        ("cpu=0", "24.05", "Invalid --tres-per-task=cpu=0"),
        ("cpu:0", "23.02", "Invalid --tres-per-task=cpu:0"),
        ("cpu=4", "23.02", TRES),
        ("gpu=4", "24.05", TRES),
        ("gres/gpu=x", "24.05", TRES),
    ],
)
def test_tres_per_task_refused(refusal: Refusal, text: str, release: str, said: str) -> None:
    assert refusal("tres-per-task", text, release).said == said


def test_licenses(read: Read) -> None:
    assert read("licenses", "matlab:2,comsol;x") == Licenses(
        (License("matlab", 2), License("comsol", 1), License("x", 1))
    )
    assert read("licenses", "matlab=2", "23.11") == Licenses((License("matlab", 2),))
    assert read("licenses", "matlab=2", "23.02") == Licenses((License("matlab=2", 1),))
    assert read("licenses", "a|b:2", "25.05") == Licenses((License("a", 1), License("b", 2)), any=True)
    assert read("licenses", "a(n1)=2", "25.11") == Licenses((License("a", 2, "n1"),))


@pytest.mark.parametrize("text", ["a b", "a:x", "a:-1", ":1"])
def test_licenses_refused(refusal: Refusal, text: str) -> None:
    refused = refusal("licenses", text)
    assert (refused.said, refused.stage) == ("Invalid license specification", Stage.CONTROLLER)


def test_alternatives_of_licenses_stand_alone(refusal: Refusal) -> None:
    assert refusal("licenses", "a|b,c", "25.05").said == "Invalid license specification"
