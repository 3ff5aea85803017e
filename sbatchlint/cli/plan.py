"""``sbatchlint plan``: what batch scripts would really start, and how."""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write
from sbatchlint.cli.inputs import Gatherer, Input
from sbatchlint.cli.status import FAILURE, OK

if TYPE_CHECKING:
    from sbatchlint.lint.job import LintOptions
    from sbatchlint.report.plan_model import PlannedFile
    from sbatchlint.source import Source

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WITH_ANY_VALUE = ("--sbatch-args", "--arg", "--env")
_WIDEST = 140
_NARROWEST = 60
_DESCRIPTION = "Show what batch scripts would really start: steps, sizes, containers, command lines."
_EPILOG = """\
PATH is a batch script, a folder to search for batch scripts, or - for standard input.

In the command lines $NAME and <$(command)> are not known, [word] may be left out, {a|b} is one of the
two; all else is what the program would get. "(assumed)" is a default that the environment may change.

exit status: 0 shown, 2 wrong use or something could not be shown
"""


def run(arguments: Sequence[str]) -> int:
    """Show the plans of the files that *arguments* name; return the exit status."""
    read = _parser().parse_args(list(_glued(arguments)))
    console = Console()
    options = _options(read, console)
    if options is None:
        return FAILURE
    gatherer = Gatherer(console.complain, stdin_name=read.stdin_filename)
    inputs = [given for given in gatherer.gather(read.paths) if not given.passed_over]
    if not inputs and not console.failed:
        console.complain(
            " ".join(read.paths),
            "no batch script (a #SBATCH line, or a name in .sbatch, .slurm or .job)",
        )
    follow = not read.no_follow
    tried = [_planned(given, options, console, follow=follow, verbose=read.verbose) for given in inputs]
    files = [file for file in tried if file is not None]
    if read.output_format == "json":
        from sbatchlint.report.plan_json import plan_json

        write(sys.stdout, plan_json(files))
    else:
        _show(files, read.color)
    return FAILURE if console.failed else OK


def _show(files: Sequence[PlannedFile], colour: str) -> None:
    from sbatchlint.report.plan_text import WIDTH, plan_text

    style = style_for(sys.stdout, colour)
    width = WIDTH
    if sys.stdout.isatty():
        width = min(max(shutil.get_terminal_size((WIDTH, 24)).columns, _NARROWEST), _WIDEST)
    write(sys.stdout, "\n".join(plan_text(file, style, width=width) for file in files))


def _planned(
    given: Input, options: LintOptions, console: Console, *, follow: bool, verbose: bool
) -> PlannedFile | None:
    """Return the plan of one file; None, and a complaint, where the tool fails: the others are not lost."""
    from sbatchlint.lint.job import Job
    from sbatchlint.report.plan_model import planned
    from sbatchlint.source import Source

    source = Source.from_bytes(given.data, given.path)
    try:
        return planned(Job(source, replace(options, folder=given.folder) if follow else options))
    except Exception as error:  # told, and the other files are still planned
        _tell(source, error, console, verbose=verbose)
        return None


def _tell(source: Source, error: Exception, console: Console, *, verbose: bool) -> None:
    from sbatchlint.lint.engine import InternalError
    from sbatchlint.report.mask import Mask

    fault, mask = InternalError.caught(error), Mask.found_in(source)
    advice = "" if verbose else "; please report it with the output of --verbose"
    console.complain(source.path, f"internal error: {fault.kind}: {mask.text(fault.message)}{advice}")
    if verbose:
        console.trace(mask.text(fault.traceback))


# --- options ---------------------------------------------------------------------------------------


def _glued(arguments: Sequence[str]) -> Iterator[str]:
    """Glue values that may begin with a dash to their options: argparse takes them for options else."""
    words = iter(arguments)
    for word in words:
        value = next(words, None) if word in _WITH_ANY_VALUE else None
        yield word if value is None else f"{word}={value}"


def _options(read: argparse.Namespace, console: Console) -> LintOptions | None:
    """Return what the command line assumes; None, and a complaint, where that makes no sense."""
    from sbatchlint.lint.job import LintOptions

    sbatch_args = _sbatch_args(read.sbatch_args, console)
    environment = _environment(read.env, console)
    if console.failed:
        return None
    return LintOptions(
        sbatch_args=sbatch_args,
        arguments=tuple(read.arg) if read.arg else None,
        environment=environment,
    )


def _sbatch_args(texts: Sequence[str], console: Console) -> tuple[str, ...]:
    from sbatchlint.slurm.getopt import ProblemKind, parse

    try:
        words = tuple(word for text in texts for word in shlex.split(text))
    except ValueError as error:
        console.complain("--sbatch-args", f"{str(error).lower()}; quote it as a shell needs it")
        return ()
    parsed = parse(words, "sbatch")
    for problem in parsed.problems:
        if problem.kind is ProblemKind.UNKNOWN:
            console.remark("--sbatch-args", f"{problem.name} is no option of sbatch that is known; left out")
        else:
            console.complain("--sbatch-args", f"{problem.name}: {problem.kind.value}")
    if parsed.rest < len(words):
        stray = words[parsed.rest]
        console.complain(
            "--sbatch-args", f"{stray!r} is no option; give the script's own arguments with --arg"
        )
    return words


def _environment(texts: Sequence[str], console: Console) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not _NAME.fullmatch(name):
            console.complain("--env", "give NAME=VALUE, such as --env DATA=/data")
        else:
            found[name] = value
    return tuple(found.items())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sbatchlint plan",
        usage="sbatchlint plan [OPTIONS] PATH...",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help=argparse.SUPPRESS)
    group = parser.add_argument_group("what is assumed")
    group.add_argument(
        "--sbatch-args",
        metavar="OPTIONS",
        action="append",
        default=[],
        help='options that sbatch will be given, such as --sbatch-args="--nodes=4 -p gpu"',
    )
    group.add_argument(
        "--arg", metavar="VALUE", action="append", default=[], help="the script's next argument; repeatable"
    )
    group.add_argument(
        "--env",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a variable of the shell that submits the job; repeatable",
    )
    group.add_argument("--no-follow", action="store_true", help="read no file that the script sources")
    group = parser.add_argument_group("output")
    group.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    group.add_argument("--stdin-filename", metavar="NAME", help="what standard input is to be called")
    group.add_argument("--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal")
    group.add_argument("-v", "--verbose", action="store_true", help="show the tracebacks of internal errors")
    return parser
