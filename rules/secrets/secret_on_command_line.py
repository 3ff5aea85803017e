"""SB802 secret-on-command-line."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Arg, Finding, Job, Rule, Severity, Span, regex, secrets_in_words

_ADDRESS = regex(r"://[^\s\"']*$")


class SecretOnCommandLine(Rule):
    """The value of a secret variable becomes part of a command line, where others can read it.

    ## Why
    The words of every running command are open to all users of the node (`ps -ef`, `/proc/PID/cmdline`), and
    Slurm keeps the line of each srun in its data base for years (`sacct --format=SubmitLine`).  That holds
    for `--wandb-key="$WANDB_API_KEY"`, `wandb login $WANDB_API_KEY`, `--export=ALL,HF_TOKEN=$HF_TOKEN`,
    `https://$TOKEN@github.com/...`, and for a variable between the double quotes of `bash -c "..."`.  The
    environment is not open to others: programs that need the secret find it there.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun bash -c "wandb login $WANDB_API_KEY && python train.py"  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    : "${WANDB_API_KEY:?export WANDB_API_KEY in the shell that submits this job}"
    srun python train.py
    ```

    ## Fix
    None.  Tasks inherit exported variables, so most of these words can go: W&B reads WANDB_API_KEY, the
    Hugging Face libraries HF_TOKEN, git a credential helper.  For containers name the variable without its
    value: `--container-env=HF_TOKEN`, `docker run -e HF_TOKEN`.

    ## What it can't know
    Whether the nodes hide other users' processes (`hidepid`).  Where they are given to one job alone
    (`--exclusive`) nobody else can look, and what the batch shell starts itself is an info; what stands on
    srun's own line remains in Slurm's record, and an address in the files of git and pip.  Variables are
    judged by their names.

    ## References
    - sacct(1), SubmitLine
    - proc(5), `/proc/pid/cmdline` and `hidepid`
    """

    code = "SB802"
    name = "secret-on-command-line"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        found: dict[Span, tuple[str, str]] = {}
        on_host: set[Span] = set()
        for step in job.plan.steps:
            for name, span in secrets_in_words(step.words):
                found.setdefault(span, (name, "srun"))
        for where, program in job.plan.programs():
            options = tuple(
                option.value_arg or option.arg
                for layer in program.layers
                for option in layer.options
                if option.value is not None
            )
            command = _command(program.words, program.name)
            for name, span in secrets_in_words((*program.words, *options)):
                if where is None and span not in found:
                    on_host.add(span)
                found.setdefault(span, (name, command if where is None or command else "a task"))
        alone = job.request.get("exclusive") is not None
        for span, (name, command) in sorted(found.items()):
            yield self.finding(
                span,
                f"the value of {name} can be read in the command line of {command}",
                label="expanded into a word",
                help=f"leave {name} in the environment, where the program can find it",
                severity=Severity.INFO if alone and span in on_host and not _in_address(job, span) else None,
            )


def _in_address(job: Job, span: Span) -> bool:
    """Tell whether the secret is a part of ``https://TOKEN@host/...``: git and pip keep such."""
    line = job.source.line_around(span.start)
    return _ADDRESS.search(job.source.text, line.start, span.start) is not None


def _command(words: tuple[Arg, ...], name: str | None) -> str:
    first = words[0].value.text if words else None
    return (first or name or "the program").rsplit("/", 1)[-1]
