"""What a rule is about, as a page for people and as data for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from sbatchlint.lint.docs import RuleDoc, read_doc
from sbatchlint.lint.families import POLICY, family_of
from sbatchlint.lint.loading import package_of
from sbatchlint.lint.rule import Fixable, Rule
from sbatchlint.report.cells import shown_text
from sbatchlint.report.mask import without_tokens

_FIX = {
    Fixable.ALWAYS: "its findings can be fixed",
    Fixable.SOMETIMES: "some of its findings can be fixed",
    Fixable.NEVER: "there is no automatic fix",
}


def rule_page(rule: type[Rule]) -> str:
    """Return the page of *rule* as Markdown that reads well in a terminal."""
    doc = read_doc(rule)
    family = family_of(rule.code)
    facts = [rule.severity.value, _FIX[rule.fixable], *([f"family {family.slug}"] if family else [])]
    _, _, body = doc.markdown.partition("\n")
    title = rule.name if rule.name == rule.code else f"{rule.name} ({rule.code})"
    head = f"# {title}\n\n{doc.summary}\n\n{'; '.join(facts)}\n"
    body = textwrap.dedent(body).strip()
    return shown_text(without_tokens(f"{head}\n{body}\n" if body else head))


def rule_list(rules: Iterable[type[Rule]]) -> str:
    """Return a line for each of *rules*, in a table for each family, as Markdown."""
    lines: list[str] = []
    title = ""
    for rule in rules:
        if _chapter(rule) != title:
            title = _chapter(rule)
            lines += [
                "",
                f"## {title}",
                "",
                "| code | name | worst | fix | what is wrong |",
                "|---|---|---|---|---|",
            ]
        summary = read_doc(rule).summary.replace("|", "\\|")
        fix = "" if rule.fixable is Fixable.NEVER else rule.fixable.value
        lines.append(f"| {rule.code} | `{rule.name}` | {rule.severity.value} | {fix} | {summary} |")
    return shown_text("\n".join(lines[1:]) + "\n")


def _chapter(rule: type[Rule]) -> str:
    """Return the title under which *rule* is listed: its family's, or whose it is."""
    family = family_of(rule.code)
    if family is not None:
        return f"{family.title.capitalize()} ({family.slug}, {family.prefix})"
    if rule.group == POLICY:
        return f"Policies ({POLICY})"
    return f"{package_of(rule)} ({rule.code.rstrip('0123456789')})"


def rule_data(rule: type[Rule]) -> dict[str, Any]:
    """Return what :func:`rule_page` says in parts, for JSON."""
    doc = read_doc(rule)
    family = family_of(rule.code)
    return {
        "code": rule.code,
        "name": rule.name,
        "family": family.slug if family else rule.group or None,
        "severity": rule.severity.value,
        "fixable": rule.fixable.value,
        "summary": doc.summary,
        "why": doc.why,
        "bad": _bad_examples(doc),
        "good": list(doc.good),
        "fix": doc.fix,
        "cannot_know": doc.cannot_know,
        "references": list(doc.references),
    }


def _bad_examples(doc: RuleDoc) -> list[dict[str, Any]]:
    return [
        {"script": script, "lines": list(lines)}
        for script, lines in zip(doc.bad, doc.expected_lines, strict=True)
    ]
