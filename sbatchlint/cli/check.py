"""``sbatchlint check``: what is wrong with batch scripts, and what can be put right."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.cli import recognise
from sbatchlint.cli.adoption import adopt
from sbatchlint.cli.check_options import CheckOptions, read_options
from sbatchlint.cli.console import Console, style_for, write_bytes
from sbatchlint.cli.inputs import Gatherer, Input
from sbatchlint.cli.outputs import show
from sbatchlint.cli.status import FAILURE, FINDINGS, OK
from sbatchlint.report.model import RunReport

if TYPE_CHECKING:
    from sbatchlint.cli.checking import Checked
    from sbatchlint.config.settings import Settings
    from sbatchlint.lint.registry import RuleSet


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
    console.quiet = options.quiet
    gatherer = Gatherer(
        console.complain,
        stdin_name=options.stdin_filename,
        only_scripts=options.only_scripts,
        markdown=options.markdown,
    )
    inputs = gatherer.gather(options.paths)
    for path in gatherer.passed_over:
        console.remark(path, f"not checked: {WHY_NOT[recognise.is_markdown(path)]}")
    checked: Sequence[Checked] = []
    if options.settings.selects or not all(given.passed_over for given in inputs):
        rules = choose_rules(options.settings, console)
        if rules is None:
            return FAILURE
        checked = _check_all(options, rules, console, inputs)
    checked = adopt(options.adoption, checked, console)
    status = (
        _show_diffs(options, console, checked)
        if options.diff
        else _show_findings(options, console, inputs, checked)
    )
    return FAILURE if console.failed else status


def choose_rules(settings: Settings, console: Console) -> RuleSet | None:
    """Load and choose the rules of the run; ``None``, and a complaint, if that cannot be done."""
    from sbatchlint.lint.registry import Registry, RuleLoadError, SelectionError

    try:
        return Registry.load().select(settings.select, settings.ignore, settings.extend_select)
    except SelectionError as error:
        console.complain("command line", str(error))
    except RuleLoadError as error:
        console.complain("rules", str(error))
    return None


def named_codes(settings: Settings, rules: RuleSet) -> frozenset[str]:
    """Return the codes of the rules that were chosen one by one, by code or by name."""
    named = {*(settings.select or ()), *settings.extend_select}
    return frozenset(rule.code for rule in rules.rules if named & {rule.code, rule.name})


def _check_all(options: CheckOptions, rules: RuleSet, console: Console, inputs: list[Input]) -> list[Checked]:
    from sbatchlint.cli.checking import Checker

    checker = Checker(
        rules,
        console,
        unsafe=options.settings.unsafe_fixes,
        verbose=options.verbose,
        follow=options.follow,
        assumed=replace(
            options.assumed,
            asked_for=named_codes(options.settings, rules),
            sieve=options.adoption.sieve,
        ),
    )
    checked = []
    for given in inputs:
        if given.passed_over:
            continue
        if options.fix or options.diff:
            result = checker.fix(given, write=not options.diff)
        else:
            result = checker.check(given)
        if result is not None:
            checked.append(result)
    return checked


def _passed_on(options: CheckOptions, inputs: list[Input], checked: Sequence[Checked]) -> bytes | None:
    """Return what ``--fix`` gives for standard input: fixed, or as it came where it could not be checked."""
    given = next((each for each in inputs if each.from_stdin), None)
    if given is None or not options.fix:
        return None
    done = next((each for each in checked if each.given is given), None)
    return given.data if done is None else done.after.to_bytes()


def _show_findings(
    options: CheckOptions, console: Console, inputs: list[Input], checked: Sequence[Checked]
) -> int:
    """Show the findings on standard output, unless a fixed script goes there."""
    reports = tuple(each.report for each in checked)
    run_report = RunReport(reports, unsafe_fixes=options.settings.unsafe_fixes)
    passed_on = _passed_on(options, inputs, checked)
    if passed_on is not None:
        write_bytes(sys.stdout, passed_on)
    show(run_report, options.outputs, console, stdout_taken=passed_on is not None)
    fails = any(options.settings.fails(finding.severity) for _, finding in run_report.findings())
    return FINDINGS if fails else OK


def _show_diffs(options: CheckOptions, console: Console, checked: Sequence[Checked]) -> int:
    from sbatchlint.report.diff import diff
    from sbatchlint.report.summary import count

    changed = [each for each in checked if each.after != each.before]
    style = style_for(sys.stdout, options.outputs.colour)
    for each in changed:
        patch = diff(each.before, each.after, each.report.mask, style, terminal=sys.stdout.isatty())
        write_bytes(sys.stdout, patch.encode("utf-8", "surrogateescape"))
    fixes = sum(each.fixes for each in changed)
    if changed:
        console.note(f"Would fix {count(fixes, 'problem')} in {count(len(changed), 'file')}.\n")
    elif checked:
        console.note(f"Nothing to fix in {count(len(checked), 'file')}.\n")
    return FINDINGS if changed and not options.settings.exit_zero else OK
