"""What bash and the shell reader say of a text before and after."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sbatchlint.fix.bash import BashCheck, Reading, is_for_bash
from sbatchlint.fix.guards import Guards
from sbatchlint.shell.reader import read_script
from sbatchlint.shell.syntax import Script
from sbatchlint.source import Source, Span

GOOD = "#!/bin/bash\nif true; then\n  echo hi\nfi\n"


def source(text: str) -> Source:
    return Source.from_text(text, "f")


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        (GOOD, Reading.ACCEPTED),
        ("#!/bin/bash\nif true; then\n", Reading.REJECTED),
        ("#!/bin/sh\ncat <<EOF\nnever ended\n", Reading.DOUBTED),
        ("#!/bin/bash -l\r\nif true; then\r\n  echo\r\nfi\r\n", Reading.ACCEPTED),
        ("#!/bin/bash\necho \udcff 世\n", Reading.ACCEPTED),
        ("#!/usr/bin/env python3\nif x:\n", None),
    ],
)
def test_bash_reads(text: str, reading: Reading | None) -> None:
    assert BashCheck().reading(source(text)) == reading


def test_bash_executes_nothing_and_sees_no_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    rc = tmp_path / "rc"
    rc.write_text(f"touch {trace}\n")
    monkeypatch.setenv("BASH_ENV", str(rc))
    monkeypatch.setenv("ENV", str(rc))
    monkeypatch.setenv("SHELLOPTS", "verbose")  # which would tell each line, and so doubt it
    text = f"#!/bin/bash\nset +n\ntouch {trace}\n: $(touch {trace}) `touch {trace}`\neval 'touch {trace}'\n"
    assert BashCheck().reading(source(text)) is Reading.ACCEPTED
    assert not trace.exists()


def test_verdict_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    run = subprocess.run

    def counting(*arguments: object, **options: object) -> object:
        calls.append(arguments)
        return run(*arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", counting)
    check = BashCheck()
    assert check.reading(source(GOOD)) == check.reading(source(GOOD)) == Reading.ACCEPTED
    assert len(calls) == 1


def test_no_verdict_without_bash_or_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert BashCheck(timeout=0.0).reading(source(GOOD)) is None
    monkeypatch.setenv("PATH", "")
    assert BashCheck().reading(source(GOOD)) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#!/bin/bash", True),
        ("#! /bin/sh -e", True),
        ("#!/usr/bin/env bash", True),
        ("#!/usr/bin/env -S LANG=C bash -l", True),
        ("echo no shebang", True),
        ("#!/usr/bin/env python3", False),
        ("#!/bin/zsh", False),
        ("#!/usr/bin/env", False),
        ("#!/usr/bin/fish", False),
    ],
)
def test_which_scripts_are_for_bash(line: str, expected: bool) -> None:
    assert is_for_bash(source(line + "\n")) is expected


def test_guard_by_bash() -> None:
    guards = Guards()
    broken = source("#!/bin/bash\nif true; then\n")
    assert guards.breaks_syntax(source(GOOD), broken) == "bash would no longer read the script"
    assert guards.breaks_syntax(source(GOOD), source(GOOD + "echo\n")) is None
    assert guards.breaks_syntax(broken, source(GOOD)) is None


def test_guard_by_the_reader_where_bash_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    guards = Guards()
    broken = source("#!/bin/bash\nfor x in a; echo; done\n")
    assert guards.breaks_syntax(source(GOOD), broken) == "a part of the script could no longer be read"
    assert guards.breaks_syntax(broken, source(GOOD)) is None


def test_guard_by_the_reader_where_bash_rejected_the_script_before() -> None:
    before = source("#!/bin/bash\necho hi\nfor x in a; echo; done\n")
    after = source("#!/bin/bash\nfor y in; echo; done\nfor x in a; echo; done\n")
    assert Guards().breaks_syntax(before, after) == "a part of the script could no longer be read"
    assert Guards().breaks_syntax(before, before) is None


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ("echo a # why\n", "echo b # why\n", None),
        ("echo a # why\n", "# why\necho a\n", None),
        ("echo a # why\n", "echo a\n", "# why"),
        ("# same\n# same\n", "# same\n", "# same"),
        ("echo '# text'\n", "echo\n", None),
        ("#SBATCH -N2\n", "#SBATCH -N1\n", None),
        ("#SBATCH -N2 # two of them\n", "#SBATCH -N1\n", "# two of them"),
        ("#SBATCH -N2 # two of them\n", "#SBATCH -N1 # two of them\n", None),
        ("#SBATCH --comment='a # b'\n", "echo\n", None),
        ("A=(\n  x # why\n  y\n)\n", "A=(\n  x\n  y\n)\n", "# why"),
        ("##SBATCH -N2\n", "echo\n", "##SBATCH -N2"),
        ("echo\n#SBATCH -N2\n", "#SBATCH -N2\necho\n", None),
        ("#SBATCH hetjob  # the second\necho\n", "#SBATCH hetjob\n", "# the second"),
        ("#SBATCH hetjob  # the second\n", "#SBATCH hetjob # the second\n", None),
        ("#SBATCH hetjob no comment\n", "#SBATCH hetjob\n", None),
        ("echo a # why  \n", "echo a # why\n", None),
        ("echo a #  why\n", "echo a # why\n", "#  why"),
        ("echo\n#SBATCH -N2 # two of them\n", "echo\n", "# two of them"),
    ],
)
def test_lost_comments(before: str, after: str, lost: str | None) -> None:
    reason = Guards().loses_comment(source("#!/bin/bash\n" + before), source("#!/bin/bash\n" + after))
    assert reason == (None if lost is None else f"it would lose the comment {lost!r}")


@pytest.mark.parametrize(
    ("start", "end", "lost"), [(5, 6, True), (5, 7, False), (8, 9, False), (12, 13, False), (13, 14, True)]
)
def test_comments_that_are_revived_are_not_lost(start: int, end: int, lost: bool) -> None:
    """The comment goes from 7 to 12; what touches it revives it."""
    before, after = source("echo a\n# why\n# other\n"), source("echo a\n\n# other\n")
    reason = Guards().loses_comment(before, after, [Span(start, end)])
    assert reason == ("it would lose the comment '# why'" if lost else None)
    assert Guards().loses_comment(before, source("echo a\n"), [Span(9, 9)]) == (
        "it would lose the comment '# other'"
    )


def test_each_of_the_two_latest_texts_is_read_once() -> None:
    read = []

    def reader(text: Source) -> Script:
        read.append(text.text)
        return read_script(text)

    guards = Guards(read=reader)
    one, two, three = source("echo 1\n"), source("echo 2\n"), source("echo 3\n")
    guards.loses_comment(one, two)
    guards.loses_comment(one, two)
    guards.loses_comment(two, one)
    assert read == ["echo 2\n", "echo 1\n"]
    guards.loses_comment(one, three)
    assert read[2:] == ["echo 3\n"]
    guards.loses_comment(three, one)
    assert read[3:] == []
    guards.loses_comment(two, three)
    assert read[3:] == ["echo 2\n"], "no more than two are remembered"
    guards.loses_comment(three, two)
    assert read[4:] == []
