"""SB229 dependency-kill-invalid."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import Arg, Edit, Finding, Fix, Fixable, Job, Rule, Severity, Span, Submission, regex

_DEPENDS = regex(r"(?:--dep[a-z]*=|-d)?(?:.*[,?])?(afterok|aftercorr|afternotok):.*", re.DOTALL)
_KILL = "kill-on-invalid-dep"


class DependencyKillInvalid(Rule):
    """A job that waits for the success of another waits for ever if that fails.

    ## Why
    `afterok` can't come true any more once the job before has failed.  Slurm keeps the waiting job in the
    queue with the reason "DependencyNeverSatisfied" until someone cancels it, unless the site or
    `--kill-on-invalid-dep=yes` says otherwise.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    first=$(sbatch --parsable stage1.sh)
    sbatch --dependency=afterok:$first stage2.sh  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    first=$(sbatch --parsable stage1.sh)
    sbatch --kill-on-invalid-dep=yes --dependency=afterok:$first stage2.sh
    ```

    ## Fix
    The option is added.  It ends a job that would never have started.

    ## What it can't know
    Whether the site has `kill_invalid_depend` in its configuration, or a person watches the queue.

    ## References
    - sbatch(1), `--kill-on-invalid-dep`
    - slurm.conf(5), `kill_invalid_depend`
    """

    code = "SB229"
    name = "dependency-kill-invalid"
    severity = Severity.INFO
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for submission in job.plan.submissions:
            kind = _condition(submission)
            if kind is None or submission.span in seen or _says(submission):
                continue
            seen.add(submission.span)
            yield self.finding(
                submission.span,
                f"the job stays in the queue for ever if {kind} can't come true",
                label=f"waits with {kind}",
                help=f"add --{_KILL}=yes",
                fix=_fix(job, submission),
            )


def _condition(submission: Submission) -> str | None:
    if submission.command != "sbatch":
        return None
    words = [word.value.show() for word in submission.words[1:]]
    for index, word in enumerate(words):
        behind_option = index > 0 and words[index - 1] in ("-d", "--dependency")
        match = _DEPENDS.fullmatch(word) if behind_option or word.startswith(("--dep", "-d")) else None
        if match is not None:
            return match[1]
    return None


def _says(submission: Submission) -> bool:
    """Whether the option is given, or may be in words that are not known."""
    if submission.request is not None and submission.request.get(_KILL) is not None:
        return True
    shown = [(word, word.value.show()) for word in submission.words[1:]]
    return any(text.startswith("--kill") or _may_be_options(word, text) for word, text in shown)


def _may_be_options(word: Arg, text: str) -> bool:
    return word.open and not text.startswith("-") and _DEPENDS.fullmatch(text) is None


def _fix(job: Job, submission: Submission) -> Fix | None:
    if job.source.slice(submission.span) != "sbatch":
        return None
    end = submission.span.end
    return Fix.safe(f"add --{_KILL}=yes", Edit(Span(end, end), f" --{_KILL}=yes"))
