"""How the tables of variables that stand for options are written: ``GRES=gres SEGMENT=segment@25.05``."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.slurm.options import Release, parse_release


def variable_rows(table: str) -> Iterator[tuple[str, str, Release | None]]:
    """Yield each row of *table*: the variable, the option's long name, and the first series that reads it.

    The series is None where every supported one does.
    """
    for row in table.split():
        name, _, rest = row.partition("=")
        option, _, since = rest.partition("@")
        yield name, option, parse_release(since or None)
