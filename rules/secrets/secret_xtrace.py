"""SB803 secret-xtrace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sbatchlint.api import (
    DECLARING,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Traced,
    is_secret_name,
    is_throw_away,
    printed_secrets,
    regex,
    secret_expansions,
    starts_with,
    traced_commands,
    traced_tasks,
    traces_itself,
)

_ASSIGNS = regex(r"([A-Za-z_]\w*)=(?!\s|$|\"\"|'')")


class SecretXtrace(Rule):
    """`set -x` writes the value of a secret into the job's log.

    ## Why
    With `set -x` bash prints each command after expansion, assignments and tests too:
    `+ HF_TOKEN=hf_...`, `+ CMD='export HF_TOKEN=hf_...'`, `+ [[ -n hf_... ]]`.  The log lies in a project
    folder, is shown to colleagues and pasted into issues.  A check as harmless as `[ -n "$HF_TOKEN" ]` gives
    the token away.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    set -x
    export HF_TOKEN=$(cat ~/.config/hf_token)  # finding here
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    set -x
    { set +x; } 2>/dev/null
    export HF_TOKEN=$(cat ~/.config/hf_token)
    set -x
    srun python train.py
    ```

    A command line that is put together:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    set -ex
    CMD="export HF_TOKEN=$HF_TOKEN; python train.py"  # finding here
    { set +x; } 2>/dev/null
    export CMD
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    set -ex
    { set +x; } 2>/dev/null
    CMD="export HF_TOKEN=$HF_TOKEN; python train.py"
    set -x
    { set +x; } 2>/dev/null
    export CMD
    ```

    The shell of a step's tasks:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun bash -xc 'wandb login "$WANDB_API_KEY"; python train.py'  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun bash -c 'python train.py'
    ```

    ## Fix
    Tracing is switched off for the line; not in the code of a step.

    ## What it can't know
    Whether the variable is set when the script runs.  Variables are judged by their names, and only the
    script's own shell and code that a step's shell is given between single quotes or in a here-document are
    looked at, not the files that `bash -x` is given.  A secret that the script makes up itself (`uuidgen`,
    `openssl rand`) is good for the one job: that is an info.  Of an `echo` that prints a secret SB808 speaks,
    with tracing and without.

    ## References
    - bash(1), `set -x`
    """

    code = "SB803"
    name = "secret-xtrace"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        traced = starts_with(job, "xtrace")
        lines: set[int] = set()
        commands = traced_commands(job) if traces_itself(job) else ()
        expanded = list(secret_expansions(job)) if commands else []
        for command, shown, since in _printed(job, commands, expanded, traced=traced):
            line = job.source.position(command.span.start).line
            if line not in lines and shown not in printed_secrets(job):
                lines.add(line)
                yield self._report(job, command, shown, since)
        for task in traced_tasks(job):
            for command, shown, since in _printed(job, task.commands, task.secrets, traced=task.traced):
                line = job.source.position(command.span.start).line
                if line not in lines:
                    lines.add(line)
                    yield self._in_task(command, shown, since)

    def _in_task(self, command: Traced, shown: tuple[str, Span], since: Span | None) -> Finding:
        certain = not command.place.may_be_skipped
        return self.finding(
            shown[1],
            f"the log will show the value of {shown[0]}: the shell of each task prints its commands",
            label="printed with its value",
            related=[] if since is None else [Related(since, "tracing is switched on here")],
            help="leave tracing off in the code of the step, or switch it on behind this command",
            severity=Severity.ERROR if certain else Severity.WARNING,
        )

    def _report(self, job: Job, command: Traced, shown: tuple[str, Span], since: Span | None) -> Finding:
        name, span = shown
        typed = not job.request.directives.lines and bool(job.plan.submissions)
        on_terminal = f"the value of {name} will be shown on the terminal"
        in_log = f"the log will show the value of {name}"
        return self.finding(
            span,
            f"{on_terminal if typed else in_log}: the shell prints each command",
            label="printed with its value",
            related=[] if since is None else [Related(since, "tracing is switched on here")],
            help="switch tracing off for this command: { set +x; } 2>/dev/null; ...; set -x",
            fix=_fix(job, command),
            severity=_severity(job, command, name, typed=typed),
        )


def _severity(job: Job, command: Traced, name: str, *, typed: bool) -> Severity:
    """What is *typed* is shown to its user alone; a log is read by others too."""
    if is_throw_away(job, name):
        return Severity.INFO
    return Severity.WARNING if typed or command.place.may_be_skipped else Severity.ERROR


def _printed(
    job: Job, commands: Iterable[Traced], expanded: Sequence[tuple[str, Span]], *, traced: bool
) -> Iterator[tuple[Traced, tuple[str, Span], Span | None]]:
    """The commands that are printed with a secret, the secret, and where tracing is switched on."""
    since: Span | None = None
    for command in commands:
        if command.tracing is not None:
            traced, since = command.tracing, command.span if command.tracing else None
        shown = _shown(job, command, expanded) if traced else None
        if shown is not None:
            yield command, shown, since


def _shown(job: Job, command: Traced, expanded: Sequence[tuple[str, Span]]) -> tuple[str, Span] | None:
    """The first secret whose value is printed with the command."""
    assigned = [(name, span) for name, span in command.assigned if is_secret_name(name)]
    if command.name in DECLARING:
        texts = [(_ASSIGNS.match(job.source.slice(span)), span) for span in command.shown]
        assigned += [
            (match[1], span) for match, span in texts if match is not None and is_secret_name(match[1])
        ]
    told = next(((name, span) for name, span in assigned if _has_value(job, span)), None)
    within = ((name, span) for name, span in expanded if any(span in word for word in command.shown))
    return told or next(within, None)


def _has_value(job: Job, assignment: Span) -> bool:
    """Whether the value is worked out, or is a secret that is written there: no text that stands for one."""
    text = job.source.slice(assignment)
    return "$" in text or "`" in text or any(secret.span.overlaps(assignment) for secret in job.secrets)


def _fix(job: Job, command: Traced) -> Fix | None:
    """Only for a command that has whole lines to itself."""
    text = job.source.text
    start = text.rfind("\n", 0, command.span.start) + 1
    end = text.find("\n", command.span.end)
    indent = text[start : command.span.start]
    if end < 0 or indent.strip() or text[command.span.end : end].strip():
        return None
    return Fix.safe(
        "switch tracing off for this command",
        Edit(Span(command.span.start, command.span.start), f"{{ set +x; }} 2>/dev/null\n{indent}"),
        Edit(Span(command.span.end, command.span.end), f"\n{indent}set -x"),
    )
