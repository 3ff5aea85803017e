"""Findings, exit statuses and the options of check."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tests.cli.conftest import HEAD, Run, Write


def test_clean(run: Run, write: Write) -> None:
    write("job.sh", "srun hostname\n")
    assert run("job.sh") == (0, "", "Found no problems in 1 file.\n")


def test_findings_go_to_stdout_and_the_rest_to_stderr(run: Run, write: Write) -> None:
    write("job.sh", "echo BAD\n")
    done = run("job.sh")
    assert done.status == 1
    assert done.out == (
        "error[TST101] a bad word is used  (bad-word)\n"
        " --> job.sh:3:6\n"
        "  |\n"
        "3 | echo BAD\n"
        "  |      ^^^ here\n"
        "  |\n"
        "  = help: write FINE [*]\n"
        "\n"
    )
    assert done.err == "Found 1 problem (1 error) in 1 of 1 file.\n[*] 1 fixable with --fix.\n"


def test_check_may_be_said(run: Run, write: Write) -> None:
    write("job.sh", "echo BAD\n")
    assert run("check", "job.sh") == run("job.sh")


def test_findings_are_sorted_by_file_and_place(run: Run, write: Write) -> None:
    write("b.sh", "echo BAD HINT\necho BAD\n")
    write("a.sh", "echo RISKY\n")
    done = run("--pedantic", "--output-format", "concise", "b.sh", "a.sh")
    assert done.out == (
        "a.sh:3:6: TST102 a risky word is used\n"
        "b.sh:3:6: TST101 [*] a bad word is used\n"
        "b.sh:3:10: TST201 a word could be better\n"
        "b.sh:4:6: TST101 [*] a bad word is used\n"
    )


@pytest.mark.parametrize(
    ("fail_on", "statuses"),
    [("info", (1, 1, 1)), ("warning", (1, 1, 0)), ("error", (1, 0, 0))],
)
def test_fail_on(run: Run, write: Write, fail_on: str, statuses: tuple[int, int, int]) -> None:
    for word in ("BAD", "RISKY", "HINT"):
        write(f"{word}.sh", f"echo {word}\n")
    assert (
        tuple(
            run("--pedantic", "--fail-on", fail_on, f"{word}.sh").status for word in ("BAD", "RISKY", "HINT")
        )
        == statuses
    )


def test_exit_zero_forgives_findings_but_not_failures(run: Run, write: Write) -> None:
    write("job.sh", "echo BAD\n")
    assert run("--exit-zero", "job.sh").status == 0
    assert run("--exit-zero", "job.sh", "missing.sh").status == 2


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        (("--select", "TST101"), {"TST101"}),
        (("--select", "TST1"), {"TST101", "TST102"}),
        (("--select", "bad-word,hint-word"), {"TST101", "TST201"}),
        (("--select", "bad-word", "--select", "TST201"), {"TST101", "TST201"}),
        (("--ignore", "TST1"), {"TST201"}),
        (("--ignore", "TST1", "--extend-select", "TST101"), {"TST101", "TST201"}),
        (("--select", "ALL", "--ignore", "risky-word"), {"TST101", "TST201"}),
        (("--select", "launch"), set()),
    ],
)
def test_choosing_rules(run: Run, write: Write, options: tuple[str, ...], codes: set[str]) -> None:
    write("job.sh", "echo BAD RISKY HINT\n")
    document = json.loads(run("--pedantic", "--output-format", "json", *options, "job.sh").out)
    assert {finding["code"] for finding in document["findings"]} == codes


def test_notes_are_shown_to_those_who_ask(run: Run, write: Write) -> None:
    write("job.sh", "echo HINT\n")
    done = run("job.sh")
    assert (done.status, done.out) == (0, "")
    assert "Found no problems in 1 file; 1 more with --pedantic." in done.err
    assert run("--pedantic", "job.sh").status == 1
    assert run("--select", "hint-word", "job.sh").status == 1
    assert run("--extend-select", "TST201", "job.sh").status == 1
    assert run("--select", "TST2", "job.sh").status == 0


@pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
def test_a_selector_that_means_nothing(run: Run, write: Write, option: str) -> None:
    write("job.sh", "echo BAD\n")
    done = run(option, "bad-wrod", "job.sh")
    assert done.status == 2 and done.out == ""
    assert done.err.count("\n") == 1
    assert "'bad-wrod'" in done.err and "'bad-word'" in done.err


@pytest.mark.parametrize(
    "arguments",
    [(), ("--select", ",", "job.sh"), ("--no-such-option", "job.sh"), ("--fail-on", "never", "job.sh")],
)
def test_wrong_use(run: Run, write: Write, arguments: tuple[str, ...]) -> None:
    write("job.sh")
    done = run(*arguments)
    assert done.status == 2 and "usage: sbatchlint" in done.err


def test_quiet_leaves_the_findings_and_the_errors(run: Run, write: Write) -> None:
    write("job.sh", "echo BAD\n")
    done = run("-q", "job.sh", "missing.sh")
    assert "a bad word is used" in done.out
    assert done.err == "sbatchlint: missing.sh: no such file or folder; check the path\n"


def test_statistics(run: Run, write: Write) -> None:
    write("job.sh", "echo BAD BAD RISKY\n")
    done = run("--statistics", "job.sh")
    assert done.status == 1
    assert done.out == (
        "count  files  fixable  code    worst    rule\n"
        "    2      1        2  TST101  error    bad-word\n"
        "    1      1        0  TST102  warning  risky-word\n"
    )


def test_statistics_as_json(run: Run, write: Write) -> None:
    write("job.sh", "echo BAD BAD RISKY\n")
    done = run("--statistics", "--output-format", "json", "job.sh")
    assert done.status == 1
    rows = json.loads(done.out)
    assert [(row["code"], row["count"], row["files"], row["fixable"]) for row in rows] == [
        ("TST101", 2, 1, 2),
        ("TST102", 1, 1, 0),
    ]


def test_suppressed_findings_are_counted(run: Run, write: Write) -> None:
    write("job.sh", "echo BAD  # sbatchlint: ignore[TST101] on purpose\n")
    assert run("job.sh") == (0, "", "Found no problems in 1 file; 1 suppressed.\n")


def test_colour(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("job.sh", "echo BAD\n")
    assert "\x1b" not in run("job.sh").out
    painted = run("--color", "always", "job.sh").out
    assert "\x1b[1;31m" in painted and "\x1b]8;" not in painted
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("job.sh").out
    assert "\x1b[" not in run("--color", "never", "job.sh").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("job.sh").out
    assert "\x1b[" in run("--color", "always", "job.sh").out


def test_a_fault_of_the_tool_stops_nothing_else(run: Run, write: Write) -> None:
    write("a.sh", "echo CRASH BAD\n")
    write("b.sh", "echo BAD\n")
    done = run("--output-format", "concise", "a.sh", "b.sh")
    assert done.status == 2
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["a.sh", "b.sh"]
    assert "a.sh: internal error in rule TST901: RuntimeError at cli/fake_rules.py:" in done.err
    assert "fell over" not in done.err and "Traceback" not in done.err
    assert "Traceback" in run("-v", "a.sh").err


def give(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    stream: Any = io.TextIOWrapper(io.BytesIO(data))
    monkeypatch.setattr("sys.stdin", stream)


def test_stdin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, f"{HEAD}echo BAD\n".encode())
    assert run("--output-format", "concise", "-").out == "-:3:6: TST101 [*] a bad word is used\n"
    give(monkeypatch, f"{HEAD}echo BAD\n".encode())
    done = run("--output-format", "concise", "--stdin-filename", "jobs/x.sh", "-")
    assert done.out == "jobs/x.sh:3:6: TST101 [*] a bad word is used\n"


def test_stdin_without_directives_counts_unless_its_name_says_it_is_something_else(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, status in ((), 1), (("--stdin-filename", "a.sh"), 0), (("--stdin-filename", "a.sbatch"), 1):
        give(monkeypatch, b"#!/bin/bash\necho BAD\n")
        assert run(*name, "-").status == status
