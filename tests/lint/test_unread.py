"""Which of the parts that could not be read are told, and where a placeholder is the cause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.lint.unread import causes, placeholder_beside
from sbatchlint.shell.syntax import NOT_UNDERSTOOD, Unparsed
from sbatchlint.source import Source, Span

KINDS = {
    "odd": ("for x in a; echo $x", NOT_UNDERSTOOD),
    "loose": ("done", NOT_UNDERSTOOD),
    "loose at its end": ("a; then", NOT_UNDERSTOOD),
    "blank": ("python <a.py>", NOT_UNDERSTOOD),
    "strange": ("fi", "something else"),
    "open": ("echo 'x", "unterminated ' opened on line 1"),
}


@given(st.lists(st.sampled_from(sorted(KINDS)), max_size=6))
def test_what_follows_from_another_is_not_told(kinds: list[str]) -> None:
    text, parts = "", []
    for kind in kinds:
        words, reason = KINDS[kind]
        parts.append(Unparsed(Span(len(text), len(text) + len(words)), reason))
        text += words + "\n"
    pieces = [number for number, kind in enumerate(kinds) if KINDS[kind][1] == NOT_UNDERSTOOD]
    told = range(len(kinds))
    kept = [number for number in told if number not in pieces]
    if "open" not in kinds:
        if any(kinds[number].startswith("loose") for number in pieces[1:]):
            kept += [number for number in pieces if number == pieces[0] or kinds[number] == "blank"]
        else:
            kept = [*told]
    assert causes(Source.from_text(text), parts) == [parts[number] for number in sorted(kept)]


@pytest.mark.parametrize("piece", ["do", "done", "then x", "else", "elif y", "fi", "esac", ";;", "}", ")"])
@pytest.mark.parametrize("end", ["", " ", "\n", " # so"])
def test_keywords_without_their_command(piece: str, end: str) -> None:
    parts = [Unparsed(Span(0, 1), NOT_UNDERSTOOD), Unparsed(Span(2, 2 + len(piece + end)), NOT_UNDERSTOOD)]
    assert causes(Source.from_text(f"x\n{piece}{end}"), parts) == parts[:1]


@pytest.mark.parametrize("piece", ["a; do", "a; then", "case $x in", "{", "f() {", "1) a ;;", "a)", "*)"])
def test_a_line_that_opens_what_is_not_closed(piece: str) -> None:
    parts = [Unparsed(Span(0, 1), NOT_UNDERSTOOD), Unparsed(Span(2, 2 + len(piece)), NOT_UNDERSTOOD)]
    assert causes(Source.from_text(f"x\n{piece}"), parts) == parts[:1]


@pytest.mark.parametrize("piece", ["x", "do=1", "done=1", "redo", "x do y", "fi=", "fin", "f()", "x;"])
def test_other_commands_are_causes_of_their_own(piece: str) -> None:
    parts = [Unparsed(Span(0, 1), NOT_UNDERSTOOD), Unparsed(Span(2, 2 + len(piece)), NOT_UNDERSTOOD)]
    assert causes(Source.from_text(f"x\n{piece}"), parts) == parts


@pytest.mark.parametrize(
    ("text", "marked", "blank"),
    [
        ("a <opt> b\n", "a <opt> b", "<opt>"),
        ("a <opt> <more> b\n", "a <opt> <more> b", "<opt>"),
        ("a <opt> <more> b\n", "<more> b", "<more>"),
        ("a <opt> b\n", "> b", "<opt>"),
        ("a <opt> b\n", "b", None),
        ("a <opt> b\n", " b", None),
        ("a <opt> b\n", "a", None),
        ("a b\n<opt>\n", "a b", None),
        ("a <opt>\nb c\n", "b c", None),
        ("a <in >\n", "a <in >", None),
        ("a <opt>b\n", "a <opt>b", None),
        ("a <opt>&1\n", "a <opt>&1", None),
        ("a <1>\n", "a <1>", None),
        ("a <x y|z>\n", "a <x y|z>", None),
        ("a <o\n", "a <o", None),
    ],
)
def test_a_placeholder_touches_what_it_spoils(text: str, marked: str, blank: str | None) -> None:
    source = Source.from_text(text)
    at = text.index(marked)
    found = placeholder_beside(source, Span(at, at + len(marked)))
    assert (None if found is None else source.slice(found)) == blank
