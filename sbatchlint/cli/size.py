"""``sbatchlint size``: how much memory a model needs, and the layouts in which it fits."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.console import COLOUR_CHOICES, style_for, write
from sbatchlint.cli.size_model import SHAPE, asked_model
from sbatchlint.cli.status import FINDINGS, OK
from sbatchlint.report.cells import shown

if TYPE_CHECKING:
    from sbatchlint.training.size.fitting import Machine
    from sbatchlint.training.size.models import Recipe
    from sbatchlint.training.size.sizing import Question

_DESCRIPTION = "Say how much memory a GPU needs for a model, whether it fits, and the legal layouts that do."
_EPILOG = """\
MODEL is a name (minimax-m2), a name on the model hub (Qwen/Qwen3-30B-A3B) or a recipe
of Megatron-Bridge (qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config); --list prints all.
Without one, describe the model: --layers 32 --hidden 4096 --heads 32 --ffn 14336 ...

The numbers are estimates: what CUDA, NCCL and the allocator take is not in them.

exit status: 0 the layout fits, or none was asked for; 1 it does not; 2 wrong use
"""
_LAYOUT = {
    "gpus": "world_size", "tp": "tp", "pp": "pp", "vpp": "vpp", "cp": "cp", "ep": "ep", "etp": "etp",
    "gbs": "gbs",
}  # fmt: skip
_MOST_GPUS = 1024
"""More than any node has."""
_TASKS = {"pretrain": "pretrain", "sft": "sft", "peft": "lora"}


def run(arguments: Sequence[str]) -> int:
    """Answer what *arguments* ask; return the exit status."""
    from sbatchlint.training.size.sizing import answer

    parser = _parser()
    read = parser.parse_args(list(arguments))
    if read.list:
        write(sys.stdout, _names())
        return OK
    found = answer(_question(parser, read))
    if read.output_format == "json":
        from sbatchlint.report.size_json import size_json

        write(sys.stdout, size_json(found))
    else:
        from sbatchlint.report.size_text import size_text

        write(sys.stdout, size_text(found, style_for(sys.stdout, read.color)))
    return FINDINGS if found.holds is False or found.broken else OK


def _names() -> str:
    from sbatchlint.training.size.models import models

    rows = [(one.name, ", ".join(one.hf_ids)) for one in models()]
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:<{width}}  {hub}\n" for name, hub in rows)


def _question(parser: argparse.ArgumentParser, read: argparse.Namespace) -> Question:
    from sbatchlint.training.dialects import Quantity
    from sbatchlint.training.size.memory import Load, Mode
    from sbatchlint.training.size.models import find_recipe
    from sbatchlint.training.size.sizing import Question

    recipe = find_recipe(read.model) if read.model else None
    shape, uncertain = asked_model(parser, read)
    layout = dict(recipe.layout) if recipe is not None else {}
    given = {
        Quantity(name): getattr(read, option) for option, name in _LAYOUT.items() if getattr(read, option)
    }
    layout |= given
    mode = Mode(read.mode or (_task(recipe) if recipe is not None else "pretrain"))
    load = Load(
        mode,
        read.seq_length or layout.get(Quantity.SEQ_LENGTH, 4096),
        read.mbs or layout.get(Quantity.MBS, 1),
        distributed_optimizer=not read.no_distributed_optimizer,
    )
    if layout:
        layout |= {Quantity.SEQ_LENGTH: load.seq_length, Quantity.MBS: load.micro_batch}
    name = read.model or "the model described"
    return Question(name, shape, load, _machine(parser, read, recipe), layout, uncertain)


def _task(recipe: Recipe) -> str:
    return next((mode for task, mode in _TASKS.items() if f"_{task}_" in recipe.name), "pretrain")


def _machine(parser: argparse.ArgumentParser, read: argparse.Namespace, recipe: Recipe | None) -> Machine:
    from sbatchlint.training.size.fitting import Machine
    from sbatchlint.training.size.memory import GPU_MEMORY

    gpu = (read.gpu or (recipe.hardware if recipe is not None else "") or "h100").lower()
    memory = read.gpu_memory or GPU_MEMORY.get(gpu)
    if memory is None:
        parser.error(
            f"the memory of a {shown(gpu)} is not known: give --gpu-memory (known: {', '.join(GPU_MEMORY)})"
        )
    each = read.gpus_per_node or (4 if gpu in ("gb200", "gb300", "gh200") else 8)
    if each > _MOST_GPUS:
        parser.error(f"no node has {each} GPUs; at most {_MOST_GPUS} are reckoned with")
    return Machine(shown(gpu), memory, each)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint size",
        usage="sbatchlint size [OPTIONS] [MODEL]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("model", nargs="?", metavar="MODEL", help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="print the known models and exit")
    modes = ("inference", "roundtrip", "pretrain", "sft", "lora")
    parser.add_argument("--mode", choices=modes, help="default: what the recipe does, else pretrain")
    _add_numbers(parser.add_argument_group("layout (none: whatever fits)"), _LAYOUT)
    work = parser.add_argument_group("work")
    _add_numbers(work, ("mbs", "seq_length"))
    help = "each rank keeps the whole optimizer state"
    work.add_argument("--no-distributed-optimizer", action="store_true", help=help)
    machine = parser.add_argument_group("machine")
    machine.add_argument("--gpu", metavar="NAME", help="h100, a100, h200, b200, gb200 ...; default: h100")
    machine.add_argument("--gpu-memory", type=_number, metavar="GB", help="of one GPU, where it is another")
    machine.add_argument(
        "--gpus-per-node", type=_number, metavar="N", help="default: 8, or 4 for gb200 and its like"
    )
    shape = parser.add_argument_group("a model of your own")
    _add_numbers(shape, SHAPE)
    shape.add_argument("--tied", action="store_true", help="the output layer is the embedding")
    output = parser.add_argument_group("output")
    output.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    output.add_argument(
        "--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal"
    )
    return parser


def _add_numbers(group: argparse._ArgumentGroup, names: Sequence[str] | dict[str, str]) -> None:
    for name in names:
        group.add_argument(f"--{name.replace('_', '-')}", type=_number, metavar="N", help=argparse.SUPPRESS)
    listed = ", ".join(f"--{name.replace('_', '-')}" for name in names)
    group.description = f"{listed} (each a number)"


def _number(text: str) -> int:
    if re.fullmatch(r"0*[1-9][0-9]{0,8}", text, re.A) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)
