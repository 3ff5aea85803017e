"""SB606 conda-activate-noninteractive."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Finding,
    Job,
    LayerKind,
    Program,
    Rule,
    Severity,
    Span,
    Step,
    Written,
    regex,
    shebang_words,
    written_commands,
)

_FUNCTION = regex(r"(?m)^[^\S\n]*(?:function\s+)?([^\s()]+)\s*\(\)")
_LOGIN = regex(r"-[A-Za-hjkm-z]*[li][a-zA-Z]*|--login")
_SETS_UP = regex(r"(?:^|[\s;&|(])(?:source|\.|eval|module|ml)\s|\(\)")
_MAY_DEFINE = frozenset("source . eval module ml".split())


class CondaActivateNoninteractive(Rule):
    """`conda activate` is called in a batch shell that does not know it.

    ## Why
    `conda activate` is a shell function that `conda init` writes into `~/.bashrc`; Slurm starts the batch
    script in a shell that reads no start file, and functions of the submitting shell do not come along.  The
    plain `conda` on PATH can only say `CondaError: Run 'conda init' before 'conda activate'` (before:
    `CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'`).  Without
    `set -e` the script goes on with the wrong Python: `ModuleNotFoundError: No module named 'torch'`.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    conda activate prep  # finding here
    srun python prep.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    source "$(conda info --base)/etc/profile.d/conda.sh"
    conda activate prep
    srun python prep.py
    ```

    ## Fix
    None, because it depends on where conda is.  `source "$(conda info --base)/etc/profile.d/conda.sh"` or
    `eval "$(conda shell.bash hook)"` ahead of it, or `#!/bin/bash -l` as the first line, where the login
    files set conda up.

    ## What it can't know
    What a sourced file or a module defines: after the first `source`, `eval` or `module` nothing is said of
    that shell.  The shells of tasks start anew: `srun bash -c 'conda activate ...'` needs the hook inside the
    quotes.

    ## References
    - [conda: managing environments](https://docs.conda.io/projects/conda/en/stable/dev-guide/deep-dives/activation.html)
    - [conda issue 7980](https://github.com/conda/conda/issues/7980)
    """

    code = "SB606"
    name = "conda-activate-noninteractive"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        if "BASH_ENV" in job.source.text or "export -f" in job.source.text:
            return
        yield from self._in_batch_shell(job)
        yield from self._in_tasks(job)

    def _in_batch_shell(self, job: Job) -> Iterator[Finding]:
        if any(_LOGIN.fullmatch(word) for word in shebang_words(job)[1:]):
            return
        functions = _functions(job)
        for command in written_commands(job):
            if command.name is None or command.name in _MAY_DEFINE or command.name in functions:
                return
            if _activates(command):
                certain = not command.place.may_be_skipped
                yield self._report(command.span, f"{command.name} activate", "batch shell", certain)
                return

    def _in_tasks(self, job: Job) -> Iterator[Finding]:
        """Shells inside steps know no function of the batch shell, whatever that has sourced."""
        seen: set[Span] = set()
        for step in job.plan.steps:
            for program in step.programs:
                span = program.span
                if span is None or span in seen or program.name not in ("conda", "mamba"):
                    continue
                first = program.arguments[0].value.text if program.arguments else None
                if first == "activate" and step.container is None and _is_plain_shell(step, program):
                    seen.add(span)
                    yield self._report(span, f"{program.name} activate", "task's shell", False)

    def _report(self, span: Span, what: str, shell: str, certain: bool) -> Finding:
        return self.finding(
            span,
            f"{what} will fail: the {shell} does not know it",
            label="a function that only interactive shells have",
            help='put source "$(conda info --base)/etc/profile.d/conda.sh" before it',
            severity=Severity.ERROR if certain else Severity.WARNING,
        )


def _is_plain_shell(step: Step, program: Program) -> bool:
    """Whether the program's shell got its code on the command line, and nothing in it may set conda up."""
    shells = [layer for layer in program.layers if layer.kind is LayerKind.SHELL]
    if len(program.layers) != 1 or len(shells) != 1 or shells[0].get("c") is None:
        return False
    if shells[0].get("l", "login", "i") is not None:
        return False
    code = [word.text for word in step.words if word.text is not None and "activate" in word.text]
    return len(code) == 1 and _SETS_UP.search(code[0]) is None


def _activates(command: Written) -> bool:
    return command.name in ("conda", "mamba") and command.words[:1] == ("activate",)


def _functions(job: Job) -> frozenset[str]:
    """The functions of the script, which may do anything."""
    return frozenset(_FUNCTION.findall(job.source.text))
