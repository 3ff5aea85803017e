"""SB202 time-format."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint_rules.resources._refused import refused_value

from sbatchlint.api import Finding, Fixable, Job, Rule, Severity, bad_values, regex

_PYTHON = regex(r"(?P<days>\d{1,9}) days?, (?P<hours>\d{1,2}):(?P<rest>\d\d:\d\d)(?:\.\d+)?")
_COLONS = regex(r"(?P<days>\d{1,9}):(?P<hours>[01]?\d|2[0-3]):(?P<rest>[0-5]\d:[0-5]\d)")
_WITH_UNIT = regex(r"(?P<number>\d{1,9}(?:\.\d+)?) ?(?P<unit>[A-Za-z]+)")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_NAMES = {"sec": "s", "second": "s", "min": "m", "minute": "m", "hr": "h", "hour": "h", "day": "d"}


class TimeFormat(Rule):
    """A time that Slurm can't read.

    ## Why
    A time is minutes, `minutes:seconds`, `hours:minutes:seconds`, `days-hours`, `days-hours:minutes` or
    `days-hours:minutes:seconds`; no units, no fractions.  All else is refused: "sbatch: error: Invalid --time
    specification".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=2h  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=02:00:00
    srun hostname
    ```

    What Python makes of a `timedelta`:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time="1 day, 4:00:00"  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time="1-04:00:00"
    srun hostname
    ```

    ## Fix
    Python's way of writing a `timedelta`, and a number with a unit, are written as Slurm reads them.  A
    number with a fraction and no unit is left alone: whether seconds or minutes were meant is not clear.

    ## References
    - sbatch(1), `--time`; Slurm's src/common/parse_time.c
    - https://github.com/equinor/ert/issues/9000
    """

    code = "SB202"
    name = "time-format"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint, use in bad_values(job, "duration", "duration_min"):
            yield refused_value(
                self,
                job,
                complaint,
                use,
                label="no time that Slurm can read",
                help="write D-HH:MM:SS, HH:MM:SS or a number of minutes",
                meant=_meant(use.value or ""),
            )


def _meant(text: str) -> str | None:
    """What *text* is in Slurm's writing; None where that is not clear."""
    python = _PYTHON.fullmatch(text)
    if python:
        return f"{int(python['days'])}-{int(python['hours']):02}:{python['rest']}"
    colons = _COLONS.fullmatch(text)
    if colons:
        return f"{int(colons['days'])}-{int(colons['hours']):02}:{colons['rest']}"
    match = _WITH_UNIT.fullmatch(text)
    if match is None:
        return None
    unit = match["unit"].lower().removesuffix("s") or "s"
    scale = _UNITS.get(_NAMES.get(unit, unit))
    seconds = None if scale is None else float(match["number"]) * scale
    return _clock(int(seconds)) if seconds and seconds == int(seconds) else None


def _clock(seconds: int) -> str:
    days, rest = divmod(seconds, 86400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days}-{clock}" if days else clock
