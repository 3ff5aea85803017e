"""SB115 directive-in-wrapper."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, JobText, OptionUse, Related, Rule, Severity, Submission, is_small

_SIZES = ("nodes", "gpus", "gres", "gpus-per-node", "gpus-per-task", "ntasks", "ntasks-per-node")


class DirectiveInWrapper(Rule):
    """A script that only submits jobs has directives of its own, and sbatch is given the same options again.

    ## Why
    `sbatch job.sh` reads the directives of `job.sh`, never those of the script that calls it.  Run with
    `bash`, this script's directives are comments, and whoever changes them changes nothing.  Run with sbatch,
    it holds the nodes and GPUs that it asks for and uses them to call sbatch.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4  # finding here
    #SBATCH --gpus-per-node=8
    #SBATCH --time=12:00:00
    for LR in 1e-4 3e-4; do
        sbatch --nodes=4 --gpus-per-node=8 --export=ALL,LR=$LR job.sh
    done
    ```

    ```sbatch good
    #!/bin/bash
    for LR in 1e-4 3e-4; do
        sbatch --nodes=4 --gpus-per-node=8 --export=ALL,LR=$LR job.sh
    done
    ```

    ## What it can't know
    How the script is run.  It is reported only where it starts nothing of its own, calls sbatch with a size
    that a directive gives as well, and the directives ask for more than one task; a small job that
    submits others, or itself again, is an ordinary thing.

    ## References
    - sbatch(1), DESCRIPTION
    """

    code = "SB115"
    name = "directive-in-wrapper"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        plan = job.plan
        if plan.steps or plan.incomplete or job.script.unparsed or not plan.submissions:
            return
        if not all(is_small(program) for program in plan.host_programs):
            return
        if any(one.text is JobText.ITSELF or one.command != "sbatch" for one in plan.submissions):
            return
        doubled = [use for name in _SIZES if (use := _written(job, name)) and _is_large(use)]
        for use in doubled:
            for submission in plan.submissions:
                if _gives(submission, use):
                    yield self._report(use, submission)
                    return

    def _report(self, use: OptionUse, submission: Submission) -> Finding:
        assert use.span is not None
        return self.finding(
            use.span,
            "the jobs that this script submits do not see its directives",
            label="holds for this script alone, which only calls sbatch",
            related=[Related(submission.span, f"is given --{use.spec.long} itself")],
            help="take the directives out, and run the script with bash",
        )


def _written(job: Job, name: str) -> OptionUse | None:
    use = job.request.get(name)
    return use if use is not None and use.span is not None else None


def _is_large(use: OptionUse) -> bool:
    if use.spec.long in ("nodes", "ntasks", "ntasks-per-node"):
        return (use.value or "").isdigit() and (use.value or "").lstrip("0") not in ("", "1")
    return True


def _gives(submission: Submission, use: OptionUse) -> bool:
    names = [f"--{use.spec.long}"]
    if use.spec.short is not None:
        names.append(f"-{use.spec.short}")
    for word in submission.words[1:]:
        text = word.value.show()
        if not text.startswith("-"):
            break
        if text.partition("=")[0] in names or (not text.startswith("--") and text[:2] in names):
            return True
    return False
