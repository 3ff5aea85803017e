"""The formats in which findings are shown, and where they go."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write, write_bytes
from sbatchlint.records import dataclass
from sbatchlint.report.formats import DEFAULT, FORMATS
from sbatchlint.report.model import RunReport, Trouble
from sbatchlint.report.places import Home

_STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """One format and its place."""

    form: str | None = None
    """The name of the format; ``None`` where the command line names none."""
    file: str | None = None
    """The file that it is written to; ``None`` for standard output."""

    @property
    def name(self) -> str:
        """The name of the format, whoever chose it."""
        return self.form or DEFAULT


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the command line says of formats and places."""

    outputs: tuple[Output, ...] = (Output(),)
    statistics: bool = False
    colour: str = "auto"


def add_outputs(group: argparse._ArgumentGroup) -> None:
    """Add the options to *group*."""
    group.add_argument(
        "--output-format",
        choices=list(FORMATS),
        action=_FormatAction,
        default=(),
        dest="outputs",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: {DEFAULT}); repeatable, each but one with a file",
    )
    group.add_argument(
        "--output-file",
        metavar="FILE",
        action=_FileAction,
        dest="outputs",
        help="write the --output-format before it to FILE, not to standard output",
    )
    group.add_argument(
        "--statistics", action="store_true", help="count by rule instead of listing, as a table or as JSON"
    )
    group.add_argument(
        "--color",
        choices=COLOUR_CHOICES,
        default="auto",
        metavar="WHEN",
        help=f"{', '.join(COLOUR_CHOICES)} (default: auto, on a terminal)",
    )


def read_outputs(read: argparse.Namespace, console: Console) -> Outputs:
    """Return what was read; a complaint to *console* where it makes no sense."""
    outputs = Outputs(tuple(read.outputs) or (Output(),), read.statistics, read.color)
    named = {os.path.realpath(path) for path in read.paths if path != "-"}
    _check_places(outputs.outputs, named, console)
    for output in outputs.outputs:
        if outputs.statistics and not FORMATS[output.name].statistics:
            forms = ", ".join(name for name, form in FORMATS.items() if form.statistics)
            console.complain("--statistics", f"there is none in the format {output.name}; use one of {forms}")
        if read.diff and output.file is not None:
            console.complain(
                "--output-file", "--diff shows a patch and writes no report; leave out one of the two"
            )
    return outputs


def with_default_format(outputs: Outputs, form: str) -> Outputs:
    """Return *outputs* with *form*, a name of :data:`FORMATS`, where the command line names no format.

    This is for the configuration's ``output-format``.  A format that has no statistics does not count where
    those are asked for.
    """
    if outputs.statistics and not FORMATS[form].statistics:
        return outputs
    return replace(outputs, outputs=tuple(replace(one, form=one.form or form) for one in outputs.outputs))


def show(run_report: RunReport, outputs: Outputs, console: Console, *, stdout_taken: bool) -> None:
    """Write the findings of *run_report* wherever they are to go, and the summary for people.

    With *stdout_taken* a fixed script goes to standard output, and findings to standard error.  A file that
    cannot be written is complained of, and the others are written all the same.
    """
    from sbatchlint.report.summary import summary

    incomplete = console.failed
    troubles = tuple(Trouble(*trouble) for trouble in console.troubles)
    run = replace(run_report, troubles=troubles, home=home(os.environ))
    printed = [output for output in outputs.outputs if output.file is None]
    for output in outputs.outputs:
        if output.file is not None:
            _save(run, output, output.file, outputs.statistics, console)
    for output in printed:
        _print(run, output, outputs, stdout_taken)
    if all(FORMATS[output.name].people for output in printed):
        console.note(summary(run, incomplete=incomplete))


def home(environment: Mapping[str, str]) -> Home:
    """Return where paths are told from: the project's folder in the CI of GitHub or GitLab, else this one.

    In CI that is the folder that the server compares paths with, whatever folder the step runs in.
    """
    here = os.getcwd()
    for folder, *address in (
        ("GITHUB_WORKSPACE", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "blob", "GITHUB_SHA"),
        ("CI_PROJECT_DIR", "CI_PROJECT_URL", "-", "blob", "CI_COMMIT_SHA"),
    ):
        root = os.path.realpath(environment[folder]) if environment.get(folder) else ""
        if root and Path(here).is_relative_to(root):
            return Home(root, _pages(environment, address))
    return Home(here)


def _pages(environment: Mapping[str, str], address: Sequence[str]) -> str:
    """Return the beginning of the addresses of files; empty where a part of it is not told."""
    parts = [environment.get(part, "") if part.isupper() else part for part in address]
    whole = "/".join(part.strip("/") for part in parts)
    return f"{whole}/" if all(parts) and whole.startswith(("https://", "http://")) else ""


def _print(run: RunReport, output: Output, outputs: Outputs, stdout_taken: bool) -> None:
    stream = sys.stderr if stdout_taken else sys.stdout
    text = _rendered(run, output, outputs.statistics, style_for(stream, outputs.colour))
    if FORMATS[output.name].people:
        write(stream, text)
    else:
        write_bytes(stream, _encoded(text))
    stream.flush()


def _save(run: RunReport, output: Output, file: str, statistics: bool, console: Console) -> None:
    from sbatchlint.cli.saving import save
    from sbatchlint.report.style import PLAIN

    checked = {os.path.realpath(each.source.path) for each in run.files if each.source.path != "-"}
    if os.path.realpath(file) in checked:
        console.complain(file, "not written: it is one of the scripts that were checked")
        return
    try:
        save(file, _encoded(_rendered(run, output, statistics, PLAIN)))
    except OSError as error:
        console.complain(file, f"the report was not written: {_reason(file, error)}")


def _rendered(run: RunReport, output: Output, statistics: bool, style: Any) -> str:
    from sbatchlint.report.formats import render, render_statistics
    from sbatchlint.report.mask import without_tokens

    return without_tokens(
        render_statistics(output.name, run) if statistics else render(output.name, run, style)
    )


def _encoded(text: str) -> bytes:
    """Return *text* as UTF-8; a lone surrogate, which that lacks, becomes an escape."""
    return text.encode("utf-8", "backslashreplace")


def _reason(file: str, error: OSError) -> str:
    folder = os.path.dirname(os.path.realpath(file))
    if os.path.isdir(file):
        return "it is a folder; name a file in it"
    if error.errno == errno.ENOENT and not os.path.isdir(folder):
        return f"there is no folder {folder}; make it first"
    return error.strerror or str(error)


def _check_places(outputs: Sequence[Output], named: set[str], console: Console) -> None:
    """Complain of two formats in one place, and of a report that would replace a script."""
    on_stdout = [output for output in outputs if output.file is None]
    if len(on_stdout) > 1:
        names = " and ".join(output.name for output in on_stdout)
        console.complain(
            "--output-format", f"{names} both go to standard output; give all but one an --output-file"
        )
    taken: set[str] = set()
    for file in (output.file for output in outputs if output.file is not None):
        place = os.path.realpath(file)
        if not file:
            console.complain("--output-file", "it has no name")
        elif place in named:
            console.complain("--output-file", f"{file} is what is to be checked; name another file")
        elif place in taken:
            console.complain("--output-file", f"{file} is named twice; each format needs a file of its own")
        taken.add(place)


class _FormatAction(argparse.Action):
    def __call__(
        self, parser: object, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        namespace.outputs = (*namespace.outputs, Output(values))


class _FileAction(argparse.Action):
    def __call__(
        self, parser: object, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        *others, last = namespace.outputs or (Output(),)
        if last.file is not None:
            raise argparse.ArgumentError(self, "each needs an --output-format of its own before it")
        namespace.outputs = (*others, Output(last.form, None if values == _STDOUT else values))
