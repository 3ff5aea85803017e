"""What the pages in docs/ tell a reader to write or to type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.packaging import PROJECT

_FENCED = re.compile(
    r"^(?P<fence>```+)(?P<language>\S*)[^\n]*\n(?P<text>.*?)^(?P=fence)$", re.DOTALL | re.MULTILINE
)
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code."""

    language: str
    text: str
    heading: str
    """The heading that it stands under."""
    line: int
    """Where its text begins in the page, from 1."""

    @property
    def file(self) -> str:
        """The file that a comment in the first line says it is; may be empty."""
        found = re.match(r"# (\S+\.(?:ya?ml|toml))\n", self.text)
        return found.group(1) if found else ""


def blocks(name: str, language: str | None = None) -> list[Block]:
    """Return the blocks of code of a page of docs/, in *language* if one is named."""
    page = (PROJECT / "docs" / name).read_text("utf-8")
    found = []
    headings: list[tuple[int, str]] = []
    spans = [match.span() for match in _FENCED.finditer(page)]
    for heading in _HEADING.finditer(page):
        # A comment in a block of code looks like a heading.
        if not any(start <= heading.start() < end for start, end in spans):
            headings.append((heading.start(), heading.group(1)))
    for match in _FENCED.finditer(page):
        above = [title for start, title in headings if start < match.start()]
        line = page.count("\n", 0, match.start("text")) + 1
        found.append(Block(match["language"], match["text"], above[-1] if above else "", line))
    return [block for block in found if language is None or block.language == language]


def read_yaml(text: str) -> Any:
    """Return what YAML 1.2 *text* says, as plain Python values; `on` is a word there, not a truth value."""
    return YAML(typ="safe", pure=True).load(text)


def action() -> Any:
    """Return what action.yml says."""
    return read_yaml((PROJECT / "action.yml").read_text("utf-8"))


def path_of_tool(name: str) -> Path:
    """Return a program that a test dependency has installed beside this Python."""
    import sysconfig

    return Path(sysconfig.get_path("scripts")) / name
