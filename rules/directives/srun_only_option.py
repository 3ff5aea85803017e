"""SB101 srun-only-option."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Argument,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    OptionUse,
    ProblemKind,
    Related,
    RequestProblem,
    Rule,
    Severity,
    as_shell_word,
    move_to_only_srun,
    names_container,
    only_srun,
    pyxis_directives,
    refused_option,
    refused_value,
    remove_options,
    sbatch_takes_pyxis,
)

_MOVABLE = frozenset(
    "accel-bind bcast bcast-exclude compress cpu-bind disable-status epilog exact kill-on-bad-exit label mpi "
    "msg-timeout overlap prolog quit-on-interrupt send-libs slurmd-debug task-epilog task-prolog threads "
    "treewidth unbuffered wait-for-children".split()
)
"""Options that say how a step is started, whatever it starts."""


class SrunOnlyOption(Rule):
    r"""An option that only srun (or salloc) has stands in a directive.

    ## Why
    sbatch, srun and salloc share most options but not all.  How a step is started (`--mpi`, `--cpu-bind`,
    `--label`, `--kill-on-bad-exit`, `--overlap` ...) is srun's business alone, and sbatch refuses a script
    that says it in a directive: "sbatch: unrecognized option '--mpi=pmix'".  The job is never queued.

    Pyxis's container options are a case of their own.  They are srun's, and sbatch takes them only since
    Pyxis 0.12 and only where the site has not switched that off.  Where it takes them, options without an
    image (`--no-container-mount-home` alone) make sbatch print "pyxis: ignoring ..." and only reach the sruns
    that name an image themselves.  On the srun line they mean the same everywhere.  A directive with an image
    is SB503's business, unless sbatch is known to refuse it.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --gpus-per-node=4
    #SBATCH --mpi=pmix  # finding here
    #SBATCH --cpu-bind=cores  # finding here
    #SBATCH --time=01:00:00
    srun python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --gpus-per-node=4
    #SBATCH --time=01:00:00
    srun --mpi=pmix --cpu-bind=cores python train.py
    ```

    An option of Pyxis that belongs to the srun with the image:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    #SBATCH --no-container-mount-home  # finding here
    srun --container-image=/images/train.sqsh --container-mounts=/lustre:/lustre \
      python /lustre/train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --container-image=/images/train.sqsh --container-mounts=/lustre:/lustre --no-container-mount-home \
      python /lustre/train.py
    ```

    ## Fix
    Where the script has exactly one srun, the option moves onto it and the directive goes, but for other
    options and comments on its line.  With several sruns only the author knows which is meant.  Nothing is
    offered for options that ask for more than a way of starting (`--pty`, `--multi-prog`, `--het-group`,
    `--relative` ...) or that srun already has with another value.  Moving an image, where sbatch refuses
    Pyxis's options, is an unsafe fix: the rest of the script runs outside the container.

    ## What it can't know
    Whether sbatch of this site takes Pyxis's options: findings about them are warnings.  Where the profile of
    the cluster says `sbatch-support = false`, each directive with one is an error.

    ## References
    - srun(1) and sbatch(1); the option table in Slurm's src/common/slurm_opt.c
    - NVIDIA/pyxis: config.c (`sbatch_support`), pyxis_alloc.c, args.c (`pyxis_args_enabled`)
    - https://github.com/NVIDIA/pyxis/issues/107
    - https://github.com/chapel-lang/chapel/pull/22090
    """

    code = "SB101"
    name = "srun-only-option"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for problem in () if job.interactive else job.request.problems:
            if problem.kind is ProblemKind.WRONG_COMMAND and problem.spec is not None:
                yield self._refused(job, problem)
        container = pyxis_directives(job)
        if not container:
            return
        takes = sbatch_takes_pyxis(job)
        if takes is False:
            yield self._refused_container(job, container)
        elif not names_container(container):
            yield self._options_without_image(job, container, takes)

    # --- options that sbatch has never had -------------------------------------------------------

    def _refused(self, job: Job, problem: RequestProblem) -> Finding:
        assert problem.spec is not None
        owner = "srun" if "srun" in problem.spec.commands else "salloc"
        long = f"--{problem.spec.long}"
        name, said = long, f"unrecognized option '{problem.text}'"
        if not problem.name.startswith("--"):
            name, said = f"{problem.name} ({long})", f"invalid option -- '{problem.name[1:]}'"
        fix, help = None, f"take it out: only {owner} has it"
        if owner == "srun":
            fix, help = _move(job, problem)
        return self.finding(
            problem.span,
            f"sbatch refuses the script: {name} is an option of {owner}, not of sbatch",
            label=f"sbatch: {said}",
            help=help,
            fix=fix,
        )

    # --- Pyxis's options ---------------------------------------------------------------------------

    def _refused_container(self, job: Job, uses: list[OptionUse]) -> Finding:
        first, *others = uses
        assert first.span is not None
        return self.finding(
            first.span,
            "sbatch refuses the script: unrecognized option; here Pyxis has no support for sbatch",
            label="an option that Pyxis adds to srun alone",
            related=_related(others),
            help="give the container options to srun",
            notes=("the cluster's profile says so: plugins.pyxis has sbatch-support = false",),
            fix=move_to_only_srun(job, uses),
        )

    def _options_without_image(self, job: Job, uses: list[OptionUse], takes: bool | None) -> Finding:
        first, *others = uses
        assert first.span is not None
        used = any(step.container is not None for step in job.plan.steps)
        effect = (
            "it only reaches the sruns that name an image" if used else "it has no effect without an image"
        )
        message = (
            f"sbatch says it ignores --{first.spec.long}: {effect}"
            if takes
            else f"sbatch refuses --{first.spec.long} where Pyxis has no support for sbatch, "
            f"and elsewhere says it ignores it"
        )
        return self.finding(
            first.span,
            message,
            label="an option that Pyxis adds to srun",
            related=_related(others),
            help="give it to the srun that has --container-image",
            notes=() if takes else (f"where sbatch takes it, {effect}",),
            fix=move_to_only_srun(job, uses),
            severity=Severity.WARNING,
        )


def _related(uses: list[OptionUse]) -> list[Related]:
    return [Related(use.span, "belongs to srun as well") for use in uses if use.span is not None]


def _move(job: Job, problem: RequestProblem) -> tuple[Fix | None, str]:
    """The fix that moves one option to the only srun, and the advice that goes with it."""
    assert problem.spec is not None
    written = _written(job, problem)
    advice = f"give {written or problem.name} to srun"
    line = only_srun(job)
    if line is None:
        several = len({step.span for step in job.plan.steps}) > 1
        return None, f"{advice}, on each line that needs it" if several else advice
    removed = _removable(job, problem)
    value = refused_value(job, problem)
    if value is not None and problem.spec.argument("srun") is Argument.NONE:
        return None, f"give --{problem.spec.long}, which takes no value, to srun"
    if written is None or removed is None or problem.spec.long not in _MOVABLE:
        return None, advice
    present = line.get(problem.spec.long)
    if present is None:
        title = f"move {written} to srun"
        edits = (*removed, Edit(line.place, f" {written}"))
        return (Fix.safe if line.complete else Fix.unsafe)(title, *edits), advice
    shown = present.value.text if present.value is not None else ""
    if shown == (value or "") and present.certain:
        return Fix.safe(f"remove {written}, which srun has", *removed), f"remove it: srun has {written}"
    return None, f"remove it: srun has --{problem.spec.long} of its own"


def _removable(job: Job, problem: RequestProblem) -> tuple[Edit, ...] | None:
    """The edits that take the option out of its directive; None where its line is not understood."""
    stray = any(
        other.line == problem.line and other.kind is ProblemKind.STRAY_WORD for other in job.request.problems
    )
    return None if stray or job.request.hetjob else remove_options(job, [problem.span])


def _written(job: Job, problem: RequestProblem) -> str | None:
    """The option as a word for srun's command line; None where it shares a bundle or needs expansion."""
    text = refused_option(job, problem)
    return None if text is None else as_shell_word(text)
