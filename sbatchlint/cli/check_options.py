"""The command line of ``check``."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence

from sbatchlint import __version__
from sbatchlint.cache.folder import OPTION, place
from sbatchlint.cli.adoption import Adoption, add_adoption, glued_reason, read_adoption
from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.assumptions import add_assumptions, add_switch, glued
from sbatchlint.cli.configuration import Configuration
from sbatchlint.cli.configuring import add_configuration, configure
from sbatchlint.cli.console import Console
from sbatchlint.cli.outputs import Outputs, add_outputs, read_outputs, with_default_format
from sbatchlint.files import find_program
from sbatchlint.lint.finding import Severity
from sbatchlint.records import dataclass

_DESCRIPTION = "Say what will go wrong with Slurm batch scripts before they are submitted."
_EPILOG = """\
PATH is a batch script, a folder to search for batch scripts, or - for standard input.
RULES are codes (SB301), code prefixes (SB3), names, families, policy or ALL, separated by commas.
What the configuration may switch on has an opposite here: --no-pedantic, --no-force-exclude, --follow ...

exit status: 0 nothing found, 1 problems found, 2 wrong use or something could not be checked

other commands, each with a --help of its own:
  sbatchlint plan PATH...                what scripts would start
  sbatchlint size [MODEL]                what memory a model needs, and the layouts that fit
  sbatchlint convert -- COMMAND          a batch script of a training command line
  sbatchlint submit [OPTIONS] job.sh     check a job as submitted, then run sbatch
  sbatchlint diagnose LOG...             what made a job fail
  sbatchlint rule CODE|NAME|--all        what a rule is about
  sbatchlint option --NAME|-X            what an option of sbatch takes
  sbatchlint cluster import|show         the description of a cluster, for the rules SB9
  sbatchlint config [PATH...]            what is configured, and where; --schema for editors
  sbatchlint policy test|list|variables  a site's own policies, and what they may speak of
"""
_WIDTH = 106


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the command line says, and the configuration under it."""

    paths: tuple[str, ...]
    configuration: Configuration
    selects: bool
    """Whether the command line chooses rules; then they have to be looked at."""
    unsafe_fixes: bool
    exit_zero: bool
    """Whether findings never make a run fail."""
    test_only: bool
    fix: bool
    diff: bool
    outputs: Outputs
    adoption: Adoption
    quiet: bool
    verbose: bool
    stdin_filename: str | None
    only_scripts: bool
    jobs: int | None = None
    """How many files to check at a time; None for as many as seems good."""
    time_limit: float = 60.0
    """Seconds that one file may take; 0 for as many as it likes."""
    cache: str | None = None
    """The folder in which answers are kept; None for none."""


def read_options(arguments: Sequence[str], console: Console) -> CheckOptions | None:
    """Read *arguments*; on wrong use, argparse explains it and raises ``SystemExit(2)``.

    None, and a complaint, where what is said there or in a configuration file makes no sense.
    """
    read = _parser().parse_args(list(glued(glued_reason(arguments))))
    console.quiet = read.quiet
    configuration = configure(read, console, read.paths)
    if configuration is None:
        return None
    said = len(console.troubles)  # a mistake in a file does not concern all scripts
    outputs = read_outputs(read, console)
    adoption = read_adoption(read, console)
    _spare_configuration(configuration, outputs, read.baseline, console)
    if read.test_only and find_program("sbatch") is None:
        console.complain("--test-only", "no sbatch on PATH to ask; run it where jobs are submitted")
    if len(console.troubles) > said:
        return None
    form = configuration.value("output-format")
    return CheckOptions(
        paths=tuple(read.paths),
        configuration=configuration,
        selects=bool(read.select or read.extend_select or read.ignore),
        unsafe_fixes=bool(configuration.value("unsafe-fixes")),
        exit_zero=read.exit_zero,
        test_only=read.test_only,
        fix=read.fix,
        diff=read.diff,
        outputs=outputs if form is None else with_default_format(outputs, form),
        adoption=adoption,
        quiet=read.quiet,
        verbose=read.verbose,
        stdin_filename=read.stdin_filename,
        only_scripts=read.only_scripts,
        jobs=read.jobs,
        time_limit=read.time_limit,
        cache=_cache(read),
    )


def _cache(read: argparse.Namespace) -> str | None:
    named = [f"{OPTION}={read.cache_dir}"] if read.cache_dir is not None else []
    return None if read.no_cache else place(os.environ, named)


def _spare_configuration(
    configuration: Configuration, outputs: Outputs, baseline: str | None, console: Console
) -> None:
    """Complain of a report that would replace a file which the run, or another one, reads."""
    from sbatchlint.config.files import OWN_NAME, PYPROJECT

    kept = {os.path.realpath(path) for path in (*configuration.files(), baseline) if path}
    for file in (output.file for output in outputs.outputs if output.file):
        named = os.path.basename(file) in (OWN_NAME, PYPROJECT) and os.path.exists(file)
        if named or os.path.realpath(file) in kept:
            console.complain("--output-file", f"{file} is a file of the configuration; name another file")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint",
        usage="sbatchlint [check] [OPTIONS] PATH...",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=_formatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help=argparse.SUPPRESS)
    parser.add_argument("--version", action="version", version=f"sbatchlint {__version__}")
    _add_fixing(parser.add_argument_group("fixing"))
    _add_choosing(parser.add_argument_group("choosing"))
    add_assumptions(parser)
    add_adoption(parser.add_argument_group("findings that are there already"))
    add_configuration(parser.add_argument_group("configuration"))
    _add_output(parser.add_argument_group("output"))
    _add_speed(parser.add_argument_group("speed"))
    return parser


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Return what lays out the help, a line for each option where the terminal has the room."""
    import shutil  # which loads three kinds of compression

    width = min(_WIDTH, shutil.get_terminal_size((_WIDTH, 24)).columns)
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=28, width=width)


def _add_fixing(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--fix", action="store_true", help="apply the fixes that are safe")
    add_switch(group, "--unsafe-fixes", "count the other fixes in, too")
    group.add_argument(
        "--diff", action="store_true", help="show what --fix would change and write nothing; 1 if it would"
    )


def add_choosing(group: argparse._ArgumentGroup) -> None:
    """Add the options that say which rules look, what is told, and what makes a run fail."""
    for option, text in (
        ("--select", "look for these alone"),
        ("--extend-select", "look for these as well"),
        ("--ignore", "leave these out"),
    ):
        group.add_argument(
            option, metavar="RULES", type=_comma_list, action="extend", help=f"{text}; repeatable"
        )
    add_switch(group, "--pedantic", "show everything: notes, and what is less sure to be right, as well")
    add_switch(group, "--include-markdown", "check the shell blocks of Markdown files as well")
    group.add_argument(
        "--fail-on",
        choices=[severity.value for severity in Severity],
        metavar="LEVEL",
        help="error, warning or info: the mildest finding that gives exit status 1",
    )


def _add_choosing(group: argparse._ArgumentGroup) -> None:
    add_choosing(group)
    group.add_argument("--exit-zero", action="store_true", help="exit 0 whatever is found")
    group.add_argument(
        "--test-only", action="store_true", help="ask the sbatch of this machine as well (sbatch --test-only)"
    )
    group.add_argument("--stdin-filename", metavar="NAME", help="what standard input is to be called")
    group.add_argument(
        "--only-scripts",
        action="store_true",
        help="pass over named files that are no batch scripts, as in a folder",
    )


def _add_output(group: argparse._ArgumentGroup) -> None:
    add_outputs(group)
    group.add_argument("-q", "--quiet", action="store_true", help="show findings and errors, no summary")
    group.add_argument("-v", "--verbose", action="store_true", help="show the tracebacks of internal errors")


def _add_speed(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=_number,
        help="check N files at a time (default: as many as there are processors, with enough files)",
    )
    group.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=_seconds,
        default=60.0,
        help="how long one file may take before it is given up (default: 60; 0: no limit)",
    )
    group.add_argument("--no-cache", action="store_true", help="neither use nor keep earlier answers")
    group.add_argument(
        "--cache-dir",
        metavar="FOLDER",
        help="where answers are kept (default: $SBATCHLINT_CACHE_DIR, or sbatchlint in ~/.cache)",
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 1000):
        raise argparse.ArgumentTypeError("give a number from 1 to 999")
    return int(text)


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text, re.ASCII):
        raise argparse.ArgumentTypeError("give seconds, such as 60 or 0.5; 0 for no limit")
    return float(text)


def _comma_list(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise argparse.ArgumentTypeError("name at least one rule, code prefix or family")
    return words
