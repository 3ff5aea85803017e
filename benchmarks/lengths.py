"""How long the scripts are, and which of them have what: drawn so that the shares come out as measured."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping

from benchmarks.figures import LENGTHS


def length_at(share: float) -> int:
    """Return the lines of the script that *share* of all scripts, from 0 to 1, do not exceed."""
    for (low, shorter), (high, longer) in itertools.pairwise(LENGTHS):
        if share <= high:
            along = (share - low) / (high - low)
            return round(math.exp(math.log(shorter) * (1 - along) + math.log(longer) * along))
    raise ValueError(f"{share} is no share")


def lengths(count: int, chance: random.Random) -> list[int]:
    """Return the lengths of *count* scripts, spread evenly over the distribution, in random order."""
    found = [length_at((at + 0.5) / count) for at in range(count)]
    if count >= 100:  # in fewer, the one longest script would be most of the text
        found[-1] = LENGTHS[-1][1]
    chance.shuffle(found)
    return found


def draw(shares: Mapping[str, float], among: list[int], chance: random.Random) -> dict[int, set[str]]:
    """Give each script of *among* its features, so that each feature has its share of them."""
    given: dict[int, set[str]] = {script: set() for script in among}
    for feature, share in shares.items():
        for script in chance.sample(among, round(share * len(among))):
            given[script].add(feature)
    return given
