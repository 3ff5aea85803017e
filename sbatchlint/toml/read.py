"""Reading a TOML file into a model, and saying what is wrong in it: where, and which name was meant."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import GenericAlias
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Source, Span
from sbatchlint.spelling import nearest
from sbatchlint.toml.keys import kebab
from sbatchlint.toml.places import Path, Place, places

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

ModelT = TypeVar("ModelT", bound="BaseModel")

_SHAPES = {
    "model_type": "a table is wanted here: { key = value }",
    "dict_type": "a table is wanted here: { key = value }",
    "tuple_type": "a list is wanted here: [ ... ]",
    "string_type": "a text in quotes is wanted here",
    "string_too_short": "it is empty; write something or leave the key out",
    "too_short": "the list is empty; write something into it",
    "date_type": "a date without quotes is wanted here: 2027-12-31",
    "date_parsing": "a date without quotes is wanted here: 2027-12-31",
    "date_from_datetime_parsing": "a date without quotes is wanted here: 2027-12-31",
    "date_from_datetime_inexact": "a date without a time of day is wanted here: 2027-12-31",
    "int_type": "a whole number is wanted here",
    "bool_type": "true or false is wanted here",
    "bool_parsing": "true or false is wanted here",
}
"""What pydantic says in its own terms, in words of the file, by pydantic's type of error."""
_A_KEY = "write key = value; a key with other signs than A-Z, 0-9, _ and - needs quotes"
_SYNTAX = (
    ("cannot overwrite a value", "a key may stand once; leave one out"),
    ("twice", "a table may stand once; put its keys together"),
    ("immutable namespace", "what is written as a = { ... } or [ ... ] can't be added to further down"),
    ("invalid character '\\n'", "close the quotes on the same line"),
    ("invalid value", "texts stand in quotes, and true and false are written small"),
    (
        "expected '=' after a key",
        _A_KEY,
    ),
    (
        "initial character for a key",
        _A_KEY,
    ),
    ("invalid statement", "a line is key = value, [table] or # comment"),
    ("after a statement", "each key = value stands on a line of its own"),
    ("unescaped", "write a backslash twice, or the text in single quotes"),
    ("unclosed array", "close it with ]"),
    ("hex value", "write a backslash twice, or the text in single quotes"),
)
"""What to do, by a part of what the parser says."""
_LONG_NUMBER = regex(r"[0-9_]{1000,}")
_MOST = 100
"""Mistakes that are told at once."""
_LONGEST = 60
"""Of a value that is shown as it is written."""
_AT = regex(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong in the file."""

    message: str
    span: Span
    help: str = ""


class TomlError(Exception):
    """A file cannot be used; ``mistakes`` says why, each at its place in ``source``."""

    def __init__(self, source: Source, mistakes: tuple[Mistake, ...]) -> None:
        super().__init__("; ".join(mistake.message for mistake in mistakes))
        self.source = source
        self.mistakes = mistakes


def parse(source: Source) -> dict[str, Any]:
    """Return the tables of *source*.  Raises TomlError where it is no TOML."""
    try:
        return _loads(source.text)
    except RecursionError:
        mistake = Mistake("nested too deep to be read", _deepest(source.text), "write it flatter")
        raise TomlError(source, (mistake,)) from None
    except ValueError as error:
        raise TomlError(source, (_syntax(source, str(error)),)) from None


def _loads(text: str) -> dict[str, Any]:
    """Read TOML by Python's own reader, which is loaded when there is such a file."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def validate(
    model: type[ModelT], data: Any, source: Source, at: Path = (), advice: Mapping[str, str] | None = None
) -> ModelT:
    """Make a *model* of *data*, which stands at the path *at* of *source*.  Raises TomlError.

    *advice* says what to do about keys that the model does not have and that people bring from elsewhere.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(data)
    except ValidationError as error:
        where = _places(source.text)
        details = error.errors(include_url=False)[:_MOST]
        mistakes = [_mistake(model, one, where, at, source) for one in details]
        mistakes = [replace(one, help=_known_from_elsewhere(one, advice or {})) for one in mistakes]
        raise TomlError(source, _one_each(mistakes)) from None


def place_of(source: Source, path: Path) -> Place:
    """Return where *path*, or as much of it as stands in *source*, is written; the top for nothing of it."""
    where = _places(source.text)
    return where.get(_known_part(path, where), _TOP)


@lru_cache(maxsize=32)
def _places(text: str) -> Mapping[Path, Place]:
    """Return the places of *text*: they are asked for once for each value that is wrong or is told of."""
    return places(text)


_TOP = Place(Span(0, 0), Span(0, 0))


def _one_each(mistakes: list[Mistake]) -> tuple[Mistake, ...]:
    """Keep one mistake a place: a value that may be this or that is wrong in two ways, and once inside."""
    kept: dict[Span, Mistake] = {}
    for mistake in mistakes:
        inside = any(other.span != mistake.span and other.span in mistake.span for other in mistakes)
        if not inside:
            kept.setdefault(mistake.span, mistake)
    return tuple(kept[span] for span in sorted(kept))


def _deepest(text: str) -> Span:
    """Return where brackets are opened most often one after the other."""
    runs = re.finditer(r"[\[{](?:[\s\w='\".-]*[\[{])*", text)
    longest = max(runs, key=lambda run: len(run[0]), default=None)
    return Span(0, 0) if longest is None else Span(longest.start(), longest.start() + 1)


def _syntax(source: Source, said: str) -> Mistake:
    long = _LONG_NUMBER.search(source.text)
    if "digits" in said and long is not None:
        return Mistake(
            "this number is too long to be read", Span(*long.span()), "is it meant as a text? quote it"
        )
    match = _AT.search(said)
    if match is None or match[1] is None:
        end = Span(len(source.text), len(source.text))
        return Mistake(f"no valid TOML: {_lower(_AT.sub('', said))}", end, _what_to_do(said))
    line = source.line_span(min(int(match[1]), source.line_count))
    start = min(line.start + int(match[2]) - 1, line.end)
    span = Span(start, min(start + 1, line.end))
    return Mistake(f"no valid TOML: {_lower(said[: match.start()])}", span, _what_to_do(said))


def _what_to_do(said: str) -> str:
    return next((advice for part, advice in _SYNTAX if part in said.lower()), "")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _mistake(
    model: type[BaseModel], details: ErrorDetails, where: Mapping[Path, Place], at: Path, source: Source
) -> Mistake:
    path = _known_part((*at, *details["loc"]), where)
    place = where.get(path, _TOP)
    name = next((str(part) for part in reversed(path) if isinstance(part, str)), "the file")
    if details["type"] == "extra_forbidden":
        known = _keys_at(model, path[len(at) : -1])
        near = nearest(kebab(name), known)
        hint = f"did you mean {near!r}?" if near else f"known here: {', '.join(sorted(known))}"
        return Mistake(f"unknown key {name!r}", place.key, _misplaced(model, path, at) or hint)
    if details["type"] == "missing":
        missing = str(details["loc"][-1])
        return Mistake(f"{missing!r} is missing here", place.key)
    wrong = _wrong_value(name, details, place, source)
    return Mistake(wrong.message, wrong.span, _misplaced(model, path, at) or wrong.help)


def _known_from_elsewhere(mistake: Mistake, advice: Mapping[str, str]) -> str:
    named = (said for key, said in advice.items() if mistake.message == f"unknown key {key!r}")
    return next(named, mistake.help)


def _misplaced(model: type[BaseModel], path: Path, at: Path) -> str:
    """Return what to do with a key of the whole file that has got under the head of a table."""
    *tables, name = path[len(at) :] or ("",)
    if not tables or name not in _keys_at(model, ()) or name in _keys_at_table(model, tuple(tables)):
        return ""
    return f"{name!r} is a key of the whole file: write it above the first [table]"


def _keys_at_table(model: type[BaseModel], path: Path) -> list[str]:
    """Return the keys that may stand in the table at *path*; none for a table of names that are free."""
    keys = _keys_at(model, path)
    return [] if keys == _keys_at(model, ()) else keys


def _as_written(source: Source, place: Place, value: object) -> str:
    """Return *value* as it stands in the file, cut where it is long."""
    text = repr(value) if isinstance(value, str) else source.slice(place.value)
    first = text.split("\n")[0]
    return first if len(first) <= _LONGEST and first == text else f"{first[:_LONGEST]}..."


def _wrong_value(name: str, details: ErrorDetails, place: Place, source: Source) -> Mistake:
    if details["type"] == "literal_error":
        allowed = re.findall(r"'([^']*)'", str(details.get("ctx", {}).get("expected", "")))
        near = nearest(str(details["input"]), allowed, 0.5)
        hint = f"did you mean {near!r}?" if near else f"one of {', '.join(allowed)}"
        said = _as_written(source, place, details["input"])
        return Mistake(f"{name}: {said} is no value for it", place.value, hint)
    error = details.get("ctx", {}).get("error")
    if details["type"] == "tuple_type" and isinstance(details["input"], dict):
        return Mistake(f"{name}: several tables may stand here", place.value, f"write [[{name}]]")
    plain = _SHAPES.get(details["type"]) or _lower(details["msg"])
    message = str(error) if isinstance(error, ValueError) else plain
    return Mistake(f"{name}: {message}", place.value)


def _known_part(path: Path, where: Mapping[Path, Place]) -> Path:
    """Return the part of *path* that stands in the file: pydantic adds names of its types."""
    known: Path = ()
    for part in path:
        known = (*known, part) if (*known, part) in where else known
    return known


def _keys_at(model: type[BaseModel], path: Path) -> list[str]:
    """Return the keys that may stand in the table at *path*."""
    for part in path:
        if isinstance(part, str):
            found = next(
                (field for name, field in model.model_fields.items() if part in (name, field.alias)), None
            )
            inner = _model_in(found.annotation) if found is not None else None
            model = inner or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model somewhere in a type such as ``tuple[Partition, ...] | None``."""
    from pydantic import BaseModel

    generic = isinstance(annotation, GenericAlias)  # Python 3.10 takes `dict[str, int]` for a class
    if isinstance(annotation, type) and not generic and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)
