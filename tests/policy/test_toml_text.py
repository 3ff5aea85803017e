"""A place in a string's value is found where the file writes it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.policy.toml_text import span_in
from sbatchlint.source import Source, Span
from sbatchlint.toml.read import parse, place_of

_TEXT = st.text(st.sampled_from("ab é\t\n\"'\\=😀\x7f"), min_size=1, max_size=12)


def _basic(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _escaped_code(text: str) -> str:
    return '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'


def _many_lines(text: str) -> str:
    body = text.replace("\\", "\\\\").replace('"', '\\"').replace("\x7f", "\\u007f")
    return f'"""\n{body}"""'


def _with_a_broken_line(text: str) -> str:
    head, tail = text[: len(text) // 2], text[len(text) // 2 :]
    if tail[:1] in (" ", "\t", "\n"):
        return _many_lines(text)
    whole = _many_lines(head)[:-3] + "\\\n   " + _many_lines(tail)[4:]
    return whole


def _literal(text: str) -> str:
    return f"'''\n{text}'''" if "'" not in text and "\x7f" not in text else _many_lines(text)


@pytest.mark.parametrize("write", [_basic, _escaped_code, _many_lines, _with_a_broken_line, _literal])
@given(_TEXT)
def test_every_character_is_found(write: object, text: str) -> None:
    assert callable(write)
    source = Source.from_text(f"# before\nkey = {write(text)} # behind\n", "x.toml")
    assert parse(source)["key"] == text
    whole = place_of(source, ("key",)).value
    for at, char in enumerate(text):
        span = span_in(source, whole, text, at, at + 1)
        written = source.slice(span)
        assert written == char or (written.startswith("\\") and parse(_one(written))["key"] == char)
    both = span_in(source, whole, text, 0, len(text))
    assert both.start == span_in(source, whole, text, 0, 1).start
    assert both.end == span_in(source, whole, text, len(text) - 1, len(text)).end


def _one(written: str) -> Source:
    return Source.from_text(f'key = "{written}"', "x.toml")


def test_the_end_of_the_value_has_a_place_too() -> None:
    source = Source.from_text('key = "ab"', "x.toml")
    assert span_in(source, Span(6, 10), "ab", 2, 2) == Span(9, 9)


def test_what_is_not_understood_is_marked_whole() -> None:
    source = Source.from_text("key = 17", "x.toml")
    assert span_in(source, Span(6, 8), "17", 0, 1) == Span(6, 8)
