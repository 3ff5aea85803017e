"""Reading configuration files: each becomes a layer, with those that it extends below it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any

from sbatchlint import __version__
from sbatchlint.config.errors import ConfigError
from sbatchlint.config.versions import allows
from sbatchlint.files import open_bytes
from sbatchlint.lint.roots import belongs
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Source, Span
from sbatchlint.spelling import nearest
from sbatchlint.toml.places import Path
from sbatchlint.toml.read import Mistake, TomlError, parse, place_of, validate

if TYPE_CHECKING:
    from sbatchlint.config.models import ConfigFile

MAX_BYTES = 1024 * 1024
"""No configuration is as large; what is larger has got there by mistake."""
MAX_CHAIN = 100
"""How many files may extend each other."""
OWN_NAME = "sbatchlint.toml"
PYPROJECT = "pyproject.toml"
_ADVICE = {
    "tool": f"in {OWN_NAME} the keys stand at the top; [tool.sbatchlint] is for {PYPROJECT}",
    "sbatchlint": "the keys stand at the top here",
    "lint": "what ruff has under [lint] stands at the top here",
    "fix": "files are never changed unasked: say --fix on the command line",
    "paths": "name the paths on the command line; include and exclude choose among their files",
}
"""What to do about keys that people know from other tools."""
_HEAD = regex(rb"""^[ \t]*\[[ \t]*["']?tool["']?[ \t]*\.[ \t]*["']?sbatchlint\b""", re.MULTILINE)
_TABLE: Path = ("tool", "sbatchlint")


class Kind(Enum):
    """How a file came to be read."""

    SITE = "site"
    PROJECT = "project"
    NAMED = "--config"


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One configuration file.  Two are the same only if they were read as one."""

    source: Source
    at: Path
    """Where its settings stand: at the top, or in ``tool.sbatchlint``."""
    file: ConfigFile
    path: str
    """The file, absolute."""
    kind: Kind
    """Of the file that leads here, which may extend this one."""
    extended_by: str = ""
    """The file that extends this one, as it is shown; empty where none does."""

    @property
    def folder(self) -> str:
        """What relative paths and globs count from."""
        return os.path.dirname(self.path)

    def mistake(self, path: Path, message: str, advice: str = "") -> Mistake:
        """Return what is wrong with the value at *path* of the settings."""
        return Mistake(message, place_of(self.source, (*self.at, *path)).value, advice)


@dataclass(frozen=True, slots=True)
class _Document:
    source: Source
    at: Path
    data: dict[str, Any]
    path: str


def read_layers(path: str, kind: Kind) -> tuple[Layer, ...]:
    """Read the file at *path* and those it extends, the weakest first.

    Raises ConfigError where the file is not there, TomlError for what is wrong in it or in one of the others.
    """
    try:
        document = _read(path, pipes=kind is not Kind.PROJECT)
        if document is None:
            message = "it has no table [tool.sbatchlint]; add one or name another file"
            raise ConfigError(shown_path(path), message)
        return _with_extended(document, kind, (), "")
    except TomlError as error:
        if kind is not Kind.PROJECT or error.source.path != shown_path(path) or belongs(path, _folder(path)):
            raise
        message = (
            f"a link to {os.path.realpath(path)}, which has a mistake in line {line_of(error)}; "
            "--config and that path show it"
        )
        raise ConfigError(shown_path(path), message) from None


def has_settings(path: str) -> bool:
    """Tell whether a ``pyproject.toml`` speaks of sbatchlint; one that can't be read does not."""
    try:
        data = _bytes(path)
    except (OSError, ConfigError):
        return False
    if b"sbatchlint" not in data:
        return False
    try:
        tables = parse(_source(path, data))
    except TomlError:
        return _HEAD.search(data) is not None
    tool = tables.get("tool")
    return isinstance(tool, dict) and "sbatchlint" in tool


def line_of(error: TomlError) -> int:
    """Return the line of the first mistake."""
    return error.source.position(error.mistakes[0].span.start).line


def _folder(path: str) -> str:
    return os.path.dirname(path)


def shown_path(path: str) -> str:
    """Return *path*, which is absolute, as a person would write it here."""
    relative = os.path.relpath(path)
    return relative if len(relative) < len(path) else path


def _bytes(path: str, *, pipes: bool = False) -> bytes:
    """Return what the file holds.  Raises OSError, and ConfigError for what is no file of settings.

    A pipe would be waited for without end where nobody writes into it, so it is read with *pipes* alone.
    """
    mode = os.stat(path).st_mode
    if (stat.S_ISFIFO(mode) and not pipes) or stat.S_ISSOCK(mode):
        raise ConfigError(shown_path(path), "this is a pipe and no file; leave it out or put a file there")
    with open_bytes(path) if stat.S_ISFIFO(mode) else open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ConfigError(
            shown_path(path),
            f"larger than {MAX_BYTES // 1024**2} MiB, so it is no configuration; check the path",
        )
    return data


def _read(path: str, *, pipes: bool = False) -> _Document | None:
    """Return what stands in the file; None for a ``pyproject.toml`` that does not speak of sbatchlint."""
    try:
        data = _bytes(path, pipes=pipes)
    except IsADirectoryError:
        message = f"this is a folder; name the file in it, such as {os.path.join(shown_path(path), OWN_NAME)}"
        raise ConfigError(shown_path(path), message) from None
    except FileNotFoundError:
        if os.path.islink(path):
            message = f"a link to {os.readlink(path)}, which is not there; mend or delete it"
        else:
            message = "no such file; check the path"
        raise ConfigError(shown_path(path), message) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"cannot be read ({reason}); mend that, or use --isolated to read no file"
        raise ConfigError(shown_path(path), message) from None
    source = _source(path, data)
    tables = parse(source)
    if os.path.basename(path) != PYPROJECT:
        return _checked(_Document(source, (), tables, path))
    tool = tables.get("tool")
    if not isinstance(tool, dict) or "sbatchlint" not in tool:
        return None
    return _checked(_Document(source, _TABLE, tool["sbatchlint"], path))


def _checked(document: _Document) -> _Document:
    r"""Return *document* if no text in it holds a NUL (``\u0000``): no path, word or variable has one.

    Raises TomlError.
    """
    mistakes = tuple(
        Mistake("a text with a NUL character", place_of(document.source, path).value, "leave out the \\u0000")
        for path in _with_nul(document.data, document.at)
    )
    if mistakes:
        raise TomlError(document.source, mistakes)
    return document


def _with_nul(value: Any, at: Path) -> Iterator[Path]:
    """Yield the paths of the texts and keys in *value* that hold a NUL."""
    if isinstance(value, str) and "\0" in value:
        yield at
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _with_nul(one, (*at, number))
    elif isinstance(value, dict):
        for key, one in value.items():
            if "\0" in key:
                yield at
            yield from _with_nul(one, (*at, key))


def _source(path: str, data: bytes) -> Source:
    """Return the text of a file: without the mark that some editors of Windows put in front."""
    source = Source.from_bytes(data.removeprefix(b"\xef\xbb\xbf"), shown_path(path))
    bad = next((at for at, char in enumerate(source.text) if "\udc80" <= char <= "\udcff"), None)
    if bad is not None:
        value = ord(source.text[bad]) - 0xDC00
        mistake = Mistake(f"byte 0x{value:02x} is not UTF-8", Span(bad, bad + 1), "save the file as UTF-8")
        raise TomlError(source, (mistake,))
    return source


def _with_extended(
    document: _Document, kind: Kind, above: tuple[str, ...], extended_by: str
) -> tuple[Layer, ...]:
    """Return the layers of *document*; *above* are the files that led to it, as absolute paths."""
    from sbatchlint.config.models import ConfigFile

    _check_version(document)
    file = validate(ConfigFile, document.data, document.source, document.at, _ADVICE)
    layer = Layer(document.source, document.at, file, document.path, kind, extended_by)
    if file.extend is None:
        return (layer,)
    chain = (*above, document.path)
    return (*_below(layer, kind, chain), layer)


def _below(layer: Layer, kind: Kind, chain: tuple[str, ...]) -> tuple[Layer, ...]:
    """Return the layers of the file that *layer* extends.

    No line of it is shown where a project names a file that is not its own: that may be any file, and the
    message may get to where others read it.
    """
    path = inside(layer.folder, str(layer.file.extend))
    try:
        return _with_extended(_extended(layer, chain), kind, chain, layer.source.path)
    except TomlError as error:
        own = kind is not Kind.PROJECT or belongs(path, _folder(chain[0]))
        if own or error.source.path != shown_path(path):
            raise
        message = f"extend: {shown_path(path)} has a mistake in line {line_of(error)}"
        advice = f"`sbatchlint config --config {shown_path(path)}` shows it"
        raise TomlError(layer.source, (layer.mistake(("extend",), message, advice),)) from None


def _extended(layer: Layer, chain: tuple[str, ...]) -> _Document:
    """Read the file that *layer* extends."""
    given = str(layer.file.extend)
    path = inside(layer.folder, given)

    def wrong(message: str, advice: str = "") -> TomlError:
        return TomlError(layer.source, (layer.mistake(("extend",), message, advice),))

    if not path.endswith(".toml"):  # of another file a mistake would be shown, and so a line of it
        raise wrong(f"extend: {given!r} is not the name of a TOML file", "it has to end in .toml")
    if any(os.path.realpath(path) == os.path.realpath(one) for one in chain):
        ring = [shown_path(one) for one in (*chain, path)]
        raise wrong(f"extend: the files extend each other: {' -> '.join(ring)}", "leave one of them out")
    if len(chain) >= MAX_CHAIN:
        raise wrong(f"extend: {len(chain)} files extend each other already", "name the last of them here")
    try:
        document = _read(path)
    except ConfigError as error:
        near = _nearest_file(path)
        near = None if near is None or os.path.lexists(path) else os.path.join(os.path.dirname(given), near)
        advice = f"did you mean {near!r}?" if near else f"it counts from {shown_path(layer.folder)}"
        raise wrong(f"extend: {error.subject}: {error.message}", advice) from None
    if document is None:
        raise wrong(f"extend: {shown_path(path)} has no table [tool.sbatchlint]")
    return document


def inside(folder: str, path: str) -> str:
    """Return *path* of a file in *folder*, absolute; ``~`` is the home folder."""
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path)))


def _nearest_file(path: str) -> str | None:
    """Return the name of a file beside *path* that looks like it."""
    try:
        names = os.listdir(os.path.dirname(path))
    except OSError:
        return None
    return nearest(os.path.basename(path), names, 0.7)


def _check_version(document: _Document) -> None:
    """Look at ``required-version`` before all else: a newer release may know keys that this one does not."""
    required = document.data.get("required-version") if isinstance(document.data, dict) else None
    if not isinstance(required, str):
        return
    allowed = allows(required, __version__)
    if allowed:
        return
    span = place_of(document.source, (*document.at, "required-version")).value
    if allowed is None:
        mistake = Mistake(
            f"required-version: {required!r} can't be read", span, "write it as in '>=0.2, <1' or '0.3.1'"
        )
    else:
        message = f"this file is for sbatchlint {required}, and this is {__version__}"
        mistake = Mistake(message, span, "install a release that it is for")
    raise TomlError(document.source, (mistake,))
