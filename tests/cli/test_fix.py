"""--fix, --unsafe-fixes and --diff."""

from __future__ import annotations

import json
import os
import stat

import pytest

from tests.cli.conftest import HEAD, Run, Write
from tests.cli.test_check import give


def test_fix_writes_what_is_safe_and_reports_the_rest(run: Run, write: Write) -> None:
    path = write("job.sh", "echo BAD RISKY\n")
    done = run("--fix", "--output-format", "concise", "job.sh")
    assert path.read_text() == HEAD + "echo FINE RISKY\n"
    assert done.status == 1
    assert done.out == "job.sh:3:11: TST102 a risky word is used\n"
    assert done.err == (
        "Fixed 1 problem.\n"
        "Found 1 problem left (1 warning) in 1 of 1 file.\n"
        "1 fixable with --fix --unsafe-fixes.\n"
    )


def test_fix_of_everything_is_success(run: Run, write: Write) -> None:
    path = write("job.sh", "echo BAD\n")
    assert run("--fix", "job.sh").status == 0
    assert run("--fix", "job.sh") == (0, "", "Found no problems in 1 file.\n")
    assert path.read_text() == HEAD + "echo FINE\n"


def test_unsafe_fixes(run: Run, write: Write) -> None:
    path = write("job.sh", "echo BAD RISKY\n")
    assert "[*] 2 fixable with --fix --unsafe-fixes." in run("--unsafe-fixes", "job.sh").err
    assert path.read_text() == HEAD + "echo BAD RISKY\n"
    assert run("--fix", "--unsafe-fixes", "job.sh").status == 0
    assert path.read_text() == HEAD + "echo FINE DARING\n"


def test_what_is_not_fixed_is_not_touched(run: Run, write: Write) -> None:
    raw = (HEAD + "echo 'é' \xff\techo BAD\r\nprintf x").encode("latin-1")
    path = write("job.sh", whole=raw)
    path.chmod(0o750)
    clean = write("clean.sh", "echo\n")
    before = clean.stat()
    run("--fix", "job.sh", "clean.sh")
    assert path.read_bytes() == raw.replace(b"BAD", b"FINE")
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert (clean.stat().st_ino, clean.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_link_is_told_of_and_what_it_leads_to_stays(run: Run, write: Write) -> None:
    target = write("real/job.sh", "echo BAD\n")
    link = target.parent.parent / "link.sh"
    link.symlink_to(target)
    done = run("--fix", "link.sh")
    assert done.status == 2
    assert f"link.sh: not fixed (it is a symbolic link, to {target.resolve()})" in done.err
    assert link.is_symlink() and target.read_text() == HEAD + "echo BAD\n"
    assert run("--fix", "real", "link.sh").status == 0
    assert link.is_symlink() and target.read_text() == HEAD + "echo FINE\n"


def test_a_file_that_cannot_be_written_is_reported_as_it_is(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("job.sh", "echo BAD\n")
    write("other.sh", "echo BAD\n")

    def refuse(source: str, target: str) -> None:
        if target.endswith("/job.sh"):
            raise PermissionError(1, "Operation not permitted")
        rename(source, target)

    rename = os.rename
    monkeypatch.setattr("os.replace", refuse)
    done = run("--fix", "--output-format", "concise", "job.sh", "other.sh")
    assert done.status == 2
    assert done.out == "job.sh:3:6: TST101 [*] a bad word is used\n"
    assert "sbatchlint: job.sh: not fixed (operation not permitted); see to its folder" in done.err
    assert path.read_text() == HEAD + "echo BAD\n"
    assert sorted(each.name for each in path.parent.iterdir()) == ["job.sh", "other.sh"]


def test_a_fix_that_would_do_harm_is_refused_and_not_offered_again(run: Run, write: Write) -> None:
    path = write("job.sh", "echo HARM BAD\n")
    done = run("--fix", "--output-format", "concise", "job.sh")
    assert path.read_text() == HEAD + "echo HARM FINE\n"
    assert done.status == 1
    assert done.out == "job.sh:3:6: TST301 harm is done\n"
    refusal, *summary = done.err.splitlines()
    assert refusal.startswith("sbatchlint: job.sh: TST301: not fixed (open a bracket): ")
    assert summary == ["Fixed 1 problem.", "Found 1 problem left (1 warning) in 1 of 1 file."]


def test_diff_shows_and_writes_nothing(run: Run, write: Write) -> None:
    path = write("job.sh", "echo BAD RISKY\n")
    for options in ("--diff",), ("--fix", "--diff"):
        done = run(*options, "job.sh")
        assert done.status == 1
        assert done.out == (
            "--- job.sh\n+++ job.sh\n@@ -1,3 +1,3 @@\n #!/bin/bash\n #SBATCH --nodes=1\n"
            "-echo BAD RISKY\n+echo FINE RISKY\n"
        )
        assert done.err == "Would fix 1 problem in 1 file.\n"
        assert path.read_text() == HEAD + "echo BAD RISKY\n"
    assert "+echo FINE DARING" in run("--diff", "--unsafe-fixes", "job.sh").out


def test_diff_without_a_change_is_success(run: Run, write: Write) -> None:
    write("job.sh", "echo RISKY\n")
    assert run("--diff", "job.sh") == (0, "", "Nothing to fix in 1 file.\n")
    write("bad.sh", "echo BAD\n")
    assert run("--diff", "--exit-zero", "bad.sh").status == 0
    assert run("--diff", "job.sh", "missing.sh").status == 2


def test_diff_cannot_play_tricks_on_the_terminal(run: Run, write: Write) -> None:
    write("job.sh", "echo \x1b]0;x\x07\u202e BAD\r\n")
    done = run("--diff", "--color", "always", "job.sh")
    assert "\x1b]" not in done.out and "\u202e" not in done.out
    assert "+echo \\x1b]0;x\\x07\\u202e FINE\\r" in done.out


def test_stdin_is_passed_on_fixed(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, f"{HEAD}echo BAD RISKY\r\n".encode())
    done = run("--fix", "--output-format", "concise", "-")
    assert done.status == 1
    assert done.out == f"{HEAD}echo FINE RISKY\r\n"
    assert done.err.startswith("-:3:11: TST102 a risky word is used\n")


@pytest.mark.parametrize("text", ["", "echo BAD\n", "a\0b"])
def test_stdin_that_is_no_batch_script_is_passed_on_as_it_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    give(monkeypatch, text.encode())
    assert run("--fix", "--stdin-filename", "x.sh", "-").out == text


def test_stdin_diff(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, f"{HEAD}echo BAD\n".encode())
    done = run("--diff", "--stdin-filename", "jobs/x.sh", "-")
    assert done.status == 1
    assert done.out.startswith("--- jobs/x.sh\n+++ jobs/x.sh\n")


def test_no_fix_is_promised_that_would_be_refused(run: Run, write: Write) -> None:
    path = write("job.sh", "echo HARM BAD RISKY\n")
    done = run("--output-format", "concise", "job.sh")
    assert done.out.splitlines() == [
        "job.sh:3:6: TST301 harm is done",
        "job.sh:3:11: TST101 [*] a bad word is used",
        "job.sh:3:15: TST102 a risky word is used",
    ]
    assert "[*] 1 fixable with --fix, 1 more with --unsafe-fixes." in done.err
    assert path.read_text() == HEAD + "echo HARM BAD RISKY\n"
    found = json.loads(run("--output-format", "json", "job.sh").out)["findings"]
    assert [(each["code"], each["fix"] is not None) for each in found] == [
        ("TST301", False),
        ("TST101", True),
        ("TST102", True),
    ]


def test_of_two_equal_fixes_only_the_refused_one_is_not_promised(run: Run, write: Write) -> None:
    write("job.sh", "echo 'HARM'\necho HARM\n")
    done = run("--output-format", "concise", "job.sh")
    assert done.out.splitlines() == [
        "job.sh:3:7: TST301 [*] harm is done",
        "job.sh:4:6: TST301 harm is done",
    ]
