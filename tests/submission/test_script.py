"""Which script sbatch takes, and that reading it changes nothing for sbatch.  As seen on a Slurm 22.05.8."""

from __future__ import annotations

import os
import resource
import signal
import socket
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.submission.command_line import CommandLine
from sbatchlint.submission.script import (
    UnreadableError,
    descriptor_of,
    find_script,
    script_of,
    take_descriptor,
    wrapped_script,
)


def test_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, job, on_path = (tmp_path / name for name in ("here", "job", "bin"))
    for folder in (here, job, on_path):
        (folder / "sub").mkdir(parents=True)
    monkeypatch.chdir(here)
    for path in (
        job / "both.sh",
        on_path / "both.sh",
        here / "both.sh",
        on_path / "path.sh",
        here / "only.sh",
        here / ".hidden.sh",
        job / ".hidden.sh",
        on_path / "sub" / "deep.sh",
    ):
        path.touch(mode=0o600)
    (job / "path.sh").mkdir()
    found = {
        name: find_script(name, str(job), [str(on_path)])
        for name in ("both.sh", "path.sh", "only.sh", ".hidden.sh", "./both.sh", "sub/deep.sh", "none.sh", "")
    }
    assert found == {
        "both.sh": str(job / "both.sh"),
        "path.sh": str(on_path / "path.sh"),
        "only.sh": "only.sh",
        ".hidden.sh": ".hidden.sh",
        "./both.sh": "./both.sh",
        "sub/deep.sh": str(on_path / "sub" / "deep.sh"),
        "none.sh": "none.sh",
        "": "",
    }


@contextmanager
def _pipe(data: bytes) -> Iterator[int]:
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:  # more than a pipe holds has to be written by another process
        os.close(reader)
        with open(writer, "wb", closefd=False) as file:
            file.write(data)
        os._exit(0)
    os.close(writer)
    try:
        yield reader
    finally:
        os.close(reader)
        os.waitpid(pid, 0)


@given(st.binary() | st.binary(min_size=1, max_size=4).map(lambda one: one * 70_000))
def test_a_pipe_is_read_and_put_back(data: bytes) -> None:
    with _pipe(data) as number:
        assert take_descriptor(number) == data
        with open(number, "rb", closefd=False) as again:
            assert again.read() == data
        assert Path(f"/dev/fd/{number}").read_bytes() == data


@given(st.binary(), st.integers(0, 20))
def test_a_file_keeps_its_place(data: bytes, start: int) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        os.lseek(file.fileno(), start, os.SEEK_SET)
        assert take_descriptor(file.fileno()) == data[start:]
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) == start


def test_without_memory_files_a_file_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    with _pipe(b"#!/bin/sh\n") as number:
        assert take_descriptor(number) == os.read(number, 100)


@pytest.mark.parametrize("size", [9, 300_000])
def test_a_limit_on_the_size_of_files_costs_no_script(size: int) -> None:
    """``ulimit -f`` holds for files in memory as well."""
    child = os.fork()
    if not child:  # pragma: no cover - in another process
        status = 99
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4))
            data = b"#!/bin/sh" * (size // 9)
            with _pipe(data) as number:
                assert take_descriptor(number) == data
                with open(number, "rb", closefd=False) as again:
                    status = 0 if again.read() == data else 98
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_what_sbatch_could_not_open_by_name_is_left_alone(tmp_path: Path) -> None:
    """A socket can be read, but ``/dev/fd/N`` of one cannot be opened: sbatch refuses it."""
    ours, other = socket.socketpair()
    with ours, other:
        other.sendall(b"#!/bin/sh")
        other.shutdown(socket.SHUT_WR)
        with pytest.raises(UnreadableError):
            script_of(CommandLine((), f"/dev/fd/{ours.fileno()}"), str(tmp_path), [], 100)
        assert ours.recv(100) == b"#!/bin/sh"
        assert stat.S_ISSOCK(os.fstat(ours.fileno()).st_mode)


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("/dev/stdin", 0),
        ("/dev/fd/63", 63),
        ("/proc/self/fd/3", 3),
        ("/dev/fd/x", None),
        ("dev/stdin", None),
        ("/tmp/job.sh", None),
    ],
)
def test_descriptors(path: str, number: int | None) -> None:
    assert descriptor_of(path) == number


def test_wrap() -> None:
    script = wrapped_script("srun a\nsrun b")
    lines = script.data.decode().split("\n")
    assert lines[0] == "#!/bin/sh"
    assert lines[-3:] == ["srun a", "srun b", ""]
    assert all(line.startswith("#") or not line for line in lines[:-3])


@pytest.mark.parametrize("line", ["#SBATCH -N2", "#SLURM -N2"])
def test_no_line_of_a_wrapped_command_is_a_directive(line: str) -> None:
    """Sbatch gave ``--wrap`` of such a line one node."""
    from sbatchlint.slurm.request import read_request
    from sbatchlint.source import Source

    source = Source.from_bytes(wrapped_script(f"{line}\nsrun a").data, "--wrap")
    assert read_request(source).uses == ()


def test_by_name(tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_bytes(b"#!/bin/sh\n\xff")
    script = script_of(CommandLine((), "job.sh"), str(tmp_path), [], 100)
    assert (script.name, script.data) == ("job.sh", b"#!/bin/sh\n\xff")
    assert script_of(CommandLine((), "job.sh"), str(tmp_path), [], 3).data == b"#!/"


def test_what_cannot_be_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sh")
    for name, why in (
        ("none.sh", "no such file"),
        ("pipe.sh", "but once"),
        (".", "but once"),
        ("a\0b", "null"),
    ):
        path = name if name in (".", "a\0b") else str(tmp_path / name)
        with pytest.raises(UnreadableError, match=why):
            script_of(CommandLine((), path), str(tmp_path), [], 100)
