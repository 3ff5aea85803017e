"""Whatever the text, it is read to the end: no exception, no lost character, spans in order."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import Unparsed
from tests.shell.generated import script

SCRIPTS = [path.read_text("utf-8") for path in sorted((Path(__file__).parent / "scripts").glob("*.sh"))]
PIECES = (
    *("if", "then", "fi", "case", "in", "esac", "do", "done", "for", "while", "{", "}", "(", ")", "((", "))"),
    *(
        "[[",
        "]]",
        ";",
        ";;",
        "&",
        "&&",
        "||",
        "|",
        "\n",
        "<<EOF",
        "<<-'E'",
        "EOF\n",
        "<",
        ">",
        "2>&1",
        "<(",
        "$(",
    ),
    *(
        "${",
        "$((",
        "`",
        "'",
        '"',
        "$'",
        "\\",
        "\\\n",
        "#",
        " ",
        "\t",
        "a",
        "A=",
        "a[",
        "]",
        "=(",
        "!",
        "time",
        "*(",
    ),
    *(
        "coproc",
        "function",
        "f()",
        "\r",
        "\0",
        "\u00a0",
        "\udcff",
        "\ud800",
        "\ue000",
        "é",
        "\ufeff",
        "=~",
        "$",
    ),
)
MODEST = settings(max_examples=250, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=10000, suppress_health_check=list(HealthCheck))
SEPARATORS = re.compile(r"(?:[ \t\n;&]|\\\n)*")


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Give one of our scripts, or a generated one, cut and with pieces put in or taken out."""
    own = draw(st.booleans())
    text = draw(st.sampled_from(SCRIPTS)) if own else script(draw(st.integers(0, 10**6)), 2)[0]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        until = min(len(text), at + draw(st.integers(0, 12)))
        text = text[:at] + draw(st.sampled_from(("", *PIECES))) + text[until:]
    return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text


soup = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def reads_to_the_end(text: str) -> None:
    begin = time.process_time()
    read = read_text(text)
    assert time.process_time() - begin < 5
    ends = 0
    for statement in read.body:
        assert ends <= statement.span.start < statement.span.end <= len(text)
        ends = statement.span.end
    for node in read.unparsed:
        assert 0 <= node.span.start < node.span.end <= len(text)
    missing = list(text)
    for statement in read.body:
        covered = statement.span
        missing[covered.start : covered.end] = " " * len(covered)
    for comment in read.comments:
        assert text[comment.span.start : comment.span.end] == comment.text
        missing[comment.span.start : comment.span.end] = " " * len(comment.span)
    for document in re.finditer(r"<<", text):  # bodies lie behind the statements' spans
        missing[document.start() :] = []
        break
    rest = "".join(missing).removeprefix("\ufeff")
    rest = re.sub(r"\b(?:time|coproc)\b[^;&\n]*", "", rest)
    assert SEPARATORS.fullmatch(rest), rest


@MODEST
@given(mutated())
def test_mutated_scripts(text: str) -> None:
    reads_to_the_end(text)


@MODEST
@given(soup)
@example("echo \\")
@example("\\")
@example("! {")
@example("for")
@example("case x in")
@example("<<")
@example("a=(")
@example("x=$(cat <<EOF)\n")
@example("((1 + (2)))${x}\n")
def test_soup(text: str) -> None:
    reads_to_the_end(text)


@pytest.mark.slow
@MANY
@given(st.one_of(mutated(), soup))
def test_much_more(text: str) -> None:
    reads_to_the_end(text)


@MODEST
@given(mutated(), st.integers(0, 400), st.integers(0, 400))
def test_a_range_is_read_like_a_text_of_its_own(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    stop = min(len(text), start + length)
    if text.startswith("\ufeff", start) or text.startswith("\ufeff"):
        return
    piece = read_text(text[start:stop])
    within = read_text(text, start, stop)
    assert [(found.span.start + start, found.span.end + start) for found in piece.body] == [
        (found.span.start, found.span.end) for found in within.body
    ]


DEEP = {
    "command substitutions": "$(" * 3000 + "a" + ")" * 3000,
    "unclosed substitutions": "$(" * 3000,
    "unclosed arithmetic": "$((" * 3000,
    "arithmetic that is subshells": "$( ((" * 40 + "a" + ") ) )" * 40,
    "parameters": "${x:-" * 3000 + "}" * 3000,
    "quoted parameters": '"${x:-' * 500 + '}"' * 500,
    "subshells": "( " * 3000 + "a" + " )" * 3000,
    "groups": "{ " * 3000 + "a" + "; }" * 3000,
    "ifs": "if a; then\n" * 3000 + "b\n" + "fi\n" * 3000,
    "loops and cases": "for x in a; do case x in a)\n" * 1000 + "b\n" + "esac; done\n" * 1000,
    "arrays": "a[1]=(b" * 20000,
    "brackets": "a" + "[" * 200000,
    "backquotes": "`" * 20001,
    "bangs": "! " * 20000 + "a",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deep_nesting_costs_its_statement_and_nothing_else(text: str) -> None:
    begin = time.process_time()
    read = read_text("before\n" + text + "\n")
    assert time.process_time() - begin < 5
    assert read.body[0].command.span.end == len("before")
    assert all(len(node.reason) < 200 for node in read.unparsed)


def test_what_stands_behind_deep_nesting_is_read() -> None:
    read = read_text("if a; then " * 100 + "b; " + "fi; " * 100 + "\nafter\n")
    first, last = read.body
    assert isinstance(first.command, Unparsed)
    assert first.command.reason == "nested too deeply"
    assert not isinstance(last.command, Unparsed)


LONG = {
    "lines": 'python train.py --lr 1e-4 "$X" > out 2>&1\n',
    "words": "word ",
    "one word": "w",
    "statements": "a; ",
    "quoted": '"$x y"',
    "newlines": "\n",
    "comments": "# it's\n",
    "here-documents": "cat <<EOF\nbody $x\nEOF\n",
    "subscripts": "a[ ",
    "patterns": "case x in a) b;; esac\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_time_grows_with_the_length_and_not_its_square(line: str) -> None:
    short, long = ("echo " + line * (size // len(line)) for size in (15_000, 120_000))
    read_text(short)
    begin = time.process_time()
    read_text(short)
    middle = time.process_time()
    read_text(long)
    end = time.process_time()
    assert end - middle < 8 * 4 * max(middle - begin, 0.01)


@pytest.mark.parametrize("opened", [0, 1, 40, 99, 100, 101, 130])
@pytest.mark.parametrize("more", [0, 1, 60, 99, 101, 102, 5000])
def test_of_many_that_close_none_is_lost(opened: int, more: int) -> None:
    """Only the first of many in a row are shown to the parsers; bash knows what closes nothing."""
    if opened == more == 0:
        return
    text = f"{'( ' * opened}srun a{' )' * opened}{')' * more}\nsrun b\n"
    reads_to_the_end(text)
    refused = subprocess.run(["bash", "-n"], input=text.encode(), capture_output=True, check=False).returncode
    assert bool(refused) is bool(more)
    read = read_text(text)
    too_deep = any(one.reason == "nested too deeply" for one in read.unparsed)
    assert bool(read.unparsed) is (bool(refused) or too_deep)
    assert text[read.body[-1].span.start :].startswith("srun b")


@pytest.mark.parametrize("line", [")", "a)", "() ", "case x in a)", "x=$(", "f()"])
def test_thousands_that_close_nothing_cost_no_time_in_their_square(line: str) -> None:
    def seconds(number: int) -> float:
        begin = time.process_time()
        read_text(f"srun a\n{line}{')' * number}\nsrun b\n")
        return time.process_time() - begin

    seconds(10)
    assert seconds(40_000) < 5
