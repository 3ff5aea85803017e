"""SB219 output-dir-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Edit,
    FilePattern,
    Finding,
    Fix,
    Fixable,
    Job,
    OptionUse,
    Related,
    Rule,
    Severity,
    Span,
    parse_release,
    regex,
)

_MADE_SINCE = (23, 2)
_NUMBER = regex(r"%\d*[jJA]")
"""What is not known before the job is submitted."""


class OutputDirMissing(Rule):
    """The folder of the job's log is not there when the job starts.

    ## Why
    Before release 23.02 Slurm does not make the folder that `--output` names.  If it is missing on the node,
    the job fails before its first command (JobLaunchFailure, exit code 0:53) and leaves no output at all,
    not even the reason.  `mkdir -p logs` in the script itself comes too late: the script never runs.

    ## Example
    On a cluster with this profile:

    ```toml cluster
    release = "22.05"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --output=logs/%j/run.out  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --output=logs/%j.run.out
    srun hostname
    ```

    ## Fix
    Slashes behind the number become dots.

    ## What it can't know
    The release: without one, or a cluster profile that tells it, nothing is said, for later releases make the
    folder.  And whether somebody makes the folder before the job is submitted: only a folder whose name is
    not known before (`%j`), or that the script itself makes, is reported.

    ## References
    - Slurm's RELEASE_NOTES for 23.02
    """

    code = "SB219"
    name = "output-dir-missing"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        release = parse_release(job.release)
        if release is None or release >= _MADE_SINCE:
            return
        for request in job.request.components:
            for name, pattern in (("output", request.output), ("error", request.error)):
                use = request.get(name)
                if use is not None and pattern is not None and use.value_span is not None:
                    yield from self._look(job, use, pattern)

    def _look(self, job: Job, use: OptionUse, pattern: FilePattern) -> Iterator[Finding]:
        folder, slash, _ = pattern.text.rpartition("/")
        assert use.value_span is not None
        if not slash or pattern.is_null or pattern.literal:
            return
        if _NUMBER.search(folder):
            yield self.finding(
                use.value_span,
                f"the job fails without a word: folder {folder} can't be there before the job has its number",
                label="not made by this release",
                help="put the number into the file's name instead of the folder's",
                fix=_flattened(use),
            )
            return
        made = _made_by_script(job, folder)
        if made is not None:
            yield self.finding(
                use.value_span,
                f"the job fails without a word if {folder} is not there: the script makes it too late",
                label="not made by this release",
                related=[Related(made, "never run in that case")],
                help=f"run `mkdir -p {folder}` before sbatch",
                severity=Severity.WARNING,
            )


def _flattened(use: OptionUse) -> Fix | None:
    """``logs/%j/run.out`` as ``logs/%j.run.out``."""
    value = use.value or ""
    number = _NUMBER.search(value)
    if number is None or use.value_span is None or len(value) != len(use.value_span) or "\\" in value:
        return None
    slashes = [at for at in range(number.end(), len(value)) if value[at] == "/"]
    start = use.value_span.start
    edits = [Edit(Span(start + at, start + at + 1), ".") for at in slashes]
    return Fix.safe(f"write {value[: number.end()] + value[number.end() :].replace('/', '.')}", *edits)


def _made_by_script(job: Job, folder: str) -> Span | None:
    """Where the script's mkdir makes *folder*."""
    for program in job.plan.host_programs:
        words = [word.value.text for word in program.words]
        if words and words[0] == "mkdir" and any(text and text.rstrip("/") == folder for text in words[1:]):
            return program.span
    return None
