"""SB104 directive-stray-word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Argument,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    Span,
    StrayText,
    stray_texts,
)

_FREE_TEXT = frozenset(("job-name", "comment", "extra", "wckey"))
_NOTE = re.compile(r"\(|//|<-|<=|--?>|;|!|\u2190")
"""How people begin a remark when they forget the #."""
_UNIT = re.compile(
    r"(?:[kmgt]i?b?|days?|hours?|hrs?|h|min(?:ute)?s?|sec(?:ond)?s?|s|m|d|nodes?|gpus?|cores?|cpus?)\b",
    re.IGNORECASE,
)
_SAFE_IN_QUOTES = re.compile(r'[^"\\\n]*')


class DirectiveStrayWord(Rule):
    """A word in a directive is no option and no value of one.

    ## Why
    sbatch splits a directive at its blanks, and a word that belongs to no option ends the script's chances:
    "sbatch: error: Invalid directive found in batch script: simulation".  The usual causes are a name with a
    blank in it, an explanation without a `#`, and a unit written apart (`--mem=16 G`).

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --job-name=Big simulation  # finding here
    #SBATCH --ntasks=4           (number of tasks)  # finding here
    #SBATCH --mem=16 G  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --job-name="Big simulation"
    #SBATCH --ntasks=4           # (number of tasks)
    #SBATCH --mem=16G
    srun hostname
    ```

    ## Fix
    A name or a comment is quoted, a unit joined to its number where Slurm takes the result, and a `#` put
    before what is an explanation.  Nothing is offered where the words could mean something else.

    ## What it can't know
    What was meant by a word that fits none of these.

    ## References
    - Slurm's src/sbatch/opt.c (`get_argument`, `_opt_batch_script`)
    - https://github.com/neu-spiral/Discovery-Cluster/issues/14
    """

    code = "SB104"
    name = "directive-stray-word"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for stray in stray_texts(job):
            use = stray.after
            optional = use is not None and use.spec.argument("sbatch") is Argument.OPTIONAL
            if optional and stray.wants_value:
                continue  # SB110 has its say
            fix, help = _mend(job, stray)
            yield self.finding(
                stray.problem.span,
                f"sbatch refuses the script: {stray.problem.text!r} belongs to no option",
                label="a stray word" if len(stray.words) == 1 else "stray words from here on",
                help=help,
                notes=(f"sbatch: error: Invalid directive found in batch script: {stray.problem.text}",),
                fix=fix,
            )


def _mend(job: Job, stray: StrayText) -> tuple[Fix | None, str]:
    """The fix, where it is clear what was meant, and the advice."""
    if any(token.value == "--" for token in stray.line.tokens if token.span.end <= stray.span.start):
        return None, "take out the -- before it, which ends the options"
    for mend in (_as_note, _joined, _quoted, _as_sentence):
        found = mend(job, stray)
        if found is not None:
            return found, found.title
    return None, "quote a value that holds blanks, or put # before a remark"


def _as_note(job: Job, stray: StrayText) -> Fix | None:
    return _remark(stray) if _NOTE.match(stray.words[0]) else None


def _as_sentence(job: Job, stray: StrayText) -> Fix | None:
    """``--nodes=2 number of nodes``: the value is whole, and what follows is prose."""
    use = stray.after
    prose = len(stray.words) > 1 and all(re.fullmatch(r"[A-Za-z][A-Za-z,.'-]*", word) for word in stray.words)
    if use is None or not prose or _UNIT.match(stray.words[0]) or not job.takes(use.spec, use.value or ""):
        return None
    return _remark(stray)


def _remark(stray: StrayText) -> Fix:
    start = stray.span.start
    return Fix.safe("put # before the remark", Edit(Span(start, start), "# "))


def _joined(job: Job, stray: StrayText) -> Fix | None:
    """``--mem=16 G``."""
    use = stray.after
    if use is None or use.span is None or use.value is None or len(stray.words) != 1:
        return None
    joined = use.value + stray.words[0]
    if not use.value[-1:].isdigit() or not _UNIT.fullmatch(stray.words[0]) or not job.takes(use.spec, joined):
        return None
    return Fix.safe(f"write {joined} as one word", Edit(Span(use.span.end, stray.span.start), ""))


def _quoted(job: Job, stray: StrayText) -> Fix | None:
    use = stray.after
    if use is None or use.value_span is None or use.spec.long not in _FREE_TEXT:
        return None
    if any(word.startswith("-") for word in stray.words):
        return None
    whole = Span(use.value_span.start, stray.span.end)
    text = job.source.slice(whole)
    if not _SAFE_IN_QUOTES.fullmatch(text):
        return None
    return Fix.safe("quote the value", Edit(whole, f'"{text}"'))
