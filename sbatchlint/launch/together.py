"""Words of which each way through the script has one: a single word that is one of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbatchlint.launch.layers import Arg
from sbatchlint.launch.values import Choice, Value


def one_word(args: Sequence[Arg], index: int) -> tuple[Arg, int] | None:
    """Return the words from *index* on as one, if each way has just one of them; and how many they are.

    ``--image $IMAGE``, where each branch before gave IMAGE a value of its own, is one value.
    """
    way = args[index].way
    words = args[index : index + (0 if way is None else way.of)]
    if way is None or len(words) < way.of or any(arg.value.may_be_missing for arg in words):
        return None
    ways = [arg.way for arg in words]
    if any(w is None or w.choice != way.choice or w.optional or w.number != n for n, w in enumerate(ways)):
        return None
    following = args[index + way.of].way if index + way.of < len(args) else None
    if following is not None and following.choice == way.choice:
        return None
    value = Value((Choice(tuple(arg.value for arg in words)),))
    is_open = any(arg.open for arg in words)
    return replace(words[0], value=value, optional=False, open=is_open, way=None), way.of
