"""``sbatchlint check``: what is wrong with batch scripts, and what can be put right."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.cli import recognise
from sbatchlint.cli.adoption import adopt
from sbatchlint.cli.check_options import CheckOptions, read_options
from sbatchlint.cli.console import Console, style_for, write_bytes
from sbatchlint.cli.inputs import STDIN, Gatherer, Input
from sbatchlint.cli.jobs_check import check_all
from sbatchlint.cli.outputs import show
from sbatchlint.cli.status import FAILURE, FINDINGS, OK
from sbatchlint.report.model import RunReport

if TYPE_CHECKING:
    from sbatchlint.cli.checking import Checked

LED_OUT = "not checked: a link that leads out of the repository; name the file it leads to"
WHY_NOT = {
    False: "no batch script (a #SBATCH line, or a name in .sbatch, .slurm or .job) and no srun in it",
    True: "Markdown; --include-markdown checks the shell blocks in it",
}
"""By whether the file is Markdown."""


def run(arguments: Sequence[str]) -> int:
    """Check what *arguments* name; return the exit status."""
    console = Console()
    options = read_options(arguments, console)
    if options is None:
        return FAILURE
    configuration = options.configuration
    gatherer = Gatherer(
        console.complain,
        configuration,
        stdin_name=options.stdin_filename,
        only_scripts=options.only_scripts,
    )
    inputs = gatherer.gather(options.paths)
    for path in gatherer.passed_over:
        console.remark(path, f"not checked: {WHY_NOT[recognise.is_markdown(path)]}")
    for path in gatherer.led_out:
        console.remark(path, LED_OUT)
    if options.selects:
        configuration.settings(os.path.join(configuration.home, STDIN))
    if configuration.wrong_use:
        return FAILURE
    for given in inputs:
        baseline = None if given.passed_over else configuration.baseline(given.path)
        if baseline is not None:
            complain = configuration.complain_of_baseline(given.path)
            options.adoption.use_baseline(given.path, baseline, complain)
    checked: Sequence[Checked] = check_all(options, console, inputs)
    checked = adopt(options.adoption, checked, console)
    status = (
        _show_diffs(options, console, checked)
        if options.diff
        else _show_findings(options, console, inputs, checked)
    )
    return FAILURE if console.failed else status


def _passed_on(options: CheckOptions, inputs: list[Input], checked: Sequence[Checked]) -> bytes | None:
    """Return what ``--fix`` gives for standard input: fixed, or as it came where it could not be checked."""
    given = next((each for each in inputs if each.from_stdin), None)
    if given is None or not (options.fix or options.adoption.adds_ignores):
        return None
    done = next((each for each in checked if each.given is given), None)
    return given.data if done is None else done.after.to_bytes()


def _show_findings(
    options: CheckOptions, console: Console, inputs: list[Input], checked: Sequence[Checked]
) -> int:
    """Show the findings on standard output, unless a fixed script goes there."""
    reports = tuple(replace(each.report, rules=each.rules.rules) for each in checked)
    run_report = RunReport(reports, unsafe_fixes=options.unsafe_fixes)
    passed_on = _passed_on(options, inputs, checked)
    if passed_on is not None:
        write_bytes(sys.stdout, passed_on)
    show(run_report, options.outputs, console, stdout_taken=passed_on is not None)
    return FINDINGS if any(_fails(options, each) for each in checked) else OK


def _fails(options: CheckOptions, checked: Checked) -> bool:
    """Tell whether what was found in one file makes the run fail."""
    settings = options.configuration.settings(checked.given.path)
    if settings is None or options.exit_zero:
        return False
    return any(settings.fails(finding.severity) for finding in checked.report.findings)


def _show_diffs(options: CheckOptions, console: Console, checked: Sequence[Checked]) -> int:
    from sbatchlint.report.diff import diff
    from sbatchlint.report.summary import count

    changed = [each for each in checked if each.after != each.before]
    style = style_for(sys.stdout, options.outputs.colour)
    for each in changed:
        patch = diff(each.before, each.after, each.report.mask, style, terminal=sys.stdout.isatty())
        write_bytes(sys.stdout, patch.encode("utf-8", "surrogateescape"))
    fixes = sum(each.fixes for each in changed)
    ignored = sum(each.ignored for each in changed)
    answers = f"answer {count(ignored, 'finding')} by comments" if options.adoption.adds_ignores else ""
    would = [f"fix {count(fixes, 'problem')}" if fixes or not answers else "", answers]
    if changed:
        doing = " and ".join(filter(None, would))
        console.note(f"Would {doing} in {count(len(changed), 'file')}.\n")
    elif checked:
        console.note(f"Nothing to {'answer' if answers else 'fix'} in {count(len(checked), 'file')}.\n")
    return FINDINGS if changed and not options.exit_zero else OK
