"""Reading of directive lines, with a property for the places of characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.slurm.directives import DirectiveProblemKind, Directives, read_directives
from sbatchlint.source import Source, Span

HEAD = "#!/bin/bash\n"


def read(lines: str, release: str | None = None) -> Directives:
    return read_directives(Source.from_text(HEAD + lines), release)


def values(lines: str, release: str | None = None) -> list[str]:
    return [token.value for _, token in read(lines, release).tokens()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#SBATCH -N2 -J x", ["-N2", "-J", "x"]),
        ("#SBATCH-N2", ["-N2"]),
        ("#SBATCHX -N2", ["X", "-N2"]),
        ("#SBATCH\t-N2\v-J\fx\r-t5", ["-N2", "-J", "x", "-t5"]),
        ("#SBATCH", []),
        ("#SBATCH -J\u00a0x", ["-J\u00a0x"]),
        ("#SLURM -N2", ["-N2"]),
        (" #SBATCH -N2", []),
        ("##SBATCH -N2", []),
        ("# SBATCH -N2", []),
        ("#sbatch -N2", []),
        ('#SBATCH -J "a b"', ["-J", "a b"]),
        ("#SBATCH -J a\"b c\"'d e'", ["-J", "ab cd e"]),
        (r"#SBATCH --comment='it\'s'", ["--comment=it's"]),
        (r"#SBATCH --comment=a\nb\\c", ["--comment=anb\\c"]),
        ("#SBATCH --comment=a#b -N2", ["--comment=a"]),
        (r"#SBATCH --comment=a\#b -N2", ["--comment=a#b", "-N2"]),
        ('#SBATCH --comment="a#b" -N2', ["--comment=a#b", "-N2"]),
        ("#SBATCH -N2 # it's", ["-N2"]),
        ('#SBATCH --comment "" -N2', ["--comment"]),
        ('#SBATCH --comment="" -N2', ["--comment=", "-N2"]),
        ("#SBATCH -N2 \\", ["-N2"]),
        ("#SBATCH -o ~/$USER.out", ["-o", "~/$USER.out"]),
        ("#SBATCH -N2 hetjob -J x", ["-N2"]),
    ],
)
def test_words(line: str, expected: list[str]) -> None:
    assert values(line) == expected


def test_backslash_and_blank_by_release() -> None:
    line = r"#SBATCH -J a\ b"
    assert values(line, "23.11") == ["-J", "a", "b"]
    assert values(line, "24.05") == ["-J", "a b"]
    assert values(line) == ["-J", "a b"]
    assert values(r"#SBATCH \ -N2", "22.05") == []


def test_reading_stops_at_the_first_command() -> None:
    directives = read("\n# c\n\t\n  # d\n#SBATCH -N2\nset -e\n#SBATCH -J late\n")
    assert [line.number for line in directives.lines] == [6]
    assert directives.stop == 7
    assert [(line.number, line.tokens[1].value) for line in directives.late] == [(8, "late")]


@pytest.mark.parametrize("command", [":", "{", "x=1", ": <<EOF", "module load x", "-J x", "'#'"])
def test_any_other_line_is_a_command(command: str) -> None:
    directives = read(f"{command}\n#SBATCH -N2\n")
    assert (directives.stop, directives.lines, len(directives.late)) == (2, (), 1)


def test_mistakes_in_a_line() -> None:
    directives = read("#SLURM -N1\n#SBATCH --comment it's\n#SBATCH -N1 : -N2\n")
    assert [(problem.kind, problem.line) for problem in directives.problems] == [
        (DirectiveProblemKind.OLD_PREFIX, 2),
        (DirectiveProblemKind.UNMATCHED_QUOTE, 3),
        (DirectiveProblemKind.FREE_COLON, 4),
    ]


def test_late_lines_have_no_mistakes() -> None:
    assert read("ls\n#SBATCH --comment it's\n").problems == ()


def test_components() -> None:
    directives = read("#SBATCH -N1 -J a\n#SBATCH HETJOB -N9\n#SBATCH -N2\n")
    assert directives.components == 2
    assert [token.value for _, token in directives.tokens(1)] == ["-N2"]
    source = Source.from_text(HEAD + "#SBATCH -N1 -J a\n#SBATCH HETJOB -N9\n#SBATCH -N2\n")
    lost = directives.lines[1].lost
    assert lost is not None
    assert source.slice(lost) == " -N9"


def test_hetjobs_is_no_separator() -> None:
    assert read("#SBATCH hetjobs\n").components == 1


def test_cut_and_lost_text() -> None:
    text = HEAD + '#SBATCH --comment=a#b -N2\n#SBATCH --comment "" -N2\n'
    source = Source.from_text(text)
    cut, lost = read_directives(source).lines
    assert cut.comment is not None
    assert source.slice(cut.comment) == "#b -N2"
    assert lost.lost is not None
    assert source.slice(lost.lost) == '"" -N2'


def test_lines_of_other_systems_are_seen_anywhere() -> None:
    source = Source.from_text(HEAD + "#PBS -N x\nls\n# PBS\n#PBSX\n")
    found = [source.slice(line.span) for line in read_directives(source).foreign]
    assert found == ["#PBS -N x", "#PBSX"]


def test_of_two_other_systems_one_counts() -> None:
    source = Source.from_text(HEAD + "#PBS -N x\nls\n#BSUB -J y\n")
    assert [source.slice(line.span) for line in read_directives(source).foreign] == ["#BSUB -J y"]


def test_lines_of_other_systems_far_down_are_not_seen() -> None:
    far = Source.from_text(HEAD + "ls\n" * 100 + "#PBS -N x\n")
    assert len(read_directives(far).foreign) == 1
    assert read_directives(Source.from_text(HEAD + "ls\n" * 101 + "#PBS -N x\n")).foreign == ()


@given(
    st.lists(
        st.text(alphabet="ab-=Nü雪#'\"\\ \t:\u00a0", max_size=20).map(lambda text: "#SBATCH " + text),
        max_size=4,
    ),
    st.sampled_from([None, "22.05"]),
)
def test_every_character_of_a_word_knows_its_place(lines: list[str], release: str | None) -> None:
    source = Source.from_text(HEAD + "\n".join(lines))
    for line in read_directives(source, release).lines:
        for token in line.tokens:
            assert len(token.value) == len(token.starts) == len(token.ends)
            pieces = [source.text[start:end] for start, end in zip(token.starts, token.ends, strict=True)]
            assert "".join(piece[-1] for piece in pieces) == token.value
            assert all(len(piece) == 1 or (len(piece) == 2 and piece[0] == "\\") for piece in pieces)
            between = source.slice(token.span)
            for start, end in reversed(list(zip(token.starts, token.ends, strict=True))):
                between = between[: start - token.span.start] + between[end - token.span.start :]
            assert set(between) <= set("\"'\\")
            assert token.span_of(0, len(token.value)) in token.span
            assert line.span.start <= token.span.start <= token.span.end <= line.span.end


def test_span_of_nothing_stands_after_what_is_before_it() -> None:
    source = Source.from_text(HEAD + '#SBATCH --comment=""\n')
    ((_, token),) = read_directives(source).tokens()
    place = source.text.index('""')
    assert token.span_of(10, 10) == Span(place, place)
