"""Which files are looked at, and what is said of those that cannot be."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path

import pytest

from sbatchlint.cli.inputs import Gatherer
from tests.cli.conftest import HEAD, Run, Write


def seen(run: Run, *arguments: str) -> list[str]:
    """Return the files in which a finding was made; every file of these tests has one."""
    done = run("--output-format", "concise", *arguments)
    return [line.split(":")[0] for line in done.out.splitlines()]


# --- what is looked at


def test_folders_are_walked_in_order(run: Run, write: Write) -> None:
    for name in ("b.sh", "a/z.sbatch", "a/deep/er/x", "c.SLURM", "train.bash"):
        write(f"jobs/{name}", "echo BAD\n")
    assert seen(run, "jobs") == [
        "jobs/a/deep/er/x",
        "jobs/a/z.sbatch",
        "jobs/b.sh",
        "jobs/c.SLURM",
        "jobs/train.bash",
    ]


def test_a_name_is_enough(run: Run, write: Write) -> None:
    for name in ("a.sbatch", "b.slurm", "c.job", "d.sh"):
        write(f"jobs/{name}", whole="#!/bin/bash\necho BAD\n")
    names = ["jobs/a.sbatch", "jobs/b.slurm", "jobs/c.job"]
    assert seen(run, "jobs") == names
    assert seen(run, *(f"jobs/{name}" for name in sorted(os.listdir("jobs")))) == names


def test_what_only_talks_about_batch_scripts_is_no_script(run: Run, write: Write) -> None:
    write("jobs/real.sh", "echo BAD\n")
    write("jobs/README.md", whole="```\n#SBATCH --nodes=1\necho BAD\n```\n")
    write("jobs/make.py", whole="#!/usr/bin/env python3\nimport os\nT = '''\n#SBATCH -N1\nBAD'''\n")
    write("jobs/core", whole=b"#SBATCH \0 BAD")
    assert seen(run, "jobs") == ["jobs/real.sh"]
    assert seen(run, "jobs/make.py") == []


def test_a_script_in_another_language_is_one(run: Run, write: Write) -> None:
    write("jobs/train.py", whole="#!/usr/bin/env python3\n# train\n\n#SBATCH -N1\nprint('BAD')\n")
    write("jobs/train.pl", whole="#!/usr/bin/perl\n#SBATCH -N1\nprint 'BAD';\n")
    assert seen(run, "jobs") == ["jobs/train.pl", "jobs/train.py"]
    assert run("jobs").status == 1


@pytest.mark.parametrize("start", ["", "#!/bin/sh\n", "\ufeff#!/bin/bash\n", "\n# late\n", "echo early\n"])
def test_where_the_directive_stands_does_not_matter(run: Run, write: Write, start: str) -> None:
    write("job.sh", whole=f"{start}#SBATCH -N1\necho BAD\n")
    assert seen(run, "job.sh") == ["job.sh"]
    assert seen(run, ".") == ["./job.sh"]


@pytest.mark.parametrize("line", ["#sbatch -N1", "#Sbatch --nodes=1", "  #SBATCH -N1", "#SLURM -N1"])
def test_a_line_meant_for_a_directive_makes_a_batch_script(run: Run, write: Write, line: str) -> None:
    write("job.sh", whole=f"#!/bin/bash\n{line}\necho BAD\n")
    assert seen(run, "job.sh") == ["job.sh"]
    assert seen(run, ".") == ["./job.sh"]


@pytest.mark.parametrize("line", ["#PBS -l nodes=2", "#BSUB -n 4"])
def test_directives_that_sbatch_translates_count_where_the_file_is_named(
    run: Run, write: Write, line: str
) -> None:
    write("job.sh", whole=f"#!/bin/bash\n{line}\necho BAD\n")
    write("all/job.sh", whole=f"#!/bin/bash\n{line}\necho BAD\n")
    write("all/other.sh", whole="#!/bin/bash\n#SBATCH -N1\necho BAD\n")
    assert seen(run, "job.sh") == ["job.sh"]
    assert seen(run, "all") == ["all/other.sh"]
    assert run("--only-scripts", "job.sh").out == ""


@pytest.mark.parametrize("text", ["#!/bin/bash\n# SBATCH -N1\necho BAD\n", "Write\n  #SBATCH -N1\nBAD\n"])
def test_what_was_switched_off_or_is_no_script_makes_none(run: Run, write: Write, text: str) -> None:
    write("job.sh", whole="#!/bin/bash\n#SBATCH -N1\necho BAD\n")
    write("notes", whole=text)
    assert seen(run, ".") == ["./job.sh"]


def test_each_file_once(run: Run, write: Write) -> None:
    path = write("jobs/a.sh", "echo BAD\n")
    (path.parent / "0-link.sh").symlink_to(path)
    (path.parent / "loop").symlink_to(path.parent, target_is_directory=True)
    (path.parent / "self").symlink_to("self")
    assert seen(run, "jobs", "jobs/a.sh", "./jobs") == ["jobs/a.sh"]
    assert seen(run, "jobs/0-link.sh") == ["jobs/0-link.sh"]
    assert seen(run, "jobs/loop") == ["jobs/loop/a.sh"]


def test_gitignore_at_every_level(run: Run, write: Write, tmp_path: Path) -> None:
    for name in ("a.sh", "out/b.sh", "keep/c.tmp.sh", "keep/d.tmp.sh", "own/e.sh", "own/f.sh", "secret/g.sh"):
        write(f"repo/{name}", "echo BAD\n")
    write("repo/.git/HEAD", whole="")
    write("repo/.git/info/exclude", whole="secret/\n")
    write("repo/.gitignore", whole="# generated\nout/\n*.tmp.sh\n")
    write("repo/keep/.gitignore", whole="!c.tmp.sh\n")
    write("repo/own/.gitignore", whole="/f.sh\n")
    for place in ("repo", str(tmp_path / "repo")):
        assert [Path(path).name for path in seen(run, place)] == ["a.sh", "c.tmp.sh", "e.sh"]
    assert [Path(path).name for path in seen(run, "repo/keep")] == ["c.tmp.sh"]
    assert seen(run, "repo/keep/d.tmp.sh") == ["repo/keep/d.tmp.sh"], "who names a file means it"
    assert seen(run, "repo/out") == ["repo/out/b.sh"], "who names a folder means it"


def test_ignore_files_above_count_only_in_a_repository(run: Run, write: Write) -> None:
    write("plain/.gitignore", whole="*.sh\n")
    write("plain/jobs/a.sh", "echo BAD\n")
    assert seen(run, "plain/jobs") == ["plain/jobs/a.sh"]
    assert seen(run, "plain") == []


def test_folders_that_hold_nothing_of_the_users_are_skipped(run: Run, write: Write) -> None:
    for folder in (".git", "node_modules", ".venv", "__pycache__"):
        write(f"jobs/{folder}/a.sh", "echo BAD\n")
    write("jobs/.hidden/a.sh", "echo BAD\n")
    assert seen(run, "jobs") == ["jobs/.hidden/a.sh"]


def test_a_pipe_is_read(run: Run, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, f"{HEAD}echo BAD\n".encode())
    os.close(writer)
    try:
        assert seen(run, f"/dev/fd/{reader}") == [f"/dev/fd/{reader}"]
    finally:
        os.close(reader)


# --- what cannot be checked: one line, the others all the same, exit status 2


def failed(run: Run, write: Write, *arguments: str) -> str:
    write("good.sh", "echo BAD\n")
    done = run("--output-format", "concise", "-q", *arguments, "good.sh")
    assert done.status == 2
    assert "good.sh:3:6" in done.out
    assert done.err.count("\n") == 1, done.err
    return done.err.removeprefix("sbatchlint: ").rstrip()


def test_permissions_are_blamed_for_nothing_else(run: Run, write: Write) -> None:
    path = write("jobs/other.sh", "echo BAD\n")
    path.with_name("circle.sh").symlink_to("circle.sh")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as door:
        door.bind(str(path.with_name("door.sh")))
    for name in ("circle.sh", "door.sh"):
        message = failed(run, write, f"jobs/{name}")
        assert message.startswith(f"jobs/{name}: cannot be read (") and message.endswith("; leave it out")


def test_a_missing_file(run: Run, write: Write) -> None:
    assert failed(run, write, "nowhere/job.sh") == "nowhere/job.sh: no such file or folder; check the path"


def test_a_folder_without_scripts(run: Run, write: Write) -> None:
    write("docs/index.md", whole="nothing\n")
    assert failed(run, write, "docs").startswith("docs: no batch script in this folder")


def test_a_binary_file(run: Run, write: Write) -> None:
    write("model.bin", whole=bytes(range(256)) * 99)
    assert failed(run, write, "model.bin").startswith("model.bin: a binary file")


def test_utf_16(run: Run, write: Write) -> None:
    write("job.sh", whole=f"{HEAD}BAD\n".encode("utf-16"))
    assert "save it as UTF-8" in failed(run, write, "job.sh")


def test_a_large_file(run: Run, write: Write) -> None:
    write("big.sh", whole=HEAD + "# x\n" * 2_500_000)
    assert failed(run, write, "big.sh").startswith("big.sh: larger than 4 MiB")


def test_a_large_file_in_a_folder(run: Run, write: Write) -> None:
    write("jobs/big.sh", whole=HEAD + "# x\n" * 1_100_000)
    write("jobs/data", whole="0 1 2\n" * 1_000_000)
    assert failed(run, write, "jobs").startswith("jobs/big.sh: larger than 4 MiB")


@pytest.mark.parametrize("name", ["empty.sh", "empty.sbatch"])
def test_an_empty_file(run: Run, write: Write, name: str) -> None:
    write(name, whole="")
    assert failed(run, write, name).startswith(f'{name}: empty: sbatch says "Batch script is empty!"')


def test_a_blank_file(run: Run, write: Write) -> None:
    write("blank.sbatch", whole=" \n\t\n")
    assert "only whitespace" in failed(run, write, "blank.sbatch")


def test_bytes_that_are_not_utf_8_are_told_and_the_file_is_checked(run: Run, write: Write) -> None:
    write("latin.sh", whole=HEAD.encode() + b"# caf\xe9\necho BAD\n")
    done = run("--output-format", "concise", "-q", "latin.sh")
    assert done.status == 2
    assert done.out == "latin.sh:4:6: TST101 [*] a bad word is used\n"
    assert done.err.startswith("sbatchlint: latin.sh:3:6: byte 0xe9 is not UTF-8; checked all the same")


def test_an_unreadable_file(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    write("jobs/locked.sh", "echo BAD\n")
    write("jobs/free.sh", "echo BAD\n")
    real = builtins.open

    def refuse(path: object, *more: object, **named: object) -> object:
        if str(path).endswith("locked.sh"):  # root may read everything, so permissions cannot be tested
            raise PermissionError(13, "Permission denied")
        return real(path, *more, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(builtins, "open", refuse)
    for named in (["jobs/locked.sh"], ["jobs"], ["--only-scripts", "jobs/locked.sh"]):
        message = failed(run, write, *named)
        assert (
            message
            == "jobs/locked.sh: cannot be read (permission denied); check its permissions or leave it out"
        )


def test_a_name_cannot_play_tricks_on_the_terminal(run: Run, write: Write) -> None:
    assert failed(run, write, "a\x1b[2Jb\n.sh").startswith(r"a\x1b[2Jb\n.sh: no such file")


def test_only_scripts_passes_over_what_a_folder_search_would(run: Run, write: Write) -> None:
    write("empty.sh", whole="")
    write("model.bin", whole=b"\0\1")
    write("notes.md", whole="#SBATCH BAD\n")
    write("tool.sh", whole="echo BAD\n")
    write("job.sh", "echo BAD\n")
    names = ["empty.sh", "model.bin", "notes.md", "tool.sh", "job.sh"]
    assert seen(run, "--only-scripts", *names) == ["job.sh"]
    assert run("--only-scripts", *names).status == 1
    assert run("--only-scripts", *names[:-1]) == (0, "", "")


def test_a_folder_that_cannot_be_listed(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("jobs/a/x.sh")
    write("jobs/b/y.sh")
    real = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    complaints: list[tuple[str, str]] = []
    found = Gatherer(lambda *what: complaints.append(what)).gather([str(tmp_path)])
    assert [Path(each.path).name for each in found] == ["y.sh"]
    assert [(Path(path).name, text[:14]) for path, text in complaints] == [("a", "cannot be read")]
