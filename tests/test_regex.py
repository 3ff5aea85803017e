"""An expression that is compiled late is the one that `re` compiles at once."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.regex import regex

ROOT = Path(__file__).parents[1]
PATTERNS = (r"a+(b)?", r"(?P<name>[ab]*)c", r"\b", "", "x|(y)", r"(?i)A")
FLAGS = (0, re.IGNORECASE, re.MULTILINE | re.DOTALL, re.VERBOSE)


def told(found: object) -> Any:
    """A match as what it says, and lists of them."""
    if isinstance(found, re.Match):
        return found.span(), found.groups(), found.groupdict(), found.lastgroup
    if hasattr(found, "__next__"):
        return [told(each) for each in found]  # type: ignore[attr-defined]
    return found


@given(st.sampled_from(PATTERNS), st.sampled_from(FLAGS), st.text("abcAxy\n "), st.integers(0, 5))
def test_all_methods_answer_alike(pattern: str, flags: int, text: str, at: int) -> None:
    real = re.compile(pattern, flags)
    for name in ("match", "fullmatch", "search", "finditer", "findall"):
        late = regex(pattern, flags)
        for _ in range(2):
            assert told(getattr(late, name)(text, at)) == told(getattr(real, name)(text, at))
    late = regex(pattern, flags)
    assert late.split(text) == real.split(text)
    assert late.sub("-", text) == real.sub("-", text)
    assert late.subn("-", text, 1) == real.subn("-", text, 1)
    fresh = regex(pattern, flags)
    assert (fresh.flags, fresh.groups, fresh.groupindex) == (real.flags, real.groups, real.groupindex)


def test_bytes_and_repeated_use() -> None:
    late = regex(rb"(\d+)")
    assert [match[1] for match in late.finditer(b"1 23")] == [b"1", b"23"]
    assert late.match(b"x") is None


def test_nothing_is_compiled_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = re.compile

    def compile(pattern: str, flags: int) -> re.Pattern[str]:
        made.append(pattern)
        return real(pattern, flags)

    monkeypatch.setattr(re, "compile", compile)
    late = regex("a")
    assert late.pattern == "a"
    assert copy.deepcopy(late) == late == pickle.loads(pickle.dumps(late)) != regex("b")
    assert len({late, regex("a")}) == 1
    assert not made
    assert late.match("a") and late.match("a") and late.search("ba")
    assert made == ["a"]


def test_a_mistake_is_told_when_it_is_used() -> None:
    late = regex("(")
    with pytest.raises(re.error, match="missing"):
        late.match("")


def compiled_at_import(path: Path) -> list[int]:
    """The lines on which *path* calls `re.compile` as it is imported."""
    found = []
    waiting: list[ast.AST] = [ast.parse(path.read_bytes())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.Attribute) and node.attr == "compile" and ast.unparse(node.value) == "re":
            found.append(node.lineno)
        waiting += ast.iter_child_nodes(node)
    return found


def test_no_module_compiles_an_expression_as_it_is_imported() -> None:
    modules = [path for part in ("sbatchlint", "rules") for path in (ROOT / part).rglob("*.py")]
    assert len(modules) > 500
    assert {str(path): lines for path in modules if (lines := compiled_at_import(path))} == {}


def test_every_expression_of_the_program_can_be_compiled() -> None:
    """What was found at import before is found here: all that is written in one piece compiles."""
    number = 0
    for part in ("sbatchlint", "rules"):
        for path in (ROOT / part).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "regex" and node.args:
                    pattern = node.args[0]
                    if isinstance(pattern, ast.Constant) and isinstance(pattern.value, (str, bytes)):
                        re.compile(pattern.value)
                        number += 1
    assert number > 300
