"""Holding a policy against its own good and bad scripts."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.policy.rule import Judgement, Policy, judge
from sbatchlint.records import dataclass
from sbatchlint.source import Source

EXAMPLE_PATH = "example.sbatch"


@dataclass(frozen=True, slots=True)
class Trial:
    """One example and what became of it."""

    kind: str
    """``good`` or ``bad``."""
    number: int
    """From 1, among those of its kind."""
    wrong: str = ""
    """What is not as it should be; empty where all is well."""


def trials(policy: Policy, options: LintOptions | None = None) -> Iterator[Trial]:
    """Try every example of *policy*; its exceptions do not count."""
    for kind, scripts in (("good", policy.table.examples.good), ("bad", policy.table.examples.bad)):
        for number, script in enumerate(scripts, 1):
            job = Job(Source.from_text(script, EXAMPLE_PATH), options)
            found = [judge(policy, job, component) for component in policy.components(job)]
            yield Trial(kind, number, _GRADES[kind](found))


def _grade_good(found: list[Judgement]) -> str:
    return "it is reported" if any(one.broken for one in found) else ""


def _grade_bad(found: list[Judgement]) -> str:
    if any(one.broken and one.sure for one in found):
        return ""
    if any(one.broken for one in found):
        return "it is reported as doubtful only, since that rests on a default; a plain run does not show it"
    undecided = next((one for one in found if one.broken is None), None)
    if undecided is not None:
        return f"it is not reported, since it can't be told ({undecided.why})"
    return f"it is not reported: {found[0].why}"


_GRADES = {"good": _grade_good, "bad": _grade_bad}
