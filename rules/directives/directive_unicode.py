"""SB107 directive-unicode."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from sbatchlint.api import (
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    OddKind,
    OddText,
    Related,
    Rule,
    Severity,
    odd_characters,
)

_HELP = {
    OddKind.DASH: "write hyphens",
    OddKind.BLANK: "write an ordinary blank",
    OddKind.UNSEEN: "take it out",
    OddKind.QUOTE: "write a straight quote",
}


class DirectiveUnicode(Rule):
    """A character in a directive looks like one that sbatch knows, but is another.

    ## Why
    Word processors and web pages turn `--` into a long dash, blanks into no-break spaces and quotes into
    curly ones.  None of them means anything to sbatch: a long dash makes the option a stray word ("Invalid
    directive found in batch script"), a no-break space becomes part of the name or the value.

    ## Example
    A no-break space is shown as ␣.

    ```sbatch bad
    #!/bin/bash
    #SBATCH –N 2  # finding here
    #SBATCH ––mem=16G  # finding here
    #SBATCH --partition␣batch  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH -N 2
    #SBATCH --mem=16G
    #SBATCH --partition batch
    srun hostname
    ```

    ## Fix
    The character becomes what it looks like; an invisible one goes.

    ## What it can't know
    Whether an account, a partition or a file really has such a character in its name.  In names and comments,
    and inside quotes, letters and dashes of any kind are left alone.

    ## References
    - Slurm's src/sbatch/opt.c (`get_argument`: C's isspace)
    - https://github.com/UQ-RCC/hpc-docs/pull/1
    - https://github.com/GenomicsAotearoa/metagenomics_summer_school/issues/81
    """

    code = "SB107"
    name = "directive-unicode"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for (line, kind), group in groupby(odd_characters(job), key=lambda odd: (_line(job, odd), odd.kind)):
            odd = list(group)
            codes = [
                f"U+{ord(char):04X}" for one in odd for char in job.source.slice(one.span) if char != "-"
            ]
            refused = any(complaint.line == line for complaint in job.verdict.refusals)
            only_a_name = kind is OddKind.QUOTE and not refused
            yield self.finding(
                odd[0].span,
                f"{kind.value} ({', '.join(dict.fromkeys(codes))}) means nothing to sbatch",
                label="not ASCII",
                related=[Related(other.span, "and here") for other in odd[1:]],
                help=_HELP[kind],
                fix=_fix(odd),
                severity=Severity.WARNING if only_a_name else None,
            )


def _line(job: Job, odd: OddText) -> int:
    return job.source.position(odd.span.start).line


def _fix(odd: list[OddText]) -> Fix | None:
    edits = [Edit(one.span, one.replacement) for one in odd if one.replacement is not None]
    if len(edits) < len(odd):
        return None
    first = edits[0].text
    shown = "what it looks like" if len(edits) > 1 else first if first.strip() else "a blank"
    return Fix.safe("take it out" if not first else f"write {shown} instead", *edits)
