"""Reading a cluster profile, and saying what is wrong in one: at its place, with the name that was meant."""

from __future__ import annotations

import difflib
import re
import sys
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, get_args

from sbatchlint.cluster.places import Path, Place, places
from sbatchlint.source import Source, Span

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

    from sbatchlint.cluster.profile import Profile

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

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


class ProfileError(Exception):
    """A profile cannot be used; ``mistakes`` says why, each at its place in ``source``."""

    def __init__(self, source: Source, mistakes: tuple[Mistake, ...]) -> None:
        super().__init__("; ".join(mistake.message for mistake in mistakes))
        self.source = source
        self.mistakes = mistakes


def load_profile(path: str) -> Profile:
    """Read the profile at *path*.  Raises OSError, or ProfileError for what is wrong in it."""
    return read_profile(Source.from_bytes(FilePath(path).read_bytes(), path))


def read_profile(source: Source) -> Profile:
    """Read the profile in *source*.  Raises ProfileError."""
    from pydantic import ValidationError

    from sbatchlint.cluster.consistency import disagreements
    from sbatchlint.cluster.profile import Profile

    try:
        data = tomllib.loads(source.text)
    except ValueError as error:
        raise ProfileError(source, (_syntax(source, str(error)),)) from None
    try:
        profile = Profile.model_validate(data)
    except ValidationError as error:
        where = places(source.text)
        mistakes = [_mistake(Profile, details, where) for details in error.errors(include_url=False)]
        raise ProfileError(source, _one_each(mistakes)) from None
    found = tuple(disagreements(profile))
    if found:
        where = places(source.text)
        raise ProfileError(
            source, tuple(Mistake(one.message, _span(one.path, where), one.help) for one in found)
        )
    return profile


def _span(path: Path, where: dict[Path, Place]) -> Span:
    return where[_known_part(path, where)].value


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


def _mistake(model: type[BaseModel], details: ErrorDetails, where: dict[Path, Place]) -> Mistake:
    path = _known_part(tuple(details["loc"]), where)
    place = where.get(path, Place(Span(0, 0), Span(0, 0)))
    name = next((str(part) for part in reversed(path) if isinstance(part, str)), "the file")
    if details["type"] == "extra_forbidden":
        known = _keys_at(model, path[:-1])
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
        near = difflib.get_close_matches(str(details["input"]).upper(), allowed, 1, 0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(allowed)}"
        return Mistake(f"{name}: {details['input']!r} is no value for it", place.value, hint)
    error = details.get("ctx", {}).get("error")
    plain = _SHAPES.get(details["type"]) or _lower(details["msg"])
    message = str(error) if isinstance(error, ValueError) else plain
    return Mistake(f"{name}: {message}", place.value)


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

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)
