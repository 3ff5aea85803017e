"""The layout of a finding on the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.lint.finding import Finding, Related, Severity
from sbatchlint.report.full import full
from sbatchlint.report.snippet import MAX_COLUMNS
from sbatchlint.report.style import Style
from sbatchlint.source import Source, Span
from tests.report.builders import JOB, find, finding, report, torchrun_finding


def lines(text: str, found: Finding | Callable[[Source], Finding], **more: Any) -> list[str]:
    source = Source.from_text(text, "job.sh")
    made = found if isinstance(found, Finding) else found(source)
    return full(report(source, [made], **more)).splitlines()


def test_the_whole_picture() -> None:
    source = Source.from_text(JOB, "jobs/pretrain.sh")
    assert full(report(source, [torchrun_finding(source)])) == (
        "error[SB301] torchrun is started 8 times on each node  (torchrun-tasks-per-node)\n"
        " --> jobs/pretrain.sh:5:1\n"
        "  |\n"
        "3 | #SBATCH --ntasks-per-node=8\n"
        "  |                           - Slurm starts the step's command 8 times per node\n"
        "  |\n"
        '5 | srun bash -c "$CMD"\n'
        "  | ^^^^ each of them runs torchrun --nproc_per_node=8: 64 processes for 8 GPUs\n"
        "  |\n"
        "  = help: set --ntasks-per-node=1 [*]\n"
        "\n"
    )


def test_the_gutter_is_as_wide_as_the_largest_number() -> None:
    text = "\n" * 99 + "srun a\n"
    out = lines(text, finding(Span(99, 103), related=(Related(Span(3, 3), "here"),)))
    assert out[1:8] == [
        "   --> job.sh:100:1",
        "    |",
        "  4 |",
        "    | - here",
        "    |",
        "100 | srun a",
        "    | ^^^^",
    ]


def test_neighbouring_lines_are_not_parted_and_one_line_is_shown_once() -> None:
    text = "one two\nthree\n"
    out = lines(
        text,
        finding(Span(4, 7), label="b", related=(Related(Span(0, 3), "a"), Related(Span(8, 13), "c"))),
    )
    assert out[3:] == ["1 | one two", "  |     ^^^ b", "  | --- a", "2 | three", "  | ----- c", ""]


def test_tabs_wide_and_combining_characters_keep_the_underline_in_place() -> None:
    text = "\tX='模型e\u0301' srun\n"
    out = lines(text, lambda source: finding(find(source, "srun")))
    assert out[3] == "1 |     X='模型e\u0301' srun"
    assert out[4] == "  |" + " " * (1 + 4 + 3 + 4 + 1 + 2) + "^^^^"


def test_a_wide_character_is_underlined_over_its_whole_width() -> None:
    out = lines("模型\n", finding(Span(0, 2)))
    assert out[4] == "  | ^^^^"


def test_hidden_characters_are_shown_escaped() -> None:
    text = "#SBATCH --nodes\u00a02 \x1b]0;x\x07\udcff\n"
    out = lines(text, lambda source: finding(find(source, "\u00a0")))
    assert out[3] == r"1 | #SBATCH --nodes\u00a02 \x1b]0;x\x07\xff"
    assert out[4] == "  |                ^^^^^^"


def test_an_empty_span_and_one_at_the_end_of_the_text_get_a_caret() -> None:
    assert lines("ab\n", finding(Span(1, 1)))[4] == "  |  ^"
    assert lines("ab\n", finding(Span(2, 2)))[4] == "  |   ^"
    assert lines("ab\n", finding(Span(3, 3)))[3:5] == ["2 |", "  | ^"]
    assert lines("", finding(Span(0, 0)))[3:5] == ["1 |", "  | ^"]


def test_a_span_over_several_lines_is_shown_by_its_first() -> None:
    out = lines("srun a \\\n  b\n", finding(Span(0, 12), label="this step"))
    assert out[3:] == ["1 | srun a \\", "  | ^^^^^^^^ this step", ""]


def test_a_long_line_is_cut_around_the_mark() -> None:
    text = "x" * 500 + "TARGET" + "y" * 500
    out = lines(text, finding(Span(500, 506)))
    shown = out[3].removeprefix("1 | ")
    assert shown.startswith("...x") and shown.endswith("y...")
    assert len(shown) <= MAX_COLUMNS
    caret = out[4].removeprefix("  | ")
    assert shown[caret.index("^") :][:6] == "TARGET" and caret.strip() == "^^^^^^"


def test_far_marks_of_one_long_line_are_cut_out_one_by_one() -> None:
    text = "A" + "x" * 500 + "B" + "y" * 500 + "C\n"
    out = lines(
        text,
        finding(
            Span(501, 502), label="b", related=(Related(Span(0, 1), "a"), Related(Span(1002, 1003), "c"))
        ),
    )
    pairs = list(zip(out[3:-1:2], out[4:-1:2], strict=True))
    assert len(pairs) == 3
    for (line, underline), letter in zip(pairs, "ABC", strict=True):
        at = re.search(r"[-^]", underline[4:])
        assert at is not None and line[4 + at.start()] == letter


def test_help_comes_from_the_fix_where_the_rule_says_none() -> None:
    fix = Fix.unsafe("drop it", Edit(Span(0, 1), ""))
    plain = lines("ab", finding(Span(0, 1), fix=fix, notes=("first", "second")))
    assert plain[5:] == ["  |", "  = help: drop it", "  = note: first", "  = note: second", ""]
    asked = lines("ab", finding(Span(0, 1), fix=fix), unsafe_fixes=True)
    assert asked[6] == "  = help: drop it [*]"


def test_severities_are_named() -> None:
    for severity in Severity:
        assert lines("ab", finding(Span(0, 1), severity=severity))[0].startswith(f"{severity.value}[SB301] ")


def test_colour_and_links_change_nothing_that_is_read() -> None:
    source = Source.from_text(JOB, "jobs/pre train.sh")
    run = report(source, [torchrun_finding(source)])
    painted = full(run, Style(colour=True, links=True))
    assert "\x1b]8;;file:///" in painted and "pre%20train.sh" in painted
    assert re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\", "", painted) == full(run)


@given(text=st.text(min_size=1, max_size=400), data=st.data())
def test_any_place_of_any_text_can_be_shown(text: str, data: st.DataObject) -> None:
    source = Source.from_text(text, "job.sh")
    offsets = st.integers(0, len(source.text))
    spans = [Span(*sorted((data.draw(offsets), data.draw(offsets)))) for _ in range(3)]
    run = report(source, [finding(spans[0], text, related=tuple(Related(span, text) for span in spans[1:]))])
    out = full(run)
    assert "\x1b" not in out and "\r" not in out
    assert "^" in out
