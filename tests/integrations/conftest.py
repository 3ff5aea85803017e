"""A stand-in for sbatchlint, which the filter runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integrations.lua_filter import LuaFilter

FINDING = "job.sh:3:9: error[SB101] no such option"

Starter = Callable[..., LuaFilter]


class Linter:
    """A shell script in sbatchlint's place, which notes each call."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "sbatchlint"
        self._calls = folder / "calls"
        self.does("exit 0")

    def does(self, script: str) -> None:
        note = f"""for word do printf '%s\\0' "$word"; done >>{self._calls}; printf '\\n' >>{self._calls}"""
        self.path.write_text(f"#!/bin/sh\n{note}\n{script}\n")
        self.path.chmod(0o755)

    @property
    def calls(self) -> list[list[bytes]]:
        """The words of each call; a test that uses line ends in words calls once."""
        if not self._calls.exists():
            return []
        return [call.split(b"\0") for call in self._calls.read_bytes().split(b"\0\n")[:-1]]


@pytest.fixture
def linter(tmp_path: Path) -> Linter:
    return Linter(tmp_path)


@pytest.fixture
def start(tmp_path: Path, linter: Linter) -> Starter:
    """Give the function that loads the filter with the stand-in and further settings, written in Lua."""

    def started(settings: str = "", *, words: tuple[str, ...] = ("job.sh",), lua: str = "lua51") -> LuaFilter:
        return LuaFilter(
            tmp_path, f'return {{ sbatchlint = "{linter.path}", {settings} }}', words=words, lua=lua
        )

    return started
