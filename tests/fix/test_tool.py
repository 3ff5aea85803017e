"""The whole tool over scripts put together from the bad lines of all rules: its ways to fix say the same."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sbatchlint.cli.main import main
from sbatchlint.fix.bash import BashCheck
from sbatchlint.fix.edit import Edit, Fix, Safety
from sbatchlint.lint.builtin import UNUSED_SUPPRESSION
from sbatchlint.lint.docs import as_file, read_doc
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source, Span
from tests.fix import model


@cache
def lines() -> tuple[list[str], list[str]]:
    """Return the directives and the statements of all bad examples of the rules' pages."""
    directives: set[str] = set()
    statements: set[str] = set()
    for rule in Registry.load().rules:
        for example in read_doc(rule).bad:
            text = as_file(example)
            for line in text.splitlines():
                if "hf_" in line or "_KEY" in line or "TOKEN" in line:
                    continue  # secrets are hidden in what is told of the edits
                (directives if "SBATCH" in line else statements).add(line)
    return sorted(directives), sorted(statements)


@st.composite
def scripts(draw: st.DrawFn) -> bytes:
    directives, statements = lines()
    chosen = ["#!/bin/bash"] if draw(st.integers(0, 9)) else []
    chosen += draw(st.lists(st.sampled_from(directives), min_size=1, max_size=8))
    chosen += draw(st.lists(st.sampled_from(statements), min_size=2, max_size=12))
    if not draw(st.integers(0, 5)):
        chosen += draw(st.lists(st.sampled_from(directives), max_size=2))
    end = draw(st.sampled_from(["\n", "\n", "\n", "\r\n"]))
    ends = draw(st.lists(st.sampled_from([end, end, end, "\n"]), min_size=len(chosen), max_size=len(chosen)))
    text = "".join(line + end for line, end in zip(chosen, ends, strict=True))
    if not draw(st.integers(0, 5)):
        text = text.rstrip("\r\n")
    mark = b"" if draw(st.integers(0, 15)) else b"\xef\xbb\xbf"
    return mark + text.encode()


class Tool:
    """sbatchlint in an empty folder that holds one script."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.path = folder / "job.sbatch"
        self._capfd = capfd

    def run(self, *words: str) -> tuple[int, str, str]:
        self._capfd.readouterr()
        status = main(["check", "--pedantic", "--time-limit", "0", *words, str(self.path)])
        return status, *self._capfd.readouterr()

    def after(self, script: bytes, *words: str) -> bytes:
        """Return what the script is after ``--fix``."""
        self.path.write_bytes(script)
        self.run("--fix", *words)
        return self.path.read_bytes()


@pytest.fixture
def tool(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Tool:
    # However busy the machine is, bash is waited for.
    monkeypatch.setattr(BashCheck.__init__, "__defaults__", (300.0,))
    return Tool(tmp_path, capfd)


def offered(tool: Tool, script: bytes) -> list[tuple[str, Fix]]:
    """Return the fixes that the JSON document offers, each with its finding's code."""
    tool.path.write_bytes(script)
    source = Source.from_bytes(script, "job.sbatch")
    document = json.loads(tool.run("--output-format", "json")[1])
    return [
        (finding["code"], _fix(source, finding["fix"])) for finding in document["findings"] if finding["fix"]
    ]


def _fix(source: Source, told: dict[str, Any]) -> Fix:
    edits = tuple(
        Edit(Span(_offset(source, edit["start"]), _offset(source, edit["end"])), edit["text"])
        for edit in told["edits"]
    )
    return Fix(told["title"], edits, Safety(told["safety"]), unix_line_ends=told["unix_line_ends"])


def _offset(source: Source, place: dict[str, int]) -> int:
    """Find a place as an editor would: by its line and column."""
    before = source.text.split("\n")[: place["line"] - 1]
    return sum(len(line) + 1 for line in before) + place["column"] - 1


def fixed_by_hand(tool: Tool, script: bytes, *, unsafe: bool) -> bytes:
    """Do as the JSON document says until it says no more: as an editor, which knows nothing of the engine."""
    for _ in range(20):
        fixes = offered(tool, script)
        about_comments = [fix for code, fix in fixes if code == UNUSED_SUPPRESSION]
        others = [fix for code, fix in fixes if code != UNUSED_SUPPRESSION]
        groups = [
            [fix for fix in others if fix.safety is Safety.SAFE],
            [fix for fix in others if fix.safety is Safety.UNSAFE] if unsafe else [],
            about_comments,
        ]
        group = next((group for group in groups if group), [])
        if not group:
            return script
        script = model.applied(model.cells(script), model.taken(group))
    raise AssertionError("it never comes to an end")


def patched(tool: Tool, script: bytes, *words: str) -> bytes:
    """Return what ``patch`` makes of the script and of what ``--diff`` prints."""
    tool.path.write_bytes(script)
    patch = tool.run("--diff", *words)[1]
    assert tool.path.read_bytes() == script
    if patch:
        subprocess.run(
            ["patch", "--binary", "--quiet", "--posix", str(tool.path)],
            input=patch.encode("utf-8", "surrogateescape"),
            check=True,
        )
    return tool.path.read_bytes()


def check_that_all_agree(tool: Tool, script: bytes, unsafe: bool) -> None:
    words = ["--unsafe-fixes"] if unsafe else []
    fixed = tool.after(script, *words)
    assert tool.after(fixed, *words) == fixed, "a second time changes something"
    assert tool.run("--diff", *words)[1] == ""
    assert fixed_by_hand(tool, script, unsafe=unsafe) == fixed
    if shutil.which("patch"):
        assert patched(tool, script, *words) == fixed


FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
MANY = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FEW
@given(script=scripts(), unsafe=st.booleans())
def test_all_ways_to_fix_agree(tool: Tool, script: bytes, unsafe: bool) -> None:
    check_that_all_agree(tool, script, unsafe)


@pytest.mark.slow
@MANY
@given(script=scripts(), unsafe=st.booleans())
def test_all_ways_to_fix_agree_over_many_scripts(tool: Tool, script: bytes, unsafe: bool) -> None:
    check_that_all_agree(tool, script, unsafe)


@pytest.mark.slow
def test_the_examples_of_all_pages(tool: Tool) -> None:
    for rule in Registry.load().rules:
        for example in read_doc(rule).bad:
            check_that_all_agree(tool, as_file(example).encode(), unsafe=True)
