"""A script that comes by a pipe is looked at before sbatch reads it, and nothing is taken out."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.integrations.conftest import FINDING
from tests.integrations.lua_filter import LUAS, LuaFilter

SCRIPT = "#!/bin/bash\n#SBATCH --time=5\necho 'a  b' \\n \xff $(x)\n"
LINTER = f"""
import sys
open(sys.argv[1], "wb").write(sys.stdin.buffer.read())
sys.stderr.write({FINDING!r} + chr(10))
sys.exit(1)
"""

Loader = Callable[..., LuaFilter]


@pytest.fixture
def piped() -> Iterator[int]:
    """Put a pipe on standard input; give its other end."""
    kept = os.dup(0)
    reader, writer = os.pipe()
    os.dup2(reader, 0)
    os.close(reader)
    os.set_inheritable(writer, False)
    yield writer
    os.dup2(kept, 0)
    os.close(kept)


def load(folder: Path, *words: str, lua: str = "luajit21", more: str = "") -> LuaFilter:
    (folder / "linter.py").write_text(LINTER)
    program = f'"{sys.executable}", "-I", "{folder}/linter.py", "{folder}/got"'
    return LuaFilter(
        folder, f'return {{ sbatchlint = {{ {program} }}, mode = "enforce", {more} }}', words=words, lua=lua
    )


def drained() -> bytes:
    return os.read(0, 1 << 20)


@pytest.mark.parametrize("lua", LUAS)
def test_a_script_by_a_pipe_is_checked(lua: str, piped: int, tmp_path: Path) -> None:
    door = load(tmp_path, "--time=5", lua=lua)
    os.write(piped, SCRIPT.encode("latin-1"))
    os.close(piped)
    assert door.begin() == 0
    assert drained() == SCRIPT.encode("latin-1")  # as sbatch finds it
    assert door.submit(argv=()) == -1
    assert (tmp_path / "got").read_bytes() == SCRIPT.encode("latin-1")


def test_a_writer_that_is_still_there_is_not_waited_for(piped: int, tmp_path: Path) -> None:
    door = load(tmp_path)
    os.write(piped, SCRIPT.encode("latin-1"))
    before = time.monotonic()
    door.begin()
    assert time.monotonic() - before < 1.5
    os.close(piped)
    assert drained() == SCRIPT.encode("latin-1")
    assert door.submit(argv=()) == 0
    assert "the script came by a pipe" in door.said[0]


def test_a_script_that_does_not_fit_in_the_pipe_is_let_alone(piped: int, tmp_path: Path) -> None:
    text = b"#" * 200_000

    def write() -> None:
        with open(piped, "wb") as file:
            file.write(text)

    writer = threading.Thread(target=write)
    writer.start()
    door = load(tmp_path)
    door.begin()
    taken = b""
    while part := drained():
        taken += part
    writer.join()
    assert taken == text
    assert door.submit(argv=()) == 0


@pytest.mark.parametrize(
    ("words", "more", "kind", "looks"),
    [
        (["-N", "1"], "", "sbatch", True),
        (["-N", "1"], 'mode = "off", partitions = { x = "warn" }', "sbatch", True),
        (["{folder}/cmdline"], "", "sbatch", False),  # the script is a file
        (["--wrap", "hostname"], "", "sbatch", False),
        (["--wrap=hostname"], "", "sbatch", False),
        ([], "", "srun", False),
        ([], 'mode = "off", partitions = { x = "off" }', "sbatch", False),
        ([], "nonsense = 1", "sbatch", False),
    ],
)
def test_the_pipe_is_not_looked_at_without_need(
    words: list[str], more: str, kind: str, looks: bool, piped: int, tmp_path: Path
) -> None:
    door = load(tmp_path, *(word.format(folder=tmp_path) for word in words), more=more)
    ran = tmp_path / "ran"
    (tmp_path / "timeout").write_text(f"#!/bin/sh\ntouch {ran}\n")
    (tmp_path / "timeout").chmod(0o755)
    door.execute(f'hidden("settings", slurm_cli_pre_submit).timeout = "{tmp_path}/timeout"')
    os.close(piped)
    assert door.begin(kind) == 0
    assert ran.exists() is looks


@given(st.binary(min_size=1, max_size=300).map(lambda data: data.replace(b"\0", b"")).filter(bool))
@settings(max_examples=10)
def test_any_text_arrives_as_it_is(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        door = load(Path(name))
        run = door.function("run")
        words = (sys.executable, "-I", f"{name}/linter.py", f"{name}/got")
        run(door.table(words), 2.0, True, data.decode("latin-1"))
        assert Path(name, "got").read_bytes() == data


@contextmanager
def standard_input(text: bytes, *, read: int = 0) -> Iterator[None]:
    """Put a file on standard input from which others have *read* some bytes."""
    kept = os.dup(0)
    with tempfile.TemporaryFile() as file:
        file.write(text)
        file.flush()
        os.lseek(file.fileno(), read, os.SEEK_SET)
        os.dup2(file.fileno(), 0)
    try:
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)


@pytest.mark.parametrize("lua", LUAS)
@pytest.mark.parametrize(("read", "argv"), [(0, ()), (7, ()), (7, ("/dev/stdin", "x")), (0, ("/dev/fd/0",))])
def test_a_file_is_read_from_where_sbatch_reads_it(
    read: int, argv: tuple[str, ...], lua: str, tmp_path: Path
) -> None:
    """``{ read line; sbatch; } <file`` begins behind the line; ``/dev/stdin`` is opened anew."""
    text = SCRIPT.encode("latin-1")
    with standard_input(text, read=read):
        door = load(tmp_path, lua=lua)
        door.begin()
        script = drained() if not argv else text  # sbatch comes to the end of what it reads
        assert door.submit(argv=argv) == -1
        assert os.read(0, 10) == (b"" if not argv else text[read : read + 10])
    assert (tmp_path / "got").read_bytes() == script == text[read if not argv else 0 :]


def test_the_rest_of_a_long_file_passes_with_a_notice(tmp_path: Path) -> None:
    with standard_input(b"line\n" + b"#" * 70_000, read=5):
        door = load(tmp_path)
        door.begin()
        assert door.submit(argv=()) == 0
    assert not (tmp_path / "got").exists()
    assert "begins in the middle of a long file" in door.said[0]


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_standard_input_by_its_name(name: str, piped: int, tmp_path: Path) -> None:
    door = load(tmp_path, name)
    os.write(piped, SCRIPT.encode("latin-1"))
    os.close(piped)
    door.begin()
    drained()
    assert door.submit(argv=(name,)) == -1
    assert (tmp_path / "got").read_bytes() == SCRIPT.encode("latin-1")


@pytest.mark.parametrize("lua", LUAS)
def test_a_process_substitution_passes_with_a_notice(lua: str, tmp_path: Path) -> None:
    """``sbatch <(...)``: the pipe is empty by now, and an empty script is not what there is to be told."""
    reader, writer = os.pipe()
    os.set_inheritable(reader, True)
    os.close(writer)
    name = f"/dev/fd/{reader}"
    door = load(tmp_path, name, lua=lua)
    assert door.submit(argv=(name,)) == 0
    os.close(reader)
    assert not (tmp_path / "got").exists()
    assert "the script came by a pipe" in door.said[0]
