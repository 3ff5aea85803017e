"""The output formats by name.  Each is a module of this package, loaded when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from sbatchlint.records import dataclass
from sbatchlint.report.model import RunReport
from sbatchlint.report.style import PLAIN, Style


@dataclass(frozen=True, slots=True)
class Format:
    """One output format."""

    name: str
    function: str
    """What writes it, in the module of the format's name."""
    people: bool = False
    """Whether it is read by people at a terminal: it may have colours then, and a summary belongs to it."""
    statistics: str = ""
    """What writes the counts by rule, in the module ``statistics``; empty where the format has none."""


FORMATS = {
    each.name: each
    for each in (
        Format("full", "full", people=True, statistics="statistics"),
        Format("concise", "concise", people=True, statistics="statistics"),
        Format("grouped", "grouped", people=True, statistics="statistics"),
        Format("json", "json_report", statistics="json_statistics"),
        Format("jsonl", "jsonl", statistics="jsonl_statistics"),
        Format("sarif", "sarif"),
        Format("github", "github"),
        Format("gitlab", "gitlab"),
        Format("junit", "junit"),
        Format("checkstyle", "checkstyle"),
        Format("markdown", "markdown"),
    )
}
"""In the order in which they are told of."""
DEFAULT = "full"


def render(name: str, run: RunReport, style: Style = PLAIN) -> str:
    """Return the findings of *run* in the format called *name*; *style* counts for people's formats alone."""
    form = FORMATS[name]
    function = getattr(import_module(f"sbatchlint.report.{name}"), form.function)
    if form.people:
        return cast(Callable[[RunReport, Style], str], function)(run, style)
    return cast(Callable[[RunReport], str], function)(run)


def render_statistics(name: str, run: RunReport) -> str:
    """Return how often each rule found something, in the format called *name*, which has to have that."""
    function = getattr(import_module("sbatchlint.report.statistics"), FORMATS[name].statistics)
    return cast(Callable[[RunReport], str], function)(run)
