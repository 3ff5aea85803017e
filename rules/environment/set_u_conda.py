"""SB605 set-u-conda."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Written,
    mode_set_by,
    regex,
    starts_with,
    written_commands,
)

_PROFILE = regex(r"(?:~|\$HOME|\$\{HOME\})/\.(?:bashrc|bash_profile|profile)|/etc/(?:bashrc|profile)")


class SetUConda(Rule):
    """`set -u` is on while conda activates an environment, or while the shell's start files are read.

    ## Why
    The scripts that packages leave in `etc/conda/activate.d` read variables that are not set, and so do
    `~/.bashrc` and `/etc/bashrc` on many systems.  Under `set -u` the batch shell ends there:
    `activate-binutils_linux-64.sh: line 65: ADDR2LINE: unbound variable`, `PS1: unbound variable`,
    `BASHRCSOURCED: unbound variable`.  The job fails after its first second, when it has waited its turn.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    set -euo pipefail
    source /opt/conda/etc/profile.d/conda.sh
    conda activate train  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    set -euo pipefail
    source /opt/conda/etc/profile.d/conda.sh
    set +u; conda activate train; set -u
    srun python train.py
    ```

    ## Fix
    The option is switched off for the one command.

    ## What it can't know
    What the environment's packages and the start files do.  Recent versions of conda itself are ready for
    `set -u`; compilers, CUDA and GDAL packages often are not.

    ## References
    - [conda issue 8186](https://github.com/conda/conda/issues/8186)
    - bash(1), `set -u`
    """

    code = "SB605"
    name = "set-u-conda"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        strict = starts_with(job, "nounset")
        since: Span | None = None
        found: list[tuple[Written, str]] = []
        for command in written_commands(job):
            state = mode_set_by(command, "nounset")
            if state is not None and not command.place.in_own_shell:
                strict, since = state, command.span if state else since
            what = _reads_unset(job, command) if strict else None
            if what is not None:
                found.append((command, what))
        if found:
            yield self._report(job, found, since)

    def _report(self, job: Job, found: list[tuple[Written, str]], since: Span | None) -> Finding:
        first, what = found[0]
        related = [Related(since, "switched on here")] if since is not None else []
        related += [Related(command.span, f"and {other}") for command, other in found[1:]]
        return self.finding(
            first.span,
            f"a variable that is not set may end the job here: set -u is on for {what}",
            label="reads variables that may not be set",
            related=related,
            help="switch it off for this command: set +u; ...; set -u",
            fix=_fix(job, [command for command, _ in found]),
            confidence=Confidence.MEDIUM,
        )


def _reads_unset(job: Job, command: Written) -> str | None:
    words = command.words
    if command.name in ("conda", "mamba", "micromamba") and words[:1] == ("activate",):
        return f"{command.name} activate"
    if command.name not in ("source", ".") or not command.arguments:
        return None
    first = job.source.slice(command.arguments[0].span).strip("\"'")
    if len(command.arguments) > 1 and (first == "activate" or first.endswith("/bin/activate")):
        return "conda's activate"
    return first if _PROFILE.fullmatch(first) else None


def _fix(job: Job, commands: list[Written]) -> Fix | None:
    """Only for commands that have a line to themselves, where ``;`` joins what belongs together."""
    edits = []
    for command in commands:
        line = job.source.line_around(command.span.start)
        before = job.source.text[line.start : command.span.start]
        behind = job.source.text[command.span.end : line.end]
        if before.strip() or (behind.strip() and not behind.lstrip().startswith("#")):
            return None
        edits.append(Edit(Span(command.span.start, command.span.start), "set +u; "))
        edits.append(Edit(Span(command.span.end, command.span.end), "; set -u"))
    return Fix.safe("switch set -u off for this command", *edits)
