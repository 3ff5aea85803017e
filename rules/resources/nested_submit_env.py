"""SB227 nested-submit-env."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from sbatchlint.api import (
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    JobText,
    OptionUse,
    Related,
    Rule,
    Severity,
    Span,
    Submission,
    regex,
)

_MEMORY: Mapping[str, str] = MappingProxyType(
    {"mem": "SLURM_MEM_PER_NODE", "mem-per-cpu": "SLURM_MEM_PER_CPU", "mem-per-gpu": "SLURM_MEM_PER_GPU"}
)
_OPTION = regex(r"--(mem(?:-per-(?:cpu|gpu))?)(?:=.*)?")
_CLEARS = regex(
    r"\bunset\b[^\n]{0,500}\bSLURM_|\benv\s(?:\s*-i\b|[^\n;|&]{0,500}-u\s*SLURM_MEM)|\bcompgen\b|\$\{!SLURM"
)


class NestedSubmitEnv(Rule):
    """A job submits another one, which inherits a variable that contradicts its own memory option.

    ## Why
    `sbatch` hands its environment on, and inside a job that holds what Slurm has set for that job.  The new
    job adds its own: where one asks for memory by CPU and the other by node, srun in the new job finds both
    and stops: "SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually exclusive."

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --mem-per-cpu=4G
    srun python prepare.py
    sbatch --mem=64G train.sh  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --mem-per-cpu=4G
    srun python prepare.py
    env -u SLURM_MEM_PER_CPU sbatch --mem=64G train.sh
    ```

    ## Fix
    The variable is kept from sbatch.

    ## What it can't know
    What the other job asks for where its script is not at hand: then only options on the line count.  Whether
    that job uses srun at all.  Variables that sbatch sets anew (`SLURM_CPUS_PER_TASK`) do no harm and are
    not looked at.

    ## References
    - Slurm's src/common/slurm_opt.c (`_validate_memory_options`), tried with Slurm 22.05.8
    - sbatch(1), `--export`
    """

    code = "SB227"
    name = "nested-submit-env"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        own = _memory_of(job)
        if own is None or _CLEARS.search(job.source.text):
            return
        seen: set[Span] = set()
        for submission in job.plan.submissions:
            other = _asked(submission)
            if other is None or other == own.spec.long or submission.span in seen:
                continue
            if not _inherits(submission) or _needs_no_srun(submission):
                continue
            seen.add(submission.span)
            yield self._report(job, submission, own, other)

    def _report(self, job: Job, submission: Submission, own: OptionUse, other: str) -> Finding:
        variable = _MEMORY[own.spec.long]
        place = submission.span
        fix = None
        if job.source.slice(place) == "sbatch":
            edit = Edit(Span(place.start, place.start), f"env -u {variable} ")
            fix = Fix.safe(f"keep {variable} from sbatch", edit)
        return self.finding(
            place,
            f"srun in the job that is submitted here finds {variable} and {_MEMORY[other]} and stops",
            label=f"the job asks by --{other}, and inherits {variable}",
            related=[Related(own.span, "sets it for this job")] if own.span is not None else (),
            help=f"env -u {variable} sbatch ...",
            fix=fix,
        )


def _memory_of(job: Job) -> OptionUse | None:
    uses = [use for name in _MEMORY if (use := job.request.get(name)) is not None]
    return uses[0] if len(uses) == 1 else None


def _asked(submission: Submission) -> str | None:
    """The memory option of the other job; None for none, and for what is not known."""
    if submission.command != "sbatch" or submission.text is JobText.ITSELF:
        return None
    if submission.request is not None:
        given = [name for name in _MEMORY if submission.request.get(name) is not None]
        return given[0] if len(given) == 1 else None
    found = [_OPTION.fullmatch(word.text or "") for word in submission.words]
    names = [match[1] for match in found if match is not None]
    return names[0] if len(names) == 1 else None


def _inherits(submission: Submission) -> bool:
    if submission.request is not None:
        export = submission.request.get("export")
        return export is None or (export.value or "").upper().startswith("ALL")
    return not any((word.text or "--export").startswith("--export") for word in submission.words[1:])


def _needs_no_srun(submission: Submission) -> bool:
    """Whether its script is known to start nothing with srun, or only with memory options of its own."""
    if submission.plan is None or submission.plan.incomplete:
        return False
    return all(any(step.get(name) for name in _MEMORY) for step in submission.plan.steps)
