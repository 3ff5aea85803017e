"""The formats in which findings are shown, and where they go."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import TextIO

from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write
from sbatchlint.report.model import RunReport

FORMATS = ("full", "concise", "json")


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the command line says of formats and places."""

    output_format: str
    statistics: bool
    colour: str


def add_outputs(group: argparse._ArgumentGroup) -> None:
    """Add the options to *group*."""
    group.add_argument("--output-format", choices=FORMATS, default="full", help="default: full")
    group.add_argument(
        "--statistics", action="store_true", help="count by rule instead of listing, as a table or as JSON"
    )
    group.add_argument("--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal")


def read_outputs(read: argparse.Namespace, console: Console) -> Outputs:
    """Return what was read; a complaint to *console* where it makes no sense."""
    return Outputs(read.output_format, read.statistics, read.color)


def show(run_report: RunReport, outputs: Outputs, console: Console, *, stdout_taken: bool) -> None:
    """Write the findings of *run_report*, and its summary for people.

    With *stdout_taken* a fixed script goes to standard output, and findings to standard error.
    """
    from sbatchlint.report.summary import summary

    stream = sys.stderr if stdout_taken else sys.stdout
    write(stream, _rendered(outputs, run_report, stream))
    stream.flush()
    if outputs.output_format != "json":
        console.note(summary(run_report, incomplete=console.failed))


def _rendered(outputs: Outputs, run_report: RunReport, stream: TextIO) -> str:
    """Return the findings in the format asked for; each format's module is loaded when it is needed."""
    as_json = outputs.output_format == "json"
    if outputs.statistics:
        from sbatchlint.report.statistics import json_statistics, statistics

        return json_statistics(run_report) if as_json else statistics(run_report)
    if as_json:
        from sbatchlint.report.json import json_report

        return json_report(run_report)
    style = style_for(stream, outputs.colour)
    if outputs.output_format == "concise":
        from sbatchlint.report.concise import concise

        return concise(run_report, style)
    from sbatchlint.report.full import full

    return full(run_report, style)
