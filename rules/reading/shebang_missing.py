"""SB012 shebang-missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    Span,
    is_template,
    late_directives,
    misspelt_shebang,
    regex,
)

_BEFORE = regex(r"[\ufeff\s]*(?=#!)")
"""What may stand, unseen, before the ``#!`` that was meant to come first."""
_LATER = regex(r"(?:[ \t]*(?:#[^!\n].*|#?)\n)+(?P<whole>(?P<line>#!.*)\n)")
"""Comments, then the line that was meant to come first."""
_OTHER_LANGUAGE = regex(r"\.(?:py|pl|r|jl|lua|c?sh\.in|j2|jinja|tcsh|csh)$", re.IGNORECASE)
_SUBMITTED = regex(r"\.(?:sbatch|slurm)$", re.IGNORECASE)
"""Names of files that are meant for sbatch."""
_FOR_CSH = regex(r"^\s*(?:setenv|set\s+\w+\s*=|foreach\s|endif\b)", re.MULTILINE)


class ShebangMissing(Rule):
    """The script does not begin with `#!`, and sbatch refuses it.

    ## Why
    The first two bytes of a batch script have to be `#!`.  A blank line, a blank, a comment or an invisible
    byte order mark before them is enough for sbatch to say "This does not look like a batch script.  The
    first line must start with #! followed by the path to an interpreter."

    ## Example
    ```sbatch bad
    #SBATCH --nodes=2  # finding here
    #SBATCH --time=00:10:00
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --time=00:10:00
    srun hostname
    ```

    A byte order mark, shown as ␀:

    ```sbatch bad
    ␀#!/bin/bash  # finding here
    #SBATCH --nodes=2
    #SBATCH --time=00:10:00
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --time=00:10:00
    srun hostname
    ```

    One of the two characters is missing:

    ```sbatch bad
    !/bin/bash  # finding here
    #SBATCH --nodes=2
    #SBATCH --time=00:10:00
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --time=00:10:00
    srun hostname
    ```

    ## Fix
    A misspelt `#!` is put right.  What stands before the `#!` goes where it is blank, and the line moves up
    where comments come first.  Where there is none, `#!/bin/bash` becomes the first line, if the rest is
    shell text that can be read and no directive stands behind a command.

    ## What it can't know
    Whether the file is submitted as it is, or put together with another one first.  A file without directives
    is taken for one that is not submitted, unless its name ends in `.sbatch` or `.slurm`.  Files that a
    program fills in first are passed over.

    ## References
    - Slurm's src/sbatch/sbatch.c (`_get_script_buffer`)
    - https://github.com/LambdaLabsML/distributed-training-guide/pull/42
    """

    code = "SB012"
    name = "shebang-missing"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        text = job.source.text
        if text.startswith("#!") or not text.strip() or is_template(job):
            return
        hidden, directives = _BEFORE.match(text), job.request.directives
        first = hidden is not None or bool(misspelt_shebang(text))
        behind = not first and any(late_directives(job))
        meant = directives.lines or (first and directives.late) or _SUBMITTED.search(job.source.path)
        if not meant and not behind:
            return
        yield self.finding(
            job.source.line_span(1),
            "sbatch refuses the script: its first line does not start with #!",
            label=_label(text),
            help="begin the file with #! and the path of an interpreter"
            + (", the directives behind it and before any command" if behind else ""),
            notes=("sbatch: error: This does not look like a batch script",),
            fix=None if behind else _fix(job, hidden.end() if hidden else None),
        )


def _label(text: str) -> str:
    if text.startswith("\ufeff"):
        return "begins with a byte order mark, which cannot be seen"
    if misspelt_shebang(text):
        return "#! is misspelt"
    if not text[0].strip():
        return "begins with a blank" if text[0] in " \t" else "an empty first line"
    return "the first line"


def _fix(job: Job, hidden: int | None) -> Fix | None:
    if hidden:
        return Fix.safe("remove what stands before #!", Edit(Span(0, hidden), ""))
    text = job.source.text
    if misspelt_shebang(text):
        return Fix.safe("write #!", Edit(Span(0, len(misspelt_shebang(text))), "#!"))
    later = _LATER.match(text)
    if later:
        moved = later["line"]
        return Fix.safe(
            f"move {moved} to the top", Edit(Span(0, 0), f"{moved}\n"), Edit(Span(*later.span("whole")), "")
        )
    if job.script.unparsed or _OTHER_LANGUAGE.search(job.source.path) or _FOR_CSH.search(text):
        return None
    start = 1 if text.startswith("\ufeff") else 0
    return Fix.safe("begin with #!/bin/bash", Edit(Span(0, start), "#!/bin/bash\n"))
