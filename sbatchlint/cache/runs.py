"""Whole runs: what one printed, and on which facts that rests."""

from __future__ import annotations

import os
import sys

from sbatchlint import __version__
from sbatchlint.cache.digest import digest_of
from sbatchlint.cache.facts import hold
from sbatchlint.cache.folder import load, save

TYPE_CHECKING = False  # that of typing, which takes longer to load than all this
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sbatchlint.cache.facts import Facts, Question

_COUNTS = frozenset(
    {
        *("HOME", "PATH", "TERM", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "CI", "TZ"),
        *("GITHUB_WORKSPACE", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA"),
        *("CI_PROJECT_DIR", "CI_PROJECT_URL", "CI_COMMIT_SHA"),
    }
)
"""Variables that a run may look at."""
_FAMILIES = (
    *("SBATCH_", "SLURM_", "SLURMD_", "SBATCHLINT_", "LC_", "LANG"),
    *("PYTHON", "_PYTHON", "PYDANTIC_", "PENDULUM_", "CEL_"),  # what the program is made of looks at some
)
"""How the names of others begin."""
_WHOLE = "--use-environment"
"""The option for which all of them may count."""


class Run:
    """What a run gave."""

    def __init__(self, status: int, written: Sequence[tuple[int, bytes]]) -> None:
        """*written* are pieces in their order, each with 1 for standard output and 2 for standard error."""
        self.status = status
        self.written = tuple(written)


def key_of(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return what a run with the command line *words* is called: all that counts for it but the files."""
    whole = _WHOLE in words
    counting = [
        f"{name}={value}"
        for name, value in sorted(environment.items())
        if whole or name in _COUNTS or name.startswith(_FAMILIES)
    ]
    parts = [
        *(__version__, sys.version, sys.prefix, repr(sys.flags), os.getcwd(), str(os.geteuid())),
        *_streams(),
        *(str(len(sys.path)), *sys.path),
        *(str(len(counting)), *counting),
        *words,
    ]
    return f"run-{digest_of(parts)}"


def _streams() -> Iterator[str]:
    for stream in (sys.stdout, sys.stderr):
        size = os.get_terminal_size(stream.fileno()) if stream.isatty() else ""
        yield f"{size} {getattr(stream, 'encoding', '')} {getattr(stream, 'errors', '')}"


def recall(folder: str, key: str) -> Run | None:
    """Return the run called *key* if it would still give the same; None where that is not sure."""
    body = load(folder, key)
    if body is None:
        return None
    try:
        run, facts = _decoded(body)
    except (ValueError, IndexError):
        return None
    return run if hold(facts) else None


def keep(folder: str, key: str, run: Run, facts: Facts) -> str:
    """Keep *run* as *key*; return why it was not kept, which is empty where it was."""
    return save(folder, key, _encoded(run, facts))


def _encoded(run: Run, facts: Facts) -> bytes:
    sizes = "".join(f" {stream}:{len(data)}" for stream, data in run.written)
    written = b"".join(data for _, data in run.written)
    asked = (text for question, answer in facts.items() for text in (*question, answer))
    return b"".join((f"{run.status}{sizes}\n".encode(), written, os.fsencode("\0".join(asked))))


def _decoded(body: bytes) -> tuple[Run, dict[Question, str]]:
    head, _, rest = body.partition(b"\n")
    status, *sizes = head.decode().split(" ")
    written = []
    for size in sizes:
        stream, _, length = size.partition(":")
        written.append((int(stream), rest[: int(length)]))
        rest = rest[int(length) :]
    asked = os.fsdecode(rest).split("\0")
    facts = dict(zip(zip(asked[::3], asked[1::3], strict=True), asked[2::3], strict=True))
    return Run(int(status), tuple(written)), facts
