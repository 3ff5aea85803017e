"""Writes recorded.json: what Megatron-Core says of some 150 layouts, for the tests that run without it.

SBATCHLINT_MEGATRON_PYTHON=... python -m tests.megatron.record
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.megatron.judging import Answer, constraint_of
from tests.megatron.oracle import HERE, megatron_core
from tests.megatron.random_layouts import Question, random_layouts

RECORDED = HERE / "recorded.json"
SEED = 1
EACH, ACCEPTED, GRIDS = 5, 60, 12
"""How many are kept of each constraint, of those that run, and of these with all groups."""
_MODEL = {"num_layers": 64, "num_attention_heads": 48, "num_query_groups": 48, "num_moe_experts": 256}
WORKED = (
    # MiniMax-M2: EP is folded into the ranks of TP, so EP 8 with TP 2 needs 8 ranks and not 16.
    {"world": 8, "tp": 2, "ep": 4, "etp": 1},
    {"world": 8, "tp": 2, "ep": 8, "etp": 1},
    {"world": 16, "tp": 2, "ep": 8, "etp": 1},
    {"world": 16, "tp": 1, "ep": 16, "etp": 1},
    {"world": 64, "tp": 2, "ep": 32, "etp": 1},
    {"world": 24, "tp": 1, "ep": 16, "etp": 1},
    # The least world is PP x lcm(TP x CP, EP x ETP), and not PP times the greater of the two.
    {"world": 128, "pp": 8, "ep": 16, "etp": 1},
    {"world": 64, "pp": 8, "ep": 16, "etp": 1},
    {"world": 256, "tp": 2, "pp": 16, "ep": 64, "etp": 1},
    {"world": 1024, "tp": 2, "pp": 16, "ep": 64, "etp": 1},
    {"world": 6, "tp": 6, "ep": 4, "etp": 1},
    {"world": 12, "tp": 6, "ep": 4, "etp": 1},
    # W % (TP x PP x EP) says nothing: it knows neither CP nor ETP.
    {"world": 8, "tp": 2, "cp": 8, "ep": 4, "etp": 1},
    {"world": 8, "tp": 2, "ep": 4, "etp": 8},
    {"world": 8, "tp": 4, "ep": 4},
)
"""Layouts of which people were wrong."""
Pair = tuple[Question, Answer]


def main() -> None:
    """Ask Megatron-Core and write the file."""
    worked = [{**_MODEL, **sizes, "sequence_parallel": sizes.get("tp", 1) > 1} for sizes in WORKED]
    questions = [*worked, *random_layouts(SEED, 2000)]
    with tempfile.TemporaryDirectory() as folder:
        core = megatron_core(Path(folder))
        pairs = list(zip(questions, core.ask(questions), strict=True))
        kept = [*pairs[: len(worked)], *_chosen(pairs[len(worked) :])]
        small = [one for one, answer in kept if not answer["refusals"] and one["world"] <= 64][:GRIDS]
        grids = [{**question, "groups": True} for question in small]
        kept += zip(grids, core.ask(grids), strict=True)
    lines = [json.dumps({"question": question, "answer": answer}) for question, answer in kept]
    RECORDED.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


def _chosen(pairs: list[Pair]) -> Iterator[Pair]:
    """Some of each constraint, and some that run."""
    seen: Counter[str | None] = Counter()
    for question, answer in pairs:
        names = [constraint_of(one["where"], one["error"]) for one in answer["refusals"]] or [None]
        if any(seen[name] < (EACH if name else ACCEPTED) for name in names):
            seen.update(names)
            yield question, answer


if __name__ == "__main__":
    main()
