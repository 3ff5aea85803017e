"""The baseline as a file: what is written is read, and what cannot be read is explained."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.adopt.baseline_file import BadBaseline, baseline_text, parse_baseline
from sbatchlint.adopt.marks import Mark

TEXT = st.text(max_size=8)
COUNTS = st.dictionaries(
    TEXT, st.dictionaries(st.builds(Mark, TEXT, TEXT, TEXT, TEXT), st.integers(1, 9), min_size=1, max_size=3)
)


@given(COUNTS)
@settings(max_examples=30)
def test_what_is_written_is_read(counts: dict[str, dict[Mark, int]]) -> None:
    text = baseline_text(counts)
    assert parse_baseline("b.json", text).counts == counts
    assert text.isascii()


@given(COUNTS)
@settings(max_examples=30)
def test_one_entry_a_line_in_order(counts: dict[str, dict[Mark, int]]) -> None:
    text = baseline_text(counts)
    entries = [line.strip().removesuffix(",") for line in text.splitlines() if line.startswith("    ")]
    assert [json.loads(line) for line in entries] == json.loads(text)["entries"]
    order = [tuple(json.loads(line).values())[:-1] for line in entries]
    assert order == sorted(order)


def test_bytes_that_are_no_text_survive() -> None:
    counts = {"a\udc80.sh": {Mark("SB1", "program \udcff", "1", "2"): 1}}
    assert parse_baseline("b.json", baseline_text(counts)).counts == counts


def test_of_two_counts_left_by_a_merge_the_greater_holds() -> None:
    text = baseline_text({"a.sh": {Mark("SB1", "", "1", "2"): 1}})
    line = text.splitlines()[3]
    both = text.replace(line, line + ",\n" + line.replace('"count": 1', '"count": 3'))
    assert parse_baseline("b.json", both).counts == {"a.sh": {Mark("SB1", "", "1", "2"): 3}}


ENTRY = '{"path": "a", "code": "SB1", "place": "p", "finding": "f", "command": "c", "count": 1}'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "no valid JSON"),
        ('{\n  "version": 1,\n<<<<<<< HEAD\n', 3, "no valid JSON"),
        ("[]", 1, "no baseline of sbatchlint"),
        ('{"entries": []}', 1, "no baseline of sbatchlint"),
        ('{\n"version": 2,\n"entries": []}', 2, "baseline of version 2, this sbatchlint reads version 1"),
        ('{\n"version": true, "entries": []}', 2, "baseline of version True"),
        ('{"version": 1,\n"entries": {}}', 2, "a list is wanted here"),
        (f'{{"version": 1, "entries": [\n{ENTRY},\n{{}}]}}', 3, "entry without a text for 'path'"),
        (f'{{"version": 1, "entries": [\n{ENTRY},\n3]}}', 3, "an entry is a table"),
        (f'{{"version": 1, "entries": [\n{ENTRY.replace("1}", "0}")}]}}', 2, "a count from 1 to"),
        (f'{{"version": 1, "entries": [\n{ENTRY.replace("1}", "1e99}")}]}}', 2, "a count from 1 to"),
        (f'{{"version": 1, "entries": [\n{ENTRY.replace("1}", "9" * 30 + "}")}]}}', 2, "to 1000000"),
        (
            f'{{"version": 1, "entries": [\n{ENTRY.replace("1}", "9" * 5000 + "}")}]}}',
            None,
            "no baseline|to 1000000",
        ),
        ("[" * 100000, 1, "no baseline"),
    ],
)
def test_what_is_no_baseline_is_explained_at_its_line(text: str, line: int | None, message: str) -> None:
    with pytest.raises(BadBaseline, match=message) as caught:
        parse_baseline("b.json", text)
    assert line is None or caught.value.place == f"b.json:{line}"


@given(COUNTS, st.data())
@settings(max_examples=60)
def test_a_damaged_one_is_read_or_explained(counts: dict[str, dict[Mark, int]], data: st.DataObject) -> None:
    text = baseline_text(counts)
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(len(text), at + 9)))
    put = data.draw(
        st.sampled_from(["", "{", "]", "NaN", "1e999", "null", '"', "\0", "9" * 40, ",", "\udc80"])
    )
    try:
        baseline = parse_baseline("b.json", text[:at] + put + text[end:])
    except BadBaseline as error:
        assert error.place.startswith("b.json:")
    else:
        assert all(1 <= count <= 1_000_000 for of in baseline.counts.values() for count in of.values())
