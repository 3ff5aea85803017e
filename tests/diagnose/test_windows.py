"""What is seen does not depend on how a log is cut into pieces; the fast way sees what the slow one does."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sbatchlint.diagnose import shortening, windows
from sbatchlint.diagnose.collecting import Collector
from sbatchlint.diagnose.shortening import Shortener
from sbatchlint.diagnose.signatures import Classifier, compiled, signatures
from sbatchlint.diagnose.sought import Sought
from sbatchlint.diagnose.windows import Line, Window, search
from tests.diagnose.scenes import EXPECTED, LOGS, diagnose, pieces

CHUNKS = st.lists(
    st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"bad", b"\x1b[31m", b"\0", b"xyz" * 9]), max_size=60
)
CUTS = st.integers(1, 40)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "BEFORE", 10)
    monkeypatch.setattr(windows, "AFTER", 14)
    monkeypatch.setattr(shortening, "LONGEST", 12)


class Always:
    def __init__(self, expression: str) -> None:
        self.whole = self.current = compiled(expression)


def looked_at(data: bytes, size: int) -> list[object]:
    seen: list[object] = []

    def look(window: Window, line: Line, start: int, end: int) -> None:
        seen.append((line, list(window.before(start)), list(window.after(end))))

    tail = search(pieces(data, size), Always("bad|b"), look)
    return [seen, tail.lines, list(tail.read())]


@pytest.mark.usefixtures("small")
class TestSmallWindows:
    def test_cuts_change_nothing(self) -> None:
        @given(CHUNKS.map(b"".join), CUTS)
        @example(b"a\n" * 30 + b"x" * 12 + b"\nbad\n" + b"a\n" * 60, 5)
        def check(data: bytes, size: int) -> None:
            assert looked_at(data, size) == looked_at(data, len(data) + 1)

        check()

    def test_lines_are_numbered_as_an_editor_does(self) -> None:
        @given(st.lists(st.text("ab\r", max_size=6), max_size=12), CUTS)
        def check(lines: list[str], size: int) -> None:
            data = "\n".join(lines).encode()
            found: list[tuple[int, bytes]] = []
            search(
                pieces(data, size),
                Always("b"),
                lambda window, line, start, end: found.append((line.number, line.data)),
            )
            wanted = [
                (number, part)
                for number, line in enumerate(data.split(b"\n"), 1)
                for part in line.split(b"\r")
                if b"b" in part
            ]
            assert found == wanted

        check()

    def test_shortening(self) -> None:
        @given(st.text("ab\r\n", max_size=80), CUTS)
        def check(text: str, size: int) -> None:
            shortener = Shortener()
            got = b"".join(shortener.shorten(piece) for piece in pieces(text.encode(), size))
            assert got.decode() == "".join(_short(text))

        check()


def _short(text: str) -> Iterator[str]:
    run = 0
    for char in text:
        if char in "\r\n":
            run = 0
            yield char
        elif run < 12:
            run += 1
            yield char


@pytest.mark.parametrize("size", [1, 7, 100, 4096])
@pytest.mark.parametrize("name", ["02-gpu-oom-then-watchdog.log", "11-stale-handle-hidden-by-watchdog.log"])
def test_cuts_change_no_diagnosis(name: str, size: int) -> None:
    data = (LOGS / name).read_bytes()[-6000:] if size == 1 else (LOGS / name).read_bytes()
    assert diagnose(pieces(data, size)) == diagnose(data)


def test_cuts_in_a_longer_log_change_no_diagnosis() -> None:
    noise = b"".join(b"0: iteration %d | loss: 2.5\n" % number for number in range(12_000))
    data = noise + (LOGS / "08-packed-data-not-shared.log").read_bytes() + noise[:90_000]
    whole = diagnose(data)
    assert all(diagnose(pieces(data, size)) == whole for size in (65_536, 100_003, 250_000))


def test_the_prefilter_misses_no_line_that_has_a_signature() -> None:
    classifier, expression = Classifier(), Sought().whole
    for line in all_lines():
        if classifier.classify(line):
            assert expression.search(b"before\n" + line + b"\nafter"), line


def test_the_fast_way_counts_what_the_slow_one_does() -> None:
    lines = [line for line in all_lines() if b"REQUEUE" not in line]  # that makes it start over
    random.Random(4).shuffle(lines)
    compiled_all = {name: compiled(one.expression) for name, one in signatures().items()}
    slow = dict.fromkeys(compiled_all, 0)
    for line in lines:
        found = {name for name, expression in compiled_all.items() if expression.search(line)}
        for one in found - {low for name in found for low in signatures()[name].over}:
            slow[one] += 1
    collector = Collector()
    collector.read(0, pieces(b"\n".join(lines), 1000))
    counts = collector.finish().counts
    assert {name: count for name, count in slow.items() if count} == dict(counts)


def all_lines() -> list[bytes]:
    lines = [line for name in EXPECTED for line in (LOGS / name).read_bytes().splitlines()]
    for one in signatures().values():
        lines += [one.positive.encode(), one.negative.encode(), b"3: " + one.positive.encode()]
    return lines


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x1b[31m1: [rank3]: torch.OutOfMemoryError: \x1b[1mCUDA out of memory\x1b[0m",
        b"12%|#   |\r50%|##  |\r1: [rank3]: torch.OutOfMemoryError: CUDA out of memory\r\n",
        b"1: [rank3]: torch.OutOfMemoryError: CUDA out of\0\0 memory \xff\xfe",
        b"1: [rank3]: torch.OutOfMemoryError: CUDA out of memory" + b"x" * 300_000,
        b"x" * 300_000 + b"\r1: [rank3]: torch.OutOfMemoryError: CUDA out of memory",
    ],
)
def test_odd_bytes_hide_nothing(garbage: bytes) -> None:
    found = diagnose(b"start\n" + garbage + b"\nsrun: error: n7: task 1: Exited with exit code 1\n")
    assert found.cause is not None
    assert found.cause.id == "cuda-oom"
    assert (found.where.node, found.where.rank) == ("n7", 3)
    assert found.cause.seen is not None
    assert found.cause.seen.place.line == 2
    assert len(found.cause.seen.text) <= shortening.LONGEST
