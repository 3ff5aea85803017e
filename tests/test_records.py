"""Our quick dataclasses beside those of ``dataclasses``: whatever is done to both, both answer the same."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from sbatchlint.records import dataclass

OPTIONS = [
    dict(zip(("frozen", "slots", "eq", "order"), chosen, strict=True))
    for chosen in product((False, True), repeat=4)
    if chosen[2] or not chosen[3]  # order goes by equality
]


def made(make: Callable[..., Any], options: dict[str, bool]) -> Any:
    """Make one class with *make*: every kind of field that the project has."""

    @make(**options)
    class Thing:
        """A thing."""

        name: str
        size: int = 3
        parts: list[str] = dataclasses.field(default_factory=list)
        note: str = dataclasses.field(default="", compare=False, repr=False)
        only: bool = dataclasses.field(default=False, kw_only=True)
        told: int = dataclasses.field(default=7, init=False)

        def double(self) -> int:
            return self.size * 2

    return Thing


def parameters(thing: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(thing).parameters.values())


ACTIONS: list[Callable[[Any], object]] = [
    lambda thing: thing("a"),
    lambda thing: thing("a", 1, ["x"], "n", only=True),
    lambda thing: thing("a", 1, ["x"], "n", True),
    lambda thing: thing(),
    lambda thing: thing("a", told=1),
    lambda thing: thing("a") == thing("a", note="other"),
    lambda thing: thing("a") != thing("a", 4),
    lambda thing: thing("a") == "a",
    lambda thing: thing("a").__eq__("a"),
    lambda thing: thing("a") is not thing("a") and thing("a").parts is not thing("a").parts,
    lambda thing: len({thing("a", parts=()), thing("a", parts=(), note="n"), thing("b", parts=())}),
    lambda thing: [hash(thing("a")), None][1],
    lambda thing: sorted([thing("b"), thing("a", 9), thing("a", 2)]),
    lambda thing: [thing("a") < thing("b"), thing("a") <= thing("a"), thing("a") > thing("b")],
    lambda thing: thing("a") >= 1,
    lambda thing: setattr(thing("a"), "size", 4),
    lambda thing: delattr(thing("a"), "size"),
    lambda thing: dataclasses.replace(thing("a", 5), name="b"),
    lambda thing: dataclasses.asdict(thing("a", 5)),
    lambda thing: [(each.name, each.type, each.default) for each in dataclasses.fields(thing)],
    lambda thing: [(each.name, each.kind, each.annotation) for each in parameters(thing)],
    lambda thing: thing.__init__.__qualname__,
    lambda thing: thing.__match_args__,
    lambda thing: thing("a").double(),
    lambda thing: copy.copy(thing("a", 5)),
    lambda thing: copy.deepcopy(thing("a", 5, ["x"])),
    lambda thing: hasattr(thing("a"), "__dict__"),
    lambda thing: thing.__slots__,
]


def answer(action: Callable[[Any], object], thing: Any) -> str:
    try:
        return repr(action(thing))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_it_is_the_class_that_dataclasses_makes(options: dict[str, bool]) -> None:
    for number, action in enumerate(ACTIONS):  # each on a class of which nothing has been asked yet
        ours, theirs = made(dataclass, options), made(dataclasses.dataclass, options)
        assert answer(action, ours) == answer(action, theirs), number
        assert answer(action, ours) == answer(action, theirs), f"{number}, the second time"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    line: int
    column: int = 0


def test_objects_go_to_other_processes_and_come_back() -> None:
    again = pickle.loads(pickle.dumps([Place(1, 2)]))
    assert again == [Place(1, 2)] and hash(again[0]) == hash(Place(1, 2))


def test_nothing_is_compiled_before_it_is_asked_for() -> None:
    thing = made(dataclass, {"frozen": True, "slots": True})
    methods = ("__init__", "__eq__", "__hash__")
    assert not any(inspect.isfunction(vars(thing)[name]) for name in methods)
    assert len({thing("a", parts=()), thing("a", parts=())}) == 1
    assert all(inspect.isfunction(vars(thing)[name]) for name in methods)


def test_what_it_can_not_make_is_refused() -> None:
    with pytest.raises(TypeError, match="inherits"):
        dataclass(type("Child", (Place,), {}))
    with pytest.raises(TypeError, match="in its own way"):
        dataclass(type("Own", (), {"__eq__": lambda self, other: True}))
