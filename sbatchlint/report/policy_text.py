"""What policies are there, and how their examples went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sbatchlint.lint.finding import Severity
from sbatchlint.report.cells import shown
from sbatchlint.report.summary import count

if TYPE_CHECKING:
    from sbatchlint.policy.examples import Trial
    from sbatchlint.policy.rule import Policy
    from sbatchlint.report.style import Style

Tried = Sequence[tuple["Policy", Sequence["Trial"]]]


def trials_text(tried: Tried, style: Style) -> str:
    """Return a line for each policy, one below for each example that failed, and a line that sums up."""
    return "".join(f"{line}\n" for line in _lines(tried, style))


def _lines(tried: Tried, style: Style) -> Iterator[str]:
    failed = 0
    for policy, trials in tried:
        wrong = [trial for trial in trials if trial.wrong]
        failed += bool(wrong)
        name = shown(policy.table.name)
        if not trials:
            yield f"{name}: no examples"
            continue
        yield f"{name}: {count(len(trials) - len(wrong), 'example')} of {len(trials)} as they should be"
        for trial in wrong:
            mark = style.severity(Severity.ERROR, f"{trial.kind} example {trial.number}")
            yield f"  {mark}: {shown(trial.wrong)}"
    yield ""
    verdict = "all hold" if not failed else f"{count(failed, 'policy')} failed"
    yield f"{count(len(tried), 'policy')}, {verdict}."


def policies_text(policies: Sequence[Policy]) -> str:
    """Return a line for each policy: its name, how much it counts, and what it says."""
    width = max((len(policy.table.name) for policy in policies), default=0)
    return "".join(
        f"{shown(table.name):<{width}}  {table.severity:<7}  {shown(_line(table.message))}\n"
        for table in (policy.table for policy in policies)
    )


def _line(text: str) -> str:
    return " ".join(text.split())
