"""Linting what a command line submits."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.registry import RuleSet
from sbatchlint.slurm.site_plugins import PLUGIN_OPTIONS
from sbatchlint.source import Source
from sbatchlint.submission.command_line import CommandLine
from sbatchlint.submission.environment import job_environment, submit_environment

if TYPE_CHECKING:
    from sbatchlint.lint.job import Again

_WITHOUT_FOREIGN = "--ignore-pbs"
"""What ``--wrap`` is read with: sbatch looks for no directives there, nor for those of other systems."""


def site_options(base: LintOptions) -> dict[str, bool | None]:
    """Return the options that plugins add to sbatch, and whether each takes a value (None: not known)."""
    known: dict[str, bool | None] = dict.fromkeys(PLUGIN_OPTIONS)
    known |= dict.fromkeys(base.known_options)
    told = () if base.cluster is None else base.cluster.known_options
    known |= {option.lstrip("-").rstrip("="): option.endswith("=") for option in told}
    return known


def options_for(
    base: LintOptions,
    command: CommandLine,
    source: Source,
    environment: Mapping[str, str],
    *,
    here: str,
    release: str | None,
    follow: bool = True,
) -> LintOptions:
    """Return how *source* is to be looked at: *base* with what is known now that it is submitted.

    What the configuration assumes of the command line gives way to the real one.  *release* is that of the
    sbatch that takes the job, None where it does not say; *here* is the folder of submission.
    """
    words = command.options if command.wrap is None else (_WITHOUT_FOREIGN, *command.options)
    options = replace(
        base,
        release=_known(release) or base.release,
        sbatch_args=words,
        arguments=command.arguments,
        environment=job_environment(environment),
        submit_environment=submit_environment(environment),
        ask=None,
        interactive=False,
    )
    if not follow:
        return options
    # A script runs in the folder of the job, not where it stands: what it sources is looked for there.
    chdir = Job(source, options).request.get("chdir")
    return replace(options, folder=os.path.join(here, chdir.value) if chdir and chdir.value else here)


def _known(release: str | None) -> str | None:
    """Return the release, if anything is known of it."""
    from sbatchlint.slurm.options import KNOWN_RELEASES, parse_release

    return release if parse_release(release) in KNOWN_RELEASES else None


def lint(source: Source, rules: RuleSet, options: LintOptions) -> tuple[FileResult, Job]:
    """Lint *source*; return what was found, and the job as the rules saw it, which knows its plan already."""
    seen: list[Job] = []

    def noticing(job: Job, findings: Sequence[Finding], again: Again) -> Sequence[Finding]:
        seen.append(job)
        return findings if options.sieve is None else options.sieve(job, findings, again)

    result = lint_source(source, rules, replace(options, sieve=noticing))
    findings = tuple(map(_without_fix, result.findings))
    return replace(result, findings=findings), seen[0] if seen else Job(source, options)


def _without_fix(finding: Finding) -> Finding:
    """Keep the words of a fix alone: nothing is fixed here, so nobody tries whether the fix would hold."""
    return (
        finding if finding.fix is None else replace(finding, help=finding.help or finding.fix.title, fix=None)
    )
