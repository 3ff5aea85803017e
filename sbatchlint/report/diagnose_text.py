"""A diagnosis for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.diagnose.diagnosis import Cause, Confidence, Diagnosis, Group, State, Where
from sbatchlint.diagnose.facts import PYTHON, Seen
from sbatchlint.lint.finding import Severity
from sbatchlint.report.cells import shown
from sbatchlint.report.diagnose_model import DiagnosisReport
from sbatchlint.report.full import full
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.snippet import gutter
from sbatchlint.report.style import PLAIN, Style

_WIDEST = 240
"""Characters of a log's line that are shown."""
_KEY = 6
"""Columns from the start of a key to its text, without the colon."""


def diagnose_text(report: DiagnosisReport, style: Style = PLAIN) -> str:
    """Return *report* as text, with its line ends."""
    diagnosis = report.diagnosis
    blocks = [_head(report, style)]
    if diagnosis.state is State.FAILED:
        blocks.append(_script(report, style))
        blocks.append(_groups("what follows from it", diagnosis.cascade, report, style))
        blocks.append(_groups("other errors", diagnosis.others, report, style))
    blocks.append(_suspects(report, style))
    blocks.append([_noise(report)] if diagnosis.noise else [])
    blocks.append([_count(report)])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)


def _head(report: DiagnosisReport, style: Style) -> list[str]:
    diagnosis = report.diagnosis
    if diagnosis.state is State.NO_FAILURE:
        return [style.strong("no failure found"), *_facts(report, 0, style)]
    word = style.severity(Severity.ERROR, "failure")
    cause = diagnosis.cause
    if cause is None:
        return [
            f"{word}: {style.strong('the cause is not in the logs; only what follows from it is')}",
            *_facts(report, 0, style),
        ]
    text = style.strong(shown(report.hidden(cause.title)))
    lines = [f"{word}: {text}  ({cause.id})"]
    width = 0
    if cause.seen is not None:
        number = str(cause.seen.place.line)
        width = len(number)
        lines += [
            f"{' ' * width}{style.frame('-->')} {shown(report.path(cause.seen))}:{number}",
            gutter(width, style),
            f"{style.frame(f'{number} |')} {_line(report, cause.seen)}",
            gutter(width, style),
        ]
    return [*lines, *_facts(report, width, style)]


def _facts(report: DiagnosisReport, width: int, style: Style) -> Iterator[str]:
    mark = f"{' ' * width} {style.frame('=')}"
    for key, text in _rows(report):
        gap = " " * max(_KEY - len(key), 1)
        yield f"{mark} {style.strong(f'{key}:')}{gap}{shown(report.hidden(text))}"


def _rows(report: DiagnosisReport) -> Iterator[tuple[str, str]]:
    diagnosis, cause = report.diagnosis, report.diagnosis.cause
    if diagnosis.state is State.FAILED:
        first = _first(diagnosis)
        if first:
            yield "look at" if cause is None else "first", first
        yield from _waiting(diagnosis)
    if cause is not None:
        yield "cause", cause.cause if diagnosis.confidence is Confidence.KNOWN else f"likely: {cause.cause}"
        if cause.alike:
            more = _number(report, cause.id, cause.alike)
            yield "note", f"{more} more {'lines show' if cause.alike > 1 else 'line shows'} the same"
    if diagnosis.exit is not None:
        yield "exit", f"{diagnosis.exit.text}: {diagnosis.exit.meaning}"
    ends = [
        f"{ended.text} of {count} {'task' if count == 1 else 'tasks'}"
        for ended, count in diagnosis.task_exits
    ]
    if len(ends) > 1:
        yield "exits", ", ".join(ends)
    yield from (("note", note) for note in diagnosis.notes)
    if cause is not None:
        yield "help", cause.fix
        yield from _rules(report, cause)
    elif diagnosis.state is State.FAILED:
        yield "help", "read what that rank wrote last; give the logs of all nodes, and --sacct or --job"


def _rules(report: DiagnosisReport, cause: Cause) -> Iterator[tuple[str, str]]:
    if report.blame is not None and report.blame.findings:
        return
    rules = [f"{code} {report.names.get(code, '')}".strip() for code in cause.rules]
    if rules and report.blame is not None:
        yield "rule", f"nothing found in {report.blame.source.path} by {', '.join(rules)}"
    elif rules:
        yield (
            "rule",
            f"{', '.join(rules)} {'see' if len(rules) > 1 else 'sees'} it in a script (--script JOB.sh)",
        )


def _first(diagnosis: Diagnosis) -> str:
    parts = [_where(diagnosis.where)] if diagnosis.where.known else []
    if diagnosis.time is not None:
        parts.append(f"{'after' if diagnosis.after else 'at'} {diagnosis.time.text}")
    return ", ".join(parts)


def _where(where: Where) -> str:
    rank = "" if where.rank is None else f"rank {where.rank}"
    if where.local_rank is not None:
        rank = f"{rank} (local rank {where.local_rank})" if rank else f"local rank {where.local_rank}"
    task = "" if where.task is None else f"task {where.task}"
    who = " of ".join(part for part in (rank, task) if part)
    node = "" if where.node is None else f"on {where.node}" if who else f"node {where.node}"
    return " ".join(part for part in (who, node) if part)


def _waiting(diagnosis: Diagnosis) -> Iterator[tuple[str, str]]:
    for ranks, what in (
        (diagnosis.missing, "did not come to the collective in which the others waited"),
        (diagnosis.behind, "had begun fewer collectives than the others"),
    ):
        if ranks:
            word = "rank" if len(ranks) == 1 else "ranks"
            yield "note", f"{word} {', '.join(map(str, ranks))} {what}"


def _script(report: DiagnosisReport, style: Style) -> list[str]:
    blame = report.blame
    if blame is None:
        return []
    mask = report.masks[-1]
    if blame.findings:
        run = RunReport((FileReport(blame.source, mask, blame.findings),))
        lines = [style.strong("in the script")]
        for one in blame.findings:
            if one in blame.silenced:
                lines.append(
                    f"  a comment silences {one.code} in line {blame.source.position(one.span.start).line}"
                )
        return [*lines, *full(run, style).rstrip("\n").split("\n")]
    if blame.span is None:
        return []
    line = blame.source.position(blame.span.start).line
    text = mask.source.slice(blame.span).split("\n")[0]
    width = len(str(line))
    return [
        style.strong("in the script"),
        f"{' ' * width}{style.frame('-->')} {shown(blame.source.path)}:{line}",
        f"{style.frame(f'{line} |')} {_cut(shown(text))}",
        f"{' ' * width} {style.frame('=')} {blame.why}",
    ]


def _groups(title: str, groups: Sequence[Group], report: DiagnosisReport, style: Style) -> list[str]:
    if not groups:
        return []
    counts = [_number(report, group.id, group.count) for group in groups]
    width = max(map(len, counts))
    lines = [style.strong(title)]
    for group, count in zip(groups, counts, strict=True):
        where = "" if group.seen is None else f", first in {_place(report, group.seen)}"
        text = shown(report.hidden(group.title))
        name = "" if group.id == PYTHON else f"  ({group.id})"
        lines.append(f"  {count:>{width}} x {_cut(text)}{style.faint(where)}{name}")
    return lines


def _number(report: DiagnosisReport, name: str, count: int) -> str:
    return f"at least {count}" if name in report.diagnosis.at_least else str(count)


def _place(report: DiagnosisReport, seen: Seen) -> str:
    if len(report.logs) == 1:
        return f"line {seen.place.line}"
    return f"{shown(report.path(seen))}:{seen.place.line}"


def _suspects(report: DiagnosisReport, style: Style) -> list[str]:
    seen = report.diagnosis.suspects
    if not seen:
        return []
    lines = [style.strong("lines that look bad, the first of each process")]
    for one in seen[:20]:
        lines.append(f"  {_place(report, one)}: {_line(report, one)}")
    if len(seen) > 20:
        lines.append(f"  ({len(seen) - 20} more)")
    return lines


def _noise(report: DiagnosisReport) -> str:
    told = (f"{one.id} {_number(report, one.id, one.count)}" for one in report.diagnosis.noise)
    return f"harmless: {', '.join(told)}"


def _line(report: DiagnosisReport, seen: Seen) -> str:
    return _cut(shown(report.hidden(seen.text.expandtabs(4))))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."


def _count(report: DiagnosisReport) -> str:
    diagnosis = report.diagnosis
    logs = "1 log" if len(report.logs) == 1 else f"{len(report.logs)} logs"
    return f"Read {diagnosis.lines} {'line' if diagnosis.lines == 1 else 'lines'} of {logs}."
