"""SB355 signal-delivery."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Job,
    LayerKind,
    OptionUse,
    Related,
    Rule,
    Severity,
    Span,
    Trap,
    is_in_function,
    is_small,
    runs_something_else,
    traps_of,
    waits_for_jobs,
    words_in_code,
    work_at,
)

_HARMLESS = (9, 17, 18, 19, 23)
"""KILL and STOP can't be trapped; CHLD, CONT and URG end nothing."""
_INTERRUPT = 2
"""bash dies of it only where the program that it waits for has died of it too."""
_TERM = 15
_STEP_MAKERS = frozenset(
    "mpirun mpiexec mpiexec.hydra orterun prun horovodrun deepspeed ray submitit dask parsl snakemake".split()
)


class SignalDelivery(Rule):
    """The warning signal of `--signal` does not reach who should act on it.

    ## Why
    `--signal=USR1@90` goes to the job's steps, that is to what srun has started, and not to the batch shell
    nor to a program that the batch shell runs itself: no checkpoint is written and the job is killed at its
    limit.  `--signal=B:USR1@90` goes to the batch shell alone.  Without a `trap` it dies of the signal, and
    the job with it; with one, bash runs the handler only when the command in the foreground has ended, which
    is too late.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    #SBATCH --signal=SIGUSR1@90  # finding here
    python fit.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    #SBATCH --signal=SIGUSR1@90
    srun python fit.py
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --gpus=4
    #SBATCH --signal=B:USR1@300  # finding here
    trap 'touch stop' USR1
    srun python fit.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --gpus=4
    #SBATCH --signal=B:USR1@300
    trap 'touch stop' USR1
    srun python fit.py &
    wait $!
    wait $!
    ```

    ## What it can't know
    What programs make of a signal that they get.  Whether a file that the script sources sets a trap: then
    the confidence is lower.  A trap on a signal that only steps get may be meant for `scancel --batch`.

    ## References
    - sbatch(1), `--signal`; all four cases were tried with Slurm 22.05.8
    - bash(1), SIGNALS: "the trap will not be executed until the command completes"
    - https://github.com/Lightning-AI/pytorch-lightning/issues/6626
    """

    code = "SB355"
    name = "signal-delivery"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        signal, use = job.request.signal, job.request.get("signal")
        if signal is None or use is None or use.span is None or not job.script.body:
            return
        if signal.number in _HARMLESS or job.interactive or job.plan.submissions:
            return
        traps = [trap for trap in traps_of(job) if signal.number in trap.numbers]
        if not signal.batch_shell:
            found = self._to_steps(job, use, use.span, signal.name, traps)
        elif not traps:
            found = self._without_trap(job, use.span, signal.name) if signal.number != _INTERRUPT else None
        else:
            found = self._behind_foreground(job, use.span, signal.name, traps)
        if found is not None:
            yield found

    def _to_steps(
        self, job: Job, use: OptionUse, place: Span, name: str, traps: list[Trap]
    ) -> Finding | None:
        """Look for somebody in a step who gets it."""
        lone = _lone_programs(job)
        if lone:
            return self.finding(
                place,
                f"nobody gets the signal {name}: it goes to steps, and the script starts none",
                related=[Related(span, "runs in the batch shell, without srun") for span in lone],
                help="start the program with srun, or write B: and trap the signal in the script",
            )
        own = [trap for trap in traps if not trap.ignores and not is_in_function(job, trap.span)]
        if not own or job.request.signal is None or job.request.signal.number == _TERM:
            return None  # the batch shell gets TERM at the time limit in any case
        return self.finding(
            place,
            f"the script's own trap never runs: without B: the signal {name} goes to steps alone",
            related=[Related(own[0].span, "this trap")],
            help=f"write --signal=B:{use.value}",
            severity=Severity.WARNING,
        )

    def _without_trap(self, job: Job, place: Span, name: str) -> Finding | None:
        if words_in_code(job, "trap"):
            return None
        unsure = runs_something_else(job)
        return self.finding(
            place,
            f"the signal {name} kills the batch shell, and the job with it: the script does not trap it",
            help=f"trap the signal in the script, or leave B: out if the programs handle {name}",
            severity=Severity.WARNING if unsure else Severity.ERROR,
            confidence=Confidence.MEDIUM if unsure else Confidence.HIGH,
        )

    def _behind_foreground(self, job: Job, place: Span, name: str, traps: list[Trap]) -> Finding | None:
        work = work_at(job, job.script.span)
        if waits_for_jobs(job) or work is None or all(trap.ignores for trap in traps):
            return None
        return self.finding(
            place,
            f"the trap on {name} runs only when the program in the foreground has ended, which is too late",
            related=[Related(traps[0].span, "this trap"), Related(work, "bash waits for this first")],
            help="start the program in the background (&) and `wait` for it",
            severity=Severity.WARNING,
        )


def _lone_programs(job: Job) -> list[Span]:
    """The programs of a script that has no step and can't well have one; none if it may."""
    plan = job.plan
    if plan.steps or plan.incomplete or words_in_code(job, "srun"):
        return []
    programs = [program for program in plan.host_programs if not is_small(program)]
    found: list[Span] = []
    for program in programs:
        names = {layer.name for layer in program.layers} | {program.name or ""}
        kinds = {layer.kind for layer in program.layers}
        if names & _STEP_MAKERS or not kinds & {LayerKind.INTERPRETER, LayerKind.LAUNCHER}:
            return []
        if program.span is not None:
            found.append(program.span)
    return found
