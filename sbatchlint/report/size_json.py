"""The answer to a question of size, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sbatchlint.training.constraints.base import Numbers
from sbatchlint.training.constraints.batches import data_parallel, expert_data_parallel
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.fitting import Fit
from sbatchlint.training.size.memory import GB, Memory
from sbatchlint.training.size.sizing import Answer

VERSION = 1
_LAYOUT = (
    Quantity.WORLD_SIZE, Quantity.TP, Quantity.PP, Quantity.VPP, Quantity.CP, Quantity.EP, Quantity.ETP,
    Quantity.GBS, Quantity.MBS, Quantity.SEQ_LENGTH,
)  # fmt: skip


def size_json(answer: Answer) -> str:
    """Return it as JSON; sizes are bytes."""
    return json.dumps(_answer(answer), indent=2) + "\n"


def _answer(answer: Answer) -> Mapping[str, Any]:
    question, shape = answer.question, answer.question.shape
    return {
        "version": VERSION,
        "model": {
            "name": question.name,
            "parameters": shape.total,
            "active_parameters": shape.active,
            "layers": shape.num_layers,
            "experts": shape.num_experts,
            "uncertain": list(question.uncertain),
        },
        "mode": question.load.mode.value,
        "seq_length": question.load.seq_length,
        "micro_batch_size": question.load.micro_batch,
        "gpu": question.machine.gpu,
        "gpu_memory": question.machine.memory * GB,
        "gpus_per_node": question.machine.gpus_per_node,
        "layout": None if answer.numbers is None else _layout(answer.numbers),
        "uneven": answer.uneven,
        "broken": list(answer.broken),
        "wasteful": list(answer.wasteful),
        "memory": None if answer.memory is None else _memory(answer.memory),
        "fits": answer.holds,
        "remedies": [{"change": quantity.value, **_fit(fit)} for quantity, fit in answer.remedies],
        "layouts": [_fit(fit) for fit in answer.fits],
    }


def _layout(numbers: Numbers) -> Mapping[str, int]:
    sizes = {quantity.value: numbers[quantity] for quantity in _LAYOUT if quantity in numbers}
    copies = {"dp": data_parallel(numbers), "edp": expert_data_parallel(numbers)}
    return sizes | {name: number for name, number in copies.items() if number is not None}


def _memory(memory: Memory) -> Mapping[str, Any]:
    items = [{"name": item.name, "bytes": round(item.size), "formula": item.formula} for item in memory.items]
    return {"total": round(memory.total), "items": items, "experts_per_gpu": memory.experts}


def _fit(fit: Fit) -> Mapping[str, Any]:
    layout, memory = _layout(fit.numbers), _memory(fit.memory)
    return {"nodes": fit.nodes, "layout": layout, "uneven": fit.uneven, "memory": memory}
