"""SB204 mem-format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint_rules.resources._refused import refused_value

from sbatchlint.api import Finding, Fixable, Job, Rule, Severity, bad_values, regex

_AMOUNT = regex(r"(?P<number>\d{1,18}(?:\.\d{1,18})?) ?(?P<unit>[KMGT])(?:iB?|B)?", re.IGNORECASE)
_UNITS = "KMGT"


class MemFormat(Rule):
    """An amount of memory that Slurm can't read.

    ## Why
    Memory is a whole number with K, M, G or T behind it, or none for megabytes.  Fractions and `GiB` are
    refused: "sbatch: error: Invalid --mem specification".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --mem=16GiB  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --mem=16G
    srun hostname
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --mem-per-cpu=1.5G  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --mem-per-cpu=1536M
    srun hostname
    ```

    ## Fix
    The same amount is written as Slurm reads it: its G is 1024 M, as that of `GiB` is.

    ## References
    - sbatch(1), `--mem`; Slurm's src/common/proc_args.c (`str_to_mbytes`)
    """

    code = "SB204"
    name = "mem-format"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint, use in bad_values(job, "memory"):
            yield refused_value(
                self,
                job,
                complaint,
                use,
                label="no amount that Slurm can read",
                help="write a whole number and K, M, G or T",
                meant=_meant(use.value or ""),
            )


def _meant(text: str) -> str | None:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return None
    from fractions import Fraction  # loads slowly, and is seldom needed

    amount, unit = Fraction(match["number"]), match["unit"].upper()
    while amount.denominator != 1 and unit != "K":
        amount, unit = amount * 1024, _UNITS[_UNITS.index(unit) - 1]
    return f"{amount.numerator}{unit}" if amount.denominator == 1 and amount else None
