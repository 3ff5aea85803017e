"""``sbatchlint diagnose``: from the logs of a job to what made it fail."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.assumptions import add_assumptions, glued
from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write
from sbatchlint.cli.status import FAILURE, FINDINGS, OK
from sbatchlint.files import read_all, read_bytes

if TYPE_CHECKING:
    from sbatchlint.diagnose.accounting import Accounting
    from sbatchlint.diagnose.blame import Blame
    from sbatchlint.diagnose.diagnosis import Diagnosis
    from sbatchlint.diagnose.facts import Facts

_DESCRIPTION = "Say what made a job fail: what came first, why, what only follows from it, and what to do."
_LARGEST_SACCT = 64 << 20
"""Bytes; of one job it has kilobytes."""
_EPILOG = """\
LOG is a log of the job, a folder with its logs, a pattern ('logs/*.out'), or - for
standard input; gzip is unpacked.  Give all logs of one job together.  Of a job that left
none, --sacct or --job may tell why.

exit status: 0 no failure found, 1 a failure found, 2 wrong use or something could not be read
"""


def run(arguments: Sequence[str]) -> int:
    """Diagnose the logs that *arguments* name; return the exit status."""
    parser = _parser()
    read = parser.parse_args(list(glued(arguments)))
    if read.schema:
        from sbatchlint.report.diagnose_json import schema_text

        write(sys.stdout, schema_text())
        return OK
    if not read.logs and read.sacct is None and read.job is None:
        parser.error("name the logs of the job, or - for standard input; without any, give --sacct or --job")
    if [*read.logs, read.sacct, read.script].count("-") > 1:
        parser.error("standard input (-) can be one thing only")
    console = Console(quiet=read.quiet)
    logs = _found(read.logs, console)
    accounting = _accounting(read, console)
    facts = _gather(logs, console) if logs else None
    if facts is None and not read.logs and accounting is not None:
        from sbatchlint.diagnose.facts import Facts

        facts = Facts()
    if facts is None:
        return FAILURE
    from sbatchlint.diagnose.judging import judge

    diagnosis = judge(facts, accounting)
    blame = None
    if read.script:
        from sbatchlint.cli.diagnose_script import look_at_script

        blame = look_at_script(read, diagnosis, console)
    _show(read, diagnosis, logs, blame)
    if console.failed:
        return FAILURE
    from sbatchlint.diagnose.diagnosis import State

    return FINDINGS if diagnosis.state is State.FAILED else OK


def _found(words: Sequence[str], console: Console) -> list[str]:
    from sbatchlint.diagnose.logs import NoLogError, find_logs

    found: dict[str, None] = {}
    for word in words:
        try:
            found.update(dict.fromkeys(find_logs([word])))
        except NoLogError as error:
            console.complain(word, str(error))
    return find_logs(found)


def _gather(logs: Sequence[str], console: Console) -> Facts | None:
    """Read *logs*; None where none of them could be read."""
    from sbatchlint.cli.diagnose_progress import Progress
    from sbatchlint.diagnose.running import gather, total_size

    progress = Progress(sys.stderr, total_size(logs))
    try:
        facts, read_any = gather(logs, sys.stdin.buffer, console.remark, console.complain, progress.read)
    finally:
        progress.close()
    return facts if read_any else None


def _accounting(read: argparse.Namespace, console: Console) -> Accounting | None:
    from sbatchlint.diagnose.accounting import AccountingError, read_accounting
    from sbatchlint.diagnose.asking import NoAnswerError, ask_sacct

    if read.sacct is not None:
        try:
            return read_accounting(_text_of(read.sacct), read.job)
        except OSError as error:
            console.complain(read.sacct, f"can't be read: {(error.strerror or str(error)).lower()}")
        except AccountingError as error:
            console.complain(read.sacct, str(error))
        return None
    if read.job is None:
        return None
    try:
        return read_accounting(ask_sacct(read.job), read.job)
    except (NoAnswerError, AccountingError) as error:
        if read.logs:
            console.remark(f"job {read.job}", f"{error}; the logs alone count")
        else:
            console.complain(f"job {read.job}", str(error))
    return None


def _text_of(path: str) -> str:
    if path == "-":
        return read_all(sys.stdin.buffer, _LARGEST_SACCT, path).decode("utf-8", "replace")
    return read_bytes(path, _LARGEST_SACCT).decode("utf-8", "replace")


def _show(read: argparse.Namespace, diagnosis: Diagnosis, logs: Sequence[str], blame: Blame | None) -> None:
    from sbatchlint.report.diagnose_model import report_of
    from sbatchlint.report.mask import without_tokens

    report = report_of(diagnosis, logs, _names(diagnosis, blame), blame)
    if read.output_format == "json":
        from sbatchlint.report.diagnose_json import diagnose_json

        write(sys.stdout, without_tokens(diagnose_json(report)))
    else:
        from sbatchlint.report.diagnose_text import diagnose_text

        write(sys.stdout, without_tokens(diagnose_text(report, style_for(sys.stdout, read.color))))


def _names(diagnosis: Diagnosis, blame: Blame | None) -> Mapping[str, str]:
    """Return the names of the rules that the cause speaks of."""
    if diagnosis.cause is None or not diagnosis.cause.rules:
        return {}
    from sbatchlint.lint.registry import Registry

    known = {rule.code: rule.name for rule in Registry.load().rules}
    return {code: known[code] for code in diagnosis.cause.rules if code in known}


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint diagnose",
        usage="sbatchlint diagnose [OPTIONS] LOG...",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("logs", nargs="*", metavar="LOG", help=argparse.SUPPRESS)
    group = parser.add_argument_group("what else is known of the job")
    group.add_argument(
        "--script", metavar="FILE", help="the job's batch script: which line of it brought it about"
    )
    group.add_argument(
        "--sacct", metavar="FILE", help="the saved output of sacct -P, of sacct --json, or a table"
    )
    group.add_argument("--job", metavar="ID", help="ask sacct of this machine; with --sacct, which job of it")
    add_assumptions(parser)
    settings = parser.add_argument_group("configuration, for the script")
    settings.add_argument("--config", metavar="FILE", help="read this file, not the closest sbatchlint.toml")
    settings.add_argument("--isolated", action="store_true", help="read no configuration file")
    settings.add_argument(
        "--allow-plugins", action="store_true", help="run the code of plugins that a project's file names"
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="default: text; json is versioned"
    )
    output.add_argument("--schema", action="store_true", help="print the JSON Schema of that format and exit")
    output.add_argument(
        "--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal"
    )
    output.add_argument("-q", "--quiet", action="store_true", help="leave out remarks beside the diagnosis")
    return parser
