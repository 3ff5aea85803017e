"""Fixes as patches."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sbatchlint.fix.diff import unified_diff
from sbatchlint.source import Source


def diff(before: bytes, after: bytes) -> list[str]:
    return list(unified_diff(Source.from_bytes(before, "job.sh"), Source.from_bytes(after, "job.sh")))


def test_equal_sources_give_nothing() -> None:
    assert diff(b"a\n", b"a\n") == []


def test_a_change() -> None:
    assert diff(b"a\nb\nc\n", b"a\nB\nc\n") == [
        "--- job.sh",
        "+++ job.sh",
        "@@ -1,3 +1,3 @@",
        " a",
        "-b",
        "+B",
        " c",
    ]


def test_lines_around_a_change() -> None:
    before, after = (Source.from_text(f"1\n2\n3\n4\n{word}\n6\n7\n8\n9\n", "f") for word in "ab")
    assert list(unified_diff(before, after))[2:] == ["@@ -2,7 +2,7 @@", *" 2, 3, 4,-a,+b, 6, 7, 8".split(",")]
    assert list(unified_diff(before, after, context=0))[2:] == ["@@ -5 +5 @@", "-a", "+b"]


def test_missing_line_end_is_told() -> None:
    assert diff(b"a\nb", b"a\nc")[3:] == [
        " a",
        "-b",
        "\\ No newline at end of file",
        "+c",
        "\\ No newline at end of file",
    ]


def test_carriage_returns_are_those_of_the_bytes() -> None:
    assert diff(b"a\r\nb\n", b"a\r\nc\n")[3:] == [" a\r", "-b", "+c"]


LINES = st.lists(st.sampled_from([b"a", b"\xc3\xa9", b"\xff", b"#SBATCH", b"", b"\t x \r"]), max_size=6)


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, LINES, st.booleans(), st.booleans())
def test_patch_makes_the_new_bytes_of_the_old(
    tmp_path: Path, old: list[bytes], new: list[bytes], old_ends: bool, new_ends: bool
) -> None:
    before = b"\n".join(old) + (b"\n" if old_ends else b"")
    after = b"\n".join(new) + (b"\n" if new_ends else b"")
    lines = diff(before, after)
    if not lines or not before or not after:  # patch takes an empty side for a missing file
        assert bool(lines) == (before != after)
        return
    target = tmp_path / "job.sh"
    target.write_bytes(before)
    text = "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")
    subprocess.run(["patch", "--binary", "-s", "-p0"], input=text, cwd=tmp_path, check=True)
    assert target.read_bytes() == after
