"""SB107 directive-unicode."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, OddKind, OddText, Rule, Severity, odd_characters

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
        for odd in odd_characters(job):
            codes = ", ".join(f"U+{ord(char):04X}" for char in job.source.slice(odd.span) if char != "-")
            yield self.finding(
                odd.span,
                f"{odd.kind.value} ({codes}) means nothing to sbatch",
                label="not ASCII",
                help=_HELP[odd.kind],
                fix=_fix(odd),
            )


def _fix(odd: OddText) -> Fix | None:
    if odd.replacement is None:
        return None
    shown = {" ": "a blank", "": "nothing"}.get(odd.replacement, odd.replacement)
    return Fix.safe(f"write {shown} instead", Edit(odd.span, odd.replacement))
