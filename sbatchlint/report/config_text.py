"""What is configured for a path, for people."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from sbatchlint.config.account import Account, Item
from sbatchlint.report.cells import shown
from sbatchlint.report.mask import HIDDEN
from sbatchlint.report.style import Style

_WIDTH = 100
_WIDEST_KEY = 40
_MOST_NAMES = 6
"""Rules that are named where they do not look at a path."""


def config_text(account: Account, style: Style) -> str:
    """Return the account with its line ends."""
    return "".join(f"{line}\n" for line in _lines(account, style))


def value_text(item: Item) -> str:
    """Return the value as a TOML file would have it; a secret is not shown."""
    return f'"{HIDDEN}"' if item.secret else shown(_toml(item.value))


def _lines(account: Account, style: Style) -> Iterator[str]:
    yield style.strong(shown(account.path))
    yield ""
    yield from _files(account, style)
    out = "; excluded, so it is checked only where it is named" if account.excluded else ""
    names = account.left_out
    but = f", all but {', '.join(map(shown, names))}" if 0 < len(names) <= _MOST_NAMES else ""
    yield f"  {account.rules} of {account.of} rules look at it{but}{out}"
    for name, item in account.weakened:
        yield f"  {shown(name)}, a policy of the site, is weakened at {shown(item.where)}"
    given = [item for item in account.items if item.where]
    if given:
        yield ""
        yield from _table(given, style)
    yield ""
    defaults = [item for item in account.items if not item.where and item.value not in (None, [], {})]
    told = ", ".join(f"{item.key}={value_text(item)}" for item in defaults)
    yield from textwrap.wrap(
        f"by default: {told}", _WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )


def _files(account: Account, style: Style) -> Iterator[str]:
    if not account.files:
        yield "  no configuration file holds for it"
        return
    yield "  configuration files, the closest first"
    widest = max(len(shown(file.path)) for file in account.files)
    for file in account.files:
        how = f"extended by {shown(file.extended_by)}" if file.extended_by else _HOW[file.kind]
        yield f"    {shown(file.path):{widest}}  {style.faint(how)}".rstrip()


_HOW = {"site": "of the site", "project": "of the project", "--config": "named by --config"}


def _table(items: list[Item], style: Style) -> Iterator[str]:
    keys = [shown(item.key) for item in items]
    values = [value_text(item) for item in items]
    key_width = min(max(map(len, keys)), _WIDEST_KEY)
    value_width = min(max(map(len, values)), _WIDTH - key_width)
    for key, value, item in zip(keys, values, items, strict=True):
        yield f"  {key:{key_width}}  {value:{value_width}}  {style.faint(shown(item.where))}"


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
