"""Whatever stands in scripts and in findings, each format tells all of it in a form that its readers take."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from sbatchlint.report.cells import shown
from sbatchlint.report.formats import FORMATS, render, render_statistics
from sbatchlint.report.model import FileReport, RunReport
from sbatchlint.report.style import Style
from tests.report import read_back
from tests.report.hostile import NEVER_SHOWN, ROOT, runs
from tests.report.read_back import Told

READERS: dict[str, Callable[[str], list[Told]]] = {
    "json": read_back.read_json,
    "jsonl": read_back.read_jsonl,
    "sarif": read_back.read_sarif,
    "github": read_back.read_github,
    "gitlab": read_back.read_gitlab,
    "junit": read_back.read_junit,
    "checkstyle": read_back.read_checkstyle,
    "markdown": read_back.read_markdown,
}
OBEYED = re.compile(
    "[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What no output may hold: control characters but the line feed, what turns the writing, half characters."""
HALVES = re.compile("[\ud800-\udfff]")


def expected(run: RunReport, form: str) -> list[Told]:
    """Return what *form* has to tell of *run*, from the findings alone."""
    return [
        Told(
            _path(form, file),
            file.source.text.count("\n", 0, finding.span.start) + 1,
            finding.code,
            finding.severity.value,
            _message(form, finding.message.replace(NEVER_SHOWN, "********")),
        )
        for file, finding in run.findings()
    ]


def _path(form: str, file: FileReport) -> str:
    path = file.source.path
    if form in ("json", "jsonl"):
        return HALVES.sub("\ufffd", path)
    whole = os.path.abspath(path)
    if form == "sarif":
        return whole
    seen = whole.removeprefix(f"{ROOT}/")
    return HALVES.sub("\ufffd", seen) if form == "gitlab" else shown(seen)


def _message(form: str, message: str) -> str:
    return HALVES.sub("\ufffd", message) if form in ("json", "jsonl") else shown(message)


def test_every_format_is_tried() -> None:
    assert [*READERS] == [name for name, form in FORMATS.items() if not form.people]


@pytest.mark.parametrize("form", READERS)
@given(run=runs)
@settings(max_examples=40)
def test_a_report_is_valid_and_whole(form: str, run: RunReport) -> None:
    text = render(form, run)
    check_that_nothing_gets_out(text)
    wanted = expected(run, form)
    told = READERS[form](text)
    if form == "markdown":
        told = [one._replace(message=one.message.replace("\u200b", "").rstrip()) for one in told]
        wanted = [one._replace(message=one.message.replace("\u200b", "").rstrip()) for one in wanted]
    if form == "checkstyle":  # its one text goes on with the label and the help
        told = [
            one._replace(message=one.message[: len(want.message)])
            for one, want in zip(told, wanted, strict=True)
        ]
    assert told == wanted


@given(run=runs)
@settings(max_examples=60)
def test_what_is_grouped_is_whole(run: RunReport) -> None:
    text = render("grouped", run)
    check_that_nothing_gets_out(text)
    assert read_back.read_grouped(text) == [
        (shown(file.source.path), file.source.position(finding.span.start).line, finding.code)
        for file, finding in run.findings()
    ]


def check_that_nothing_gets_out(text: str) -> None:
    """No secret, nothing that a terminal obeys, no half character."""
    assert NEVER_SHOWN not in text
    assert OBEYED.search(text) is None


@given(run=runs)
@settings(max_examples=60)
def test_lines_for_people_are_whole(run: RunReport) -> None:
    told = expected(run, "full")
    for form in ("full", "concise", "grouped"):
        check_that_nothing_gets_out(render(form, run))
    concise = render("concise", run).splitlines()
    grouped = [line for line in render("grouped", run).splitlines() if line.startswith("  ")]
    titles = [line for line in render("full", run).splitlines() if re.match(r"(error|warning|info)\[", line)]
    assert len(told) == len(concise) == len(grouped) == len(titles)
    for one, (file, _), line, row, title in zip(told, run.findings(), concise, grouped, titles, strict=True):
        assert line.startswith(f"{shown(file.source.path)}:{one.line}:")
        assert re.match(rf" +{one.line}:\d+ +{one.code} ", row)
        assert line.endswith(f" {one.message}") and row.endswith(f" {one.message}")
        assert title == f"{one.severity}[{one.code}] {one.message}  (rule-{one.code[2:]})"


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.people])
@given(run=runs)
@settings(max_examples=20)
def test_colour_is_all_that_a_style_adds(form: str, run: RunReport) -> None:
    painted = render(form, run, Style(colour=True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render(form, run)


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_found_is_an_empty_report(form: str) -> None:
    text = render(form, RunReport(()))
    if form in READERS:
        assert READERS[form](text) == []
    else:
        assert text == ""


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.statistics])
def test_there_are_statistics_of_nothing(form: str) -> None:
    assert render_statistics(form, RunReport(())) == ("[]\n" if form == "json" else "")
