"""Megatron-Bridge programs that prepare their training data on one rank, for all to read.

Read in NVIDIA-NeMo/Megatron-Bridge at 067f987d: ``GPTSFTDatasetBuilder.build`` lets rank 0 alone write
the data (src/megatron/bridge/data/builders/gpt_sft.py), under ``NEMO_DATASETS_CACHE`` or
``NEMO_HOME/datasets`` unless a place is given (``resolve_gpt_sft_dataset_root``); the text recipes for
SFT and PEFT take that builder (``_sft_common`` and ``_peft_common`` in recipes/common.py).
"""

from __future__ import annotations

import re

from sbatchlint.launch.plan import Program
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

_PACKING = regex(
    r"[+~]*dataset\.(enable_offline_packing=(true|1)|offline_packing_specs\.packed_sequence_size=.+)",
    re.IGNORECASE,
)
_NOT_PACKING = regex(r"[+~]*dataset\.enable_offline_packing=(false|0)", re.IGNORECASE)
_PLACE_GIVEN = regex(
    r"[+~]*dataset\.(dataset_root|hf_output_root|offline_packing_specs\.packed_train_data_path)=.+|--dataset[-_]root(=.*)?"
)
_TEXT_RECIPE = regex(
    r"(qwen2|qwen25|qwen3|llama3|llama31|llama32|nemotronh|nemotron_nano_\d+b_v2|nemotron_3|gpt_oss|gemma2|gemma3|glm45|glm5|"
    r"olmoe|moonlight|deepseek_v4)(?!\d)\w*?_(sft|peft)_\w*config"
)
_OTHER_DATA = regex(r"--dataset[= ]\S{0,300}(mock|vlm|energon|local)")
_OTHER_MODALITY = regex(r"(^|_)(vl|vlm|omni|audio)(_|$)|45v")


@dataclass(frozen=True, slots=True)
class Preparation:
    """What shows that one rank writes data that the others read."""

    what: str
    """The argument that shows it, as written."""
    span: Span | None
    packed: bool
    """True where the data are packed sequences for certain."""


def prepares_on_one_rank(program: Program) -> Preparation | None:
    """What shows that *program* prepares data on rank 0 in the shared cache; None for nothing."""
    words = [(argument.value.show(), argument) for argument in program.arguments]
    pieces = [(piece, argument) for shown, argument in words for piece in shown.split()]
    line = " ".join(piece for piece, _ in pieces)
    if _OTHER_DATA.search(line) or any(_PLACE_GIVEN.fullmatch(piece) for piece, _ in pieces):
        return None
    for piece, argument in pieces:
        if _PACKING.fullmatch(piece):
            return Preparation(piece, argument.place, packed=not argument.optional)
    return _by_recipe(program, any(_NOT_PACKING.fullmatch(piece) for piece, _ in pieces))


def _by_recipe(program: Program, unpacked: bool) -> Preparation | None:
    arguments = program.arguments
    for index, argument in enumerate(arguments):
        text = argument.value.text or ""
        name, equals, recipe = text.partition("=")
        if name != "--recipe":
            continue
        if not equals and index + 1 < len(arguments):
            argument = arguments[index + 1]
            recipe = argument.value.text or ""
        if _TEXT_RECIPE.fullmatch(recipe) and not _OTHER_MODALITY.search(recipe):
            packed = "packed" in recipe and "unpacked" not in recipe and not unpacked
            return Preparation(f"--recipe {recipe}", argument.place, packed)
    return None
