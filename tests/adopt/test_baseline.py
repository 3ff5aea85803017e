"""Findings are known again wherever their lines have gone, and no others are taken for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.adopt.baseline import FileMarks, match, renewed
from sbatchlint.adopt.ignoring import shape
from sbatchlint.adopt.marks import Mark
from sbatchlint.lint.job import LintOptions
from sbatchlint.report.mask import Mask
from sbatchlint.source import Source, Span
from tests.adopt.linting import baseline_of, lines, lint, lint_with, marks_of, said, source

CASES = [
    path
    for path in sorted((Path(__file__).parents[1] / "rules" / "cases" / "bad").glob("*.sh"))[::3]
    if "backslash" not in path.stem  # what is wrong there is which lines follow each other
]
HEAD = ["#!/bin/bash", "#SBATCH --nodes=2", "#SBATCH --ntasks-per-node=8", "#SBATCH --gpus-per-node=8"]
BODY = [
    "export NCCL_DEBGU=INFO",
    "RUN=${1}",
    "cd $RUN",
    "srun torchrun --nproc_per_node=8 --nnodes=2 train.py",
    "evaluate() {",
    '  srun bash -c "echo $SLURM_PROCID"',
    "}",
    "evaluate",
]
FAULTY = lines(HEAD, BODY)
HARMLESS = ["# a comment", "", "  # another é", "echo hello", "date", "LOG=run.log", "mkdir -p out"]
NEW_FAULT = 'srun bash -c "hostname; echo $SLURM_NODEID"'


def test_the_script_has_what_the_tests_need() -> None:
    places = {mark.place for mark in marks_of(lint(FAULTY))}
    assert {
        "directive --ntasks-per-node",
        "step torchrun train.py",
        "function evaluate / step ?",
        "variable NCCL_DEBGU",
        "command cd",
    } <= places


@st.composite
def shifted(draw: st.DrawFn) -> list[str]:
    """The faulty script with harmless lines put in anywhere, and other indentation."""
    made = HEAD[:1]
    for number, line in enumerate([*HEAD[1:], *BODY]):
        pieces = st.lists(st.sampled_from(HARMLESS if number >= len(HEAD) - 1 else HARMLESS[:3]), max_size=3)
        made += draw(pieces)
        indented = number >= len(HEAD) and draw(st.booleans())
        made.append(f"    {line}" if indented else line)
    return made


@given(text=shifted(), crlf=st.booleans())
@settings(max_examples=25)
def test_known_findings_stay_hidden_when_lines_move(text: list[str], crlf: bool) -> None:
    baseline = baseline_of(lint(FAULTY))
    result = lint_with(baseline, lines(text).replace("\n", "\r\n" if crlf else "\n"))
    assert {code for code, _ in said(result)} <= {"SB011"}  # which is about the line ends themselves
    assert len(result.known) == len(lint(FAULTY).findings)


@given(text=shifted(), data=st.data())
@settings(max_examples=25)
def test_a_new_fault_is_told_where_it_is(text: list[str], data: st.DataObject) -> None:
    baseline = baseline_of(lint(FAULTY))
    last_directive = max(number for number, line in enumerate(text) if line.startswith("#SBATCH"))
    ends = [number for number, line in enumerate(text) if line.strip() in ("evaluate() {", "}", "evaluate")]
    inside = range(ends[0] + 1, ends[1] + 1)
    at = data.draw(st.sampled_from([n for n in range(last_directive + 1, len(text) + 1) if n not in inside]))
    result = lint_with(baseline, lines(text[:at], NEW_FAULT, text[at:]))
    assert ("SB401", at + 1) in said(result)
    assert {line for _, line in said(result)} == {at + 1}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("train.py", "train.py --epochs 3", []),
        ("cd $RUN", "cd $OTHER", ["cd"]),
        ("NCCL_DEBGU", "NCCL_DEBG", ["export"]),
        ("ntasks-per-node=8", "ntasks-per-node=16", ["#SBATCH --ntasks-per-node=16"]),
        ("train.py", "other.py", ["srun torchrun"]),
        ("evaluate", "check", ["  srun bash"]),
    ],
)
def test_what_counts_as_the_same(old: str, new: str, told: list[str]) -> None:
    result = lint_with(baseline_of(lint(FAULTY)), FAULTY.replace(old, new))
    starts = [result.source.line(line) for _, line in said(result)]
    assert len(starts) >= len(told)
    for start in told:
        assert any(line.startswith(start) for line in starts)
    if not told:
        assert starts == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_comments_between_all_lines(path: Path) -> None:
    """Where a comment may stand at all: not behind a backslash, in a string or in a here-document."""
    script = Source.from_bytes(path.read_bytes(), path.name)
    spread = script
    for number in range(script.line_count, 1, -1):
        place = Span(script.line_span(number).start, script.line_span(number).start)
        tried = spread.edited([(place, "# a note\n\n")])
        if shape(tried) == shape(script):
            spread = tried
    result = lint(script)
    held = lint_with(baseline_of(result), spread)
    assert said(held) == []
    assert len(held.known) == len(result.findings)
    assert spread != script


REWRITTEN = [
    ("set -euo pipefail", "set -euo \\\n  pipefail"),
    ("| tee run.log", "| tee \\\n  run.log"),
    ('srun bash -c "echo $SLURM_LOCALID', 'srun \\\n  bash -c "echo $SLURM_LOCALID'),
    ('srun bash -c "echo $SLURM_LOCALID', 'srun bash -c "echo \\\n    $SLURM_LOCALID'),
    ("conda activate", "conda  \\\n  activate"),
    ("srun torchrun", "srun \\\n  torchrun"),
]


@pytest.mark.parametrize(("old", "new"), REWRITTEN)
@pytest.mark.parametrize("backwards", [False, True])
def test_a_command_may_be_spread_over_lines(old: str, new: str, backwards: bool) -> None:
    """What explains a finding is the same text then, and a launcher on a line of its own is no news."""
    text = lines(
        HEAD,
        "set -euo pipefail",
        "conda activate train",
        'srun bash -c "echo $SLURM_LOCALID"',
        "srun torchrun --nproc_per_node=8 --nnodes=2 train.py | tee run.log",
    )
    spread = text.replace(old, new)
    assert spread != text
    if backwards:
        text, spread = spread, text
    result = lint(text, options=LintOptions(pedantic=True))
    assert {"SB401", "SB301"} <= {one.code for one in result.findings}
    baseline = baseline_of(result)
    held = lint(
        spread, lambda job, found, _: baseline.sift(job, found, Mask.found_in), LintOptions(pedantic=True)
    )
    assert said(held) == []


def test_a_part_that_cannot_be_read_is_known_by_its_first_line() -> None:
    """It goes on to the end of the file: what is written below would bring it back each time."""
    text = lines(HEAD, "date", "python ${six_ALL/train.py --epochs 3", "echo done")
    result = lint(text)
    assert "SB001" in {one.code for one in result.findings}
    baseline = baseline_of(result)
    assert said(lint_with(baseline, text + "echo finished\n")) == []
    assert "SB001" in {code for code, _ in said(lint_with(baseline, text.replace("six_ALL", "SEVEN")))}


def test_steps_may_change_places() -> None:
    steps = ["srun torchrun --nproc_per_node=8 a.py", "srun torchrun --nproc_per_node=8 b.py"]
    baseline = baseline_of(lint(lines(HEAD, steps)))
    assert lint(lines(HEAD, steps)).findings
    assert said(lint_with(baseline, lines(HEAD, steps[::-1]))) == []


def test_a_copied_line_is_one_too_many() -> None:
    fault = 'srun bash -c "echo $SLURM_PROCID"'
    baseline = baseline_of(lint(lines(HEAD[:2], fault)))
    assert said(lint_with(baseline, lines(HEAD[:2], fault))) == []
    assert said(lint_with(baseline, lines(HEAD[:2], fault, fault))) == [("SB401", 4)]


def test_a_copied_file_is_new() -> None:
    baseline = baseline_of(lint(FAULTY))
    assert said(lint_with(baseline, source(FAULTY, "copy.sh"))) == said(lint(FAULTY))


def test_what_is_out_of_date_is_counted_and_hides_nothing_else() -> None:
    baseline = baseline_of(lint(FAULTY))
    mended = lint_with(baseline, lines(HEAD[:2], NEW_FAULT))
    codes = frozenset(mark.code for marks in baseline.counts.values() for mark in marks)
    assert "SB401" in {code for code, _ in said(mended)}
    assert baseline.idle([(mended.source, codes)]) == len(lint(FAULTY).findings) - len(mended.known)
    assert baseline.idle([(mended.source, frozenset())]) == 0


def test_no_secret_is_kept_not_even_as_a_hash() -> None:
    token = "hf_" + "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi"
    other = "hf_" + "ZxCvBnMaSdFgHjKlQwErTyUiOpZxCvBnMa"
    texts = [lines(HEAD, f"export HF_TOKEN={value}") for value in (token, other)]
    one, two = (marks_of(lint(text)) for text in texts)
    assert any(mark.code.startswith("SB8") for mark in one)
    assert one == two


A, B, C = (Mark("SB1", "step a", finding, command) for finding, command in ("1x", "1y", "2x"))
MARKS = st.sampled_from([A, B, C, Mark("SB2", "step a", "1", "x"), Mark("SB1", "step b", "1", "x")])


@given(known=st.lists(MARKS), found=st.lists(MARKS))
def test_matching_answers_as_many_as_there_are_and_no_others(known: list[Mark], found: list[Mark]) -> None:
    counts = {mark: known.count(mark) for mark in known}
    answers = match(counts, found)
    for mark, answer in zip(found, answers, strict=True):
        assert answer is None or answer.alike == mark.alike
    used = [answer for answer in answers if answer is not None]
    assert all(used.count(mark) <= counts[mark] for mark in used)
    for alike in {mark.alike for mark in found}:
        wanted = sum(mark.alike == alike for mark in found)
        there = sum(mark.alike == alike for mark in known)
        assert sum(mark.alike == alike for mark in used) == min(wanted, there)
    for mark in set(found):
        exact = min(found.count(mark), known.count(mark))
        assert sum(a == m == mark for m, a in zip(found, answers, strict=True)) >= exact


def test_a_count_of_a_million_costs_nothing() -> None:
    assert match({A: 1_000_000}, [B, A]) == [A, A]
    assert match({A: 10**12}, [B] * 3) == [A] * 3


def test_a_partial_run_keeps_what_it_did_not_look_at(tmp_path: Path) -> None:
    for name in ("here.sh", "other.sh"):
        (tmp_path / name).touch()
    old = baseline_of(path=str(tmp_path / "b.json"))
    old.counts = {"here.sh": {A: 1, Mark("SB9", "x", "", ""): 2}, "other.sh": {B: 3}, "gone.sh": {C: 1}}
    looked = FileMarks(str(tmp_path / "here.sh"), (C, C), frozenset(("SB1",)))
    counts, kept = renewed(old, str(tmp_path), [looked])
    assert counts == {"here.sh": {C: 2, Mark("SB9", "x", "", ""): 2}, "other.sh": {B: 3}}
    assert kept == 5
