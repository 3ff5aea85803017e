"""The command line of ``check``."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sbatchlint import __version__
from sbatchlint.cli.adoption import Adoption, add_adoption, read_adoption
from sbatchlint.cli.assumptions import add_assumptions, glued, read_assumptions
from sbatchlint.cli.console import Console
from sbatchlint.cli.outputs import Outputs, add_outputs, read_outputs
from sbatchlint.config.settings import Settings
from sbatchlint.lint.finding import Severity

if TYPE_CHECKING:
    from sbatchlint.lint.job import LintOptions

_DESCRIPTION = "Say what will go wrong with Slurm batch scripts before they are submitted."
_EPILOG = """\
PATH is a batch script, a folder to search for batch scripts, or - for standard input.
RULES are codes (SB301), code prefixes (SB3), names or families, separated by commas.

exit status: 0 nothing found, 1 problems found, 2 wrong use or something could not be checked
other commands: sbatchlint plan PATH...             show what scripts would start
                sbatchlint rule CODE|NAME|--all     show what a rule is about
                sbatchlint option --NAME|-X         show what an option of sbatch takes
                sbatchlint cluster import|show      describe the cluster for the rules SB9
"""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the command line says."""

    paths: tuple[str, ...]
    settings: Settings
    fix: bool
    diff: bool
    outputs: Outputs
    adoption: Adoption
    quiet: bool
    verbose: bool
    stdin_filename: str | None
    only_scripts: bool
    follow: bool
    assumed: LintOptions
    markdown: bool


def read_options(arguments: Sequence[str], console: Console) -> CheckOptions | None:
    """Read *arguments*; on wrong use, argparse explains it and raises ``SystemExit(2)``.

    None, and a complaint, where what is to be assumed makes no sense.
    """
    read = _parser().parse_args(list(glued(arguments)))
    assumed = read_assumptions(read, console)
    outputs = read_outputs(read, console)
    adoption = read_adoption(read, console)
    if assumed is None or console.failed:
        return None
    assumed = replace(assumed, pedantic=read.pedantic)
    if read.test_only:
        assumed = _with_sbatch(assumed, console)
    settings = Settings(
        select=tuple(read.select) if read.select else None,
        extend_select=tuple(read.extend_select),
        ignore=tuple(read.ignore),
        unsafe_fixes=read.unsafe_fixes,
        fail_on=Severity(read.fail_on),
        exit_zero=read.exit_zero,
    )
    return CheckOptions(
        paths=tuple(read.paths),
        settings=settings,
        fix=read.fix,
        diff=read.diff,
        outputs=outputs,
        adoption=adoption,
        quiet=read.quiet,
        verbose=read.verbose,
        stdin_filename=read.stdin_filename,
        only_scripts=read.only_scripts,
        follow=not read.no_follow,
        assumed=assumed,
        markdown=read.include_markdown,
    )


def _with_sbatch(assumed: LintOptions, console: Console) -> LintOptions:
    """Return *assumed* with the sbatch of this machine to ask, if there is one."""
    from sbatchlint.cluster.asking import SbatchAsker

    if shutil.which("sbatch") is None:
        console.complain("--test-only", "no sbatch on PATH to ask; run it where jobs are submitted")
        return assumed
    return replace(assumed, ask=SbatchAsker(assumed.sbatch_args))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sbatchlint",
        usage="sbatchlint [check] [OPTIONS] PATH...",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help=argparse.SUPPRESS)
    parser.add_argument("--version", action="version", version=f"sbatchlint {__version__}")
    _add_fixing(parser.add_argument_group("fixing"))
    _add_choosing(parser.add_argument_group("choosing"))
    add_assumptions(parser)
    add_adoption(parser.add_argument_group("findings that are there already"))
    _add_output(parser.add_argument_group("output"))
    return parser


def _add_fixing(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--fix", action="store_true", help="apply the fixes that are safe")
    group.add_argument("--unsafe-fixes", action="store_true", help="count the other fixes in, too")
    group.add_argument(
        "--diff", action="store_true", help="show what --fix would change and write nothing; 1 if it would"
    )


def _add_choosing(group: argparse._ArgumentGroup) -> None:
    for option, text in (
        ("--select", "look for these alone"),
        ("--extend-select", "look for these as well"),
        ("--ignore", "leave these out"),
    ):
        group.add_argument(
            option, metavar="RULES", type=_comma_list, action="extend", default=[], help=f"{text}; repeatable"
        )
    group.add_argument(
        "--pedantic",
        action="store_true",
        help="show everything: notes, and what is less sure to be right, as well",
    )
    group.add_argument(
        "--fail-on",
        choices=[severity.value for severity in Severity],
        default=Severity.INFO.value,
        help="the mildest finding that gives exit status 1 (default: info)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit 0 whatever is found")
    group.add_argument(
        "--test-only", action="store_true", help="ask the sbatch of this machine as well (sbatch --test-only)"
    )
    group.add_argument("--stdin-filename", metavar="NAME", help="what standard input is to be called")
    group.add_argument(
        "--include-markdown", action="store_true", help="check the shell blocks of Markdown files as well"
    )
    group.add_argument(
        "--only-scripts",
        action="store_true",
        help="pass over named files that are no batch scripts, empty and binary ones too, as in a folder",
    )


def _add_output(group: argparse._ArgumentGroup) -> None:
    add_outputs(group)
    group.add_argument("-q", "--quiet", action="store_true", help="show findings and errors, no summary")
    group.add_argument("-v", "--verbose", action="store_true", help="show the tracebacks of internal errors")


def _comma_list(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise argparse.ArgumentTypeError("name at least one rule, code prefix or family")
    return words
