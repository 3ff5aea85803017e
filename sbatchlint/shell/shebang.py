"""Which interpreter a script's first line hands it to."""

from __future__ import annotations

from sbatchlint.regex import regex
from sbatchlint.source import Source

_SHEBANG = regex(r"\ufeff?#!\s*(?P<interpreter>\S+)(?P<arguments>[^\n]*)")
POSIX_SHELLS = frozenset(("bash", "sh", "dash", "ash", "ksh", "ksh93", "mksh", "zsh"))


def interpreter_of(source: Source) -> str:
    """Return the interpreter's base name, ``env`` resolved; empty where the first line names none."""
    return interpreter_in(source.text)


def interpreter_in(text: str) -> str:
    """Return the same of a text that stands in no file, or of its first line alone."""
    shebang = _SHEBANG.match(text)
    if shebang is None:
        return ""
    name = shebang["interpreter"].rpartition("/")[2]
    if name == "env":
        words = shebang["arguments"].split()
        program = next((word for word in words if not word.startswith("-") and "=" not in word), name)
        name = program.rpartition("/")[2]
    return name


def is_shell_script(source: Source) -> bool:
    """Tell whether the file's text is to be read as the commands of a POSIX-like shell."""
    return interpreter_of(source) in POSIX_SHELLS | {""}
