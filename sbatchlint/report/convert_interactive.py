"""The lines to be typed for a conversion: ``salloc``, and what follows in the shell that it opens."""

from __future__ import annotations

from sbatchlint.convert.conversion import Conversion
from sbatchlint.convert.quoting import quoted
from sbatchlint.report.convert_script import command_lines, directives_of, start_lines

_NOT_FOR_SALLOC = ("--output=", "--error=")


def interactive_text(made: Conversion) -> str:
    """Return the lines of *made*, which end in a line end."""
    options = [
        f"{name}={quoted(value.strip(chr(34)))}" if value else name
        for name, _, value in (
            one.partition("=") for one in directives_of(made) if not one.startswith(_NOT_FOR_SALLOC)
        )
    ]
    lines = ["salloc \\", *(f"  {option} \\" for option in options[:-1]), f"  {options[-1]}"]
    head = "# In the shell that salloc opens:"
    return "\n".join([*lines, "", head, *start_lines(made), *command_lines(made)]) + "\n"
