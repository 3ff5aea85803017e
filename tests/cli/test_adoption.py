"""Beginning with sbatchlint where there are findings already, at the command line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adopt.repository import Repository
from tests.cli.conftest import HEAD, Run, Write

STDIN_TEXT = f"{HEAD}echo BAD\n"


def given_on_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def entries(path: Path) -> list[tuple[str, str, int]]:
    found = json.loads(path.read_text())["entries"]
    return [(entry["path"], entry["code"], entry["count"]) for entry in found]


# --- baselines -------------------------------------------------------------------------------------


def test_a_baseline_is_written_and_heeded(run: Run, write: Write, tmp_path: Path) -> None:
    write("jobs/a.sh", "echo BAD\necho BAD\n")
    write("jobs/b.sh", "echo RISKY\n")
    outcome = run("--write-baseline", "base.json", "jobs")
    assert (outcome.status, outcome.out) == (0, "")
    assert "base.json: 3 findings of 2 files written\n" in outcome.err
    assert "Found no problems in 2 files; 3 known before." in outcome.err
    assert entries(tmp_path / "base.json") == [("jobs/a.sh", "TST101", 2), ("jobs/b.sh", "TST102", 1)]

    assert run("--baseline", "base.json", "jobs").status == 0
    write("jobs/a.sh", "# moved\n\necho BAD\necho BAD\necho worse BAD\n")
    outcome = run("--baseline", "base.json", "--output-format", "concise", "jobs")
    assert outcome.status == 1
    assert outcome.out == "jobs/a.sh:7:12: TST101 [*] a bad word is used\n"
    assert "; 3 known before" in outcome.err


def test_paths_start_from_the_baseline(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("repo/jobs/a.sh", "echo BAD\n")
    run("--write-baseline", "repo/base.json", str(tmp_path / "repo"))
    assert entries(tmp_path / "repo" / "base.json") == [("jobs/a.sh", "TST101", 1)]
    monkeypatch.chdir(tmp_path / "repo" / "jobs")
    assert run("--baseline", "../base.json", "a.sh").status == 0
    (tmp_path / "link").symlink_to(tmp_path / "repo")
    assert run("--baseline", str(tmp_path / "link" / "base.json"), str(tmp_path / "link")).status == 0


def test_a_partial_run_keeps_the_rest(run: Run, write: Write, tmp_path: Path) -> None:
    write("a.sh", "echo BAD RISKY\n")
    write("b.sh", "echo BAD\n")
    gone = write("c.sh", "echo BAD\n")
    run("--write-baseline", "base.json", ".")
    gone.unlink()
    write("a.sh", "echo fine\n")
    outcome = run("--write-baseline", "base.json", "--select", "TST101", "a.sh")
    assert (
        "0 findings of 0 files written; 2 of files or rules that were not asked for are kept" in outcome.err
    )
    assert entries(tmp_path / "base.json") == [("a.sh", "TST102", 1), ("b.sh", "TST101", 1)]


def test_writing_again_changes_no_byte(run: Run, write: Write, tmp_path: Path) -> None:
    write("a.sh", "echo BAD HARM\n")
    run("--write-baseline", "base.json", ".")
    first = (tmp_path / "base.json").read_bytes()
    run("--write-baseline", "base.json", "--baseline", "base.json", ".")
    assert (tmp_path / "base.json").read_bytes() == first


def test_what_is_out_of_date_is_told(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\necho HINT\n")
    run("--pedantic", "--write-baseline", "base.json", "a.sh")
    said = "base.json: {} of the baseline {} no longer there"
    assert "no longer there" not in run("--baseline", "base.json", "a.sh").err
    assert "no longer there" not in run("--baseline", "base.json", "--select", "TST102", "a.sh").err
    write("a.sh", "echo HINT\n")
    assert said.format("1 finding", "is") in run("--baseline", "base.json", "a.sh").err
    assert run("-q", "--baseline", "base.json", "a.sh").err == ""
    path.unlink()
    write("b.sh")
    assert said.format("2 findings", "are") in run("--baseline", "base.json", "b.sh").err


def test_known_findings_are_not_fixed(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    run("--write-baseline", "base.json", "a.sh")
    write("a.sh", "echo BAD\ndate BAD\n")
    outcome = run("--fix", "--baseline", "base.json", "a.sh")
    assert outcome.status == 0
    assert path.read_text() == f"{HEAD}echo BAD\ndate FINE\n"
    assert "no longer there" not in outcome.err


def test_fixing_before_a_baseline(run: Run, write: Write, tmp_path: Path) -> None:
    write("a.sh", "echo BAD RISKY\n")
    assert run("--fix", "--write-baseline", "base.json", "a.sh").status == 0
    assert entries(tmp_path / "base.json") == [("a.sh", "TST102", 1)]


def test_what_is_suppressed_or_broken_is_not_in_it(run: Run, write: Write, tmp_path: Path) -> None:
    write("a.sh", "echo BAD # sbatchlint: ignore[TST101] so it is\necho CRASH RISKY\n")
    outcome = run("--write-baseline", "base.json", "a.sh", "missing.sh")
    assert outcome.status == 2
    assert entries(tmp_path / "base.json") == [("a.sh", "TST102", 1)]


def test_no_secret_is_in_it(run: Run, write: Write, tmp_path: Path) -> None:
    token = "hf_" + "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi"
    write("a.sh", f"export HF_TOKEN={token}\n")
    run("--write-baseline", "base.json", "a.sh")
    assert entries(tmp_path / "base.json")
    assert token not in (tmp_path / "base.json").read_text()
    assert run("--baseline", "base.json", "a.sh").status == 0


def test_markdown_in_a_baseline(run: Run, write: Write) -> None:
    block = "```bash\n#SBATCH -N1\necho BAD\n```\n"
    write("a.md", whole=block)
    run("--include-markdown", "--write-baseline", "base.json", "a.md")
    write("a.md", whole=f"# Title\n\n{block}\n{block}")
    outcome = run("--include-markdown", "--baseline", "base.json", "--output-format", "concise", "a.md")
    assert outcome.out == "a.md:10:6: TST101 a bad word is used\n"


def test_standard_input(run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.sh", "echo BAD\n")
    run("--write-baseline", "base.json", "a.sh")
    given_on_stdin(monkeypatch, STDIN_TEXT)
    assert run("--baseline", "base.json", "--stdin-filename", "a.sh", "-").status == 0
    given_on_stdin(monkeypatch, STDIN_TEXT)
    assert run("--baseline", "base.json", "-").status == 1
    given_on_stdin(monkeypatch, STDIN_TEXT)
    outcome = run("--write-baseline", "other.json", "-")
    assert (outcome.status, entries(tmp_path / "other.json")) == (1, [])
    assert "not in the baseline: it has no name" in outcome.err


def test_json_counts_what_is_held_back(run: Run, write: Write) -> None:
    write("a.sh", "echo BAD\n")
    run("--write-baseline", "base.json", "a.sh")
    document = json.loads(run("--baseline", "base.json", "--output-format", "json", "a.sh").out)
    assert document["findings"] == []
    assert document["summary"]["baselined"] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "base.json: no such baseline; write it with --write-baseline"),
        ("{\n<<<<<<<\n", "base.json:2: no valid JSON"),
        ('{\n "version": 9,\n "entries": []}', "base.json:2: baseline of version 9"),
        ("{}", "base.json:1: no baseline of sbatchlint"),
    ],
)
def test_a_baseline_that_cannot_be_used(run: Run, write: Write, text: str | None, said: str) -> None:
    write("a.sh", "echo BAD\n")
    if text is not None:
        write("base.json", whole=text)
    outcome = run("--baseline", "base.json", "a.sh")
    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err


def test_what_is_no_baseline_is_not_overwritten(run: Run, write: Write) -> None:
    write("a.sh", "echo BAD\n")
    path = write("package.json", whole='{"name": "x"}')
    outcome = run("--write-baseline", "package.json", "a.sh")
    assert outcome.status == 2
    assert "package.json:1: no baseline of sbatchlint" in outcome.err
    assert "nothing written" in outcome.err
    assert path.read_text() == '{"name": "x"}'


@pytest.mark.parametrize("paths", [("a.sh",), ("nobody.sh",)])
@pytest.mark.parametrize("old", [True, False])
def test_where_nothing_could_be_checked_no_baseline_is_written(
    run: Run, write: Write, tmp_path: Path, paths: tuple[str, ...], old: bool
) -> None:
    write("a.sh", "echo BAD\n")
    known = tmp_path / "base.json"
    if old:
        run("--write-baseline", "base.json", "a.sh")
    before = known.read_bytes() if old else None
    write("sbatchlint.toml", whole="ingore = []\n")
    outcome = run("--write-baseline", "base.json", *paths)
    assert outcome.status == 2
    assert "base.json: the baseline was not written: nothing could be checked" in outcome.err
    assert (known.read_bytes() if known.exists() else None) == before


@pytest.mark.parametrize(
    ("name", "said"), [("none.json", "no such baseline"), ("folder", "this is a folder and no baseline")]
)
def test_a_baseline_that_the_configuration_names_is_told_at_its_line(
    run: Run, write: Write, tmp_path: Path, name: str, said: str
) -> None:
    (tmp_path / "folder").mkdir()
    write("a.sh", "echo BAD\n")
    write("b.sh", "echo BAD\n")
    write("sbatchlint.toml", whole=f'pedantic = false\nbaseline = "{name}"\n')
    outcome = run("--output-format", "concise", "a.sh", "b.sh")
    assert outcome.status == 2
    assert outcome.err.count(f"error: baseline: '{name}': {said}\n --> sbatchlint.toml:2:12\n") == 1
    assert outcome.out.count("TST101") == 2
    assert run("--no-baseline", "--exit-zero", "a.sh").status == 0


def test_two_runs_at_once_lose_nothing(write: Write, tmp_path: Path) -> None:
    names = [f"{number}.sh" for number in range(4)]
    for name in names:
        write(name, '#SBATCH --ntasks=8\nsrun bash -c "echo $SLURM_PROCID"\n')
    command = [sys.executable, "-m", "sbatchlint", "--isolated", "--write-baseline", "b.json"]
    runs = [subprocess.Popen([*command, name], cwd=tmp_path, stderr=subprocess.PIPE) for name in names]
    for one in runs:
        one.communicate()
        assert one.returncode == 0
    assert [path for path, *_ in entries(tmp_path / "b.json")] == names
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]


def test_a_baseline_into_a_pipe(run: Run, write: Write, tmp_path: Path) -> None:
    """Nothing is read from it first, which would wait for ever."""
    write("a.sh", "echo BAD\n")
    os.mkfifo(tmp_path / "pipe")
    with open(os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)) as pipe:
        assert run("--write-baseline", "pipe", "a.sh").status == 0
        assert json.loads(pipe.read())["entries"][0]["path"] == "a.sh"
    (tmp_path / "empty.json").touch()
    assert run("--write-baseline", "empty.json", "a.sh").status == 0
    assert entries(tmp_path / "empty.json") == [("a.sh", "TST101", 1)]


def test_a_folder_that_is_not_there(run: Run, write: Write) -> None:
    write("a.sh", "echo BAD\n")
    outcome = run("--write-baseline", "no/base.json", "a.sh")
    assert outcome.status == 2
    assert "no/base.json: the baseline was not written (its folder is not there)" in outcome.err


@pytest.mark.parametrize(
    "options",
    [
        ["--write-baseline", "b", "--diff"],
        ["--write-baseline", "b", "--diff-against", "HEAD"],
        ["--write-baseline", "b", "--add-ignore"],
        ["--baseline", "b", "--no-baseline"],
    ],
)
def test_what_does_not_go_together(run: Run, write: Write, tmp_path: Path, options: list[str]) -> None:
    Repository(tmp_path).commit()
    write("b", whole='{"version": 1, "entries": []}')
    write("a.sh", "echo BAD\n")
    outcome = run(*options, "a.sh")
    assert outcome.status == 2
    assert "not together" in outcome.err


# --- comments --------------------------------------------------------------------------------------


def test_comments_are_written(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\r\necho RISKY # why\n")
    path.chmod(0o750)
    outcome = run("--add-ignore=as it was", "a.sh")
    assert (outcome.status, outcome.out) == (0, "")
    assert "Answered 2 findings by comments in 1 file.\n" in outcome.err
    assert "2 suppressed" in outcome.err
    assert path.read_bytes().decode() == (
        f"{HEAD}echo BAD  # sbatchlint: ignore[TST101] as it was\r\n"
        "# sbatchlint: ignore[TST102] as it was\necho RISKY # why\n"
    )
    assert path.stat().st_mode & 0o777 == 0o750
    assert run("a.sh").status == 0
    written = path.read_bytes()
    assert "Answered 0 findings" in run("--add-ignore", "a.sh").err
    assert path.read_bytes() == written


def test_without_a_reason_the_next_word_is_a_path(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    assert run("--add-ignore", "a.sh").status == 0
    assert path.read_text() == f"{HEAD}echo BAD  # sbatchlint: ignore[TST101]\n"


def test_a_diff_of_the_comments(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    outcome = run("--diff", "--add-ignore=old", "a.sh")
    assert outcome.status == 1
    assert "-echo BAD\n+echo BAD  # sbatchlint: ignore[TST101] old\n" in outcome.out
    assert "Would answer 1 finding by comments in 1 file.\n" in outcome.err
    assert path.read_text() == f"{HEAD}echo BAD\n"


def test_what_can_be_fixed_is_fixed_first(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD RISKY\n")
    assert run("--fix", "--add-ignore", "a.sh").status == 0
    assert path.read_text() == f"{HEAD}echo FINE RISKY  # sbatchlint: ignore[TST102]\n"


def test_what_is_in_the_baseline_needs_no_comment(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    run("--write-baseline", "base.json", "a.sh")
    write("a.sh", "echo BAD\necho RISKY\n")
    assert run("--baseline", "base.json", "--add-ignore", "a.sh").status == 0
    assert path.read_text() == f"{HEAD}echo BAD\necho RISKY  # sbatchlint: ignore[TST102]\n"


def test_a_finding_that_no_comment_answers_is_told(run: Run, write: Write) -> None:
    write("a.sh", "date # sbatchlint: ignore[TST101]\n")
    outcome = run("--add-ignore", "a.sh")
    assert outcome.status == 1
    assert "a.sh:3: SB002 is not answered: it is about such a comment: put that right" in outcome.err
    write("b.py", whole="#!/usr/bin/env python3\n#SBATCH -N1\nprint('BAD')\n")
    assert "b.py:3: TST101 is not answered: no comment can stand there" in run("--add-ignore", "b.py").err


def test_markdown_is_left_alone(run: Run, write: Write) -> None:
    path = write("a.md", whole="```bash\nsrun echo BAD\n```\n")
    outcome = run("--include-markdown", "--add-ignore", "a.md")
    assert outcome.status == 1
    assert "a.md: no comment written: Markdown is left as it is" in outcome.err
    assert "sbatchlint" not in path.read_text()


def test_comments_in_standard_input_go_to_standard_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given_on_stdin(monkeypatch, STDIN_TEXT)
    outcome = run("--add-ignore", "-")
    assert outcome.out == f"{HEAD}echo BAD  # sbatchlint: ignore[TST101]\n"
    assert outcome.status == 0


def test_a_reason_is_one_line(run: Run, write: Write) -> None:
    path = write("a.sh", "echo BAD\n")
    outcome = run("--add-ignore=one\ntwo", "a.sh")
    assert outcome.status == 2
    assert "the reason has to fit on one line" in outcome.err
    assert path.read_text() == f"{HEAD}echo BAD\n"


def test_a_file_that_cannot_be_written(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.sh", "echo BAD\n")
    monkeypatch.setattr(os, "access", lambda path, mode, **how: False)  # root may write everything
    outcome = run("--add-ignore", "--output-format", "concise", "a.sh")
    assert (outcome.status, outcome.out) == (2, "a.sh:3:6: TST101 [*] a bad word is used\n")
    assert "a.sh: no comment written (you may not write to it); chmod u+w it" in outcome.err
    assert path.read_text() == f"{HEAD}echo BAD\n"


# --- changes since a revision ----------------------------------------------------------------------


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
