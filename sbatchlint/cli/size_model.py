"""The model that ``sbatchlint size`` is asked about: a known one, with changes, or one that is described."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

from sbatchlint.report.cells import shown

if TYPE_CHECKING:
    from sbatchlint.training.size.architecture import Architecture

SHAPE = {
    "layers": "num_layers", "hidden": "hidden_size", "heads": "num_attention_heads",
    "groups": "num_query_groups", "head_dim": "head_dim", "ffn": "ffn_hidden_size",
    "vocab": "vocab_size", "experts": "num_experts",
    "topk": "experts_per_token", "moe_ffn": "moe_ffn_hidden_size", "shared_ffn": "shared_expert_ffn",
    "dense_layers": "dense_layers",
}  # fmt: skip
"""The options that describe a model, and the field of ``Architecture`` that each fills."""
_NEEDED = ("layers", "hidden", "heads")
_OF_EXPERTS = ("topk", "moe_ffn", "shared_ffn", "dense_layers")
_WITHOUT_VOCABULARY = "no --vocab: embedding and output layer are not counted"


def asked_model(
    parser: argparse.ArgumentParser, read: argparse.Namespace
) -> tuple[Architecture, tuple[str, ...]]:
    """Return the model's shape, and what its parameters leave open; wrong use ends the program."""
    from sbatchlint.training.size.architecture import Architecture
    from sbatchlint.training.size.models import find_model

    told = {name: getattr(read, option) for option, name in SHAPE.items() if getattr(read, option)}
    told |= {"tied": True} if read.tied else {}
    missing = [f"--{name}" for name in _NEEDED if not getattr(read, name)]
    model = find_model(read.model) if read.model else None
    if model is None and read.model and (missing or not _is_recipe(read.model)):
        parser.error(_unknown(read.model))
    if model is None and missing:
        parser.error(f"name a model, or describe it: {', '.join(missing)} missing")
    own = (
        {}
        if model is None
        else {one.name: getattr(model.architecture, one.name) for one in fields(Architecture)}
    )
    if own.get("num_query_groups") == own.get("num_attention_heads"):
        own["num_query_groups"] = told.get("num_attention_heads") or own.get("num_attention_heads")
    shape = Architecture(**{**own, **told})
    for fault in _faults(shape, read):
        parser.error(fault)
    if shape.vocab_size:
        return shape, () if model is None else model.uncertain
    return shape, (*(() if model is None else model.uncertain), _WITHOUT_VOCABULARY)


def _is_recipe(name: str) -> bool:
    from sbatchlint.training.size.models import find_recipe

    return find_recipe(name) is not None


def _unknown(name: str) -> str:
    import difflib

    from sbatchlint.training.size.models import models, recipe_names

    if _is_recipe(name):
        return f"{name} is a recipe of a model whose shape is not known: describe it, too (--layers ...)"
    known = [*(one.name for one in models()), *recipe_names()]
    near = difflib.get_close_matches(name.lower().rpartition("/")[2], known, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; --list prints those that are known"
    return f"no model or recipe is called {shown(name)}{hint}"


def _faults(shape: Architecture, read: argparse.Namespace) -> Iterator[str]:
    """Yield what is wrong with the description, in words of the options."""
    heads, groups = shape.num_attention_heads, shape.num_query_groups
    if not shape.head_dim and shape.hidden_size % heads:
        yield f"--hidden {shape.hidden_size} is no multiple of --heads {heads}: give --head-dim"
    if heads % groups:
        yield f"{heads} heads can't be shared out to {groups} query groups: give --groups"
    if shape.dense_layers > shape.num_layers:
        yield "--dense-layers is more than --layers"
    if not shape.ffn_hidden_size and shape.num_layers > shape.moe_layers:
        yield "the width of the feed-forward block is missing: --ffn"
    if not shape.num_experts:
        for option in _OF_EXPERTS:
            if getattr(read, option):
                yield f"--{option.replace('_', '-')} without --experts"
        return
    if not shape.moe_ffn_hidden_size:
        yield "the width of an expert is missing: --moe-ffn"
    if not shape.experts_per_token:
        yield "how many experts a token goes to is missing: --topk"
    if shape.experts_per_token > shape.num_experts:
        yield f"a token can't go to {shape.experts_per_token} of {shape.num_experts} experts: give --topk"
