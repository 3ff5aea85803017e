"""SB351 srun-export-drops-env."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Arg,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    LayerOption,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    Submission,
    Text,
    Value,
)

_NOTHING = ("NONE", "NIL")


class SrunExportDropsEnv(Rule):
    """`--export` without ALL takes the environment away from a step: PATH and whatever the script exports.

    ## Why
    `srun --export=NCCL_DEBUG=INFO` hands on Slurm's variables and those of the list, and nothing else.
    Without PATH the program is not found: "slurmstepd: error: execve(): python: No such file or directory";
    with a full path it starts without the modules, `LD_LIBRARY_PATH` and everything that the script has
    exported.  As a directive it does so to every srun of the job, which inherits it as `SLURM_EXPORT_ENV`.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --export=NCCL_DEBUG=INFO python train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --export=ALL,NCCL_DEBUG=INFO python train.py
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --export=NONE  # finding here
    export OMP_NUM_THREADS=4
    srun python solve.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=4
    #SBATCH --export=NONE
    unset SLURM_EXPORT_ENV
    export OMP_NUM_THREADS=4
    srun python solve.py
    ```

    ## Fix
    `ALL,` before the list.  Nothing is proposed for `NONE`, which may be meant.

    ## What it can't know
    What the site's own prolog puts into the environment of tasks.  In a container the image brings a PATH
    of its own: a list there may be meant, and is told of with medium confidence.

    ## References
    - srun(1), `--export`, tried with Slurm 22.05.8
    - sbatch(1), `SLURM_EXPORT_ENV`
    """

    code = "SB351"
    name = "srun-export-drops-env"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            for found in self._of_step(job, step):
                if found.span not in seen:
                    seen.add(found.span)
                    yield found
        yield from self._of_job(job)
        for submission in job.plan.submissions:
            for found in self._of_submission(job, submission):
                if found.span not in seen:
                    seen.add(found.span)
                    yield found

    def _of_step(self, job: Job, step: Step) -> Iterator[Finding]:
        uses = [use for use in step.options if use.name == "export"]
        use = uses[-1] if uses else None
        if use is None or use.arg.place is None or not use.certain:
            return
        if len(uses) > 1 and _items(use.value) != _items(uses[-2].value) and uses[-2].arg.place is not None:
            yield self.finding(
                uses[-2].arg.place,
                "this --export has no effect: the later one on the line counts",
                related=[Related(use.arg.place, "this one counts")],
                help="write one list",
                severity=Severity.WARNING,
            )
        names = _items(use.value)
        if names is None or not _drops(names):
            return
        sure = step.container is None and _is_looked_up(job, step)
        nothing = names[0] in _NOTHING
        fix = None if nothing else _fix(job, use, contained=step.container is not None)
        yield self.finding(
            use.arg.place,
            _effect(step, nothing),
            label="there is no ALL in the list",
            related=[] if step.span == use.arg.place else [Related(step.span, "this step")],
            help="begin the list with ALL",
            fix=fix,
            severity=Severity.ERROR if sure and not nothing else Severity.WARNING,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )

    def _of_job(self, job: Job) -> Iterator[Finding]:
        """Look at a directive that every srun inherits."""
        use = job.request.get("export")
        if use is None or use.span is None or "EXPORT_ENV" in job.source.text:
            return
        names = [item.strip() for item in (use.value or "ALL").split(",")]
        steps = [step for step in job.plan.steps if step.effective("export") is None and not step.nested]
        steps = [step for step in steps if step.options_complete and _is_looked_up(job, step)]
        if not _drops(names) or not steps or any(step.container for step in steps):
            return
        yield self.finding(
            use.span,
            f"every srun of the job inherits --export={use.value} and finds no program: it hands on no PATH",
            related=[Related(steps[0].span, "this one")],
            help="`unset SLURM_EXPORT_ENV` at the top of the script, or give srun --export=ALL",
            severity=Severity.WARNING,
        )

    def _of_submission(self, job: Job, submission: Submission) -> Iterator[Finding]:
        """Look at ``sbatch --export=...``, whose job hands the list on to its own steps."""
        found = _list_of(submission)
        if found is None or submission.command != "sbatch":
            return
        word, value = found
        names = _items(value)
        if names is None or not _drops(names) or names[0] in _NOTHING or word.span is None:
            return
        steps = [] if submission.plan is None else list(submission.plan.steps)
        deaf = [step for step in steps if step.effective("export") is None and step.container is None]
        yield self.finding(
            word.span,
            "the job gets these variables and nothing else of the environment, and so do its steps",
            label="there is no ALL in the list",
            help="begin the list with ALL",
            fix=_complete(job, word.span),
            severity=Severity.WARNING,
            confidence=Confidence.HIGH
            if any(_is_looked_up(job, step) for step in deaf)
            else Confidence.MEDIUM,
        )


def _list_of(submission: Submission) -> tuple[Arg, Value] | None:
    """The word that holds the list of ``sbatch --export``, and the list; None where there is none."""
    words = submission.words
    for place, word in enumerate(words):
        text = word.value.show()
        if submission.file is not None and text == submission.file.show():
            return None  # what follows are arguments of the script
        if text == "--export" and place + 1 < len(words):
            return words[place + 1], words[place + 1].value
        first = word.value.segments[0] if word.value.segments else None
        if isinstance(first, Text) and first.text.startswith("--export="):
            rest = Text(first.text.removeprefix("--export="))
            return word, Value((rest, *word.value.segments[1:]))
    return None


def _complete(job: Job, span: Span) -> Fix | None:
    """Put ALL in front of the list in a word that is written out."""
    text = job.source.slice(span)
    head = "--export=" if text.startswith("--export=") else ""
    start = span.start + len(head) + (text[len(head) : len(head) + 1] in ("'", '"'))
    if text[:1] in ("$", "'", '"') and head == "" and "=" not in text:
        return None
    return Fix.safe("hand everything else on as well", Edit(Span(start, start), "ALL,"))


def _items(value: Value | None) -> list[str] | None:
    """The list's items; None where one of them is not known to be a single one."""
    if value is None:
        return None
    shown = ""
    for segment in value.segments:
        if isinstance(segment, Text):
            shown += segment.text
        elif "=" in shown.rpartition(",")[2]:
            shown += "?"  # the value of a variable
        else:
            return None
    return [item.strip().strip("'\"") for item in shown.split(",")]


def _drops(names: list[str]) -> bool:
    """Whether a list hands on neither everything nor a PATH of its own."""
    heads = {name.partition("=")[0] for name in names}
    return bool(names[0]) and not any(head.upper() in ("ALL", "PATH") for head in heads)


def _is_looked_up(job: Job, step: Step) -> bool:
    """Whether the step's command is a bare name, which PATH would have to find."""
    if not step.programs:
        return False
    first = step.programs[0]
    place = first.layers[0].span if first.layers else first.span
    return place is not None and not set("/$") & set(job.source.slice(place))


def _effect(step: Step, nothing: bool) -> str:
    if step.container is not None:
        but = "" if nothing else " but these variables"
        return f"the container gets nothing of what the script exports{but}"
    if nothing:
        return "the step gets no PATH and nothing else of the environment"
    return "the step gets these variables and nothing else of the environment: not even PATH"


def _fix(job: Job, use: LayerOption, *, contained: bool) -> Fix | None:
    first = use.value.segments[0] if use.value is not None and use.value.segments else None
    if not isinstance(first, Text) or first.span is None or job.source.slice(first.span) != first.text:
        return None
    start = first.span.start
    make = Fix.unsafe if contained else Fix.safe
    return make("hand everything else on as well", Edit(Span(start, start), "ALL,"))
