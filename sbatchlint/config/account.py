"""An account of what holds for a path, and of where each part of it was said."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from sbatchlint.config.files import Layer, inside, shown_path
from sbatchlint.config.resolve import Resolver
from sbatchlint.config.sheets import Given, Sheet, each, elements, table
from sbatchlint.records import dataclass
from sbatchlint.toml.keys import kebab

_ADDED = ("extend-exclude", "known-options", "shared-file-systems", "plugins")
"""Lists of which each file adds its own."""
_TABLES = ("severity", "per-file-ignores", "clusters", "env")
_ONE_BY_ONE = ("policy", "exception")
_FOR_FILES = ("extend", "required-version", "per-path")
"""What is said of the files themselves, and is seen in what it does."""
_CHOOSING = ("extend-select", "ignore", "extend-ignore")


@dataclass(frozen=True, slots=True)
class Item:
    """One value, and where it was said."""

    key: str
    value: Any
    file: str | None = None
    """None for a default and for the command line."""
    line: int | None = None
    option: str | None = None
    secret: bool = False
    """Whether the value may be shown to nobody."""

    @property
    def where(self) -> str:
        """The place as people write it; empty for a default."""
        if self.file is not None:
            return f"{self.file}:{self.line}"
        return self.option or ""


@dataclass(frozen=True, slots=True)
class File:
    """One configuration file that holds for the path."""

    path: str
    kind: str
    extended_by: str


@dataclass(frozen=True, slots=True)
class Account:
    """All that is to be said of one path."""

    path: str
    files: tuple[File, ...]
    """The closest first."""
    items: tuple[Item, ...]
    excluded: bool
    rules: int
    """How many rules look at it."""
    left_out: tuple[str, ...]
    """The codes of those that do not."""
    of: int
    """How many there are."""
    weakened: tuple[tuple[str, Item], ...]
    """Policies of the site that a file which is not the site's switches off or makes milder."""


def account_of(path: str, resolver: Resolver) -> Account:
    """Return the account of *path*, as the user named it.  Raises ConfigError or TomlError."""
    from sbatchlint.config.scope import Scope

    absolute = os.path.abspath(path)
    if os.path.isdir(absolute):
        absolute = os.path.join(absolute, "job.sh")
    folder = os.path.dirname(absolute)
    stack, sheets = resolver.stack(folder), resolver.sheets(absolute)
    settings, chooser = resolver.settings(absolute), resolver.chooser(folder)
    chosen = {rule.code for rule in settings.rules.rules}
    return Account(
        path,
        tuple(map(_file, reversed(stack.layers))),
        tuple(_items(sheets)),
        Scope(resolver).excludes_anywhere(absolute, False),
        len(settings.rules.rules),
        tuple(sorted(rule.code for rule in settings.rules.registry.rules if rule.code not in chosen)),
        len(settings.rules.registry.rules),
        tuple((name, _item(given)) for name, given in chooser.weakened(stack)),
    )


def _file(layer: Layer) -> File:
    return File(layer.source.path, layer.kind.value, layer.extended_by)


def _items(sheets: Sequence[Sheet]) -> Iterator[Item]:
    """Yield what holds, in the order of the keys of the file."""
    for key, default in _defaults():
        found = list(_found(sheets, key))
        yield from found or [Item(key, default)]


def _found(sheets: Sequence[Sheet], key: str) -> Iterator[Item]:
    if key in _CHOOSING:
        anew = max((number for number, sheet in enumerate(sheets) if "select" in sheet.values), default=0)
        yield from map(_item, elements(sheets[anew:], key))
    elif key in _ADDED or key in _ONE_BY_ONE:
        yield from map(_item, elements(sheets, key))
    elif key in _TABLES:
        yield from map(_item, table(sheets, key).values())
    elif key == "sbatch-args":
        said = list(each(sheets, key))
        files = [given for given in said if given.sheet.layer is not None]
        yield from map(_item, files[-1:] + [given for given in said if given.sheet.layer is None])
    else:
        yield from map(_item, list(each(sheets, key))[-1:])


def _item(given: Given) -> Item:
    layer = given.sheet.layer
    key = ".".join(str(part) for part in given.path if isinstance(part, str))
    if layer is None:
        return Item(key, _plain(given), option=_option(str(given.path[0])), secret=_is_secret(given))
    return Item(key, _plain(given), layer.source.path, given.line, secret=_is_secret(given))


def _plain(given: Given) -> Any:
    """Return the value as JSON can hold it; paths as seen from here."""
    value, key = given.value, given.path[0]
    if key in _ONE_BY_ONE:
        return value.name if key == "policy" else value.policy
    path = key in ("clusters", "baseline") or (key in ("cluster", "plugins") and "/" in value)
    if path and given.sheet.layer is not None:
        return shown_path(inside(given.folder, value))
    return list(value) if isinstance(value, tuple) else value


def _is_secret(given: Given) -> bool:
    """Tell whether the value holds a secret, by the name of the variable or by its looks."""
    from sbatchlint.config.secret_values import is_secret, secret_values
    from sbatchlint.source import Source

    if given.path[0] not in ("env", "sbatch-args"):
        return False
    name = str(given.path[-1])
    texts = [given.value] if isinstance(given.value, str) else given.value
    return any(is_secret(name, text) or any(secret_values(Source.from_text(text))) for text in texts)


def _option(key: str) -> str:
    return {"known-options": "--known-option"}.get(key, f"--{key}")


def _defaults() -> Iterator[tuple[str, Any]]:
    from sbatchlint.config.models import ConfigFile

    for name, field in ConfigFile.model_fields.items():
        key = kebab(name)
        if key not in _FOR_FILES:
            default = field.default
            yield key, list(default) if isinstance(default, tuple) else default
