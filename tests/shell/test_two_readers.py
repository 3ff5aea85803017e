"""The two parsers agree on every script of ours, and nothing that bash accepts is left unread."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sbatchlint.shell.reader import read_script, read_text
from sbatchlint.source import Source
from tests.shell.readers import compare
from tests.shell.tiling import untiled

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.sh"))
NOT_SPLIT_BY_TREESITTER = {"subshell_not_arithmetic.sh"}
"""Here tree-sitter cannot tell the statements apart, so the two are not asked about the same text."""


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


@pytest.fixture(params=SCRIPTS, ids=lambda path: path.stem)
def text(request: pytest.FixtureRequest) -> str:
    return text_of(request.param)


def test_the_scripts_are_valid_bash() -> None:
    assert len(SCRIPTS) >= 60
    for path in SCRIPTS:
        run = subprocess.run(["bash", "-O", "extglob", "-n", path], capture_output=True, text=True)
        assert run.returncode == 0, (path.name, run.stderr)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_both_parsers_give_the_same_tree(path: Path) -> None:
    found = compare(text_of(path))
    assert found.differences == []
    if path.name not in NOT_SPLIT_BY_TREESITTER:
        assert found.neither == []
    if path.stem != "tiny_comment":
        assert found.both + found.treesitter_alone > 0


def test_every_statement_is_read(text: str) -> None:
    assert read_text(text).unparsed == ()


def test_every_word_stands_in_the_tree_once(text: str) -> None:
    assert untiled(text, read_text(text)) == set()


def test_line_ends_of_windows_change_nothing(text: str) -> None:
    folded = Source.from_bytes(text.replace("\n", "\r\n").encode(), "job.sh")
    assert read_script(folded) == read_text(text)


def test_other_scripts_around_change_only_the_offsets(text: str) -> None:
    """A statement is read the same wherever it stands."""
    before = "echo before | cat | cat\n: > x\n"
    alone, shifted = read_text(text), read_text(before + text, len(before))
    assert len(alone.body) == len(shifted.body)
    assert repr(read_text(before + text).body[2:]) == repr(shifted.body)


def test_most_statements_are_read_by_both() -> None:
    """Guards the differential test itself: it must not pass because one of the two refuses all."""
    total = [compare(text_of(path)) for path in SCRIPTS]
    both = sum(found.both for found in total)
    alone = sum(found.bashlex_alone + found.treesitter_alone for found in total)
    assert both > 800
    assert alone < both / 10
