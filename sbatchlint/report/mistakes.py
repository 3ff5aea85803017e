"""What is wrong in a TOML file, shown at its place in the file."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.finding import Severity
from sbatchlint.report.cells import cells, shown
from sbatchlint.report.style import Style
from sbatchlint.toml.read import Mistake, TomlError


def mistakes_text(error: TomlError, style: Style) -> str:
    """Return a picture of each mistake, with the line it stands on, and their line ends."""
    pictures = ("".join(f"{line}\n" for line in _picture(error, one, style)) for one in error.mistakes)
    return "\n".join(pictures)


def _picture(error: TomlError, mistake: Mistake, style: Style) -> Iterator[str]:
    source = error.source
    line, column = source.position(mistake.span.start)
    width = len(str(line))
    row = cells(source.line(line))
    end = min(column - 1 + len(mistake.span), max(len(row), column - 1))
    indent = sum(cell.width for cell in row[: column - 1])
    marked = max(sum(cell.width for cell in row[column - 1 : end]), 1)
    frame = style.frame(f"{'':{width}} |")
    yield f"{style.severity(Severity.ERROR, 'error')}: {shown(mistake.message)}"
    yield f"{'':{width}}{style.frame('-->')} {shown(source.path)}:{line}:{column}"
    yield frame
    yield f"{style.frame(f'{line} |')} {''.join(cell.text for cell in row)}".rstrip()
    yield f"{frame} {' ' * indent}{style.severity(Severity.ERROR, '^' * marked)}"
    if mistake.help:
        yield f"{'':{width}} {style.frame('=')} help: {shown(mistake.help)}"
