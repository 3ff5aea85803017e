"""Layered dictionaries are dictionaries: random histories of writes and copies, held against plain ones."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.launch import layered as module
from sbatchlint.launch.layered import Layered, Met

NAMES = st.sampled_from([f"V{number}" for number in range(100)])
ACTIONS = st.sampled_from(["set", "set", "set", "delete", "copy", "go back"])
STEP = st.tuples(ACTIONS, NAMES, st.integers(0, 3))


@pytest.fixture(autouse=True, scope="module")
def _bases_are_made_often() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_OWN", 3)
        patch.setattr(module, "_NEAR", 3)
        yield


def _double(name: str, held: int) -> int | None:
    return None if held == 0 else 2 * held


def _ends_in_one(name: str) -> bool:
    return name.endswith("1")


def _history(steps: list[tuple[str, str, int]]) -> list[tuple[Layered[int], dict[str, int]]]:
    """Memories that were copied from each other, beside plain dictionaries treated in the same way."""
    kept: list[tuple[Layered[int], dict[str, int]]] = [(Layered({"V0": 7}), {"V0": 7})]
    for action, name, number in steps:
        layered, plain = kept[-1]
        if action == "set":
            layered[name] = plain[name] = number
        elif action == "delete":
            assert layered.pop(name, None) == plain.pop(name, None)
        elif action == "copy":
            kept.append((layered.copy(), dict(plain)))
        else:
            kept.append(kept.pop(number % len(kept)))
    return kept


@given(st.lists(STEP, max_size=200))
def test_it_holds_what_a_dict_would(steps: list[tuple[str, str, int]]) -> None:
    for layered, plain in _history(steps):
        assert dict(layered) == plain and sorted(layered) == sorted(plain)
        assert len(layered) == len(plain) and bool(layered) == bool(plain)
        for name in map("V{}".format, range(100)):
            assert layered.get(name) == plain.get(name) and (name in layered) == (name in plain)


@given(st.lists(STEP, max_size=200))
def test_what_is_made_of_each_entry_is_made_of_all(steps: list[tuple[str, str, int]]) -> None:
    for layered, plain in _history(steps):
        assert dict(layered.made(_double)) == {name: 2 * held for name, held in plain.items() if held}
        assert sorted(layered.names_where(_ends_in_one)) == sorted(filter(_ends_in_one, plain))


@given(st.lists(STEP, max_size=200))
def test_two_are_compared_by_their_changes(steps: list[tuple[str, str, int]]) -> None:
    kept = _history(steps)
    for layered, plain in kept:
        for other, other_plain in kept:
            differing = {
                name for name in {*plain, *other_plain} if plain.get(name) is not other_plain.get(name)
            }
            assert set(layered.differing(other)) == differing
            assert not layered.same(other) or plain == other_plain


FEW = st.tuples(ACTIONS, st.sampled_from([f"V{number}" for number in range(8)]), st.integers(0, 3))
"""Of so few names, one is often set anew in a copy."""


@given(st.lists(FEW, max_size=200))
def test_what_is_new_is_never_left_out(steps: list[tuple[str, str, int]]) -> None:
    gone_through: Met = {}
    met: set[tuple[str, int]] = set()
    for layered, plain in _history(steps):
        met |= {(name, layered[name]) for name in layered.new_names(gone_through)}
        assert plain.items() <= met


def test_a_missing_entry_is_an_error() -> None:
    layered: Layered[int] = Layered({"A": 1})
    del layered["A"]
    with pytest.raises(KeyError):
        layered["A"]
    with pytest.raises(KeyError):
        del layered["A"]
