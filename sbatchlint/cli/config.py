"""``sbatchlint config``: what is configured for a path, and where each part of it was said."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.assumptions import add_assumptions, glued
from sbatchlint.cli.check_options import add_choosing
from sbatchlint.cli.configuring import add_configuration, configure
from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write
from sbatchlint.cli.status import FAILURE, OK
from sbatchlint.report.cells import shown

_DESCRIPTION = "Show what is configured for a script or a folder, and where each part of it was said."
_EPILOG = """\
Without a PATH the present folder is meant.  Options that are given are counted in, as check would.

exit status: 0 shown, 2 wrong use or a mistake in a configuration file
"""


def run(arguments: Sequence[str]) -> int:
    """Show what holds for the paths that *arguments* name; return the exit status."""
    read = _parser().parse_args(list(glued(arguments)))
    if read.schema:
        from sbatchlint.config.schema import schema_text

        write(sys.stdout, schema_text())
        return OK
    console = Console()
    paths = read.paths or [os.curdir]
    configuration = configure(read, console, paths)
    if configuration is None:
        return FAILURE
    if read.files:
        from sbatchlint.cli.inputs import Gatherer

        found = Gatherer(console.complain, configuration).gather(paths)
        write(sys.stdout, "".join(f"{shown(given.path)}\n" for given in found if not given.passed_over))
        return FAILURE if console.failed else OK
    from sbatchlint.report.mask import without_tokens

    told = [configuration.account(path) for path in paths]
    accounts = [account for account in told if account is not None]
    if read.output_format == "json":
        from sbatchlint.report.config_json import config_json

        write(sys.stdout, without_tokens(config_json(accounts)))
    else:
        from sbatchlint.report.config_text import config_text

        style = style_for(sys.stdout, read.color)
        texts = (config_text(account, style) for account in accounts)
        write(sys.stdout, without_tokens("\n".join(texts)))
    return FAILURE if console.failed else OK


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint config",
        usage="sbatchlint config [OPTIONS] [PATH...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help=argparse.SUPPRESS)
    add_configuration(parser.add_argument_group("configuration"))
    add_choosing(parser.add_argument_group("choosing"))
    add_assumptions(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    group.add_argument("--files", action="store_true", help="list the files that would be checked, and exit")
    group.add_argument(
        "--schema",
        action="store_true",
        help="print the JSON Schema of the file, for editors, and exit",
    )
    group.add_argument("--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal")
    return parser
