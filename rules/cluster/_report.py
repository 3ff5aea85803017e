"""What the rules about the cluster have in common."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator

from sbatchlint.api import Certainty, Finding, Job, Misfit, MisfitKind, Outcome, Related, Rule, Severity, Span

_BECOMES = {
    Outcome.REFUSED: "the cluster refuses the job",
    Outcome.WAITS: "the job waits for ever",
    Outcome.UNSURE: "the cluster refuses the job or lets it wait for ever",
}
_SAYS = {
    MisfitKind.UNKNOWN_PARTITION: "there is no partition {asked}",
    MisfitKind.UNKNOWN_NODE: "there is no node {asked}",
    MisfitKind.UNKNOWN_FEATURE: "no node has the feature {asked}",
    MisfitKind.UNKNOWN_GRES: "it has no resource called {asked}",
    MisfitKind.UNKNOWN_LICENSE: "it has no licence called {asked}",
    MisfitKind.UNKNOWN_ACCOUNT: "there is no account {asked}",
    MisfitKind.UNKNOWN_QOS: "there is no QOS {asked}",
    MisfitKind.TOO_MANY_LICENSES: "{asked} licences, where it has {offered}",
    MisfitKind.ARRAY_INDEX: "an array may go up to {offered}, not to {asked}",
    MisfitKind.QOS_LIMIT: "the QOS allows {offered}, not {asked}",
    MisfitKind.PARTITION_CLOSED: "{where} is {offered} and takes no jobs",
    MisfitKind.PARTITION_DOWN: "{where} is {offered} and starts no jobs",
    MisfitKind.RESERVATION_NEEDED: "{where} is for reservations only",
    MisfitKind.TIME_LIMIT: "{where} allows a time of {offered}, not {asked}",
    MisfitKind.TOO_MANY_NODES: "{where} gives a job at most {offered} nodes, not {asked}",
    MisfitKind.TOO_FEW_NODES: "{where} wants jobs of at least {offered} nodes, not {asked}",
    MisfitKind.MEMORY_LIMIT: "{where} allows {offered} of memory, not {asked}",
    MisfitKind.ACCOUNT_NOT_ALLOWED: "{where} does not take account {asked}",
    MisfitKind.QOS_NOT_ALLOWED: "{where} does not take QOS {asked}",
    MisfitKind.NODE_OUTSIDE_PARTITION: "{asked} is not in {where}",
    MisfitKind.NOT_ENOUGH_NODES: "{asked}, where {where} has {offered} that will do",
    MisfitKind.FEATURES: "no node of {where} has the features {asked}",
    MisfitKind.GPU_TYPE: "no node of {where} has GPUs of the type {asked}",
    MisfitKind.GPUS_PER_NODE: "{asked} GPUs{each} on a node, where {where} has {offered}",
    MisfitKind.GRES_PER_NODE: "{asked} on a node, where {where} has {offered}",
    MisfitKind.MEMORY_PER_NODE: "{asked} of memory{each} on a node, where {where} has {offered}",
    MisfitKind.CPUS_PER_NODE: "{asked} CPUs{each} on a node, where {where} has {offered}",
    MisfitKind.TMP_DISK: "{asked} of disk on a node, where {where} has {offered}",
    MisfitKind.NODE_SHAPE: "no node of {where} has {asked} sockets, cores and threads",
    MisfitKind.TASKS_PER_NODE: "{asked} tasks, where {where} may run {offered}",
    MisfitKind.TOTAL_CPUS: "{asked} CPUs{each}, where {where} has {offered}",
    MisfitKind.TOTAL_GPUS: "{asked}, where {where} has {offered}",
    MisfitKind.TOTAL_MEMORY: "{asked}, where {where} has {offered}",
    MisfitKind.TOGETHER: "{offered} of {where} have all of it: {asked}",
}
_BY_DEFAULT = "without --mem a job here takes the {asked} of a node, and {where} allows {offered}"
_MEMORY = ("mem", "mem-per-cpu", "mem-per-gpu")
_LABELS = {
    MisfitKind.UNKNOWN_PARTITION: "unknown",
    MisfitKind.UNKNOWN_NODE: "unknown",
    MisfitKind.UNKNOWN_FEATURE: "unknown",
    MisfitKind.UNKNOWN_GRES: "unknown",
    MisfitKind.UNKNOWN_LICENSE: "unknown",
    MisfitKind.UNKNOWN_ACCOUNT: "unknown",
    MisfitKind.UNKNOWN_QOS: "unknown",
    MisfitKind.PARTITION_CLOSED: "not open",
    MisfitKind.PARTITION_DOWN: "not open",
    MisfitKind.RESERVATION_NEEDED: "needs --reservation",
    MisfitKind.GPU_TYPE: "no such type here",
    MisfitKind.FEATURES: "no such node here",
    MisfitKind.NODE_SHAPE: "no such node here",
    MisfitKind.NODE_OUTSIDE_PARTITION: "of another partition",
    MisfitKind.ACCOUNT_NOT_ALLOWED: "not allowed here",
    MisfitKind.QOS_NOT_ALLOWED: "not allowed here",
    MisfitKind.TOGETHER: "too much at once",
}
_WHOLE = 1024


def first_directive(job: Job) -> Span:
    """The place of what is held against the job as a whole: its first directive, else its first line."""
    lines = job.request.directives.lines
    return lines[0].span if lines else job.source.line_span(1)


class ClusterRule(Rule):
    """A rule that tells of some of what the cluster has against a job."""

    severity = Severity.ERROR

    @property
    @abstractmethod
    def kinds(self) -> tuple[MisfitKind, ...]:
        """What it tells of."""

    def check(self, job: Job) -> Iterator[Finding]:
        """Yield a finding for each misfit of these kinds; none for a second one with the same cause."""
        unknown = {misfit.span for misfit in job.misfits if misfit.kind is MisfitKind.UNKNOWN_GRES}
        for misfit in job.misfits:
            told = misfit.kind is MisfitKind.GRES_PER_NODE and misfit.span in unknown
            if misfit.kind in self.kinds and not told:
                yield self._report(job, misfit)

    def _report(self, job: Job, misfit: Misfit) -> Finding:
        return self.finding(
            misfit.span or first_directive(job),
            f"{_BECOMES[misfit.outcome]}: {_what(misfit)}",
            label=_LABELS.get(misfit.kind, "more than there is"),
            related=[Related(span, "counts too") for span in misfit.related],
            help=_help(misfit),
            notes=_notes(misfit),
            severity=None if misfit.certainty is Certainty.KNOWN else Severity.WARNING,
        )


def _what(misfit: Misfit) -> str:
    by_default = misfit.kind is MisfitKind.MEMORY_LIMIT and not {*misfit.options} & {*_MEMORY}
    says = _BY_DEFAULT if by_default else _SAYS[misfit.kind]
    where = f"partition {' and '.join(misfit.partitions)}" if misfit.partitions else "the cluster"
    offered = misfit.offered or "less"
    if offered == "0":
        offered = "none"
    if misfit.kind is MisfitKind.TOTAL_GPUS and misfit.asked.isdigit():
        says = "{asked} GPUs, where {where} has {offered}"
    asked, each, unit = misfit.asked.partition(" for each")
    what = says.format(asked=_amount(asked), each=each + unit, offered=_amount(offered), where=where)
    return re.sub(r"\b1 (node|CPU|GPU|task)s\b", r"1 \1", what)


def _amount(text: str) -> str:
    """Write memory as a person would: ``3072000M`` is ``3000G``."""

    def larger(match: re.Match[str]) -> str:
        gibibytes, rest = divmod(int(match[1]), _WHOLE)
        return match[0] if rest or not gibibytes else f"{gibibytes}G"

    return re.sub(r"\b(\d{1,18})M\b", larger, text)


def _help(misfit: Misfit) -> str:
    names = [name for name in misfit.choices if not re.match(r"[\d:]+M?$", name)]
    if misfit.near:
        return f"did you mean {misfit.near!r}?"
    if names:
        return f"choose {names[0]}" if len(names) == 1 else f"one of {', '.join(names)}"
    if misfit.kind is MisfitKind.PARTITION_DOWN:
        return "take another partition"
    return "ask for what the cluster has, or correct its profile"


def _notes(misfit: Misfit) -> tuple[str, ...]:
    said = "" if misfit.outcome is Outcome.WAITS else misfit.said
    notes = [f"sbatch: error: {line}" for line in said.splitlines() if line]
    if misfit.reason:
        notes.append(f"squeue gives the reason {misfit.reason}")
    return tuple(notes)
