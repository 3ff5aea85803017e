"""Policies for tests, made without a configuration file or with one."""

from __future__ import annotations

from datetime import date
from typing import Any

from sbatchlint.lint.engine import FileResult, lint_source
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.registry import Registry
from sbatchlint.policy.check import Checked, check
from sbatchlint.policy.load import load_policies
from sbatchlint.policy.models import ExceptionTable, PolicyTable
from sbatchlint.policy.rule import Judgement, Policy, judge
from sbatchlint.source import Source
from sbatchlint.toml.read import parse, validate


def judged(require: str, script: str, component: int = 0, path: str = "job.sh", **options: Any) -> Judgement:
    """Return what a policy with this ``require`` says of *script*."""
    checked = check(require)
    assert isinstance(checked, Checked), checked
    table = PolicyTable(name="tried", require=require, message="wrong")
    job = Job(Source.from_text(script, path), LintOptions(**options))
    return judge(Policy(table, checked, None), job, component)


def verdict(require: str, script: str, **options: Any) -> str:
    """Return whether *require* holds for *script*: yes, no or unknown; with perhaps where that is assumed."""
    found = judged(require, script, **options)
    if found.broken is None:
        return "unknown"
    return {
        (False, True): "yes",
        (True, True): "no",
        (False, False): "perhaps",
        (True, False): "perhaps not",
    }[found.broken, found.sure]


def lint(
    toml: str, script: str, path: str = "job.sh", today: date | None = None, **options: Any
) -> FileResult:
    """Lint *script* with the policies of the configuration *toml*.  Raises TomlError."""
    rules = load(toml, today=today)
    return lint_source(Source.from_text(script, path), Registry(rules).select(), LintOptions(**options))


def load(toml: str, path: str = "sbatchlint.toml", today: date | None = None) -> tuple[Any, ...]:
    """Return the rules of the configuration *toml*.  Raises TomlError."""
    source = Source.from_text(toml, path)
    tables = parse(source)
    policies = [
        (validate(PolicyTable, table, source, ("policy", number)), source, ("policy", number))
        for number, table in enumerate(tables.get("policy", []))
    ]
    exceptions = [
        (validate(ExceptionTable, table, source, ("exception", number)), source, ("exception", number))
        for number, table in enumerate(tables.get("exception", []))
    ]
    return load_policies(policies, exceptions, today=today)
