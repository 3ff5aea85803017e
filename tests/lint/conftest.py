"""Small rules for trying the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Rule, Severity, Span
from sbatchlint.lint import builtin
from sbatchlint.lint.loading import rules_in
from sbatchlint.lint.registry import Registry


class OldProgram(Rule):
    r"""The script starts the old program.

    ## Why
    It is not installed any more.

    ## Example
    ```sbatch bad
    #!/bin/bash
    srun old --verbose \
      --again # finding here
    old é # finding here
    ```

    ```sbatch good
    #!/bin/bash
    srun new --verbose \
      --again
    new é
    ```
    """

    code = "SB301"
    name = "old-program"
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        for match in re.finditer(r"\bold\b(?!-)", job.source.text):
            span = Span(*match.span())
            yield self.finding(span, "old is gone", fix=Fix.safe("start new", Edit(span, "new")))


class NoisyProgram(Rule):
    """The script starts a noisy program."""

    code = "SB401"
    name = "noisy-program"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        for match in re.finditer(r"\bnoisy\b", job.source.text):
            yield self.finding(Span(*match.span()), "too noisy")


class BrokenRule(Rule):
    """Finds one thing, then breaks."""

    code = "SB302"
    name = "broken-rule"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        yield self.finding(Span(0, 2), "found before it broke")
        raise RuntimeError("this rule is broken")


@pytest.fixture
def make_registry() -> Callable[..., Registry]:
    """Give a registry of the engine's rules, two small ones and those asked for."""

    def make(*more: type[Rule]) -> Registry:
        return Registry([*rules_in(builtin), OldProgram, NoisyProgram, *more])

    return make


@pytest.fixture
def registry(make_registry: Callable[..., Registry]) -> Registry:
    return make_registry()


@pytest.fixture
def broken_rule() -> type[Rule]:
    return BrokenRule


@pytest.fixture
def old_program() -> type[Rule]:
    return OldProgram
