"""Formats and where they go."""

from __future__ import annotations

import json
import os
import random
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sbatchlint.cli.outputs import Output, Outputs, home, with_default_format
from sbatchlint.report.formats import FORMATS
from sbatchlint.report.places import Home
from sbatchlint.secrets.fake import fake_token
from tests.cli.conftest import Run, Write
from tests.cli.test_check import give
from tests.report.test_every_format import READERS

MACHINES = [*READERS]
ONE = "Found 1 problem (1 error) in 1 of 1 file.\n[*] 1 fixable with --fix.\n"


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("form", MACHINES)
def test_a_format_for_programs_is_alone(run: Run, write: Write, form: str) -> None:
    write("job.sh", "echo BAD\n")
    done = run("--output-format", form, "job.sh")
    assert (done.status, done.err) == (1, "")
    (told,) = READERS[form](done.out)
    assert (Path(told.path).name, told.line, told.code, told.severity) == ("job.sh", 3, "TST101", "error")


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_gets_what_standard_output_would(run: Run, write: Write, tmp_path: Path, form: str) -> None:
    write("job.sh", "echo BAD 'é\x1b'\n")
    done = run("--output-format", form, "--output-file", "out", "--color", "always", "job.sh")
    assert (done.status, done.out, done.err) == (1, "", ONE)
    assert (tmp_path / "out").read_text("utf-8") == run("--output-format", form, "job.sh").out


@pytest.mark.parametrize("form", FORMATS)
def test_a_clean_run_leaves_a_valid_document(run: Run, write: Write, tmp_path: Path, form: str) -> None:
    write("job.sh", "srun hostname\n")
    (tmp_path / "out").write_text("of the run before")
    assert run("--output-format", form, "--output-file", "out", "job.sh").status == 0
    text = (tmp_path / "out").read_text("utf-8")
    assert READERS[form](text) == [] if form in READERS else text == ""


def test_several_at_once(run: Run, write: Write, tmp_path: Path) -> None:
    write("job.sh", "echo BAD\n")
    files = (
        *("--output-format", "sarif", "--output-file", "a.sarif"),
        *("--output-format", "junit", "--output-file", "b.xml"),
    )
    done = run(*files, "--output-format", "concise", "job.sh")
    assert done == (1, "job.sh:3:6: TST101 [*] a bad word is used\n", ONE)
    assert len(READERS["sarif"]((tmp_path / "a.sarif").read_text())) == 1
    assert len(READERS["junit"]((tmp_path / "b.xml").read_text())) == 1
    done = run(*files, "--output-format", "json", "job.sh")
    assert done.err == "" and len(READERS["json"](done.out)) == 1


def test_a_file_may_have_no_format_before_it(run: Run, write: Write, tmp_path: Path) -> None:
    write("job.sh", "echo BAD\n")
    shown = run("job.sh").out
    assert run("--output-file", "out.txt", "job.sh").out == ""
    assert (tmp_path / "out.txt").read_text() == shown
    assert run("--output-file", "-", "job.sh").out == shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--output-format", "json", "--output-format", "sarif"),
            "sbatchlint: --output-format: json and sarif both go to standard output; "
            "give all but one an --output-file\n",
        ),
        (
            ("--output-format=json", "--output-file=out", "--output-format=sarif", "--output-file=./out"),
            "sbatchlint: --output-file: ./out is named twice; each format needs a file of its own\n",
        ),
        (
            ("--output-format", "json", "--output-file", "./job.sh"),
            "sbatchlint: --output-file: ./job.sh is what is to be checked; name another file\n",
        ),
        (("--output-format", "json", "--output-file", ""), "sbatchlint: --output-file: it has no name\n"),
        (
            ("--output-format", "sarif", "--statistics"),
            "sbatchlint: --statistics: there is none in the format sarif; "
            "use one of full, concise, grouped, json, jsonl\n",
        ),
        (
            ("--diff", "--output-file", "out"),
            "sbatchlint: --output-file: --diff shows a patch and writes no report; "
            "leave out one of the two\n",
        ),
    ],
)
def test_what_makes_no_sense(
    run: Run, write: Write, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    script = write("job.sh", "echo BAD\n")
    before = script.read_bytes()
    assert run(*options, "job.sh") == (2, "", message)
    assert [path.name for path in tmp_path.iterdir()] == ["job.sh"] and script.read_bytes() == before


def test_two_files_after_one_format(run: Run, write: Write) -> None:
    write("job.sh")
    done = run("--output-format", "json", "--output-file", "a", "--output-file", "b", "job.sh")
    assert done.status == 2
    assert "--output-file: each needs an --output-format of its own before it\n" in done.err


def test_a_report_never_replaces_a_script_found_in_a_folder(run: Run, write: Write) -> None:
    script = write("jobs/job.sh", "echo BAD\n")
    before = script.read_bytes()
    done = run("--output-format", "json", "--output-file", "jobs/job.sh", "jobs")
    assert done.status == 2 and script.read_bytes() == before
    assert "sbatchlint: jobs/job.sh: not written: it is one of the scripts that were checked\n" in done.err


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("no/such/out", "there is no folder {}/no/such; make it first"),
        ("folder", "it is a folder; name a file in it"),
        ("job.sh/out", "Not a directory"),
    ],
)
def test_a_file_that_cannot_be_written_does_not_stop_the_others(
    run: Run, write: Write, tmp_path: Path, file: str, reason: str
) -> None:
    write("job.sh", "echo BAD\n")
    (tmp_path / "folder").mkdir()
    options = (
        *("--output-format", "sarif", "--output-file", file),
        *("--output-format", "gitlab", "--output-file", "out"),
    )
    done = run(*options, "--output-format", "concise", "job.sh")
    assert done.status == 2
    assert done.out == "job.sh:3:6: TST101 [*] a bad word is used\n"
    complaint = f"sbatchlint: {file}: the report was not written: {reason.format(tmp_path)}\n"
    assert done.err == complaint + ONE
    assert len(READERS["gitlab"]((tmp_path / "out").read_text())) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "job.sh", "out"]


def test_a_file_that_may_not_be_written(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root every file may be, so that the answer is made up."""
    write("job.sh", "echo BAD\n")
    (tmp_path / "out").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode, **how: not str(path).endswith("out"))
    done = run("--output-format", "json", "--output-file", "out", "job.sh")
    assert (done.status, (tmp_path / "out").read_text()) == (2, "old")
    assert "sbatchlint: out: the report was not written: you may not write to it\n" in done.err


def test_an_old_file_is_replaced_in_one_step_and_keeps_its_mode(
    run: Run, write: Write, tmp_path: Path
) -> None:
    write("job.sh", "echo BAD\n")
    old, link = tmp_path / "old", tmp_path / "link"
    old.write_text("old")
    old.chmod(0o640)
    link.symlink_to("old")
    with old.open() as reader:
        run("--output-format", "json", "--output-file", "link", "job.sh")
        assert reader.read() == "old"  # who had it open still reads a whole file
    assert link.is_symlink() and READERS["json"](old.read_text())
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_of_the_users_mask(run: Run, write: Write, tmp_path: Path) -> None:
    write("job.sh")
    mask = os.umask(0o027)
    try:
        run("--output-format", "json", "--output-file", "out", "job.sh")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o640


def test_a_pipe_is_written_to(run: Run, write: Write) -> None:
    write("job.sh", "echo BAD\n")
    reader, writer = os.pipe()
    run("--output-format", "json", "--output-file", f"/dev/fd/{writer}", "job.sh")
    os.close(writer)
    with os.fdopen(reader) as stream:
        assert len(READERS["json"](stream.read())) == 1


@pytest.mark.parametrize("form", ["full", "concise", "grouped"])
def test_colour_is_for_people_and_terminals(run: Run, write: Write, form: str) -> None:
    write("job.sh", "echo BAD\n")
    assert "\x1b" not in run("--output-format", form, "job.sh").out
    assert "\x1b[" in run("--output-format", form, "--color", "always", "job.sh").out


@pytest.mark.parametrize("form", MACHINES)
def test_colour_is_not_for_programs(run: Run, write: Write, form: str) -> None:
    write("job.sh", "echo BAD\n")
    assert "\x1b" not in run("--output-format", form, "--color", "always", "job.sh").out


@pytest.mark.parametrize("form", MACHINES)
def test_programs_get_utf8_whatever_the_terminal_has(write: Write, form: str) -> None:
    path = write("modèle 模.sh", "#SBATCH --nodes=abc\n")
    arguments = [sys.executable, "-m", "sbatchlint", "--isolated", "--output-format", form, path.name]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(arguments, cwd=path.parent, env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    told = READERS[form](done.stdout.decode("utf-8"))
    assert told and all(Path(one.path).name == path.name for one in told)


def test_fixing_standard_input_leaves_standard_output_to_the_script(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "#!/bin/bash\n#SBATCH -N1\necho BAD RISKY\n"
    give(monkeypatch, text.encode())
    done = run("--fix", "--output-format", "gitlab", "--output-file", "out", "--output-format", "json", "-")
    assert done.out == text.replace("BAD", "FINE")
    assert [one.code for one in READERS["json"](done.err)] == ["TST102"]
    assert [one.path for one in READERS["gitlab"]((tmp_path / "out").read_text())] == ["-"]


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.statistics])
def test_statistics(run: Run, write: Write, tmp_path: Path, form: str) -> None:
    write("job.sh", "echo BAD BAD\n")
    shown = run("--statistics", "--output-format", form, "job.sh").out
    assert "TST101" in shown and "2" in shown
    run("--statistics", "--output-format", form, "--output-file", "out", "job.sh")
    assert (tmp_path / "out").read_text() == shown
    if form == "jsonl":
        (row,) = map(json.loads, shown.splitlines())
        assert row["count"] == 2


@pytest.mark.parametrize("form", FORMATS)
def test_no_secret_in_any_file(run: Run, write: Write, tmp_path: Path, form: str) -> None:
    value = fake_token("huggingface", random.Random(7))
    write("job.sh", f"export HF_TOKEN={value}\necho {value} BAD\n# sbatchlint: ignore-file[TST101] {value}\n")
    done = run("--output-format", form, "--output-file", "out", "--ignore", "SB002", "job.sh")
    text = (tmp_path / "out").read_text("utf-8")
    assert "*****" in text.replace("\\*", "*")
    for part in (value, value[:12], value[-12:]):
        assert part not in done.out + done.err + text


def test_paths_are_seen_from_the_project_in_ci(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("jobs/job.sh", "echo BAD\n")
    monkeypatch.chdir(tmp_path / "jobs")
    (before,) = READERS["gitlab"](run("--output-format", "gitlab", "job.sh").out)
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    (told,) = READERS["gitlab"](run("--output-format", "gitlab", "job.sh").out)
    assert (before.path, told.path) == ("job.sh", "jobs/job.sh")


def test_the_home_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    github = {
        "GITHUB_WORKSPACE": str(tmp_path),
        "GITHUB_SERVER_URL": "https://host",
        "GITHUB_REPOSITORY": "me/repo",
        "GITHUB_SHA": "abc",
    }
    gitlab = {
        "CI_PROJECT_DIR": str(tmp_path),
        "CI_PROJECT_URL": "https://lab/me/repo",
        "CI_COMMIT_SHA": "abc",
    }
    assert home(github) == Home(str(tmp_path), "https://host/me/repo/blob/abc/")
    assert home(gitlab) == Home(str(tmp_path), "https://lab/me/repo/-/blob/abc/")
    assert home({**github, "GITHUB_SHA": ""}) == Home(str(tmp_path))
    assert home({**github, "GITHUB_SERVER_URL": "javascript:x"}) == Home(str(tmp_path))
    assert home({**github, "GITHUB_WORKSPACE": "/elsewhere"}) == home({}) == Home(str(folder))


def test_the_configuration_says_what_the_command_line_does_not() -> None:
    given = Outputs((Output("sarif", "a"), Output(None)))
    assert with_default_format(given, "github").outputs == (Output("sarif", "a"), Output("github"))
    counted = Outputs(statistics=True)
    assert with_default_format(counted, "json").outputs == (Output("json"),)
    assert with_default_format(counted, "sarif") == counted


@pytest.mark.parametrize("name", ["sbatchlint.toml", "pyproject.toml", "base.toml", "known.json"])
def test_a_report_never_replaces_a_file_of_the_configuration(run: Run, write: Write, name: str) -> None:
    write("job.sh")
    write("known.json", whole='{"version": 1, "entries": []}')
    write("base.toml", whole='fail-on = "error"\n')
    write("pyproject.toml", whole="[project]\n")
    write("sbatchlint.toml", whole='extend = "base.toml"\nbaseline = "known.json"\n')
    before = Path(name).read_bytes()
    done = run("--output-format", "json", "--output-file", name, "job.sh")
    assert done.status == 2 and "is a file of the configuration" in done.err
    assert Path(name).read_bytes() == before
