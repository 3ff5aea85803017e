"""What sbatch refuses about a script as a whole, before it reads a directive."""

from __future__ import annotations

from enum import Enum

from sbatchlint.records import dataclass
from sbatchlint.source import Source, Span


class FileProblemKind(Enum):
    """In the order in which sbatch looks (``_get_script_buffer`` in ``src/sbatch/sbatch.c``)."""

    EMPTY = "empty"
    ONLY_WHITESPACE = "only white space"
    NO_INTERPRETER_LINE = "no #! line"
    NUL_CHARACTER = "NUL character"
    DOS_LINE_ENDS = "DOS line ends"


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Why sbatch refuses the file, and where that is to be seen."""

    kind: FileProblemKind
    span: Span


def file_problem(source: Source) -> FileProblem | None:
    """Return the first reason for which sbatch refuses *source* unread, or None."""
    text = source.text
    if not text:
        return FileProblem(FileProblemKind.EMPTY, Span(0, 0))
    if not text.strip(" \t\n\v\f\r"):
        return FileProblem(FileProblemKind.ONLY_WHITESPACE, Span(0, len(text)))
    if not text.startswith("#!"):
        return FileProblem(FileProblemKind.NO_INTERPRETER_LINE, source.line_span(1))
    if "\0" in text:
        place = text.index("\0")
        return FileProblem(FileProblemKind.NUL_CHARACTER, Span(place, place + 1))
    if source.crlf_lines:
        return FileProblem(FileProblemKind.DOS_LINE_ENDS, source.line_span(min(source.crlf_lines)))
    return None
