"""Findings made by hand, for the tests of the formats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.lint.finding import Finding, Related, Severity
from sbatchlint.lint.scopes import Suppressed
from sbatchlint.lint.suppress import Suppression, Verb
from sbatchlint.report.mask import Mask
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.source import Source, Span

JOB = """\
#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
CMD="torchrun --nproc_per_node=8 train.py"
srun bash -c "$CMD"
"""


def find(source: Source, text: str, after: str = "") -> Span:
    """Return where *text* stands in *source*, behind the first *after*."""
    start = source.text.index(text, source.text.index(after))
    return Span(start, start + len(text))


def finding(span: Span, message: str = "torchrun is started 8 times on each node", **more: Any) -> Finding:
    more.setdefault("code", "SB301")
    more.setdefault("name", "torchrun-tasks-per-node")
    more.setdefault("severity", Severity.ERROR)
    return Finding(message=message, span=span, **more)


def torchrun_finding(source: Source) -> Finding:
    """Return the finding that STYLE shows, on :data:`JOB`."""
    value = find(source, "8", "--ntasks-per-node=")
    return finding(
        find(source, "srun"),
        label="each of them runs torchrun --nproc_per_node=8: 64 processes for 8 GPUs",
        related=(Related(value, "Slurm starts the step's command 8 times per node"),),
        help="set --ntasks-per-node=1",
        fix=Fix.safe("set --ntasks-per-node=1", Edit(value, "1")),
    )


def _suppressed(count: int) -> tuple[Suppressed, ...]:
    """Return *count* findings that a comment silences."""
    comment = Suppression(Span(0, 1), Verb.IGNORE, (), "known", own_line=True)
    return tuple(Suppressed(finding(Span(0, 0)), comment, "known") for _ in range(count))


def report(
    source: Source, findings: Iterable[Finding], secrets: Iterable[str] = (), suppressed: int = 0, **more: Any
) -> RunReport:
    unsafe_fixes = more.pop("unsafe_fixes", False)
    file = FileReport(source, Mask(source, secrets), tuple(findings), _suppressed(suppressed), **more)
    return RunReport((file,), unsafe_fixes=unsafe_fixes)
