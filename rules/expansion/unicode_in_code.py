"""SB410 unicode-in-code."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, OddCode, OddKind, Rule, Severity, odd_code

_WHAT = {
    OddKind.DASH: "a long dash does not begin an option: the program takes the word for something else",
    OddKind.BLANK: "a no-break space does not part words: the shell takes it for a letter",
    OddKind.UNSEEN: "an invisible character is part of this word",
    OddKind.QUOTE: "curly quotes quote nothing: they become part of the words",
}
_NOTHING = "this line is not empty: a character that cannot be seen is taken for a command"
_HELP = {
    OddKind.DASH: "write hyphens",
    OddKind.BLANK: "write an ordinary blank",
    OddKind.UNSEEN: "take it out",
    OddKind.QUOTE: "write straight quotes",
}


class UnicodeInCode(Rule):
    r"""A character in a command looks like one that the shell or a program knows, but is another.

    ## Why
    Word processors, web pages and chats turn `--` into a long dash, blanks into no-break spaces and quotes
    into curly ones.  The shell then says "command not found" of a command with an unseen letter in front,
    programs say "unrecognized arguments: –lr", and what should be one word between quotes is several.

    ## Example
    A no-break space is shown as ␣.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    ␣␣module load cuda  # finding here
    srun python train.py –-epochs 3 \  # finding here
        —learning-rate 1e-4 --name “first”  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
      module load cuda
    srun python train.py --epochs 3 \
        --learning-rate 1e-4 --name "first"
    ```

    ## Fix
    The character becomes what it looks like.  A dash before a name of two or three letters may stand for one
    hyphen or two, and is left to you.  Quotes around several words change what the words are, so that
    fix is unsafe.

    ## What it can't know
    Whether a file or an argument really has such a character in its name.  Comments, text between straight
    quotes, here-documents and what `echo` and its like print are prose and left alone, and so are letters of
    any script.  Quotes around one word are a warning, and so is a line that only seems to be empty: bash says
    "command not found" and goes on, unless `set -e` stops it there.  Directives are SB107's.

    ## References
    - bash(1), DEFINITIONS: a blank is a space or a tab
    - https://github.com/UQ-RCC/hpc-docs/pull/1
    """

    code = "SB410"
    name = "unicode-in-code"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for odd in odd_code(job):
            text = job.source.slice(odd.span)
            codes = ", ".join(dict.fromkeys(f"U+{ord(char):04X}" for char in text if _is_odd(char, odd)))
            yield self.finding(
                odd.span,
                _NOTHING if odd.alone else _WHAT[odd.kind],
                label=codes,
                help="take it out" if odd.alone else _HELP[odd.kind],
                fix=_fix(odd),
                severity=Severity.ERROR if odd.sure else Severity.WARNING,
            )


def _is_odd(char: str, odd: OddCode) -> bool:
    return not char.isascii() and (odd.kind is not OddKind.QUOTE or not char.isalpha())


def _fix(odd: OddCode) -> Fix | None:
    if not odd.edits:
        return None
    edits = [Edit(span, text) for span, text in odd.edits]
    make = Fix.safe if odd.safe else Fix.unsafe
    return make(_HELP[odd.kind], *edits)
