"""What a rule is about, as a page for people and as data for programs."""

from __future__ import annotations

import textwrap
from typing import Any

from sbatchlint.lint.docs import RuleDoc, read_doc
from sbatchlint.lint.families import family_of
from sbatchlint.lint.rule import Fixable, Rule

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
    head = f"# {rule.name} ({rule.code})\n\n{doc.summary}\n\n{'; '.join(facts)}\n"
    body = textwrap.dedent(body).strip()
    return f"{head}\n{body}\n" if body else head


def rule_data(rule: type[Rule]) -> dict[str, Any]:
    """Return what :func:`rule_page` says in parts, for JSON."""
    doc = read_doc(rule)
    family = family_of(rule.code)
    return {
        "code": rule.code,
        "name": rule.name,
        "family": family.slug if family else None,
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
