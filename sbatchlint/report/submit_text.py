"""What is shown of a job before it is submitted: the findings, and the plan in three lines."""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.lint.engine import FileResult
from sbatchlint.lint.finding import Severity
from sbatchlint.lint.job import Job
from sbatchlint.report.full import full
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.plan_model import planned
from sbatchlint.report.style import Style
from sbatchlint.report.submit_plan import submit_plan
from sbatchlint.report.summary import summary


def submit_text(result: FileResult, job: Job, style: Style, *, errors_only: bool = False) -> str:
    """Return the findings of *result* with their count, then the plan of *job*, with their line ends.

    *errors_only* leaves out the plan, the count, and all findings but errors.
    """
    file = planned(job)
    if result.source.path.startswith("-"):  # no file, so nothing to link to
        style = replace(style, links=False)
    report = FileReport(
        source=result.source,
        mask=file.mask,
        findings=tuple(one for one in result.findings if one.severity is Severity.ERROR or not errors_only),
        suppressed=result.suppressed,
        hidden=result.hidden,
        baselined=len(result.known),
    )
    run = RunReport((report,))
    if errors_only:
        return full(run, style) if report.findings else ""
    findings = full(run, style) + summary(run) if result.findings else ""
    return findings + submit_plan(file)
