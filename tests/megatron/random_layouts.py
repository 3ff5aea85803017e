"""Random layouts of known and of random models, about half of which run.

A layout is made so that it fits, and then often spoilt in one or two places: what is wrong is wrong by
little, as in life.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import gcd, lcm
from pathlib import Path
from random import Random
from typing import Any

Question = dict[str, Any]

_MOST_RANKS = 2048
_MODELS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("models.json").read_text("utf-8"))


def random_layouts(seed: int, count: int) -> Iterator[Question]:
    """Yield *count* questions for ``ask.py``."""
    random = Random(seed)
    for _ in range(count):
        question = _fitting(random)
        for _ in range(random.choice((0, 1, 1, 2, 2))):
            _spoil(random, question)
        yield {key: value for key, value in question.items() if value is not None}


def _fitting(random: Random) -> Question:
    question = _model(random)
    layers, heads = question["num_layers"], question["num_attention_heads"]
    groups, experts = question["num_query_groups"], question.get("num_moe_experts")
    shared = [tp for tp in _divisors(heads, 16) if groups % tp == 0 or tp % groups == 0]
    question |= {"tp": random.choice(shared), "cp": random.choice((1, 1, 1, 2, 4)), "ep": 1}
    if experts:
        question["ep"] = random.choice(_divisors(experts, 64))
        question["etp"] = random.choice((None, 1, 1, 2))
    if question["tp"] > 1:
        question["sequence_parallel"] = bool(experts) or random.random() < 0.5 or None
    _share_layers(random, question, layers)
    _share_ranks(random, question)
    return question


def _model(random: Random) -> Question:
    if random.random() < 0.5:
        return {key: value for key, value in random.choice(_MODELS).items() if key != "name"}
    groups = random.choice((1, 2, 4, 6, 8, 12))
    model = {
        "num_layers": random.randint(2, 96),
        "num_attention_heads": groups * random.choice((1, 2, 3, 4, 8, 16)),
        "num_query_groups": groups,
    }
    if random.random() < 0.6:
        model["num_moe_experts"] = random.choice((4, 8, 12, 16, 60, 64, 72, 96, 128, 160))
    return model


def _share_layers(random: Random, question: Question, layers: int) -> None:
    """Choose PP and VPP: evenly, with embedding and loss as layers, or with other numbers at the ends."""
    way = random.choice(("even", "even", "even", "counted", "uneven"))
    if way == "counted":
        question |= {"embedding": random.choice((True, None)), "loss": random.choice((True, None))}
        layers += sum(bool(question[key]) for key in ("embedding", "loss"))
    question["pp"] = random.choice(_divisors(layers, 16))
    each = layers // question["pp"]
    if way == "uneven" and question["pp"] > 2:
        moved = random.randint(0, each - 1)
        if random.random() < 0.5:
            question |= {"first": each + moved, "last": each - moved}
        else:
            question |= {"first": each, "num_layers": layers + moved * (question["pp"] - 1)}
            each += moved
    shared = gcd(each, question.get("first", each), question.get("last", each))
    chunks = [vpp for vpp in _divisors(shared, 8) if vpp > 1]
    if question["pp"] > 1 and chunks and random.random() < 0.4:
        question["vpp"] = random.choice(chunks)


def _share_ranks(random: Random, question: Question) -> None:
    """Choose the ranks, what is left of them for copies, and batches that these copies share."""
    tp, pp, cp = question["tp"], question["pp"], question["cp"]
    expert = question["ep"] * (question.get("etp") or tp)
    while (least := pp * lcm(tp * cp, expert)) > _MOST_RANKS:
        pp = question["pp"] = 1
        question |= {"vpp": None, "first": None, "last": None}
        question["ep"] = question["ep"] // 2 or 1
        expert = question["ep"] * (question.get("etp") or tp)
    question["world"] = least * random.choice(
        [2**power for power in range(5) if least << power <= _MOST_RANKS]
    )
    dp = question["world"] // (tp * pp * cp)
    if random.random() < 0.1:
        question["instances"] = random.choice(_divisors(gcd(dp * cp, question["world"] // (expert * pp)), 8))
    if random.random() < 0.05:
        question["dp_after_pp"] = True
    count = random.randint(1, 24)
    if question.get("vpp"):
        count = pp * random.randint(1, 6)
        if random.random() < 0.3:
            question["group"] = pp * random.choice(_divisors(count // pp, 6))
    question["mbs"] = random.choice((1, 1, 2, 4))
    question["gbs"] = question["mbs"] * dp * count
    if random.random() < 0.05:
        question |= {"decrease": True, "gbs": random.randint(1, question["gbs"] + 3), "group": None}


def _spoil(random: Random, question: Question) -> None:
    """Change one number, so that it may not fit any more."""
    choices: dict[str, tuple[Any, ...]] = {
        "world": (
            question["world"] // 2 or 1,
            min(question["world"] + 8, _MOST_RANKS),
            random.randint(1, 512),
        ),
        "tp": (2, 3, 4, 5, 8, 16),
        "pp": (1, 2, 3, 4, 6, 8, 16),
        "cp": (1, 2, 3, 8),
        "ep": (1, 2, 3, 8, 16, 48),
        "etp": (None, 1, 2, 3, 4),
        "vpp": (None, 2, 3, 4, 5),
        "num_layers": (question["num_layers"] + 1, question["num_layers"] + 2, 32),
        "num_attention_heads": (question["num_attention_heads"] * 3, 40, 48, 96),
        "num_query_groups": (None, 1, 3, 5, 6),
        "num_moe_experts": (None, 8, 60, 100, 128),
        "sequence_parallel": (None, True),
        "first": (None, 1, 2, 5, 9),
        "last": (None, 1, 2, 5, 9),
        "embedding": (None, True),
        "loss": (None, True),
        "gbs": (question["gbs"] + question["mbs"], question["gbs"] * 3 // 2, random.randint(1, 4096)),
        "mbs": (1, 2, 3, 8),
        "group": (None, 2, 3, 8, 12),
        "instances": (None, 2, 3, 4),
        "dp_after_pp": (None, True),
        "decrease": (None, True),
    }
    weights = [3 if key in ("world", "pp", "ep", "vpp", "gbs") else 1 for key in choices]
    key = random.choices(list(choices), weights)[0]
    question[key] = random.choice(choices[key])


def _divisors(number: int, most: int) -> list[int]:
    return [one for one in range(1, min(number, most) + 1) if number % one == 0]
