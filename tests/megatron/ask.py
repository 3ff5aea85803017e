#!/usr/bin/env python3
"""Ask the real Megatron-Core what it thinks of a parallel layout, on a CPU and without starting a rank.

It stands alone and runs under a Python that has torch (the CPU build is enough) and megatron-core:

    echo '{"world": 16, "tp": 2, "ep": 8, "etp": 1}' | python ask.py

Each line of the input is a JSON object: ``world`` and any of

- tp, pp, cp, ep, etp, vpp, instances (of the distributed optimizer), dp_after_pp (true: ranks are numbered
  along PP before DP);
- num_layers, num_attention_heads, num_query_groups, num_moe_experts, sequence_parallel, first, last (layers
  of the pipeline's ends), embedding, loss (true: counted as layers);
- gbs, mbs, decrease, group (microbatches in a row in a virtual stage);
- groups (true: tell all groups).

Each line of the output is a JSON object:

- ``refusals``: what Megatron-Core has against it, each with ``where`` and ``error``;
- ``dp``, ``edp``: copies of the dense model and of each expert, where the ranks can be laid out;
- ``layers``: for each stage, the layers that it builds in each of its virtual stages;
- ``microbatches``: of a step;
- ``groups``: name -> the ranks of each group.

Every check is Megatron-Core's own code.  torch's fake process group stands for the other ranks.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
from megatron.core import num_microbatches_calculator as calculator  # noqa: E402
from megatron.core import parallel_state  # noqa: E402
from megatron.core.pipeline_parallel import schedules  # noqa: E402
from megatron.core.transformer.moe.moe_layer import BaseMoELayer, MoELayer  # noqa: E402
from megatron.core.transformer.transformer_block import get_num_layers_to_build  # noqa: E402
from megatron.core.transformer.transformer_config import TransformerConfig  # noqa: E402
from torch.testing._internal.distributed.fake_pg import FakeStore  # noqa: E402

SIZES = {
    "tp": "tensor_model_parallel_size",
    "pp": "pipeline_model_parallel_size",
    "cp": "context_parallel_size",
    "ep": "expert_model_parallel_size",
    "etp": "expert_tensor_parallel_size",
    "vpp": "virtual_pipeline_model_parallel_size",
}
MODEL = {
    "num_layers": "num_layers",
    "num_attention_heads": "num_attention_heads",
    "num_query_groups": "num_query_groups",
    "num_moe_experts": "num_moe_experts",
    "sequence_parallel": "sequence_parallel",
    "first": "num_layers_in_first_pipeline_stage",
    "last": "num_layers_in_last_pipeline_stage",
    "embedding": "account_for_embedding_in_pipeline_split",
    "loss": "account_for_loss_in_pipeline_split",
    "group": "microbatch_group_size_per_vp_stage",
}
GROUPS = {
    "TENSOR_MODEL_PARALLEL_GROUP": "tp",
    "PIPELINE_MODEL_PARALLEL_GROUP": "pp",
    "CONTEXT_PARALLEL_GROUP": "cp",
    "DATA_PARALLEL_GROUP": "dp",
    "DATA_PARALLEL_GROUP_WITH_CP": "dp-cp",
    "EXPERT_MODEL_PARALLEL_GROUP": "ep",
    "EXPERT_TENSOR_PARALLEL_GROUP": "etp",
    "EXPERT_DATA_PARALLEL_GROUP": "edp",
}
Question = dict[str, Any]
Answer = dict[str, Any]

_create_group = parallel_state.create_group
_recorded: dict[str, list[list[int]]] = {}


def _recording(ranks: list[int], *arguments: Any, **named: Any) -> Any:
    """Note each group that is asked for, and make those that rank 0 is in: the others cost time alone."""
    name = GROUPS.get(named.get("group_desc", ""))
    if name is not None:
        _recorded.setdefault(name, []).append(list(ranks))
    return _create_group(ranks, *arguments, **named) if dist.get_rank() in ranks else None


class _OnTheCpu:
    """torch, but for the device: the interleaved schedule makes a counter on a GPU before its checks."""

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, name)

    def zeros(self, *arguments: Any, **named: Any) -> Any:
        return torch.zeros(*arguments, **{**named, "device": "cpu"})


parallel_state.create_group = _recording
schedules.torch = _OnTheCpu()
_ExpertLayer = type("_ExpertLayer", (MoELayer,), {"__init__": BaseMoELayer.__init__})
"""The layer of experts without its experts: neither of the two checks of it needs them."""


def renamed(question: Question, names: dict[str, str]) -> dict[str, Any]:
    return {name: question[key] for key, name in names.items() if question.get(key) is not None}


@contextmanager
def refusals(answer: Answer, where: str) -> Iterator[None]:
    """Note what is raised as a refusal."""
    try:
        yield
    except Exception as error:  # whatever Megatron-Core raises is its answer
        answer["refusals"].append({"where": where, "error": f"{type(error).__name__}: {error}"})


def ask(question: Question) -> Answer:
    """Return what Megatron-Core says of *question*."""
    answer: Answer = {"refusals": []}
    _recorded.clear()
    dist.init_process_group(backend="fake", store=FakeStore(), rank=0, world_size=question["world"])
    try:
        with refusals(answer, "parallel_state"):
            _lay_out(question, answer)
        config = _config(question, answer)
        if config is not None and "dp" in answer:
            _ask_experts(config, answer)
        if "dp" in answer and question.get("gbs"):
            _ask_batch(question, config, answer)
    finally:
        parallel_state.destroy_model_parallel()
        dist.destroy_process_group()
    return answer


def _lay_out(question: Question, answer: Answer) -> None:
    parallel_state.initialize_model_parallel(
        create_gloo_process_groups=False,
        num_distributed_optimizer_instances=question.get("instances") or 1,
        order="tp-cp-ep-pp-dp" if question.get("dp_after_pp") else "tp-cp-ep-dp-pp",
        **renamed(question, SIZES),
    )
    answer["dp"] = parallel_state.get_data_parallel_world_size()
    answer["edp"] = parallel_state.get_expert_data_parallel_world_size()
    if question.get("groups"):
        answer["groups"] = {name: list(groups) for name, groups in _recorded.items()}


def _config(question: Question, answer: Answer) -> Any:
    """The model's configuration, with the layers of each stage noted; None if it is refused."""
    if not question.get("num_layers"):
        return None
    given = renamed(question, MODEL)
    heads = given.setdefault("num_attention_heads", 64)
    config = None
    with refusals(answer, "config"):
        config = TransformerConfig(
            hidden_size=128 * heads,
            pipeline_dtype=torch.bfloat16,  # asked for whatever the numbers are
            add_bias_linear=False,  # with a bias, experts may have no ETP
            **renamed(question, SIZES),
            **given,
        )
    if config is not None:
        with refusals(answer, "stages"):
            stages, vpp = question.get("pp") or 1, question.get("vpp") or 1
            chunks = range(vpp) if stages > 1 and vpp > 1 else [None]
            answer["layers"] = [
                [get_num_layers_to_build(config, chunk, stage) for chunk in chunks] for stage in range(stages)
            ]
    return config


def _ask_experts(config: Any, answer: Answer) -> None:
    if not config.num_moe_experts:
        return
    groups = SimpleNamespace(
        ep=parallel_state.get_expert_model_parallel_group(),
        tp=parallel_state.get_tensor_model_parallel_group(),
    )
    layer = None
    with refusals(answer, "experts"):
        layer = _ExpertLayer(config=config, pg_collection=groups)
    if layer is not None:
        with refusals(answer, "training"):
            _stop_after_checks(lambda: layer.forward(torch.zeros(1, 1, 1)), AttributeError, "_ExpertLayer")


def _ask_batch(question: Question, config: Any, answer: Answer) -> None:
    with refusals(answer, "microbatches"):
        calculator.init_num_microbatches_calculator(
            rank=1,
            rampup_batch_size=None,
            global_batch_size=question["gbs"],
            micro_batch_size=question.get("mbs") or 1,
            data_parallel_size=answer["dp"],
            decrease_batch_size_if_needed=bool(question.get("decrease")),
        )
        answer["microbatches"] = calculator.get_num_microbatches()
    calculator.unset_num_microbatches_calculator()
    if config is not None and "microbatches" in answer and (question.get("vpp") or 1) > 1:
        with refusals(answer, "schedule"):
            _ask_schedule(config, question, answer["microbatches"])


def _ask_schedule(config: Any, question: Question, microbatches: int) -> None:
    """Start the interleaved schedule with chunks of a model that are empty: its checks come first."""
    chunk = torch.nn.Module()
    chunk.config = config
    chunks = [chunk] * question["vpp"]

    def start() -> None:
        schedules.forward_backward_pipelining_with_interleaving(
            forward_step_func=None,
            data_iterator=[None] * len(chunks),
            model=chunks,
            num_microbatches=microbatches,
            seq_length=4096,
            micro_batch_size=question.get("mbs") or 1,
        )

    _stop_after_checks(start, RuntimeError, "couldn't find attribute model_type")


def _stop_after_checks(start: Any, error: type[Exception], text: str) -> None:
    """Call *start*, and take for a pass the *error* that it ends with behind its checks."""
    try:
        start()
    except error as raised:
        if text not in str(raised):
            raise
        return
    raise AssertionError("it went on without an error: the checks may have moved")


if __name__ == "__main__":
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(ask(json.loads(line))), flush=True)
