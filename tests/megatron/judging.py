"""Where our verdict on a layout is not Megatron-Core's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sbatchlint.certainty import Certainty
from sbatchlint.training.constraints import CONSTRAINTS
from sbatchlint.training.constraints.base import Constraint
from sbatchlint.training.constraints.batches import microbatches
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.rank_grid import RankGrid
from sbatchlint.training.violations import violations
from sbatchlint.training.worlds.world import World
from tests.megatron.random_layouts import Question

Answer = dict[str, Any]

QUANTITIES = {
    "world": Quantity.WORLD_SIZE,
    "tp": Quantity.TP,
    "pp": Quantity.PP,
    "cp": Quantity.CP,
    "ep": Quantity.EP,
    "etp": Quantity.ETP,
    "vpp": Quantity.VPP,
    "instances": Quantity.OPTIMIZER_INSTANCES,
    "dp_after_pp": Quantity.DP_AFTER_PP,
    "num_layers": Quantity.LAYERS,
    "num_attention_heads": Quantity.HEADS,
    "num_query_groups": Quantity.GROUPS,
    "num_moe_experts": Quantity.EXPERTS,
    "sequence_parallel": Quantity.SP,
    "first": Quantity.FIRST_STAGE_LAYERS,
    "last": Quantity.LAST_STAGE_LAYERS,
    "embedding": Quantity.EMBEDDING_IN_SPLIT,
    "loss": Quantity.LOSS_IN_SPLIT,
    "gbs": Quantity.GBS,
    "mbs": Quantity.MBS,
    "decrease": Quantity.DECREASE_BATCH,
    "group": Quantity.VIRTUAL_STAGE_GROUP,
}
PLACES = {
    "dense-grid": "parallel_state",
    "vpp-needs-pp": "parallel_state",
    "expert-grid": "parallel_state",
    "dp-after-pp": "parallel_state",
    "optimizer-instances": "parallel_state",
    "optimizer-instances-experts": "parallel_state",
    "sp-needs-tp": "model",
    "heads-tp": "model",
    "groups-tp": "model",
    "experts-missing": "model",
    "layers-uneven-counted": "model",
    "layers-uneven-vpp": "model",
    "layers-uneven-pp": "model",
    "layers-pp": "model",
    "layers-vpp": "model",
    "experts-ep": "experts",
    "moe-needs-sp": "training",
    "gbs": "microbatches",
    "gbs-least": "microbatches",
    "microbatches-vpp": "schedule",
}
"""Which part of Megatron-Core makes each check: one part stops at the first that fails."""
OF_THE_ARGUMENTS = {"head-size", "eval-gbs", "seq-cp", "layers-virtual-stage"}
"""What Megatron-LM checks of its own command line: that code is not in the package megatron-core."""
OF_A_LATER_RELEASE = {"linear-keys-tp", "linear-values-tp"}
"""What is not asked: 0.16.1 shares the heads of linear attention out to TP alone, and refuses CP."""
MERGED = {"config": "model", "stages": "model"}
"""The layers of the stages are asked for only where the configuration is taken."""
OTHER_WORDS = {
    r"^RuntimeError: world_size \(\d+\) is not divisible by \d+$": "dense-grid",
    r"num_layers should be divisible by pipeline_model_parallel_size": "layers-pp",
    r"number of middle layers: \d+ must be divisible by": "layers-pp",
    r"num_layers: \d+ after enable": "layers-pp",
    r"number of layers on each pipeline rank: \d+": "layers-vpp",
    r"Mismatch: -?\d+ middle layers remaining": "layers-uneven-pp",
    r"number of layers at (first|last) stage": "layers-uneven-vpp",
    r"number of layers on each middle pipeline rank": "layers-uneven-vpp",
    r"The remainder of M \(the total micro-batches\)": "microbatches-vpp",
}
"""Megatron-Core's own words where :attr:`Constraint.says` has Megatron-LM's or another release's."""
WITHOUT_WORDS = {"experts": "experts-ep"}
"""Checks that fail without a word."""
_NUMBER = re.compile(r"\b(?:W|N|TP|PP|VPP|GBS|MBS|DP)\b")


def _pattern(constraint: Constraint) -> re.Pattern[str]:
    parts = [re.escape(part) for part in _NUMBER.split(constraint.says)]
    return re.compile(r"-?\d+".join(parts).replace(r"\ ", r"\s+"))


_SAID = {one.name: _pattern(one) for one in CONSTRAINTS if one.says}


def constraint_of(where: str, error: str) -> str | None:
    """The name of the constraint that Megatron-Core's words *error* are about."""
    if error.endswith(": "):
        return WITHOUT_WORDS.get(where)
    found = [name for name, pattern in _SAID.items() if pattern.search(error)]
    found += [name for pattern, name in OTHER_WORDS.items() if re.search(pattern, error)]
    return found[0] if len(set(found)) == 1 else None


def layout_of(question: Question) -> Parallelism:
    """The layout of a question, all told or left out for sure."""
    told = {"tp": 1, "pp": 1, "cp": 1, "ep": 1, **question}
    told.setdefault("etp", told["tp"])
    numbers = {QUANTITIES[key]: int(value) for key, value in told.items() if key in QUANTITIES}
    if Quantity.GROUPS in numbers:
        numbers[Quantity.GROUPED] = 1
    readings = {
        quantity: Reading(quantity, (numbers[quantity],), Certainty.KNOWN, given=True)
        if quantity in numbers
        else Reading(quantity, certainty=Certainty.KNOWN, absent=True)
        for quantity in Quantity
    }
    world = World(question["world"], Certainty.KNOWN, "", per_node=8)
    framework = Framework(FrameworkName.MEGATRON_BRIDGE, by_script=True)
    return Parallelism(world, Quantities(readings), framework)


def first_by_place(layout: Parallelism) -> dict[str, str]:
    """The first constraint that *layout* breaks in each part of Megatron-Core."""
    first: dict[str, str] = {}
    for found in violations(layout, CONSTRAINTS):
        if found.constraint.name not in OF_THE_ARGUMENTS:
            first.setdefault(PLACES[found.constraint.name], found.constraint.name)
    return first


def _asked(question: Question, answer: Answer) -> set[str]:
    """The parts of Megatron-Core that a question came to."""
    refused = {MERGED.get(one["where"], one["where"]) for one in answer["refusals"]}
    places = {"parallel_state", "model"}
    if "dp" in answer:
        places.add("microbatches")
        if not any(one["where"] == "config" for one in answer["refusals"]):
            places.add("experts")
            if "experts" not in refused:
                places.add("training")
            if "microbatches" in answer:
                places.add("schedule")
    return places


def difference(question: Question, answer: Answer) -> str | None:
    """Say where we differ from Megatron-Core's *answer*; None where all is the same."""
    layout = layout_of(question)
    theirs: dict[str, str | None] = {}
    for one in answer["refusals"]:
        theirs[MERGED.get(one["where"], one["where"])] = constraint_of(one["where"], one["error"])
    if question.get("pp", 1) == 1 and question.get("vpp"):
        # Virtual stages of no pipeline: that they need one is said, what they would hold is not looked at.
        if theirs.get("model") == "layers-vpp":
            del theirs["model"]
    elif "model" not in theirs and _stages_lost(question, answer):
        theirs["model"] = "layers-uneven-pp"
    asked = _asked(question, answer)
    ours = {place: name for place, name in first_by_place(layout).items() if place in asked}
    if ours != theirs:
        return f"{question}\n  Megatron-Core: {answer['refusals']} {theirs}\n  ours: {ours}"
    return _difference_of_sizes(question, layout, answer)


def _stages_lost(question: Question, answer: Answer) -> bool:
    """Tell whether the stages that Megatron-Core accepts do not hold the model's layers.

    It lets the ends have more layers than there are, and a pipeline of one stage have two ends.
    """
    each = [layers for stage in answer.get("layers", ()) for layers in stage]
    return bool(each) and (sum(each) != question["num_layers"] or min(each) < 0)


def has_groups_of(grid: RankGrid, answer: Answer) -> bool:
    """Tell whether the groups of every axis of *grid* are those of Megatron-Core's *answer*."""
    theirs = {name: sorted(map(tuple, groups)) for name, groups in answer["groups"].items()}
    return all(theirs.get(axis.value) == grid.groups(axis) for axis in grid.sizes)


def _difference_of_sizes(question: Question, layout: Parallelism, answer: Answer) -> str | None:
    ours: Mapping[str, int | None] = {"dp": layout.dp.value, "edp": layout.edp.value}
    if not question.get("decrease"):
        told = (layout[quantity] for quantity in Quantity if quantity not in (Quantity.DP, Quantity.EDP))
        numbers = {one.quantity: one.value for one in told if one.value is not None}
        ours = {**ours, "microbatches": microbatches(numbers)}
    wrong = {name: value for name, value in ours.items() if name in answer and answer[name] != value}
    return f"{question}\n  Megatron-Core: {answer}\n  ours: {wrong}" if wrong else None
