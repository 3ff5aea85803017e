"""How much memory a GPU needs: weights, gradients, optimizer, cache and activations of the fullest rank.

Bytes of a parameter in training with Adam in mixed precision: 2 for the weight, 4 for the gradient, 12 for
the optimizer (main weight, two moments); the distributed optimizer shares out the 12.  Formulas:
``megatron/training/theoretical_memory_usage.py`` of NVIDIA/Megatron-LM@d98e8a64,
``theoretical_memory_utils.py`` of NVIDIA-NeMo/Megatron-Bridge@067f987d, and for activations the paper
arXiv:2205.05198, table 2.  ``tests/training/theoretical_memory.json`` has what the first of them says.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import ceil

from sbatchlint.records import dataclass
from sbatchlint.training.constraints.base import Numbers
from sbatchlint.training.constraints.batches import data_parallel, expert_data_parallel, microbatches
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.architecture import Architecture

GB = 1_000_000_000
"""Bytes; as GPUs are sold, not GiB."""
_WEIGHT, _GRADIENT, _OPTIMIZER = 2, 4, 12
_LORA_SHARE = 0.01
"""Adapters have about so many parameters of the model: rank 32 on all linear layers has less."""


class Mode(Enum):
    """What the model is loaded for."""

    INFERENCE = "inference"
    ROUNDTRIP = "roundtrip"
    """Weights are converted, and nothing is computed with them."""
    PRETRAIN = "pretrain"
    SFT = "sft"
    LORA = "lora"

    @property
    def trains_all(self) -> bool:
        """Whether every parameter has a gradient and a state in the optimizer."""
        return self in (Mode.PRETRAIN, Mode.SFT)


@dataclass(frozen=True, slots=True)
class Load:
    """What is computed at a time."""

    mode: Mode
    seq_length: int = 4096
    micro_batch: int = 1
    distributed_optimizer: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that takes memory."""

    name: str
    size: float
    """Bytes."""
    formula: str
    """How the bytes come about, with the numbers in it."""


_WORK = ("KV cache", "activations", "logits")
"""Items that come of what is computed at a time, and not of the model."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What the fullest rank holds."""

    items: tuple[Item, ...]
    experts: int
    """Whole experts of a layer that a rank holds; 0 without experts."""

    @property
    def total(self) -> float:
        """Bytes."""
        return sum(item.size for item in self.items)

    @property
    def state(self) -> tuple[Item, ...]:
        """What the model itself takes: weights, and in training gradients and optimizer."""
        return tuple(item for item in self.items if item.name not in _WORK)

    def of(self, name: str) -> float:
        """Bytes of the item *name*; 0 if there is none."""
        return sum(item.size for item in self.items if item.name == name)


def memory_of(shape: Architecture, numbers: Numbers, load: Load) -> Memory:
    """Return what the fullest rank of the layout *numbers* holds.

    *numbers* has WORLD_SIZE, and TP, PP, CP, EP and ETP where they are not 1.  Raises ValueError for ranks
    that can't be laid out.
    """
    return _Sum(shape, numbers, load).memory()


class _Sum:
    def __init__(self, shape: Architecture, numbers: Numbers, load: Load) -> None:
        dp, edp = data_parallel(numbers), expert_data_parallel(numbers)
        if dp is None or edp is None:
            raise ValueError("the ranks can't be laid out")
        self._shape, self._load, self._numbers = shape, load, numbers
        self._tp, self._pp, self._cp, self._ep, self._etp = (
            numbers.get(quantity, 1)
            for quantity in (Quantity.TP, Quantity.PP, Quantity.CP, Quantity.EP, Quantity.ETP)
        )
        self._copies, self._expert_copies = dp * self._cp, edp

    def memory(self) -> Memory:
        items = [*self._states("dense", self._dense(), "DP x CP", self._copies)]
        if self._shape.num_experts:
            items += self._states("expert", self._routed(), "EDP", self._expert_copies)
        items += self._work()
        return Memory(tuple(items), self._shape.num_experts // self._ep)

    # --- parameters ----------------------------------------------------------------------------

    def _share(self) -> float:
        """The share of the layers that the fullest stage holds."""
        return ceil(self._shape.num_layers / self._pp) / self._shape.num_layers

    def _stage(self) -> str:
        """That share, as a formula has it: `` / PP 4``, or `` x 8/61`` where the stages differ."""
        layers = self._shape.num_layers
        if layers % self._pp == 0:
            return _over(PP=self._pp)
        return f" x {ceil(layers / self._pp)}/{layers}"

    def _dense(self) -> tuple[float, str]:
        shape, share = self._shape, self._share()
        embeddings = shape.embeddings if self._pp == 1 else shape.embedding
        divided = shape.sharded * share + embeddings
        count = divided / self._tp + shape.routers * share
        layers = f"{_billions(shape.sharded)} of layers{self._stage()}"
        return count, f"({layers} + {_billions(embeddings)} of embeddings){_over(TP=self._tp)}"

    def _routed(self) -> tuple[float, str]:
        shape = self._shape
        count = shape.routed * self._share() / (self._ep * self._etp)
        return (
            count,
            f"{_billions(shape.routed)} of experts{self._stage()}{_over(EP=self._ep, ETP=self._etp)}",
        )

    def _states(self, what: str, told: tuple[float, str], name: str, copies: int) -> list[Item]:
        count, formula = told
        items = [Item(f"{what} weights", count * _WEIGHT, f"{formula} x {_WEIGHT} bytes")]
        if self._load.mode is Mode.LORA:
            adapters = count * _LORA_SHARE * (_WEIGHT + _GRADIENT + _OPTIMIZER)
            text = f"about {_LORA_SHARE:.0%} of the weights x {_WEIGHT + _GRADIENT + _OPTIMIZER} bytes"
            items.append(Item(f"{what} adapters", adapters, text))
        if self._load.mode.trains_all:
            shared = copies if self._load.distributed_optimizer else 1
            items.append(Item(f"{what} gradients", count * _GRADIENT, f"x {_GRADIENT} bytes"))
            items.append(
                Item(
                    f"{what} optimizer",
                    count * _OPTIMIZER / shared,
                    f"x {_OPTIMIZER} bytes{_over(**{name: shared})}",
                )
            )
        return items

    # --- what is computed ----------------------------------------------------------------------

    def _work(self) -> list[Item]:
        if self._load.mode is Mode.ROUNDTRIP:
            return []
        if self._load.mode is Mode.INFERENCE:
            return [self._cache()]
        return [self._activations(), *self._logits()]

    def _cache(self) -> Item:
        shape, load = self._shape, self._load
        divided = 1 if shape.mla is not None else min(self._tp, shape.num_query_groups)
        tokens = load.seq_length * load.micro_batch
        size = 2 * shape.cache_per_token * self._share() * tokens / (divided * self._cp)
        numbers = f"{shape.cache_per_token} numbers a token x 2 bytes x {tokens} tokens"
        return Item("KV cache", size, f"{numbers}{self._stage()}{_over(TP=divided, CP=self._cp)}")

    def _activations(self) -> Item:
        """With sequence parallelism and selective recomputation, and up to PP microbatches in flight."""
        shape, load = self._shape, self._load
        tokens = load.seq_length * load.micro_batch
        layer = tokens * (18 * shape.hidden_size + 4 * self._width())
        flying = self._in_flight()
        layers = ceil(shape.num_layers / self._pp)
        size = layer * layers * flying / (self._tp * self._cp)
        each = f"(18 x {shape.hidden_size} + 4 x {self._width()}) bytes"
        divided = _over(TP=self._tp, CP=self._cp)
        formula = f"{tokens} tokens x {each} x {layers} layers x {flying:g} in flight{divided}"
        return Item("activations", size, formula)

    def _logits(self) -> list[Item]:
        """What the output layer and the loss keep; in a pipeline the last stage has it, not the fullest."""
        shape, load = self._shape, self._load
        if self._pp > 1 or not shape.vocab_size:
            return []
        tokens = load.seq_length * load.micro_batch
        size = tokens * 4 * (shape.hidden_size + shape.vocab_size) / (self._tp * self._cp)
        numbers = f"{tokens} tokens x 4 bytes x ({shape.hidden_size} + {shape.vocab_size} words)"
        return [Item("logits", size, f"{numbers}{_over(TP=self._tp, CP=self._cp)}")]

    def _width(self) -> int:
        """The widest feed-forward block that a token goes through."""
        shape = self._shape
        through = shape.experts_per_token * shape.moe_ffn_hidden_size + shape.shared_expert_ffn
        return max(shape.ffn_hidden_size if shape.moe_layers < shape.num_layers else 0, through)

    def _in_flight(self) -> float:
        count, vpp = microbatches(self._numbers), self._numbers.get(Quantity.VPP, 1)
        if vpp > 1 and self._pp > 1:
            return self._pp * (1 + (self._pp - 1) / (self._pp * vpp))
        return float(self._pp if count is None else min(self._pp, count))


def _over(**factors: int) -> str:
    return "".join(f" / {name} {factor}" for name, factor in factors.items() if factor > 1)


def _billions(count: float) -> str:
    return f"{count / GB:.3g}B" if count >= GB else f"{count / 1_000_000:.3g}M"


GPU_MEMORY: Mapping[str, int] = {
    "v100": 32, "a100": 80, "a100-40gb": 40, "h100": 80, "h200": 141, "gh200": 96, "b200": 180, "gb200": 186,
    "b300": 288, "gb300": 288, "l40s": 48, "mi250x": 64, "mi300x": 192,
}  # fmt: skip
"""GB (10^9 bytes) that each GPU is sold with; of an MI250X one of its two dies."""
