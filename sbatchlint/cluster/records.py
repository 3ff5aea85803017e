"""What a Slurm told of itself, in its own words and not yet judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sbatchlint.regex import regex

Record = dict[str, str]
"""Slurm's keys in lower case, with their values as text."""

_NONE = frozenset({"", "(null)", "n/a", "none", "(null type)"})
_WORD = regex(r'([A-Za-z][\w/:.]{0,80}(?:\[\d{1,9}\])?)\s*=\s*("[^"]*"|\S*)')


@dataclass
class Records:
    """Settings, partitions and nodes, whether from files, from commands or from their saved outputs."""

    settings: Record = field(default_factory=dict)
    partitions: list[Record] = field(default_factory=list)
    nodes: list[Record] = field(default_factory=list)
    node_sets: list[Record] = field(default_factory=list)
    gres: list[Record] = field(default_factory=list)
    """Lines of ``gres.conf``."""
    licenses: dict[str, int] | None = None
    plugins: list[str] = field(default_factory=list)
    """Lines of ``plugstack.conf``."""
    qos: list[Record] | None = None
    accounts: list[str] | None = None
    sbatch_options: list[str] | None = None
    """Options that ``sbatch --help`` says plugins add: ``--foo=`` with a value, ``--bar`` without."""
    from_controller: bool = False
    """Whether slurmctld said it, which fills in every default; a file says what was written."""

    def empty(self) -> bool:
        """Tell whether nothing at all was found."""
        return not (self.settings or self.partitions or self.nodes)


def told(text: str | None) -> str | None:
    """Return a value, or None where Slurm's word for it means that there is none."""
    return None if text is None or text.strip().lower() in _NONE else text.strip()


def listed(text: str | None) -> tuple[str, ...] | None:
    """Return the items of a comma list; None where there is no value."""
    value = told(text)
    return None if value is None else tuple(item.strip() for item in value.split(",") if item.strip())


def pairs(line: str) -> Iterator[tuple[str, str]]:
    """Yield the ``Key=Value`` pairs of one line; a value with blanks stands in quotes."""
    for match in _WORD.finditer(line):
        value = match[2]
        yield match[1].lower(), value[1:-1] if len(value) > 1 and value.startswith('"') else value


def record(line: str) -> Record:
    """Return the pairs of one line as a record; of a key that comes twice the first counts."""
    found: Record = {}
    for key, value in pairs(line):
        found.setdefault(key, value)
    return found
