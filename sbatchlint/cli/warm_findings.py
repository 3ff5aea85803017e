"""The result of a look at one file as data that JSON can hold, and back."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any

from sbatchlint.fix.edit import Edit, Fix, Safety
from sbatchlint.lint.engine import FileResult
from sbatchlint.lint.finding import Confidence, Finding, Related, Severity
from sbatchlint.lint.scopes import Suppressed
from sbatchlint.lint.suppress import Entry, Suppression, Verb
from sbatchlint.source import Source, Span

_RECORDS: tuple[type[Any], ...] = (Span, Related, Finding, Edit, Fix, Suppressed, Suppression, Entry)
_ENUMS: tuple[type[Enum], ...] = (Severity, Confidence, Safety, Verb)
_BY_NAME = {kind.__name__: kind for kind in (*_RECORDS, *_ENUMS)}
_FIELDS = {kind: tuple(field.name for field in dataclasses.fields(kind)) for kind in _RECORDS}


def written(result: FileResult) -> list[Any] | None:
    """Return *result* as data, without its source; None where something in it is not ours.

    A file with nothing to tell of, as most are, is an empty list.
    """
    parts = [result.findings, result.suppressed, result.hidden, result.known]
    if parts == [(), (), 0, ()]:
        return []
    try:
        return [_written(part) for part in parts]
    except TypeError:
        return None


def read(data: Any, source: Source) -> FileResult | None:
    """Return the result for *source* of which *data* was made; None for data that is something else."""
    if data == []:
        return FileResult(source)
    try:
        findings, suppressed, hidden, known = map(_read, data)
        return FileResult(source, findings, suppressed, (), hidden, known)
    except (TypeError, ValueError, LookupError, AttributeError):
        return None


def _written(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if type(value) is tuple:
        return ["", *map(_written, value)]
    if type(value) in _ENUMS:
        return [type(value).__name__, value.value]
    if type(value) in _FIELDS:
        return [type(value).__name__, *(_written(getattr(value, name)) for name in _FIELDS[type(value)])]
    raise TypeError(type(value).__name__)


def _read(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    name, *parts = value
    if name == "":
        return tuple(map(_read, parts))
    return _BY_NAME[name](*map(_read, parts))
