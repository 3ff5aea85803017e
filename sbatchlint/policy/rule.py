"""A policy as a rule."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, ClassVar

from sbatchlint.certainty import Certainty
from sbatchlint.lint.families import POLICY
from sbatchlint.lint.finding import Confidence, Finding, Severity
from sbatchlint.lint.job import Job
from sbatchlint.lint.rule import Rule
from sbatchlint.policy.check import Checked
from sbatchlint.policy.context import variables_of
from sbatchlint.policy.evaluate import Outcome, evaluate
from sbatchlint.policy.exceptions import Waiver
from sbatchlint.policy.message import filled_in, message_roots
from sbatchlint.policy.models import PolicyTable
from sbatchlint.policy.where import from_outside, option_uses, places
from sbatchlint.records import dataclass


@dataclass(frozen=True)
class Policy:
    """A ``[[policy]]`` that has been checked."""

    table: PolicyTable
    require: Checked
    when: Checked | None
    waivers: tuple[Waiver, ...] = ()
    today: date | None = None
    """The day that exceptions are held against; None for the day of the check."""

    @property
    def roots(self) -> frozenset[str]:
        """The variables that are needed."""
        shown = message_roots(self.table.message) | message_roots(self.table.help)
        return self.require.roots | shown | (self.when.roots if self.when is not None else frozenset())

    def waivers_of(self, job: Job) -> list[Waiver]:
        """Return the exceptions for the script of *job*, those that have ended among them."""
        return [waiver for waiver in self.waivers if waiver.covers(job.source.path)]

    def holds(self, waiver: Waiver) -> bool:
        """Tell whether *waiver* holds on the day that counts."""
        return waiver.holds(self.today or date.today())

    def components(self, job: Job) -> range:
        """Return the components of *job* to be judged: one will do where nothing is asked of the options."""
        return range(len(job.request.components) if "job" in self.roots else 1)

    @property
    def reads(self) -> tuple[tuple[str, str], ...]:
        """What the two expressions read, that of ``require`` first."""
        return (*self.require.reads, *(self.when.reads if self.when is not None else ()))


@dataclass(frozen=True)
class Judgement:
    """What a policy says of one component of a job."""

    broken: bool | None
    """None where that can't be told."""
    sure: bool = True
    """False where it rests on what is assumed."""
    why: str = ""
    """Why it can't be told, or why the policy has nothing to say."""
    outcome: Outcome | None = None
    variables: dict[str, Any] | None = None


def judge(policy: Policy, job: Job, component: int) -> Judgement:
    """Hold *policy* against one component, first with what is known, then with what is assumed too."""
    first: Judgement | None = None
    for worst in (Certainty.KNOWN, Certainty.ASSUMED):
        variables = variables_of(job, policy.roots, component, worst)
        found = _judged(policy, variables)
        if found.broken is not None:
            sure = worst is Certainty.KNOWN
            return Judgement(found.broken, sure, found.why, found.outcome, variables)
        first = first or found
    assert first is not None
    return first


def _judged(policy: Policy, variables: dict[str, Any]) -> Judgement:
    if policy.when is not None:
        applies = evaluate(policy.when, variables)
        if applies.verdict is None:
            return Judgement(None, why=f"when: {applies.why}")
        if not applies.verdict:
            return Judgement(False, why="its `when` is false")
    outcome = evaluate(policy.require, variables)
    if outcome.verdict is None:
        return Judgement(None, why=f"require: {outcome.why}")
    return Judgement(not outcome.verdict, why="its `require` is true", outcome=outcome)


class PolicyRule(Rule):
    """What all policies share; each is a class of its own, made by :func:`rule_of`."""

    group: ClassVar[str] = POLICY
    policy: ClassVar[Policy]

    def check(self, job: Job) -> Iterator[Finding]:
        """Yield a finding for each component of the job that breaks the policy."""
        policy = self.policy
        mine = policy.waivers_of(job)
        ended = [] if any(map(policy.holds, mine)) else [waiver.ended for waiver in mine]
        for component in policy.components(job):
            judgement = judge(policy, job, component)
            if judgement.broken:
                yield self._finding(job, component, judgement, ended)

    def excepted(self, job: Job) -> str:
        """Return what the first exception says that holds for *job*; empty where none does."""
        holding = filter(self.policy.holds, self.policy.waivers_of(job))
        return next((waiver.said for waiver in holding), "")

    def _finding(self, job: Job, component: int, judgement: Judgement, ended: list[str]) -> Finding:
        policy, request = self.policy, job.request.components[component]
        variables = judgement.variables or {}
        message = filled_in(policy.table.message, variables)
        if len(policy.components(job)) > 1:
            message += f" (component {component})"
        span, related = places(job, request, policy.reads, judgement.outcome or Outcome(None))
        notes = [from_outside(option_uses(request, policy.reads)), *ended]
        if not judgement.sure:
            notes.append("this rests on a default, which the cluster or the environment may change")
        if policy.table.docs:
            notes.append(f"see {policy.table.docs}")
        doubted = Severity.WARNING if self.severity is Severity.ERROR else self.severity
        return self.finding(
            span,
            message,
            related=related,
            help=filled_in(policy.table.help, variables),
            notes=[note for note in notes if note],
            severity=None if judgement.sure else doubted,
            confidence=Confidence.HIGH if judgement.sure else Confidence.MEDIUM,
        )


def rule_of(policy: Policy) -> type[PolicyRule]:
    """Return the rule class that *policy* is."""
    table = policy.table
    members = {
        "__doc__": _page(policy),
        "__module__": __name__,
        "code": table.name,
        "name": table.name,
        "severity": Severity(table.severity),
        "policy": policy,
    }
    return type(f"Policy_{table.name.replace('-', '_')}", (PolicyRule,), members)


def _page(policy: Policy) -> str:
    """Return the policy's page, in the form of a rule's docstring."""
    table = policy.table
    parts = [f"{' '.join(table.message.split())}."]
    why = [part for part in (table.help, f"When: `{_line(table.when)}`" if table.when else "") if part]
    why.append(f"Required: `{_line(table.require)}`")
    parts.append("## Why\n" + "\n\n".join(why))
    examples = [("bad", text) for text in table.examples.bad] + [
        ("good", text) for text in table.examples.good
    ]
    if examples:
        blocks = "\n\n".join(f"```sbatch {kind}\n{text.rstrip()}\n```" for kind, text in examples)
        parts.append(f"## Example\n{blocks}")
    if table.docs:
        parts.append(f"## References\n- {table.docs}")
    return "\n\n".join(parts) + "\n"


def _line(text: str) -> str:
    return " ".join(text.split())
