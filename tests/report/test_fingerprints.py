"""A server knows a finding again after the script around it has changed."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.report.fingerprints import fingerprints
from sbatchlint.report.gitlab import gitlab
from sbatchlint.source import Source, Span
from tests.report.builders import JOB, find, finding, report


def made(text: str, *words: str, secrets: tuple[str, ...] = (), path: str = "job.sh") -> list[str]:
    source = Source.from_text(text, path)
    found = [finding(find(source, word)) for word in words]
    (file,) = report(source, found, secrets).files
    return fingerprints(file, file.findings)


@given(before=st.lists(st.sampled_from(["# note\n", "\n", "export A=1\n"]), max_size=4).map("".join))
def test_lines_may_move(before: str) -> None:
    shebang, rest = JOB.split("\n", 1)
    assert made(f"{shebang}\n{before}{rest}", "srun") == made(JOB, "srun")


def test_blanks_may_change() -> None:
    assert made(JOB.replace("srun bash", "  srun   bash"), "srun") == made(JOB, "srun")


def test_another_text_or_rule_is_another_finding() -> None:
    source = Source.from_text(JOB, "job.sh")
    span = find(source, "srun")
    (file,) = report(source, [finding(span), finding(span, code="SB302"), finding(Span(0, 3))]).files
    assert len(set(fingerprints(file, file.findings))) == 3
    assert made(JOB.replace("srun bash", "srun -v bash"), "srun") != made(JOB, "srun")


def test_equal_lines_are_told_apart_and_the_first_keeps_its_name() -> None:
    source = Source.from_text("srun a\nsrun a\n", "job.sh")
    (file,) = report(source, [finding(Span(0, 4)), finding(Span(7, 11))]).files
    first, second = fingerprints(file, file.findings)
    assert first != second
    assert [first] == made("srun a\n", "srun")


def test_a_secret_leaves_no_trace() -> None:
    """Else whoever has the report could try values until one fits."""
    one, other = "hunter2secret", "letmein4ever!"
    text = f"TOKEN={one} srun a\n"
    assert made(text, "srun", secrets=(one,)) == made(text.replace(one, other), "srun", secrets=(other,))


def test_gitlab_tells_files_apart() -> None:
    names = [
        issue["fingerprint"]
        for path in ("a.sh", "b.sh", "./a.sh")
        for issue in json.loads(gitlab(report(Source.from_text(JOB, path), [finding(Span(0, 3))])))
    ]
    assert names[0] != names[1] and names[0] == names[2]
