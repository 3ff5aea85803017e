"""Rules that look for plain words, so that the tests of the command line need no Slurm knowledge."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Related, Rule, Severity, Span


def places(job: Job, word: str) -> Iterator[Span]:
    for match in re.finditer(rf"\b{word}\b", job.source.text):
        yield Span(*match.span())


class BadWord(Rule):
    """A bad word is used.

    ## Why
    It is bad.

    ## Example
    ```sbatch bad
    #!/bin/bash
    echo BAD  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    echo FINE
    ```

    ## References
    - a dictionary
    """

    code = "TST101"
    name = "bad-word"
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        for span in places(job, "BAD"):
            fix = Fix.safe("write FINE", Edit(span, "FINE"))
            yield self.finding(span, "a bad word is used", label="here", help="write FINE", fix=fix)


class RiskyWord(Rule):
    """A risky word is used."""

    code = "TST102"
    name = "risky-word"
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        for span in places(job, "RISKY"):
            yield self.finding(
                span, "a risky word is used", fix=Fix.unsafe("write DARING", Edit(span, "DARING"))
            )


class HintWord(Rule):
    """A word could be better."""

    code = "TST201"
    name = "hint-word"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        for span in places(job, "HINT"):
            yield self.finding(span, "a word could be better")


class Harmful(Rule):
    """The fix of this rule would break the script."""

    code = "TST301"
    name = "harmful"
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        for span in places(job, "HARM"):
            yield self.finding(span, "harm is done", fix=Fix.safe("open a bracket", Edit(span, "(")))


class CrashWord(Rule):
    """This rule breaks."""

    code = "TST901"
    name = "crash-word"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for span in places(job, "CRASH"):
            line = job.source.line(job.source.position(span.start).line)
            raise RuntimeError(f"fell over {line}")
        yield from ()


class Indiscreet(Rule):
    """This rule does what no rule may: it quotes secrets everywhere."""

    code = "TST801"
    name = "indiscreet"
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        for secret in job.secrets:
            value = job.source.slice(secret.span)
            yield self.finding(
                secret.span,
                f"message {value}",
                label=f"label {value}",
                help=f"help {value}",
                notes=(f"note {value}",),
                related=(Related(secret.span, f"related {value}"),),
                fix=Fix.safe(
                    f"title {value}", Edit(Span(secret.span.start, secret.span.start), value[:0] + "x")
                ),
            )
