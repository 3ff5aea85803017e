"""What is said, by whom: the files and the command line as sheets of paper laid one over the other.

A file is one sheet, and each table of its ``[per-path]`` that matches the checked file is another that lies
on it.  The command line is on top.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sbatchlint.config.errors import ConfigError
from sbatchlint.config.files import Kind, Layer
from sbatchlint.config.globs import Globs
from sbatchlint.records import dataclass
from sbatchlint.toml.keys import kebab
from sbatchlint.toml.places import Path, Place
from sbatchlint.toml.read import Mistake, TomlError, place_of

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """What one table, or the command line, says: values by the keys of the file."""

    values: Mapping[str, Any]
    layer: Layer | None = None
    """None for the command line."""
    at: Path = ()
    """Where the table stands among the layer's settings."""

    @property
    def from_site(self) -> bool:
        """Whether the site's own files say it."""
        return self.layer is not None and self.layer.kind is Kind.SITE


@dataclass(frozen=True, slots=True)
class Given:
    """One value, and where it was said."""

    value: Any
    sheet: Sheet
    path: Path
    """Where it stands in the sheet; the first part is the key."""

    @property
    def folder(self) -> str:
        """What paths and globs in it count from."""
        return os.getcwd() if self.sheet.layer is None else self.sheet.layer.folder

    @property
    def line(self) -> int:
        """The line of its file; 0 for the command line."""
        layer = self.sheet.layer
        return 0 if layer is None else layer.source.position(self.place.key.start).line

    @property
    def place(self) -> Place:
        """Where it stands in its file."""
        layer = self.sheet.layer
        assert layer is not None, "the command line has no places"
        return place_of(layer.source, (*layer.at, *self.sheet.at, *self.path))

    @property
    def where(self) -> str:
        """The file and line, or the option, as it is shown."""
        layer = self.sheet.layer
        return f"--{self.path[0]}" if layer is None else f"{layer.source.path}:{self.line}"

    def part(self, *more: str | int) -> Given:
        """Return the part of the value at *more*."""
        value = self.value
        for step in more:
            value = value[step]
        return Given(value, self.sheet, (*self.path, *more))

    def key(self, name: str) -> Given:
        """Return the place of *name* in a value that is a table of its own kind."""
        return Given(getattr(self.value, name), self.sheet, (*self.path, name))

    def error(self, message: str, advice: str = "", *, at_key: bool = False) -> Exception:
        """Return the mistake that this value is, at its place, or at that of its key."""
        layer = self.sheet.layer
        if layer is None:
            return ConfigError(f"--{self.path[0]}", f"{message}; {advice}" if advice else message)
        span = self.place.key if at_key else self.place.value
        return TomlError(layer.source, (Mistake(message, span, advice),))


class Stack:
    """The sheets of some layers, each made once, with the command line on top."""

    def __init__(self, layers: Sequence[Layer], command_line: Mapping[str, Any] | None = None) -> None:
        self.layers = tuple(layers)
        self.top = Sheet(command_line or {})
        self._sheets = tuple(sheet for layer in layers for sheet in _sheets(layer))

    @property
    def all(self) -> tuple[Sheet, ...]:
        """All sheets of the files, those of every ``[per-path]`` table among them."""
        return tuple(sheet for _, sheet in self._sheets)

    @property
    def files(self) -> tuple[Sheet, ...]:
        """What the files say of all paths."""
        return tuple(sheet for globs, sheet in self._sheets if globs is None)

    def of(self, path: str) -> tuple[Sheet, ...]:
        """Return what is said of the file at *path*, absolute, the weakest first."""
        holding = [sheet for globs, sheet in self._sheets if globs is None or globs.match(path)]
        return (*holding, self.top)


def _sheets(layer: Layer) -> Iterator[tuple[Globs | None, Sheet]]:
    yield None, Sheet(_said(layer.file), layer)
    for glob, table in layer.file.per_path.items():
        yield Globs((glob,), layer.folder), Sheet(_said(table), layer, ("per-path", glob))


def _said(table: BaseModel) -> dict[str, Any]:
    """Return what was written in *table*, by key."""
    return {kebab(name): getattr(table, name) for name in sorted(table.model_fields_set)}


def closest(sheets: Sequence[Sheet], key: str) -> Given | None:
    """Return the uppermost value of *key*."""
    return next(reversed(list(each(sheets, key))), None)


def value_of(sheets: Sequence[Sheet], key: str, default: Any = None) -> Any:
    """Return the uppermost value of *key*, or the *default*."""
    given = closest(sheets, key)
    return default if given is None else given.value


def each(sheets: Iterable[Sheet], key: str) -> Iterator[Given]:
    """Yield all values of *key*, the weakest first."""
    for sheet in sheets:
        if key in sheet.values:
            yield Given(sheet.values[key], sheet, (key,))


def elements(sheets: Iterable[Sheet], key: str) -> Iterator[Given]:
    """Yield the elements of all lists of *key*."""
    for given in each(sheets, key):
        for number in range(len(given.value or ())):
            yield given.part(number)


def table(sheets: Iterable[Sheet], key: str) -> dict[str, Given]:
    """Return what the tables of *key* say together: of two with a name the upper one."""
    return {name: given.part(name) for given in each(sheets, key) for name in given.value}


def raise_all(errors: Sequence[Exception]) -> None:
    """Raise the first of *errors*, if there are any, with all the mistakes that are in the same file."""
    if errors:
        if not isinstance(errors[0], TomlError):
            raise errors[0]
        source = errors[0].source
        mistakes: dict[Mistake, None] = {}
        for error in errors:
            if isinstance(error, TomlError) and error.source is source:
                mistakes.update(dict.fromkeys(error.mistakes))
        raise TomlError(source, tuple(sorted(mistakes, key=lambda mistake: mistake.span)))
