"""SB203 time-suspicious."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Duration,
    Finding,
    Job,
    JobRequest,
    OptionUse,
    Rule,
    Severity,
    Span,
    dataclass,
    line_values,
    readings,
    regex,
)

_ROUND_HOURS = frozenset((24, 36, 48, 72, 96, 144, 168))
"""Hours that people ask for, and minutes that hardly anybody does."""
_ROUND_SECONDS = {"3600": 1, "86400": 24, "172800": 48, "259200": 72, "604800": 168}
"""An hour, a day, two, three, a week in seconds; as minutes they are odd limits."""
_LONG = 31 * 24 * 60
_HOURS = regex(r"(?i)\b(?:hours?|hrs?|h)\b")
_MINUTES = regex(r"(?i)\bmin(?:ute)?s?\b")
_GPUS = ("gpus", "gpus-per-node", "gpus-per-task")


@dataclass(frozen=True)
class _Given:
    long: str
    value: str
    span: Span
    known: bool = True


class TimeSuspicious(Rule):
    """A time limit means something else than it looks like.

    ## Why
    A time with one colon is minutes and seconds: `--time=48:00` ends the job after 48 *minutes*, not 48
    hours, with "CANCELLED ... DUE TO TIME LIMIT".  And a plain number is minutes: `--time=86400` is sixty
    days, more than most partitions allow, and the job is refused or waits for ever, and `--time=48` ends a
    training of several nodes before it has begun.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --time=48:00  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --time=48:00:00
    srun hostname
    ```

    A time on the line of srun, salloc or sbatch is read in the same way:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    sbatch --time=24:00 train.sbatch  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    sbatch --time=24:00:00 train.sbatch
    ```

    ## What it can't know
    What was meant.  Only numbers that are round as hours (24, 48, 72 ...), or as seconds, are reported; a
    plain one such as `--time=48` only where the job has GPUs of several nodes, with less confidence, or where
    the comment behind it speaks of hours.

    ## References
    - sbatch(1), `--time`; Slurm's src/common/parse_time.c
    - https://github.com/aidenlab/juicer/issues/393
    """

    code = "SB203"
    name = "time-suspicious"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        for request in job.request.components:
            for name, limit in (("time", request.time_limit), ("time-min", request.time_min)):
                use = request.get(name)
                if limit is None or use is None or use.value_span is None or limit.minutes is None:
                    continue
                given = _Given(name, use.value or "", use.value_span)
                found = self._look(given, limit.form, limit.minutes)
                if found is None and limit.form == "M" and limit.minutes in _ROUND_HOURS:
                    found = self._plain(job, request, use)
                if found is not None:
                    yield found
        yield from self._on_lines(job)

    def _on_lines(self, job: Job) -> Iterator[Finding]:
        """Times on the lines of srun, salloc and sbatch."""
        for one in line_values(job):
            meanings = readings(one.long, one.value) if one.long in ("time", "time-min") else ()
            limit = meanings[0] if len(meanings) == 1 else None
            if not isinstance(limit, Duration) or limit.minutes is None:
                continue
            found = self._look(_Given(one.long, one.value, one.span, one.known), limit.form, limit.minutes)
            if found is not None:
                yield found

    def _plain(self, job: Job, request: JobRequest, use: OptionUse) -> Finding | None:
        """A plain number that would be a usual number of hours."""
        comment = _comment_behind(job, use)
        nodes = request.nodes
        said = _HOURS.search(comment) is not None
        if _MINUTES.search(comment) or not (
            said or (nodes is not None and nodes.value > 1 and _has_gpus(request))
        ):
            return None
        assert use.value_span is not None
        return self.finding(
            use.value_span,
            f"--{use.spec.long}={use.value} is {use.value} minutes, not {use.value} hours",
            label="minutes",
            help=f"write {use.value}:00:00 for hours, or 0:{use.value}:00 to be clear",
            confidence=Confidence.HIGH if said else Confidence.MEDIUM,
        )

    def _look(self, given: _Given, form: str, minutes: int) -> Finding | None:
        value, written = given.value, f"--{given.long}={given.value}"
        sure = Confidence.HIGH if given.known else Confidence.MEDIUM
        if form == "M:S" and minutes in _ROUND_HOURS and value.endswith((":0", ":00")):
            return self.finding(
                given.span,
                f"{written} is {minutes} minutes, not {minutes} hours",
                label="minutes and seconds",
                help=f"write {minutes}:00:00 for hours, or 0:{minutes}:00 to be clear",
                confidence=sure,
            )
        if form == "M" and value in _ROUND_SECONDS:
            hours = _ROUND_SECONDS[value]
            return self.finding(
                given.span,
                f"{written} is {_days(minutes)}, for a plain number is minutes",
                label="minutes, not seconds",
                help=f"write {hours}:00:00 if seconds were meant",
                confidence=sure,
            )
        if minutes > _LONG:
            return self.finding(
                given.span,
                f"{written} is {_days(minutes)}",
                label="longer than a month",
                help="check the unit: a plain number is minutes, a number before a hyphen is days",
                severity=Severity.INFO,
                confidence=sure,
            )
        return None


def _comment_behind(job: Job, use: OptionUse) -> str:
    """The text of the comment at the end of the option's directive; empty where there is none."""
    if use.span is None:
        return ""
    for line in job.request.directives.lines:
        if line.comment is not None and use.span in line.span:
            return job.source.slice(line.comment)
    return ""


def _has_gpus(request: JobRequest) -> bool:
    gres = request.get("gres")
    return any(request.get(name) for name in _GPUS) or "gpu" in ((gres and gres.value) or "")


def _days(minutes: int) -> str:
    days = minutes / (24 * 60)
    return f"{days:.0f} days" if days == int(days) else f"{days:.1f} days"
