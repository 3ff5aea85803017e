"""Reading a TOML file into a model, and saying what is wrong in it: where, and which name was meant."""

from __future__ import annotations

import difflib
import re
import sys
from dataclasses import dataclass
from types import GenericAlias
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from sbatchlint.source import Source, Span
from sbatchlint.toml.places import Path, Place, places

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ModelT = TypeVar("ModelT", bound="BaseModel")

_SHAPES = {
    "model_type": "a table is wanted here: { key = value }",
    "dict_type": "a table is wanted here: { key = value }",
    "tuple_type": "a list is wanted here: [ ... ]",
    "string_type": "a text in quotes is wanted here",
    "int_type": "a whole number is wanted here",
    "bool_type": "true or false is wanted here",
    "bool_parsing": "true or false is wanted here",
}
"""What pydantic says in its own terms, in words of the file, by pydantic's type of error."""
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


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
        return tomllib.loads(source.text)
    except ValueError as error:
        raise TomlError(source, (_syntax(source, str(error)),)) from None


def validate(model: type[ModelT], data: Any, source: Source, at: Path = ()) -> ModelT:
    """Make a *model* of *data*, which stands at the path *at* of *source*.  Raises TomlError."""
    from pydantic import ValidationError

    try:
        return model.model_validate(data)
    except ValidationError as error:
        where = places(source.text)
        details = error.errors(include_url=False)
        mistakes = [_mistake(model, one, where, at) for one in details]
        raise TomlError(source, _one_each(mistakes)) from None


def place_of(source: Source, path: Path) -> Place:
    """Return where *path*, or as much of it as stands in *source*, is written; the top for nothing of it."""
    where = places(source.text)
    return where.get(_known_part(path, where), _TOP)


_TOP = Place(Span(0, 0), Span(0, 0))


def _one_each(mistakes: list[Mistake]) -> tuple[Mistake, ...]:
    """Keep one mistake a place: a value that may be this or that is wrong in two ways, and once inside."""
    kept: dict[Span, Mistake] = {}
    for mistake in mistakes:
        inside = any(other.span != mistake.span and other.span in mistake.span for other in mistakes)
        if not inside:
            kept.setdefault(mistake.span, mistake)
    return tuple(kept[span] for span in sorted(kept))


def _syntax(source: Source, said: str) -> Mistake:
    match = _AT.search(said)
    if match is None or match[1] is None:
        return Mistake(
            f"no valid TOML: {_lower(_AT.sub('', said))}", Span(len(source.text), len(source.text))
        )
    line = source.line_span(min(int(match[1]), source.line_count))
    start = min(line.start + int(match[2]) - 1, line.end)
    return Mistake(f"no valid TOML: {_lower(said[: match.start()])}", Span(start, min(start + 1, line.end)))


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _mistake(model: type[BaseModel], details: ErrorDetails, where: dict[Path, Place], at: Path) -> Mistake:
    path = _known_part((*at, *details["loc"]), where)
    place = where.get(path, _TOP)
    name = next((str(part) for part in reversed(path) if isinstance(part, str)), "the file")
    if details["type"] == "extra_forbidden":
        known = _keys_at(model, path[len(at) : -1])
        near = difflib.get_close_matches(name.replace("_", "-"), known, 1, 0.6)
        hint = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(sorted(known))}"
        return Mistake(f"unknown key {name!r}", place.key, hint)
    if details["type"] == "missing":
        missing = str(details["loc"][-1])
        return Mistake(f"{missing!r} is missing here", place.key)
    return _wrong_value(name, details, place)


def _wrong_value(name: str, details: ErrorDetails, place: Place) -> Mistake:
    if details["type"] == "literal_error":
        allowed = re.findall(r"'([^']*)'", str(details.get("ctx", {}).get("expected", "")))
        near = _nearest(str(details["input"]), allowed)
        hint = f"did you mean {near!r}?" if near else f"one of {', '.join(allowed)}"
        return Mistake(f"{name}: {details['input']!r} is no value for it", place.value, hint)
    error = details.get("ctx", {}).get("error")
    plain = _SHAPES.get(details["type"]) or _lower(details["msg"])
    message = str(error) if isinstance(error, ValueError) else plain
    return Mistake(f"{name}: {message}", place.value)


def _nearest(word: str, allowed: list[str]) -> str | None:
    """Return the one of *allowed* that *word* is most like, whatever its case."""
    folded = {one.lower(): one for one in allowed}
    near = difflib.get_close_matches(word.lower(), list(folded), 1, 0.5)
    return folded[near[0]] if near else None


def _known_part(path: Path, where: dict[Path, Place]) -> Path:
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
