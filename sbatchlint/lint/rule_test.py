"""Proving that a rule does what its page says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sbatchlint.fix.converge import Converged, converge
from sbatchlint.fix.diff import unified_diff
from sbatchlint.fix.edit import Safety
from sbatchlint.lint.builtin import UNUSED_SUPPRESSION
from sbatchlint.lint.docs import HEADINGS, RuleDoc, as_file, example_options, read_doc
from sbatchlint.lint.engine import FileResult, LintOptions, lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.registry import Registry, RuleSet
from sbatchlint.lint.rule import Fixable, Rule
from sbatchlint.regex import regex
from sbatchlint.source import Source
from sbatchlint.toml.read import TomlError

EXAMPLE_PATH = "example.sbatch"
_FRAME = regex(r'^ +File "(.*)", line (\d+)', re.MULTILINE)


def check_rule_docs(rule: type[Rule], registry: Registry) -> list[str]:
    """Return what is wrong with the documentation of *rule*; nothing if all of it holds.

    Each bad example gives findings of this rule exactly at its marked lines, and none elsewhere; where
    all of them carry a safe fix, fixing gives the good example of the same number, to the letter.  No
    rule of *registry* finds anything in a good example.
    """
    doc = read_doc(rule)
    try:
        doc = replace(doc, bad=tuple(map(as_file, doc.bad)), good=tuple(map(as_file, doc.good)))
        options = example_options(doc)
    except ValueError as error:
        return [f"the examples cannot be read: {error}"]
    except TomlError as error:
        return [f"the cluster profile of the examples, line {_line(error)}: {error}"]
    problems = list(_check_shape(doc))
    everything = registry.select()
    for number, script in enumerate(doc.bad, 1):
        result = lint_source(Source.from_text(script, EXAMPLE_PATH), everything, options)
        found = [
            *_check_bad(rule, doc, number - 1, result),
            *_check_fix(rule, doc, number - 1, result, everything, options),
        ]
        problems += [f"bad example {number}: {problem}" for problem in found]
    for number, script in enumerate(doc.good, 1):
        result = lint_source(Source.from_text(script, EXAMPLE_PATH), everything, options)
        problems += [f"good example {number}: {problem}" for problem in _check_good(result)]
    return problems


def _line(error: TomlError) -> int:
    return error.source.position(error.mistakes[0].span.start).line


def _check_shape(doc: RuleDoc) -> Iterator[str]:
    if not doc.summary:
        yield "no summary on the first line"
    if not doc.why:
        yield "no `## Why`"
    if not doc.bad:
        yield "no bad example (```sbatch bad)"
    if len(doc.good) < max(1, len(doc.bad)):
        yield "fewer good examples (```sbatch good) than bad ones"
    for heading in doc.headings:
        if heading not in HEADINGS:
            yield f"unknown heading {heading!r}; known are {', '.join(HEADINGS)}"


def _broken(result: FileResult) -> Iterator[str]:
    for error in result.internal_errors:
        files = _FRAME.findall(error.traceback)
        place = f" (at {files[-1][0]}:{files[-1][1]})" if files else ""
        yield f"{error.code or 'the engine'} broke: {error.kind}: {error.message}{place}"


def _check_bad(rule: type[Rule], doc: RuleDoc, index: int, result: FileResult) -> Iterator[str]:
    yield from _broken(result)
    own = _own(rule, result)
    expected = doc.expected_lines[index]
    if not expected:
        yield "no line is marked with `# finding here`"
    found = tuple(sorted({result.source.position(finding.span.start).line for finding in own}))
    if found != expected:
        yield f"findings on lines {_list(found)}, marked are lines {_list(expected)}"
    for finding in own:
        if finding.severity.rank < rule.severity.rank:
            yield f"a finding is worse than the rule's severity: {finding.severity.value}"
        if finding.fix is None and rule.fixable is Fixable.ALWAYS:
            yield "a finding has no fix, yet the rule says `always`"
        if finding.fix is not None and rule.fixable is Fixable.NEVER:
            yield "a finding has a fix, yet the rule says `never`"


def _check_fix(
    rule: type[Rule],
    doc: RuleDoc,
    index: int,
    result: FileResult,
    everything: RuleSet,
    options: LintOptions,
) -> Iterator[str]:
    fixes = [finding.fix for finding in _own(rule, result)]
    if not any(fixes):
        return
    unsafe = any(fix is not None and fix.safety is Safety.UNSAFE for fix in fixes)
    converged = _fixed(rule, result.source, everything, unsafe, options)
    yield from (f"fix {dropped.fix.title!r} was refused: {dropped.reason}" for dropped in converged.dropped)
    if not converged.stable:
        yield "fixing never comes to rest"
    if all(fix is not None and fix.safety is Safety.SAFE for fix in fixes) and index < len(doc.good):
        yield from _compare(converged, doc.good[index])


def _fixed(
    rule: type[Rule], source: Source, everything: RuleSet, unsafe: bool, options: LintOptions
) -> Converged[Finding]:
    """Apply the fixes of *rule* alone, under the eyes of all rules."""

    def lint(text: Source) -> list[Finding]:
        found = lint_source(text, everything, options).findings
        return [one if one.code == rule.code else replace(one, fix=None) for one in found]

    return converge(source, lint, unsafe=unsafe, bookkeeping=(UNUSED_SUPPRESSION,))


def _compare(converged: Converged[Finding], good: str) -> Iterator[str]:
    wanted = Source(EXAMPLE_PATH, good)
    diff = "\n".join(unified_diff(wanted, converged.source))
    if diff:
        yield f"fixing does not give the good example:\n{diff}"


def _check_good(result: FileResult) -> Iterator[str]:
    yield from _broken(result)
    for finding in result.findings:
        line = result.source.position(finding.span.start).line
        yield f"{finding.code} on line {line}: {finding.message}"


def _own(rule: type[Rule], result: FileResult) -> list[Finding]:
    return [finding for finding in result.findings if finding.code == rule.code]


def _list(lines: tuple[int, ...]) -> str:
    return ", ".join(map(str, lines)) or "none"
