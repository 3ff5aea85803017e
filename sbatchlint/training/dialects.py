"""How each program spells a quantity: ``--tensor-model-parallel-size``, ``-tp``, ``model.x=``.

The facts stand in ``data/dialects/``, a file for each program.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from sbatchlint.records import dataclass


class Quantity(Enum):
    """A number that shapes a training run."""

    TP = "tp"
    PP = "pp"
    CP = "cp"
    EP = "ep"
    ETP = "etp"
    DP = "dp"
    """Copies of the dense model: no program is told it, it is what is left of the ranks."""
    EDP = "edp"
    """Copies of each expert, likewise."""
    VPP = "vpp"
    SP = "sp"
    """Sequence parallelism: 1 for on, 0 for off."""
    MBS = "mbs"
    GBS = "gbs"
    SEQ_LENGTH = "seq_length"
    LAYERS = "num_layers"
    HIDDEN_SIZE = "hidden_size"
    HEADS = "num_attention_heads"
    GROUPS = "num_query_groups"
    LINEAR_KEY_HEADS = "linear_num_key_heads"
    """Heads of the layers with linear attention (gated delta net), as are the next."""
    LINEAR_VALUE_HEADS = "linear_num_value_heads"
    EXPERTS = "num_experts"
    VIRTUAL_STAGE_LAYERS = "layers_per_virtual_stage"
    FIRST_STAGE_LAYERS = "first_pp_layers"
    LAST_STAGE_LAYERS = "last_pp_layers"
    NODES = "nodes"
    GPUS_PER_NODE = "gpus_per_node"
    WORLD_SIZE = "world_size"
    ITERATIONS = "train_iters"
    LAYOUT = "pp_layout"
    """The layers of each stage, one by one: text."""
    HYBRID_PATTERN = "hybrid_layer_pattern"
    """The kind of each layer, with the stages marked in it: text."""
    EMBEDDING_IN_SPLIT = "account_for_embedding"
    """1 where the embedding counts as a layer of the first stage."""
    LOSS_IN_SPLIT = "account_for_loss"
    """1 where the loss counts as a layer of the last stage."""
    VIRTUAL_STAGE_GROUP = "microbatch_group_size"
    """Microbatches in a row in one virtual stage; PP where it is not given."""
    GROUPED = "group_query_attention"
    """1 where the number of query groups is looked at."""
    HEAD_DIM = "head_dim"
    RAMPUP = "rampup_batch_size"
    DECREASE_BATCH = "decrease_batch_size_if_needed"
    EVAL_GBS = "eval_gbs"
    EVAL_MBS = "eval_mbs"
    OPTIMIZER_INSTANCES = "optimizer_instances"
    DP_AFTER_PP = "use_tp_pp_dp_mapping"
    """1 where the ranks of a pipeline are numbered before its copies."""

    @property
    def symbol(self) -> str:
        """The short name that people use: ``TP``, ``attention heads``, ``eval GBS``."""
        name = self.value.replace("num_", "").replace("_", " ").replace(" pp ", " stage ")
        name = name.replace("eval gbs", "eval GBS").replace("eval mbs", "eval MBS")
        return name.upper() if len(name) <= 3 else name


class Style(Enum):
    """How an option takes its value."""

    FLAG = "flag"
    """``--name 4`` or ``--name=4``."""
    SWITCH = "switch"
    """``--name``: on."""
    OVERRIDE = "key=value"
    """``name=4``, with ``+`` or ``++`` before it where the key is new."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a quantity."""

    quantity: Quantity
    style: Style
    text: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """All spellings that one program reads."""

    flags: Mapping[str, Spelling]
    """Flags and switches by their text."""
    overrides: Mapping[str, Spelling]
    """Keys of ``key=value`` by their text."""
    defaults: Mapping[Quantity, int | Quantity | None]
    """What the program takes where the option is left out: a number, another quantity's value, or nothing.

    A quantity that is not in it is decided by a recipe or a configuration.
    """


_FOLDER = Path(__file__).with_name("data") / "dialects"


@cache
def dialect_names() -> tuple[str, ...]:
    """The names of all tables."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def _options(name: str) -> list[dict[str, Any]]:
    path = _FOLDER / f"{name}.json"
    if not path.exists():
        raise KeyError(name)
    options: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["options"]
    return options


@cache
def dialect(names: tuple[str, ...]) -> Dialect:
    """Return the tables *names* as one.  Raises KeyError for a name that is none."""
    rows = [row for name in names for row in _options(name)]
    spellings = list(_spellings(rows))
    return Dialect(
        {one.text: one for one in spellings if one.style is not Style.OVERRIDE},
        {one.text: one for one in spellings if one.style is Style.OVERRIDE},
        _defaults(rows),
    )


def _spellings(rows: Iterable[Mapping[str, Any]]) -> Iterable[Spelling]:
    for row in rows:
        for text in row["spellings"]:
            yield Spelling(Quantity(row["quantity"]), Style(row["style"]), text)


def _defaults(rows: Iterable[Mapping[str, Any]]) -> dict[Quantity, int | Quantity | None]:
    defaults: dict[Quantity, int | Quantity | None] = {}
    for row in rows:
        if "default" in row:
            defaults[Quantity(row["quantity"])] = row["default"]
        elif "default_of" in row:
            defaults[Quantity(row["quantity"])] = Quantity(row["default_of"])
    return defaults
