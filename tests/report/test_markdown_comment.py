"""The comment on a pull request: never too long, and a link where there is a page to lead to."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from sbatchlint.lint.finding import Severity
from sbatchlint.report.markdown import LIMIT, MARK, markdown
from sbatchlint.report.markdown_text import code_span, markdown_text
from sbatchlint.report.model import FileReport, RunReport, Trouble
from sbatchlint.report.places import Home
from sbatchlint.source import Source, Span
from tests.report.builders import JOB, finding, report, torchrun_finding
from tests.report.read_back import read_markdown


def many(number: int, path: str, severity: Severity, message: str = "a long message " * 10) -> FileReport:
    source = Source.from_text(JOB, path)
    return report(source, [finding(Span(0, 1), message, severity=severity)] * number).files[0]


def test_too_many_findings_the_worst_stay() -> None:
    numbers = {Severity.INFO: 300, Severity.WARNING: 600, Severity.ERROR: 30}
    run = RunReport(tuple(many(number, f"{one.value}.sh", one) for one, number in numbers.items()))
    text = markdown(run)
    told = read_markdown(text)
    assert LIMIT * 0.9 < len(text) < LIMIT
    assert [one.severity for one in told].count("error") == 30
    assert {one.severity for one in told} == {"error", "warning"}
    left = re.search(r"^(\d+) more problems left out", text, re.MULTILINE)
    assert left is not None and int(left[1]) + len(told) == 930


@pytest.mark.parametrize("message", ["*" * 200_000, "\U0001f600" * 40_000, "<" * 70_000])
def test_one_endless_message_fits(message: str) -> None:
    text = markdown(RunReport((many(40, "a.sh", Severity.ERROR, message),)))
    assert len(text.encode("utf-16-le")) // 2 < LIMIT
    assert read_markdown(text)


def test_endless_paths_and_troubles_fit() -> None:
    files = tuple(many(1, f"{number}{'<' * 5_000}.sh", Severity.ERROR, "x") for number in range(200))
    troubles = (Trouble("&" * 5_000, "*" * 5_000),) * 1_000
    text = markdown(RunReport(files, troubles=troubles))
    assert len(text) < LIMIT and "- and 990 more\n" in text


def test_a_line_leads_to_its_page() -> None:
    source = Source.from_text(JOB, "/repo/a b/(x).sh")
    run = report(source, [torchrun_finding(source)])
    text = markdown(RunReport(run.files, home=Home("/repo", "https://host/o/r/blob/abc/")))
    assert "[line 5](<https://host/o/r/blob/abc/a%20b/%28x%29.sh#L5>)" in text
    read_markdown(text, links=True)
    assert "](<" not in markdown(RunReport(run.files, home=Home("/other", "https://host/o/r/blob/abc/")))


def test_a_bot_finds_its_comment_again() -> None:
    assert markdown(RunReport(())) == f"{MARK}\n\n### sbatchlint\n\nNo batch script was checked\\.\n"


@pytest.mark.parametrize("text", ["`", "``", "a`b", "` ` ``` `", " a", "a ", "*x*", "<b>", "\\", "\\`"])
def test_any_text_can_be_code(text: str) -> None:
    (inline,) = [token for token in MarkdownIt().parse(f"x {code_span(text)} y") if token.type == "inline"]
    assert [child.content for child in inline.children or ()] == ["x ", text, " y"]


@pytest.mark.parametrize("text", ["@user", "a@host.org", "#12", "owner/repo#12", "GH-7", "!3", "(@a/x)"])
def test_nobody_is_called_and_nothing_referred_to(text: str) -> None:
    """What GitHub and GitLab look for in the text that is left after rendering, by their documentation."""
    (inline,) = [token for token in MarkdownIt().parse(markdown_text(text)) if token.type == "inline"]
    rendered = "".join(child.content for child in inline.children or ())
    assert rendered.replace("\u200b", "") == text
    assert re.search(r"@\w|[#!]\d|GH-\d", rendered) is None
