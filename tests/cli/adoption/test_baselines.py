"""``--write-baseline`` and ``--baseline`` on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adopt.repository import Repository
from tests.cli.adoption.entries import STDIN_TEXT, entries, given_on_stdin
from tests.cli.conftest import HEAD, Run, Write


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
