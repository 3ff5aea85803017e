"""Which rules look, and at which scripts."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.cli.configuration.asking import CONCISE, codes
from tests.cli.conftest import Run, Write


def test_select_starts_anew_and_ignore_adds(run: Run, write: Write) -> None:
    write("job.sh", "BAD RISKY HINT\n")
    write("base.toml", whole='ignore = ["TST1"]\npedantic = true\n')
    write("sbatchlint.toml", whole='extend = "base.toml"\nextend-select = ["bad-word"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh TST101", "job.sh TST201"]
    write("sbatchlint.toml", whole='extend = "base.toml"\nselect = ["TST"]\nignore = ["TST2"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh TST101", "job.sh TST102"]
    assert codes(run(*CONCISE, "--ignore", "TST101", "job.sh")) == ["job.sh TST102"]
    assert codes(run(*CONCISE, "--extend-select", "TST201", "job.sh"))[-1] == "job.sh TST201"
    assert codes(run(*CONCISE, "--select", "TST201", "job.sh")) == ["job.sh TST201"]


def test_severities(run: Run, write: Write) -> None:
    write("job.sh", "BAD HINT\n")
    write("sbatchlint.toml", whole='fail-on = "error"\n[severity]\nTST1 = "warning"\nhint-word = "error"\n')
    done = run("job.sh")
    assert done.status == 1
    assert "warning[TST101]" in done.out and "error[TST201]" in done.out
    write("sbatchlint.toml", whole='fail-on = "error"\n[severity]\nTST = "warning"\n')
    assert run("job.sh").status == 0
    assert run("--fail-on", "warning", "job.sh").status == 1


def test_the_closer_selector_decides_on_a_severity(run: Run, write: Write) -> None:
    write("job.sh", "BAD\n")
    write("sbatchlint.toml", whole='[severity]\nTST101 = "warning"\nALL = "error"\nTST1 = "error"\n')
    assert "warning[TST101]" in run("job.sh").out


def test_per_file_ignores_hold_whatever_is_selected(run: Run, write: Write) -> None:
    write("old/job.sh", "BAD RISKY\n")
    write("new/job.sh", "BAD RISKY\n")
    write("sbatchlint.toml", whole='[per-file-ignores]\n"old/**" = ["TST101"]\n"*.sh" = ["TST102"]\n')
    assert codes(run(*CONCISE, ".")) == ["./new/job.sh TST101"]
    assert codes(run(*CONCISE, "--select", "TST101", ".")) == ["./new/job.sh TST101"]


def test_per_path_lies_on_its_own_file_and_under_a_closer_one(run: Run, write: Write) -> None:
    write("jobs/job.sh", "BAD RISKY\n")
    write("job.sh", "BAD RISKY\n")
    write("base.toml", whole='[per-path."jobs"]\nignore = ["TST101"]\nfail-on = "error"\n')
    assert codes(run(*CONCISE, "--config", "base.toml", ".")) == [
        "./job.sh TST101",
        "./job.sh TST102",
        "./jobs/job.sh TST102",
    ]
    assert run("--config", "base.toml", "jobs").status == 0
    write("sbatchlint.toml", whole='extend = "base.toml"\nfail-on = "info"\n')
    assert run("jobs").status == 1


def test_excluded_files_are_checked_where_they_are_named_unless_forced(run: Run, write: Write) -> None:
    for name in ("job.sh", "old/job.sh", "old/keep.sh", "x.bak.sh"):
        write(name, "BAD\n")
    write("sbatchlint.toml", whole='exclude = ["/old/*", "!/old/keep.sh"]\nextend-exclude = ["*.bak.sh"]\n')
    assert codes(run(*CONCISE, ".")) == ["./job.sh TST101", "./old/keep.sh TST101"]
    assert codes(run(*CONCISE, "old/job.sh")) == ["old/job.sh TST101"]
    forced = run(*CONCISE, "--force-exclude", "job.sh", "old/job.sh", "x.bak.sh")
    assert (forced.status, codes(forced)) == (1, ["job.sh TST101"])
    assert codes(run(*CONCISE, "--only-scripts", "old/job.sh", "old/keep.sh")) == ["old/keep.sh TST101"]


def test_a_folder_that_is_left_out_is_walked_where_it_is_named(run: Run, write: Write) -> None:
    write("old/deep/job.sh", "BAD\n")
    write("sbatchlint.toml", whole='exclude = ["old"]\nforce-exclude = false\n')
    assert codes(run(*CONCISE, "old")) == ["old/deep/job.sh TST101"]
    assert run("--force-exclude", "old", "old/deep/job.sh").status == 0
    done = run(".")
    assert (done.status, done.out) == (0, "")


def test_a_folder_left_out_above_is_out_whatever_stands_in_it(run: Run, write: Write) -> None:
    write("old/job.sh", "BAD\n")
    write("old/sbatchlint.toml", whole="force-exclude = true\n")
    write("sbatchlint.toml", whole='exclude = ["old"]\n')
    assert run("old/job.sh").out == ""


def test_include_git_and_markdown(run: Run, write: Write) -> None:
    write("jobs/run.txt", whole="#SBATCH -N 1\nBAD\n")
    write("job.sh", "BAD\n")
    write("jobs/ignored.sh", "BAD\n")
    write("jobs/.gitignore", whole="ignored.sh\n")
    write("jobs/guide.md", whole=f"```sh\n{'#SBATCH -N 1'}\nBAD\n```\n")
    write("sbatchlint.toml", whole='include = ["/jobs/"]\n')
    assert codes(run(*CONCISE, ".")) == ["./jobs/run.txt TST101"]
    write("sbatchlint.toml", whole="respect-gitignore = false\ninclude-markdown = true\n")
    assert codes(run(*CONCISE, ".")) == [
        "./job.sh TST101",
        "./jobs/guide.md TST101",
        "./jobs/ignored.sh TST101",
    ]
    assert len(codes(run(*CONCISE, "--respect-gitignore", "--no-include-markdown", "."))) == 1


def test_standard_input_is_where_its_name_says(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("a/sbatchlint.toml", whole='ignore = ["TST101"]\n')
    script = write("script", "BAD RISKY\n")
    for name, expected in (("a/job.sh", ["a/job.sh TST102"]), ("b.sh", ["b.sh TST101", "b.sh TST102"])):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(script.read_bytes())))
        assert codes(run(*CONCISE, "--stdin-filename", name, "-")) == expected
