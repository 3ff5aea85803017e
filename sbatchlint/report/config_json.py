"""What is configured for paths, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sbatchlint.config.account import Account, Item
from sbatchlint.report.mask import HIDDEN

VERSION = 1
"""Of the shape of the document: it grows when something is taken away or changes its meaning."""


def config_json(accounts: Sequence[Account]) -> str:
    """Return one document about all of *accounts*."""
    data = {"version": VERSION, "paths": [_account(account) for account in accounts]}
    return json.dumps(data, indent=2) + "\n"


def _account(account: Account) -> dict[str, Any]:
    return {
        "path": account.path,
        "excluded": account.excluded,
        "files": [
            {"path": file.path, "kind": file.kind, "extended-by": file.extended_by or None}
            for file in account.files
        ],
        "rules": account.rules,
        "left-out-rules": list(account.left_out),
        "known-rules": account.of,
        "settings": [_item(item) for item in account.items],
        "weakened-policies": [{"policy": name, **_place(item)} for name, item in account.weakened],
    }


def _item(item: Item) -> dict[str, Any]:
    return {"key": item.key, "value": HIDDEN if item.secret else item.value, **_place(item)}


def _place(item: Item) -> dict[str, Any]:
    return {"file": item.file, "line": item.line, "option": item.option}
