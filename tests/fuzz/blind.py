"""Fuzzing without coverage: seeds changed at random.  It needs nothing but Python and is faster for it."""

from __future__ import annotations

from random import Random

from tests.fuzz.failures import Failures
from tests.fuzz.mutations import mutated
from tests.fuzz.table import target

_KEPT = 2_000
"""Inputs from which others are made, the seeds among them."""
_LONGEST = 8_192


def run(failures: Failures, seconds: float, chosen: list[bytes], seed: int) -> None:
    """Try inputs for *seconds*, beginning with *chosen*."""
    chance = Random(seed)
    pool = list(chosen)
    one = failures.watching(target(failures.name))
    failures.begin(seconds)
    while not failures.is_over:
        data = mutated(chance.choice(pool), chance, _LONGEST)
        one(data)
        if chance.random() < 0.1:  # changes heap up
            pool[len(chosen) + chance.randrange(_KEPT) :] = [data]
            del pool[_KEPT + len(chosen) :]
