"""Which lines are one command: scripts that are put together, so that it is known, against what is read."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.lint.extent import CommandLines
from sbatchlint.shell.reader import read_script
from sbatchlint.source import Source


@dataclass
class Piece:
    """Lines of a script; the first and last line, from 0, of each plain command and of each statement."""

    lines: list[str]
    plain: list[tuple[int, int]] = field(default_factory=list)
    statements: list[tuple[int, int]] = field(default_factory=list)

    def whole(self) -> tuple[int, int]:
        """Give its lines but for the word that ends a here-document: nothing can be wrong there."""
        return 0, len(self.lines) - 1 - (self.lines[-1] == "E")


def moved(places: list[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    return [(first + by, last + by) for first, last in places]


def joined(pieces: list[Piece]) -> Piece:
    """Put *pieces* under each other; the result is no statement itself."""
    result = Piece([])
    for piece in pieces:
        by = len(result.lines)
        result.lines += piece.lines
        result.plain += moved(piece.plain, by)
        result.statements += moved(piece.statements, by)
    return result


def plain(*lines: str) -> Piece:
    whole = Piece([*lines]).whole()
    return Piece([*lines], [whole], [whole])


PLAIN = st.sampled_from(
    [
        ("a",),
        ("a \\", "  b"),
        ("a |", "  b"),
        ("a &&", "  b ||", "  c"),
        ("cat <<E", "x", "y", "E"),
        ("a | cat <<E", "x", "E"),
        ("! a",),
        ("A=(", "  1", "  2", ")"),
        ("a 'x", "y'"),
        ("[[ a &&", "  b ]]"),
        ("((x +", "  1))"),
    ]
).map(lambda lines: plain(*lines))


def around(opening: str, closing: str) -> object:
    """Give what makes a statement of a block."""

    def make(body: Piece) -> Piece:
        inner = joined([Piece([opening]), body, Piece([closing])])
        inner.statements.append(inner.whole())
        return inner

    return make


def piped(body: Piece) -> Piece:
    """A compound command at the end of a pipeline: the command before it is a plain one."""
    inner = joined([Piece(["a | while read x; do"], [(0, 0)]), body, Piece(["done"])])
    inner.statements.append(inner.whole())
    inner.statements.append((0, 0))  # read x
    inner.plain.append((0, 0))
    return inner


def fed(body: Piece) -> Piece:
    """A loop with a here-document, whose text stands below it."""
    inner = joined([Piece(["for x in 1 2; do"]), body, Piece(["done <<E", "x", "E"])])
    inner.statements.append(inner.whole())
    return inner


def branched(bodies: tuple[Piece, Piece, Piece]) -> Piece:
    one, two, three = bodies
    parts = [Piece(["if a; then"], [(0, 0)], [(0, 0)]), one, Piece(["elif b; then"], [(0, 0)], [(0, 0)]), two]
    inner = joined([*parts, Piece(["else"]), three, Piece(["fi"])])
    inner.statements.append(inner.whole())
    return inner


def cased(bodies: tuple[Piece, Piece]) -> Piece:
    one, two = bodies
    inner = joined([Piece(["case $x in", "  1)"]), one, Piece([";;", "  2)"]), two, Piece([";;", "esac"])])
    inner.statements.append(inner.whole())
    return inner


def compound(blocks: st.SearchStrategy[Piece]) -> st.SearchStrategy[Piece]:
    body = st.lists(blocks, min_size=1, max_size=3).map(joined)
    simple = [
        around("for x in 1 2; do", "done"),
        around("for ((i = 0; i < 3; i++)); do", "done"),
        around("{", "}"),
        around("(", ")"),
        around("f() {", "}"),
        piped,
        fed,
    ]
    return st.one_of(
        *(body.map(make) for make in simple),  # type: ignore[arg-type]
        st.tuples(body, body, body).map(branched),
        st.tuples(body, body).map(cased),
    )


BLOCKS = st.lists(st.recursive(PLAIN, compound, max_leaves=6), min_size=1, max_size=4).map(joined)


@given(BLOCKS)
@settings(max_examples=60)
def test_lines_of_commands(block: Piece) -> None:
    source = Source.from_text("".join(f"{line}\n" for line in block.lines))
    script = read_script(source)
    assert not script.unparsed
    commands = CommandLines(source, script)
    for number in range(1, len(block.lines) + 1):
        here = [last for first, last in block.statements if first == number - 1]
        longest = range(number, max(here) + 2) if here else None
        assert commands.starting_at(number) == longest
        expected = {(first + 1, last + 1) for first, last in block.plain if first < number <= last + 1}
        got = {(lines.start, lines.stop - 1) for lines in commands.around(number)}
        assert got == expected
    assert commands.starting_at(len(block.lines) + 1) is None


@pytest.mark.parametrize("before", ["", "a\n\n"])
def test_what_could_not_be_read_is_one_command(before: str) -> None:
    source = Source.from_text(before + "for x in a; echo \\\n  b; done\nc\n")
    script = read_script(source)
    (unread,) = script.unparsed
    first = source.position(unread.span.start).line
    last = source.position(unread.span.end - 1).line
    commands = CommandLines(source, script)
    assert range(first, last + 1) in commands.around(first)
    assert range(first, last + 1) in commands.around(last)
    assert commands.around(last + 1) == [range(last + 1, last + 2)]
