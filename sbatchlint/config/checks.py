"""What is wrong in one file and can be said without looking at any other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.config.globs import fault
from sbatchlint.config.sheets import Given, Sheet, Stack, each, elements, table
from sbatchlint.config.values import is_variable, option_name, release_fault

_LISTS_OF_GLOBS = ("include", "exclude", "extend-exclude")
_TABLES_BY_GLOB = ("per-file-ignores", "per-path")


def value_errors(stack: Stack) -> Iterator[Exception]:
    """Yield the mistakes in the files of *stack*, each for itself."""
    sheets = stack.all
    yield from _globs(stack.files)
    for given in each(sheets, "slurm-version"):
        said = release_fault(given.value)
        if said:
            yield given.error(f"slurm-version: {said}")
    for given in elements(sheets, "known-options"):
        if option_name(given.value) is None:
            yield given.error(f"known-options: {given.value!r} is not the name of an option", "write --image")
    for given in each(sheets, "env"):
        for name in given.value:
            if not is_variable(name):
                yield given.part(name).error(f"env: {name!r} can't be the name of a variable", at_key=True)
    for given in elements(sheets, "shared-file-systems"):
        if not given.value.startswith("/"):
            message = f"shared-file-systems: {given.value!r} is no path from the root"
            yield given.error(message, "write where it is mounted: '/scratch'")


def _globs(sheets: Sequence[Sheet]) -> Iterator[Exception]:
    for key in _LISTS_OF_GLOBS:
        for given in elements(sheets, key):
            yield from _glob(given, given.value, negation=key != "include")
    for sheet in sheets:
        for key in _TABLES_BY_GLOB:
            for glob, given in table((sheet,), key).items():
                yield from _glob(given, glob, negation=False)


def _glob(given: Given, glob: str, *, negation: bool) -> Iterator[Exception]:
    said = fault(glob, negation=negation)
    if said:
        message = f"{given.path[0]}: the glob {glob!r} can match nothing"
        yield given.error(message, said, at_key=True)
