"""Which configuration files hold for a script, with fake rules."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sbatchlint.config import files
from tests.cli.configuration.asking import CONCISE, codes
from tests.cli.conftest import Run, Write


def test_the_closest_file_wins_for_each_script(run: Run, write: Write) -> None:
    for folder in (".", "a", "a/deep", "b"):
        write(f"{folder}/job.sh", "BAD RISKY\n")
    write("sbatchlint.toml", whole='ignore = ["TST101"]\n')
    write("a/sbatchlint.toml", whole='ignore = ["TST102"]\n')
    write("b/pyproject.toml", whole='[project]\nname = "b"\n')
    write("a/deep/pyproject.toml", whole="[tool.sbatchlint]\nselect = []\n")
    assert codes(run(*CONCISE, "a", "b", "job.sh")) == ["a/job.sh TST101", "b/job.sh TST102", "job.sh TST102"]


def test_of_two_in_a_folder_its_own_file_wins(run: Run, write: Write) -> None:
    write("job.sh", "BAD RISKY\n")
    write("pyproject.toml", whole="[tool.sbatchlint]\nselect = []\n")
    write("sbatchlint.toml", whole='ignore = ["TST101"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh TST102"]


def test_a_broken_pyproject_that_speaks_of_others_is_passed_over(run: Run, write: Write) -> None:
    write("job.sh", "BAD\n")
    write("pyproject.toml", whole="[tool.other\n")
    assert run("job.sh").status == 1


def test_extended_files_hold_where_nothing_else_is_said(run: Run, write: Write) -> None:
    write("team/jobs/job.sh", "BAD RISKY\n")
    write("base.toml", whole='ignore = ["TST102"]\nfail-on = "warning"\nclusters = { x = "x.toml" }\n')
    write("team/middle.toml", whole='extend = "../base.toml"\nfail-on = "info"\n')
    write("team/jobs/sbatchlint.toml", whole='extend = "../middle.toml"\npedantic = true\n')
    assert codes(run(*CONCISE, "team")) == ["team/jobs/job.sh TST101"]
    told = json.loads(run("config", "--output-format", "json", "team/jobs/job.sh").out)["paths"][0]
    assert [file["path"] for file in told["files"]] == [
        "team/jobs/sbatchlint.toml",
        "team/middle.toml",
        "base.toml",
    ]


def test_the_site_is_below_the_project_and_its_globs_mean_all_paths(
    run: Run, write: Write, site: Write, tmp_path: Path
) -> None:
    write("job.sh", "BAD RISKY HINT\n")
    write("late.sh", "BAD RISKY HINT\n")
    site(f'pedantic = true\nignore = ["TST102"]\n[per-file-ignores]\n"{tmp_path}/late.sh" = ["TST101"]\n')
    assert codes(run(*CONCISE, ".")) == ["./job.sh TST101", "./job.sh TST201", "./late.sh TST201"]
    write("sbatchlint.toml", whole="pedantic = false\n")
    assert codes(run(*CONCISE, ".")) == ["./job.sh TST101"]


def test_isolated_reads_nothing(run: Run, write: Write, site: Write) -> None:
    write("job.sh", "BAD\n")
    site("not toml")
    write("sbatchlint.toml", whole="neither")
    assert run("job.sh").status == 2
    assert codes(run(*CONCISE, "--isolated", "job.sh")) == ["job.sh TST101"]


def test_a_named_file_takes_the_place_of_those_that_would_be_found(
    run: Run, write: Write, site: Write
) -> None:
    write("job.sh", "BAD RISKY HINT\n")
    site("pedantic = true\n")
    write("sbatchlint.toml", whole="not toml")
    write("other/mine.toml", whole='ignore = ["bad-word"]\n')
    done = run(*CONCISE, "--config", "other/mine.toml", "job.sh")
    assert codes(done) == ["job.sh TST102", "job.sh TST201"]


def test_a_mistake_in_one_folder_leaves_the_others_checked(run: Run, write: Write) -> None:
    write("a/job.sh", "BAD\n")
    write("b/job.sh", "BAD\n")
    write("b/more.sh", "BAD\n")
    write("b/sbatchlint.toml", whole="selct = []\n")
    done = run(*CONCISE, ".")
    assert (done.status, codes(done)) == (2, ["./a/job.sh TST101"])
    assert done.err.count("did you mean 'select'?") == 1


def test_what_windows_writes(run: Run, write: Write) -> None:
    write("job.sh", "BAD RISKY\n")
    write(
        "sbatchlint.toml", whole=b'\xef\xbb\xbfignore = ["TST101"]\r\n# \xe6\xa8\xa1\r\npedantic = true\r\n'
    )
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh TST102"]


def test_a_script_is_looked_for_under_the_name_that_was_given(run: Run, write: Write, tmp_path: Path) -> None:
    """As git and ruff see it: where the link stands, not where it leads."""
    write("real/job.sh", "BAD RISKY\n")
    write("real/sbatchlint.toml", whole='ignore = ["TST101"]\n')
    write("linked/sbatchlint.toml", whole='ignore = ["TST102"]\n')
    os.symlink(tmp_path / "real/job.sh", tmp_path / "linked/job.sh")
    assert codes(run(*CONCISE, "linked/job.sh")) == ["linked/job.sh TST101"]
    assert codes(run(*CONCISE, "real/job.sh")) == ["real/job.sh TST102"]


def test_files_are_read_once_and_rules_are_made_once(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100):
        write(f"jobs/{number % 10}/{number}.sh", "BAD\n")
    write("pyproject.toml", whole="[project]\n")
    write("jobs/pyproject.toml", whole="[project]\n# sbatchlint\n")
    write("sbatchlint.toml", whole='[per-file-ignores]\n"/jobs/3/" = ["TST101"]\n')
    opened: list[str] = []
    real = files._bytes

    def read(path: str, **more: bool) -> bytes:
        opened.append(os.path.basename(path))
        return real(path, **more)

    monkeypatch.setattr(files, "_bytes", read)
    assert len(codes(run(*CONCISE, "jobs"))) == 90
    assert sorted(opened) == ["pyproject.toml", "sbatchlint.toml"]
