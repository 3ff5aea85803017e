"""A rule's docstring, read as its page and as its tests."""

from __future__ import annotations

import re
import textwrap

from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.rule import Rule
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.secrets.fake import fill_tokens
from sbatchlint.source import Source

MARKER = "# finding here"
"""Ends each line of a bad example at which a finding begins; taken off before the example is linted."""

_MARKED = regex(r"(?<![ \t])[ \t]*" + re.escape(MARKER) + r"[ \t]*$")
_BLOCK = regex(r"^```sbatch (?P<kind>bad|good)\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_PROFILE = regex(r"^```toml cluster\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_ANSWER = regex(r"^```text sbatch\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_MISSING = regex(r"^```text missing\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_HEADING = regex(r"^## (.*[^ \t\n])[ \t]*$", re.MULTILINE)
_ITEM = regex(r"^- (.*(?:\n  .*)*)", re.MULTILINE)

_SIGNS = str.maketrans({"␍": "\r", "␣": "\u00a0", "␠": " ", "␀": "\ufeff"})

HEADINGS = ("Why", "Example", "Fix", "What it can't know", "References")
"""The headings a page may have; a page with others does not pass its test."""


@dataclass(frozen=True, slots=True)
class RuleDoc:
    """What a rule's docstring says."""

    summary: str
    """One line: what is wrong where the rule reports something."""
    why: str
    bad: tuple[str, ...]
    """Scripts with findings, markers taken off."""
    good: tuple[str, ...]
    """Scripts without; the first ones mend the bad ones, in order."""
    expected_lines: tuple[tuple[int, ...], ...]
    """For each bad script the numbers of its marked lines."""
    cluster: str
    """The cluster profile (TOML) that the examples are checked with; empty for none."""
    sbatch_says: str
    """What the cluster's sbatch says of the bad examples; empty where it is not asked."""
    missing: frozenset[str]
    """Paths that are not there when the examples are checked with ``--check-paths``; empty where nobody
    looks."""
    fix: str
    cannot_know: str
    references: tuple[str, ...]
    headings: tuple[str, ...]
    """All headings, as written."""
    markdown: str
    """The whole docstring, dedented."""


def read_doc(rule: type[Rule]) -> RuleDoc:
    """Read the docstring of *rule*; what it lacks is empty."""
    markdown = _dedent(rule.__doc__ or "")
    summary, _, rest = markdown.partition("\n")
    sections = _sections(rest)
    bad: list[str] = []
    good: list[str] = []
    lines: list[tuple[int, ...]] = []
    for block in _BLOCK.finditer(sections.get("Example", "")):
        if block["kind"] == "good":
            good.append(block["text"])
            continue
        script, marked = _unmark(block["text"])
        bad.append(script)
        lines.append(marked)
    profile = _PROFILE.search(sections.get("Example", ""))
    answer = _ANSWER.search(sections.get("Example", ""))
    missing = _MISSING.search(sections.get("Example", ""))
    return RuleDoc(
        summary=summary.strip(),
        why=sections.get("Why", ""),
        bad=tuple(bad),
        good=tuple(good),
        expected_lines=tuple(lines),
        cluster=profile["text"] if profile else "",
        sbatch_says=answer["text"] if answer else "",
        missing=frozenset(missing["text"].split()) if missing else frozenset(),
        fix=sections.get("Fix", ""),
        cannot_know=sections.get("What it can't know", ""),
        references=tuple(
            " ".join(item.group(1).split()) for item in _ITEM.finditer(sections.get("References", ""))
        ),
        headings=tuple(sections),
        markdown=markdown,
    )


def as_file(example: str) -> str:
    """Return an example's text as it would stand in a file.

    A page shows what can't be seen, or must not stand in this project, by signs: ``␍`` is a carriage return,
    ``␣`` a no-break space, ``␠`` a blank at the end of a line, ``␀`` a byte order mark,
    ``{{token:PROVIDER}}`` a made-up token.  Raises ValueError for a provider of which no token format is
    known.
    """
    return fill_tokens(example.translate(_SIGNS))


def example_options(doc: RuleDoc) -> LintOptions:
    """Return what the examples of a page assume.  Raises TomlError for a profile that is none."""
    if doc.sbatch_says:
        from sbatchlint.cluster.asking import Answer

        refused, accepted = Answer(False, doc.sbatch_says), Answer(True, "")
        bad = {as_file(script) for script in doc.bad}
        return LintOptions(ask=lambda source: refused if source.text in bad else accepted)
    if doc.cluster:
        from sbatchlint.cluster.load import read_profile

        return LintOptions(cluster=read_profile(Source.from_text(doc.cluster, "cluster.toml")))
    if doc.missing:
        return LintOptions(look=lambda path: path not in doc.missing)
    return LintOptions()


def _dedent(docstring: str) -> str:
    """Take off the indentation; unlike :func:`inspect.cleandoc`, leave tabs alone: scripts hold them."""
    first, _, rest = docstring.partition("\n")
    return (first.strip() + "\n" + textwrap.dedent(rest)).rstrip() + "\n"


def _sections(text: str) -> dict[str, str]:
    """Part *text* at its headings; a ``##`` inside an example is not one."""
    fenced = [match.span() for match in re.finditer(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)]
    headings = [
        match
        for match in _HEADING.finditer(text)
        if not any(start < match.start() < end for start, end in fenced)
    ]
    ends = [match.start() for match in headings[1:]] + [len(text)]
    return {match.group(1): text[match.end() : end].strip() for match, end in zip(headings, ends)}  # noqa: B905


def _unmark(text: str) -> tuple[str, tuple[int, ...]]:
    lines = text.split("\n")
    marked = tuple(number for number, line in enumerate(lines, 1) if _MARKED.search(line))
    return "\n".join(_MARKED.sub("", line) for line in lines), marked
