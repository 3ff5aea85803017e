"""``--diff-against``: only what comes from changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adopt.repository import Repository
from tests.cli.adoption.entries import STDIN_TEXT, given_on_stdin
from tests.cli.conftest import HEAD, Run, Write


@pytest.fixture
def repository(tmp_path: Path, write: Write) -> Repository:
    made = Repository(tmp_path)
    write("a.sh", "echo BAD\n")
    made.commit()
    return made


def test_only_the_new_is_told_and_fixed(run: Run, write: Write, repository: Repository) -> None:
    assert run("--diff-against", "HEAD", ".").status == 0
    path = write("a.sh", "echo BAD\ndate BAD\n")
    outcome = run("--diff-against", "HEAD", "--output-format", "concise", ".")
    assert outcome.out == "./a.sh:4:6: TST101 [*] a bad word is used\n"
    assert "; 1 known before" in outcome.err
    assert run("--diff-against", "HEAD", "--fix", str(path)).status == 0
    assert path.read_text() == f"{HEAD}echo BAD\ndate FINE\n"


def test_with_a_baseline_and_comments(run: Run, write: Write, repository: Repository) -> None:
    write("a.sh", "echo BAD\ndate BAD\n")
    run("--write-baseline", "base.json", "a.sh")
    path = write("a.sh", "echo BAD\ndate BAD\nls RISKY\n")
    both = ("--diff-against", "HEAD", "--baseline", "base.json")
    outcome = run(*both, "--output-format", "concise", "a.sh")
    assert outcome.out == "a.sh:5:4: TST102 a risky word is used\n"
    assert run(*both, "--add-ignore", "a.sh").status == 0
    assert path.read_text() == f"{HEAD}echo BAD\ndate BAD\nls RISKY  # sbatchlint: ignore[TST102]\n"


def test_standard_input_is_compared_by_its_name(
    run: Run, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_on_stdin(monkeypatch, f"{STDIN_TEXT}date BAD\n")
    outcome = run("--diff-against", "HEAD", "--stdin-filename", "a.sh", "--output-format", "concise", "-")
    assert outcome.out == "a.sh:4:6: TST101 [*] a bad word is used\n"
    given_on_stdin(monkeypatch, STDIN_TEXT)
    assert run("--diff-against", "HEAD", "-").status == 1


def test_markdown_is_compared_too(run: Run, write: Write, repository: Repository) -> None:
    block = "```bash\nsrun echo BAD\n```\n"
    write("a.md", whole=block)
    repository.commit()
    write("a.md", whole=f"# Title\n{block}\n{block.replace('echo', 'date')}")
    outcome = run("--include-markdown", "--diff-against", "HEAD", "--output-format", "concise", "a.md")
    assert outcome.out == "a.md:7:11: TST101 a bad word is used\n"


def test_no_such_revision(run: Run, repository: Repository) -> None:
    outcome = run("--diff-against", "nope", "a.sh")
    assert (outcome.status, outcome.out) == (2, "")
    assert "--diff-against nope: a.sh: no revision 'nope' in" in outcome.err
    assert "fetch it first" in outcome.err


def test_no_repository(run: Run, write: Write) -> None:
    write("a.sh", "echo BAD\n")
    outcome = run("--diff-against", "HEAD", "a.sh")
    assert (outcome.status, outcome.out) == (2, "")
    assert "a.sh: not in a git repository" in outcome.err


def test_a_submodule_that_cannot_be_compared_is_told(
    run: Run, write: Write, repository: Repository, tmp_path: Path
) -> None:
    """A repository below, in a folder that is searched, is met when the files are read."""
    Repository(tmp_path / "sub")
    write("sub/b.sh", "echo BAD\n")
    outcome = run("--diff-against", "HEAD", "--output-format", "concise", ".")
    assert outcome.status == 2
    assert outcome.out == "./sub/b.sh:3:6: TST101 [*] a bad word is used\n"
    assert outcome.err.count("sub/b.sh: not compared: no revision 'HEAD' in") == 1
