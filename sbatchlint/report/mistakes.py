"""What is wrong in a TOML file, shown at its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sbatchlint.lint.finding import Severity
from sbatchlint.report.cells import cells, shown
from sbatchlint.report.style import Style
from sbatchlint.toml.read import Mistake, TomlError

_WIDEST = 160
"""How much of a line is shown, in characters."""
_CUT = 20
"""Characters by which a secret that was cut off is known."""
_BEFORE = 100
"""How much of that may stand before the mistake."""


def without_secrets(error: TomlError) -> TomlError:
    """Return *error* without the secrets that stand in its file: ``env`` of a configuration may hold some."""
    from sbatchlint.config.secret_values import secret_values
    from sbatchlint.report.mask import HIDDEN, Mask
    from sbatchlint.secrets import hidden_values

    values = (*secret_values(error.source), *hidden_values(error.source))
    mask = Mask(error.source, values)
    beginnings = [value[:_CUT] for value in values if len(value) > _CUT]  # of a long value a part is shown
    cut = re.compile("|".join(f"{re.escape(one)}[^\\s'\"]*" for one in beginnings) or "(?!)")

    def hidden(text: str) -> str:
        return cut.sub(HIDDEN, mask.text(text))

    mistakes = (replace(one, message=hidden(one.message), help=hidden(one.help)) for one in error.mistakes)
    return TomlError(mask.source, tuple(mistakes))


def mistakes_text(error: TomlError, style: Style) -> str:
    """Return a picture of each mistake, with the line it stands on, and their line ends."""
    pictures = ("".join(f"{line}\n" for line in _picture(error, one, style)) for one in error.mistakes)
    return "\n".join(pictures)


def _picture(error: TomlError, mistake: Mistake, style: Style) -> Iterator[str]:
    source = error.source
    line, column = source.position(mistake.span.start)
    width = len(str(line))
    first = max(0, column - 1 - _BEFORE)  # of a line that would fill the screen a part is shown
    row = cells(source.line(line))[first : first + _WIDEST]
    start = column - 1 - first
    end = min(start + len(mistake.span), max(len(row), start))
    indent = sum(cell.width for cell in row[:start])
    marked = max(sum(cell.width for cell in row[start:end]), 1)
    frame = style.frame(f"{'':{width}} |")
    yield f"{style.severity(Severity.ERROR, 'error')}: {shown(mistake.message)}"
    yield f"{'':{width}}{style.frame('-->')} {shown(source.path)}:{line}:{column}"
    yield frame
    yield f"{style.frame(f'{line} |')} {''.join(cell.text for cell in row)}".rstrip()
    yield f"{frame} {' ' * indent}{style.severity(Severity.ERROR, '^' * marked)}"
    if mistake.help:
        yield f"{'':{width}} {style.frame('=')} help: {shown(mistake.help)}"
