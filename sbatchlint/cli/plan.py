"""``sbatchlint plan``: what batch scripts would really start, and how."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.assumptions import add_assumptions, glued
from sbatchlint.cli.configuration import Configuration
from sbatchlint.cli.configuring import add_configuration, configure
from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write
from sbatchlint.cli.inputs import Gatherer, Input, Kind
from sbatchlint.cli.status import FAILURE, OK

if TYPE_CHECKING:
    from sbatchlint.report.plan_model import PlannedFile
    from sbatchlint.source import Source

_WIDEST = 140
_NARROWEST = 60
_DESCRIPTION = "Show what batch scripts would really start: steps, sizes, containers, command lines."
_EPILOG = """\
PATH is a batch script, a folder to search for them, or - for standard input.
Nothing of a script is run.

In the command lines $NAME and <$(command)> are not known, [word] may be
left out, {a|b} is one of the two; all else is what the program would get.
"(assumed)" is a default that the environment may change.

exit status: 0 shown, 2 wrong use or something could not be shown
"""


def run(arguments: Sequence[str]) -> int:
    """Show the plans of the files that *arguments* name; return the exit status."""
    parser = _parser()
    read = parser.parse_args(["--grid=" if word == "--grid" else word for word in glued(arguments)])
    if read.schema:
        from sbatchlint.report.plan_schema import schema_text

        write(sys.stdout, schema_text())
        return OK
    if not read.paths:
        parser.error("name a batch script, a folder, or - for standard input")
    console = Console()
    configuration = configure(read, console, read.paths)
    if configuration is None:
        return FAILURE
    gatherer = Gatherer(console.complain, configuration, stdin_name=read.stdin_filename)
    inputs = [given for given in gatherer.gather(read.paths) if not given.passed_over]
    if not inputs and not console.failed:
        console.complain(
            " ".join(read.paths),
            "no batch script (a #SBATCH line, or a name in .sbatch, .slurm or .job)",
        )
    tried = [_planned(given, configuration, console, verbose=read.verbose) for given in inputs]
    files = [file for file in tried if file is not None]
    if read.output_format == "json":
        from sbatchlint.report.plan_json import plan_json

        write(sys.stdout, plan_json(files))
    else:
        _show(files, read.color, grid=read.grid == "")
    if read.grid:
        _draw(files, Path(read.grid), console)
    return FAILURE if console.failed else OK


def _show(files: Sequence[PlannedFile], colour: str, *, grid: bool) -> None:
    from sbatchlint.report.grid_text import grid_text
    from sbatchlint.report.plan_text import WIDTH, plan_text

    style = style_for(sys.stdout, colour)
    width = WIDTH
    if sys.stdout.isatty():
        width = min(max(shutil.get_terminal_size((WIDTH, 24)).columns, _NARROWEST), _WIDEST)
    texts = [
        plan_text(file, style, width=width) + (grid_text(file, style, width=width) if grid else "")
        for file in files
    ]
    write(sys.stdout, "\n".join(texts))


def _draw(files: Sequence[PlannedFile], path: Path, console: Console) -> None:
    """Write the rank grids of all *files* as one picture."""
    from sbatchlint.cli.saving import save
    from sbatchlint.report.grid_model import drawn_runs
    from sbatchlint.report.grid_svg import grid_svg

    drawn = [one for file in files for one in drawn_runs(file)]
    title = ", ".join(file.source.path for file in files)
    try:
        save(str(path), grid_svg(title, drawn).encode())
    except OSError as error:
        console.complain(str(path), f"the picture can't be written: {error.strerror or error}")


def _planned(
    given: Input, configuration: Configuration, console: Console, *, verbose: bool
) -> PlannedFile | None:
    """Return the plan of one file; None, and a complaint, where the tool fails: the others are not lost."""
    options = configuration.options(given.path)
    if options is None:
        return None
    from sbatchlint.cli.lateness import TIME_LIMIT
    from sbatchlint.lint.deadline import OutOfTime, limited
    from sbatchlint.lint.job import Job
    from sbatchlint.report.plan_model import planned
    from sbatchlint.source import Source

    source = Source.from_bytes(given.data, given.path)
    try:
        folder = given.folder if configuration.follows(given.path) else None
        interactive = given.kind is Kind.INTERACTIVE
        with limited(TIME_LIMIT):
            return planned(Job(source, replace(options, folder=folder, interactive=interactive)))
    except OutOfTime as late:
        console.complain(source.path, f"not shown: {late}")
        return None
    except Exception as error:  # told, and the other files are still planned
        _tell(source, error, console, verbose=verbose)
        return None


def _tell(source: Source, error: Exception, console: Console, *, verbose: bool) -> None:
    from sbatchlint.cli.checking import REPORT_IT
    from sbatchlint.lint.engine import InternalError
    from sbatchlint.report.mask import Mask

    fault, mask = InternalError.caught(error), Mask.found_in(source)
    advice = "" if verbose else REPORT_IT
    console.complain(source.path, f"internal error: {fault.kind} at {fault.place}{advice}")
    if verbose:
        console.trace(mask.text(fault.traceback))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint plan",
        usage="sbatchlint plan [OPTIONS] PATH...",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help=argparse.SUPPRESS)
    add_assumptions(parser)
    add_configuration(parser.add_argument_group("configuration"))
    group = parser.add_argument_group("output")
    group.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="default: text; json is versioned"
    )
    group.add_argument(
        "--grid",
        metavar="FILE.svg",
        help="also draw which rank sits where (--grid), or as a picture (--grid=FILE)",
    )
    group.add_argument("--schema", action="store_true", help="print the JSON Schema of that format and exit")
    group.add_argument("--stdin-filename", metavar="NAME", help="what standard input is to be called")
    group.add_argument("--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal")
    group.add_argument("-v", "--verbose", action="store_true", help="show the tracebacks of internal errors")
    return parser
