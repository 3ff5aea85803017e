"""``sbatchlint option``: what an option of sbatch, srun or salloc is."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write
from sbatchlint.cli.status import FAILURE, OK

if TYPE_CHECKING:
    from sbatchlint.slurm.options import OptionSpec

_DESCRIPTION = "Show what an option of sbatch, srun or salloc is: its values, and which releases take it."
_OWN = ("-h", "--help", "--all", "--output-format", "--color")


def run(arguments: Sequence[str]) -> int:
    """Show the options that *arguments* name; return the exit status."""
    own, names = _parted(arguments)
    read = _parser().parse_args(own)
    console = Console()
    specs = _all() if read.all else [spec for name in names for spec in _find(name, console)]
    if not names and not read.all:
        _parser().error("name an option, such as --gpus-per-node or -N, or give --all")
    if read.output_format == "json":
        from sbatchlint.report.option_page import option_data

        data = [option_data(spec, _aliases(spec)) for spec in specs]
        if specs:
            single = len(names) == 1 and len(specs) == 1 and not read.all
            write(sys.stdout, json.dumps(data[0] if single else data, indent=2) + "\n")
    else:
        from sbatchlint.report.option_page import option_page

        style = style_for(sys.stdout, read.color)
        write(sys.stdout, "\n".join(option_page(spec, _aliases(spec), style) for spec in specs))
    return FAILURE if console.failed else OK


def _parted(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part this command's own options from those that are asked about, which look alike."""
    own: list[str] = []
    names: list[str] = []
    words = iter(arguments)
    for word in words:
        if word in ("--output-format", "--color"):
            own += [word, *(value for value in (next(words, None),) if value is not None)]
        elif word.partition("=")[0] in _OWN:
            own.append(word)
        else:
            names.append(word)
    return own, names


def _find(word: str, console: Console) -> list[OptionSpec]:
    """Return the options that *word* means: a name with or without dashes, whole or abbreviated."""
    from sbatchlint.slurm.options import COMMANDS, option_table

    table = option_table()
    name = word.partition("=")[0]
    if len(name.lstrip("-")) == 1:
        letter = name.lstrip("-")
        by_letter = [table.find_short(letter, command) for command in COMMANDS]
        found = [spec for spec in by_letter if spec is not None]
    else:
        matches = [table.find_long(name.lstrip("-"), command) for command in COMMANDS]
        found = [match.spec for match in matches if match.spec is not None]
    if not found:
        console.complain(word, f"no option of sbatch, srun or salloc{_hint(name)}")
    return list(dict.fromkeys(found))


def _hint(name: str) -> str:
    from sbatchlint.slurm.options import option_table

    bare = name.lstrip("-").replace("_", "-").lower()
    longs = [spec.long for spec in option_table()]
    starts = sorted(long for long in longs if bare and long.startswith(bare))
    near = starts[:8] or difflib.get_close_matches(bare, longs, n=3)
    return f"; did you mean {' or '.join(f'--{one}' for one in near)}?" if near else ""


def _all() -> list[OptionSpec]:
    from sbatchlint.slurm.options import option_table

    return list(option_table())


def _aliases(spec: OptionSpec) -> tuple[str, ...]:
    from sbatchlint.slurm.options import option_table

    return option_table().aliases(spec)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint option",
        usage="sbatchlint option [OPTIONS] NAME...",
        description=_DESCRIPTION,
        allow_abbrev=False,
    )
    parser.add_argument("--all", action="store_true", help="show every option")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    parser.add_argument(
        "--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal"
    )
    return parser
