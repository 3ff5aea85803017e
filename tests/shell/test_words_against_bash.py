"""Literal words and assignments mean what the real bash makes of them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sbatchlint.shell.syntax import Assignment
from sbatchlint.shell.wordends import end_of_word
from sbatchlint.shell.words import read_assignment, read_word
from sbatchlint.source import Span

MODEST = settings(max_examples=60, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=2000, suppress_health_check=list(HealthCheck))

plain = st.text("abzAZ09_./:,%+@^=-é日\u00a0\ue000\r]}", min_size=1, max_size=5)
single = st.text('ab \t\n"\\$`#;&|<>()é*?[!~{}', max_size=8).map(lambda inner: f"'{inner}'")
escaped = st.sampled_from(list("ab \t\"'\\$`#;&|<>()é*?[!~{}")).map(lambda char: "\\" + char)
inside_double = st.one_of(
    st.text("ab \t\n'#;&|<>()é*?[!~{}", min_size=1, max_size=6),
    st.sampled_from(["\\$", "\\`", '\\"', "\\\\", "\\a", "\\'", "\\\n", "\\ ", "$.", "$ "]),
)
double = st.lists(inside_double, max_size=4).map(lambda pieces: '"' + "".join(pieces) + '"')
inside_ansi = st.one_of(
    st.text('ab \t\n"#;&|<>()é$`', min_size=1, max_size=4),
    st.sampled_from(
        [
            "\\n",
            "\\t",
            "\\a",
            "\\b",
            "\\e",
            "\\E",
            "\\f",
            "\\r",
            "\\v",
            "\\\\",
            "\\'",
            '\\"',
            "\\?",
            "\\q",
            "\\ ",
        ]
    ),
    st.sampled_from(
        ["\\x41", "\\x7", "\\xg", "\\101", "\\7x", "\\u00e9", "\\u41", "\\U0001F600", "\\cA", "\\cz"]
    ),
    st.sampled_from(
        ["\\xc3\\xa9", "\\xff", "\\303\\251", "\\c?", "\\x", "\\0", "\\x00z", "\\u20acx", "\\1234"]
    ),
)
ansi = st.lists(inside_ansi, max_size=4).map(lambda pieces: "$'" + "".join(pieces) + "'")
translated = double.map(lambda word: "$" + word)
piece = st.one_of(plain, single, escaped, double, ansi, translated, st.sampled_from(["\\\n", "a#", "$%"]))
word = (
    st.tuples(st.one_of(plain, single, double, ansi, escaped), st.lists(piece, max_size=3))
    .map(lambda pair: pair[0] + "".join(pair[1]))
    .map(lambda text: text + "e" if text.endswith("\n") else text)  # a continuation at the end is none of it
)
words = st.lists(word, min_size=10, max_size=30)


def bash(script: str) -> list[str]:
    """Run *script*, which prints strings that end in NUL; give them."""
    command = ["bash", "--norc", "-c", "set -f +B; " + script]
    run = subprocess.run(command, capture_output=True, env={"LC_ALL": "C.UTF-8"}, check=True)
    assert run.stderr == b""
    return run.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]


def literal(text: str) -> str | None:
    assert end_of_word(text, 0, len(text)) == len(text)
    return read_word(text, Span(0, len(text))).literal


def means_the_same(written: Sequence[str]) -> None:
    assert [literal(text) for text in written] == bash("printf '%s\\0' " + " ".join(written))


@MODEST
@given(words)
def test_literal_words(written: Sequence[str]) -> None:
    means_the_same(written)


@pytest.mark.slow
@MANY
@given(words)
def test_many_literal_words(written: Sequence[str]) -> None:
    means_the_same(written)


def assigned(text: str) -> Assignment:
    assert end_of_word(text, 0, len(text), assignable=True) == len(text)
    found = read_assignment(text, Span(0, len(text)))
    assert found is not None
    return found


no_tilde = word.filter(lambda text: ":~" not in text)


@MODEST
@given(st.lists(st.tuples(st.sampled_from(["=", "+="]), no_tilde), min_size=5, max_size=20))
def test_assignments(pairs: list[tuple[str, str]]) -> None:
    lines: list[str] = []
    expected: list[str] = []
    for index, (operator, value) in enumerate(pairs):
        text = f"v{index}{operator}{value}"
        found = assigned(text)
        assert (found.name, found.append) == (f"v{index}", operator == "+=")
        assert found.value is not None and found.value.literal is not None
        expected.append("before" * found.append + found.value.literal)
        lines += [f"v{index}=before", text, f"printf '%s\\0' \"$v{index}\""]
    assert bash("\n".join(lines)) == expected


keys = st.sampled_from(["a", "'b c'", '"d e"', "f\\ g", "x.y", "h"])
elements = st.lists(
    st.tuples(keys, st.sampled_from(["=", "+="]), no_tilde), max_size=6, unique_by=lambda element: element[0]
)
gaps = st.sampled_from([" ", "  ", "\n", " # it's ) a comment\n", "\t", " \\\n"])


@MODEST
@given(st.lists(no_tilde, max_size=8), gaps)
def test_arrays(values: list[str], gap: str) -> None:
    text = "v=(" + gap + gap.join(values) + gap + ")"
    found = assigned(text)
    assert found.elements is not None and found.value is None
    assert [element.value.literal for element in found.elements] == bash(
        text + "\n((${#v[@]})) && printf '%s\\0' \"${v[@]}\"; :"
    )


@MODEST
@given(elements, gaps)
def test_associative_arrays(pairs: list[tuple[str, str, str]], gap: str) -> None:
    body = gap.join(f"[{key}]{operator}{value}" for key, operator, value in pairs)
    text = f"v=({gap}{body}{gap})"
    found = assigned(text)
    assert found.elements is not None
    expected: dict[str, str] = {}
    for element in found.elements:
        assert element.key is not None
        key = read_word(text, element.key.span).literal
        value = element.value.literal
        assert key is not None and value is not None
        expected[key] = value
    show = 'for k in "${!v[@]}"; do printf \'%s\\0\' "$k" "${v[$k]}"; done'
    printed = bash(f"declare -A {text}\n{show}")
    assert dict(zip(printed[::2], printed[1::2], strict=True)) == expected


SUBSCRIPTED = {
    "v[1]=x": "1",
    "v[1 + 2]=x": "3",
    "v[a[0] + 1]=x": "1",
    "v[$((2 * 2))]=x": "4",
    'v["5"]=x': "5",
    "v[${#HOME}]+=x": "0",
}


@pytest.mark.parametrize("text", SUBSCRIPTED)
def test_subscripts(text: str) -> None:
    found = assigned(text)
    assert found.subscript is not None
    assert text[found.subscript.span.start : found.subscript.span.end] == text[2 : text.rindex("]")]
    assert bash(f"HOME=; {text}; printf '%s\\0' \"${{!v[@]}}\"") == [SUBSCRIPTED[text]]


@pytest.mark.parametrize(
    "text", ["1a=x", "a", "a-b=c", "=x", "a[1]", "é=1", "a+b=c", "a[=x", "'a'=b", "a\\=b"]
)
def test_no_assignments(text: str) -> None:
    assert read_assignment(text, Span(0, len(text))) is None
