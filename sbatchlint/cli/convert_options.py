"""The options of ``sbatchlint convert``."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.console import COLOUR_CHOICES

_DESCRIPTION = "Print a batch script that runs a single-node training command on several nodes."
_EPILOG = """\
COMMAND is what is typed on one node: torchrun, python -m torch.distributed.run,
accelerate launch, deepspeed or python, with `uv run` or not.  A single word with
blanks in it is read as shell text, as is a file.  Nothing of it is run.

What nobody tells stays CHANGE_ME, which sbatchlint reports until it is filled in.
What becomes of the command's own options is told on standard error.

exit status: 0 made; 2 wrong use, or the command can't be converted
"""
_NUMBERS = {"nodes": "N", "gpus_per_node": "N"}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options that stand before the command."""
    made = Parser(
        prog="sbatchlint convert",
        usage="sbatchlint convert [OPTIONS] -- COMMAND...\n"
        "       sbatchlint convert [OPTIONS] --from-file train.sh",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help=argparse.SUPPRESS)
    made.add_argument(
        "--from-file", metavar="FILE", help="a shell script that holds the command; - is standard input"
    )
    _size(made.add_argument_group("how it is started"))
    _site(made.add_argument_group("the site (else from the cluster profile, else CHANGE_ME)"))
    _container(made.add_argument_group("folders and containers"))
    _output(made.add_argument_group("output"))
    return made


def _size(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--nodes", type=_number, metavar="N", help="default: what the recipe or the layout needs"
    )
    group.add_argument(
        "--gpus-per-node", type=_number, metavar="N", help="default: as many processes as now, or 8"
    )
    group.add_argument(
        "--mode",
        choices=("auto", "native", "torchrun"),
        default="auto",
        help="native: srun starts each rank; torchrun: one launcher on each node",
    )
    group.add_argument(
        "--uv", action="store_true", help="run it in uv's environment, though the command does not"
    )


def _site(group: argparse._ArgumentGroup) -> None:
    for option, metavar, text in (
        ("--time", "TIME", "time limit, such as 04:00:00"),
        ("--account", "NAME", 'account; "" for none'),
        ("--partition", "NAME", 'partition; "" for the default one'),
        ("--qos", "NAME", "quality of service"),
        ("--job-name", "NAME", "default: the name of the recipe or of the script"),
    ):
        group.add_argument(option, type=_value, metavar=metavar, help=text)
    group.add_argument(
        "--directive",
        type=_directive,
        metavar="OPTION",
        action="append",
        default=[],
        help="one more option of sbatch, such as --directive=--mem=0; repeatable",
    )
    group.add_argument(
        "--cluster", metavar="FILE|NAME", help="a cluster profile, or its name in the configuration"
    )


def _container(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--image", type=_path, metavar="IMAGE", help='run the tasks in this container (Pyxis); "" for none'
    )
    group.add_argument(
        "--container", action="store_true", help="run them in one, though its image is to be filled in yet"
    )
    for option, kind, text in (
        ("--shared", _shared, "a folder that all nodes see, for caches and logs"),
        ("--workdir", _path, "the folder that the tasks start in, in the container if there is one"),
        ("--fresh", _run, "move an old run aside, dated, before the new one starts"),
    ):
        group.add_argument(option, type=kind, default="", metavar="DIR", help=text)
    group.add_argument(
        "--mount",
        type=_path,
        metavar="SRC:DST",
        action="append",
        default=[],
        help="mount this in the container, besides the shared folder; repeatable",
    )


def _output(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-o", "--output", metavar="FILE", help="write the script there")
    group.add_argument("--force", action="store_true", help="though FILE is there already")
    group.add_argument(
        "--interactive", action="store_true", help="print the salloc and srun lines to type instead"
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="say nothing of what becomes of the command"
    )
    group.add_argument("--config", metavar="FILE", help="read this configuration, not the closest one")
    group.add_argument("--isolated", action="store_true", help="read no configuration file")
    group.add_argument("--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal")


def split(words: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return the options among *words*, and the command: behind ``--``, or from the first operand on."""
    cut = list(words).index("--") if "--" in words else len(words)
    made = parser()
    read = made.parse_args(list(words[:cut]))
    command = list(words[cut + 1 :])
    if read.command:  # the mark is one of the command's own words
        command = [*read.command, *words[cut:]]
    if read.from_file is not None and command:
        made.error("give a command or --from-file, not both")
    return read, command


def _number(text: str) -> int:
    if re.fullmatch(r"0*[1-9][0-9]{0,5}", text, re.A) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def _value(text: str) -> str:
    if any(not char.isprintable() for char in text) or '"' in text:
        raise argparse.ArgumentTypeError(f"{text!r} has quotes, line ends or invisible characters in it")
    return text


def _path(text: str) -> str:
    """A path is quoted in the script, and stands in directives, which no shell reads."""
    if text.startswith("~") or "$" in text:
        raise argparse.ArgumentTypeError(f"{text!r} would be taken as it stands; write the folder's name out")
    return _value(text)


def _shared(text: str) -> str:
    if text and not text.startswith("/"):
        raise argparse.ArgumentTypeError(f"{text!r} is not seen from other folders; begin it with a slash")
    return _path(text)


def _run(text: str) -> str:
    if text and os.path.basename(os.path.normpath(text)) in ("", ".", ".."):
        raise argparse.ArgumentTypeError(f"{text!r} is more than a run; name the folder of the old run")
    return _path(text)


def _directive(text: str) -> str:
    if not text.startswith("-"):
        raise argparse.ArgumentTypeError(f"{text!r} is no option; write it like --mem=0")
    return _value(text)
