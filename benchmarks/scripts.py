"""Makes sbatch scripts like public ones: as many as are wanted, the same ones for the same seed."""

from __future__ import annotations

import random

from benchmarks.draft import Draft
from benchmarks.figures import FEATURES, TRAINING, TRAINING_FEATURES
from benchmarks.filling import filling
from benchmarks.launching import launch
from benchmarks.lengths import draw, lengths
from benchmarks.parts import directives, meeting, preparation, seldom

_LAUNCHERS = (
    "torch.distributed.run",
    "torch.distributed.launch",
    "torchrun",
    "python",
    "accelerate",
    "ray",
    "mpirun",
)


def scripts(count: int, seed: int = 1) -> list[str]:
    """Return the texts of *count* different scripts."""
    chance = random.Random(seed)
    texts = [written(draft) for draft in drafts(count, chance)]
    return texts


def drafts(count: int, chance: random.Random) -> list[Draft]:
    """Settle of *count* scripts how long they are and what they have."""
    sizes = lengths(count, chance)
    given = draw(FEATURES, list(range(count)), chance)
    training = _training(sizes, chance)
    for script, features in _launches(training, chance).items():
        given[script] |= features
    among = set(training)
    return [
        Draft(
            number, length, number in among, frozenset(given[number]), random.Random(chance.getrandbits(64))
        )
        for number, length in enumerate(sizes)
    ]


def _training(sizes: list[int], chance: random.Random) -> list[int]:
    """Choose those that launch AI work on several nodes; the shortest have no room for that."""
    wanted = round(TRAINING * len(sizes))
    roomy = [number for number, size in enumerate(sizes) if size >= 30]
    return sorted(chance.sample(roomy, min(wanted, len(roomy))))


def _launches(training: list[int], chance: random.Random) -> dict[int, set[str]]:
    """Give each of *training* its features; no script has two launchers."""
    given = draw(
        {name: share for name, share in TRAINING_FEATURES.items() if name not in _LAUNCHERS}, training, chance
    )
    free = list(training)
    chance.shuffle(free)
    for name in _LAUNCHERS:
        taken = round(TRAINING_FEATURES[name] * len(training))
        for script in free[:taken]:
            given[script].add(name)
        del free[:taken]
    return given


def written(draft: Draft) -> str:
    """Return the text of the script that *draft* settles."""
    head, before, middle = directives(draft), preparation(draft), [*meeting(draft), *seldom(draft)]
    last = launch(draft)
    room = draft.length - sum(map(len, (head, before, middle, last)))
    first = filling(draft, max(0, room * 2 // 3))
    second = filling(draft, max(0, room - len(first)))
    return "\n".join([*head, *before, *first, *middle, *second, *last]) + "\n"
