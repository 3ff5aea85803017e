"""SB104 directive-stray-word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile

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
    regex,
    sbatch_option,
    stray_texts,
)

_PARTING = (",", "%", ":", "@")
_MAILS = frozenset("NONE ALL BEGIN END FAIL REQUEUE STAGE_OUT TIME_LIMIT ARRAY_TASKS INVALID_DEPEND".split())
_LISTS = frozenset(
    "mail-type nodelist exclude gres export array partition constraint licenses dependency".split()
)
_FREE_TEXT = frozenset(("job-name", "comment", "extra", "wckey"))
_NOTE = regex(r"\(|//|<-|<=|--?>|;|!|\u2190")
"""How people begin a remark when they forget the #."""
_UNIT = regex(
    r"(?:[kmgt]i?b?|days?|hours?|hrs?|h|min(?:ute)?s?|sec(?:ond)?s?|s|m|d|nodes?|gpus?|cores?|cpus?)\b",
    re.IGNORECASE,
)
_SAFE_IN_QUOTES = regex(r'[^"\\\n]*')


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
    A name or a comment is quoted, a unit joined to its number and a list closed up where Slurm takes the
    result, `--` put before the name of an option, and a `#` before what is an explanation.  Nothing is
    offered where the words could mean something else.

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
    for mend in (_behind_marker, _dashed, _as_note, _joined, _listed, _quoted, _as_sentence):
        found = mend(job, stray)
        if found is not None:
            return found, found.title
    return None, _advice(stray)


def _advice(stray: StrayText) -> str:
    use, word = stray.after, stray.words[0]
    if any(token.value == "--" for token in stray.line.tokens if token.span.end <= stray.span.start):
        return "take out the -- before it, which ends the options"
    if use is None:
        return "write options as --NAME=VALUE, and put # before a remark"
    if "$(" in (use.value or "") or "`" in (use.value or ""):
        return "directives are not expanded: give the option on sbatch's command line"
    if use.spec.value in ("duration", "duration_min"):
        return "write a time as D-HH:MM:SS, HH:MM:SS or a number of minutes"
    if use.spec.long in _LISTS and not word.startswith("("):
        return "part the items by commas, without blanks"
    return "quote a value that holds blanks, or put # before a remark"


def _behind_marker(job: Job, stray: StrayText) -> Fix | None:
    """``#SBATCHX --nodes=2`` and ``#SBATCH: --nodes=2``."""
    glued = stray.span.start == stray.line.span.start + len(stray.line.prefix)
    if not glued or not stray.follows or not stray.words[0].isalnum() or len(stray.words) < 2:
        return None
    return Fix.safe(f"take out {stray.words[0]}", Edit(stray.problem.span, ""))


def _dashed(job: Job, stray: StrayText) -> Fix | None:
    """``#SBATCH nodes=2`` and ``#SBATCH -- nodes=2``."""
    first = stray.line.tokens[0]
    name, equals, value = stray.words[0].partition("=")
    start = stray.span.start
    if stray.words[0] in ("-", "--") and len(stray.words) > 1:
        name, equals, value = stray.words[1].partition("=")
    elif first.value != "--" and first.span.start != start:
        return None
    spec = sbatch_option(job, name)
    if spec is None or not equals or not job.takes(spec, value):
        return None
    end = job.source.text.find(f"{name}=", start, stray.span.end)
    if end < 0 or job.source.text[first.span.start : end].strip("- \t"):
        return None
    return Fix.safe(f"write --{name}={value}", Edit(Span(first.span.start, end), "--"))


def _listed(job: Job, stray: StrayText) -> Fix | None:
    """``--mail-type=END, FAIL`` and ``--array=1-9 % 2``: blanks around what parts a list."""
    use = stray.after
    if use is None or use.span is None or not use.value or use.spec.long in _FREE_TEXT:
        return None
    own = [word for word in stray.words if not word.startswith("-")]
    if stray.words[: len(own)] != tuple(own):
        return None
    pieces = [use.value, *own]
    between = ["" if a[-1:] in _PARTING or b[:1] in _PARTING else "," for a, b in pairwise(pieces)]
    mails = use.spec.long == "mail-type" and {word.upper().strip(",") for word in pieces} <= _MAILS | {""}
    joined = pieces[0] + "".join(map("".join, zip(between, own, strict=True)))
    written = job.source.text[use.span.end : stray.span.end]
    if not (mails or not any(between)) or not job.takes(use.spec, joined) or {*"'\"\\"} & {*written}:
        return None
    tokens = [token for token in stray.line.tokens if token.span.start >= stray.span.start][: len(own)]
    ends = [use.span.end, *(token.span.end for token in tokens)]
    gaps = [
        Edit(Span(end, token.span.start), comma)
        for end, token, comma in zip(ends, tokens, between, strict=False)
    ]
    return Fix.safe("write the list without blanks", *gaps)


def _as_note(job: Job, stray: StrayText) -> Fix | None:
    return _remark(stray) if _NOTE.match(stray.words[0]) else None


def _as_sentence(job: Job, stray: StrayText) -> Fix | None:
    """``--nodes=2 number of nodes``: the value is a whole number or time, and what follows is prose."""
    use = stray.after
    prose = len(stray.words) > 1 and all(re.fullmatch(r"[A-Za-z][A-Za-z,.'-]*", word) for word in stray.words)
    if (
        use is None
        or not prose
        or _UNIT.match(stray.words[0])
        or not re.fullmatch(r"\d[\w:-]*", use.value or "")
    ):
        return None
    if not job.takes(use.spec, use.value or ""):
        return None
    return _remark(stray)


def _remark(stray: StrayText) -> Fix:
    start = stray.span.start
    return Fix.safe("put # before the remark", Edit(Span(start, start), "# "))


def _joined(job: Job, stray: StrayText) -> Fix | None:
    """``--mem=16 G``."""
    use = stray.after
    if use is None or use.span is None or use.value is None or not stray.follows:
        return None
    joined = use.value + stray.words[0]
    if not use.value[-1:].isdigit() or not _UNIT.fullmatch(stray.words[0]) or not job.takes(use.spec, joined):
        return None
    return Fix.safe(f"write {joined} as one word", Edit(Span(use.span.end, stray.span.start), ""))


def _quoted(job: Job, stray: StrayText) -> Fix | None:
    """``--job-name=Big simulation``."""
    use = stray.after
    if use is None or use.value_span is None or use.spec.long not in _FREE_TEXT:
        return None
    tokens = [token for token in stray.line.tokens if token.span.start >= stray.span.start]
    own = list(takewhile(lambda token: not token.value.startswith("-"), tokens))
    if not all(re.match(r"--?[A-Za-z]", token.value) for token in tokens[len(own) : len(own) + 1]):
        return None
    whole = Span(use.value_span.start, own[-1].span.end)
    text = job.source.slice(whole)
    if not _SAFE_IN_QUOTES.fullmatch(text) or job.source.text[whole.start - 1] in "'\"":
        return None
    return Fix.safe("quote the value", Edit(whole, f'"{text}"'))
