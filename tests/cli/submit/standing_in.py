"""A stand-in for sbatch that keeps what it was given, and ways to run ``submit`` with it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sbatchlint.cli.main import main
from sbatchlint.submission import sbatch as running

GOOD = b"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --time=60\nsrun hostname\n"
BAD = b"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --mpi=pmix\nsrun hostname\n"
WARNED = b"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --cpus-per-task=8\nsrun python train.py\n"
TWO_NODES = "2 nodes x 1 task (assumed) = 2 tasks (assumed)"
_STAND_IN = """\
#!/bin/sh
if [ "$*" = --version ]; then echo slurm 22.05.8; exit; fi
cat /proc/$$/cmdline >{folder}/argv
cat /proc/$$/environ >{folder}/environ
cat >{folder}/stdin
echo 17
echo 'sbatch: said' >&2
exit {status}
"""


@dataclass(frozen=True)
class StandIn:
    """A program called sbatch that keeps what it was given."""

    folder: Path
    kept: Path

    @property
    def path(self) -> str:
        return f"{self.folder}:/usr/bin:/bin"

    @property
    def called(self) -> bool:
        return (self.kept / "argv").exists()

    @property
    def argv(self) -> list[bytes]:
        """The words behind the name of the program."""
        return (self.kept / "argv").read_bytes().split(b"\0")[2:-1]

    @property
    def environment(self) -> set[bytes]:
        return set((self.kept / "environ").read_bytes().split(b"\0")) - {b""}

    @property
    def stdin(self) -> bytes:
        return (self.kept / "stdin").read_bytes()


@contextmanager
def stand_in(status: int = 0) -> Iterator[StandIn]:
    with tempfile.TemporaryDirectory() as root:
        made = StandIn(Path(root) / "bin", Path(root) / "kept")
        made.folder.mkdir()
        made.kept.mkdir()
        program = made.folder / "sbatch"
        program.write_text(_STAND_IN.format(folder=made.kept, status=status))
        program.chmod(0o755)
        yield made


@dataclass(frozen=True)
class Done:
    """How a run ended."""

    status: int
    out: bytes
    err: str


def become_submit(
    words: Sequence[str], folder: Path, environment: Mapping[bytes, bytes]
) -> None:  # pragma: no cover - in another process
    """Be the command, in a forked process whose standard streams are in place; never return."""
    status = 99
    try:
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        running._given_locale = lambda: environment.get(b"LC_CTYPE")
        for name in ("LINES", "COLUMNS"):  # set by readline behind Python's back, where pytest has loaded it
            os.unsetenv(name)
        os.environb.clear()
        os.environb.update(environment)
        os.chdir(folder)
        status = main(["submit", *words])
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def forked(
    words: Sequence[str], folder: Path, environment: Mapping[bytes, bytes], stdin: int
) -> tuple[int, bytes, bytes]:
    """Run the command without a terminal; return its status and what it writes."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:  # pragma: no cover - in another process
            os.setsid()
            for number, stream in enumerate((stdin, out.fileno(), err.fileno())):
                os.dup2(stream, number)
            become_submit(words, folder, environment)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return status, out.read(), err.read()


@contextmanager
def standard_input(text: bytes, *, file: bool = False) -> Iterator[int]:
    """Yield the number of an open file or of a pipe with *text* in it, which is short."""
    if file:
        with tempfile.TemporaryFile() as made:
            made.write(text)
            made.flush()
            made.seek(0)
            yield made.fileno()
        return
    number, writer = os.pipe()
    os.write(writer, text)
    os.close(writer)
    yield number
    os.close(number)


def submit(
    sbatch: StandIn,
    here: Path,
    *words: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Run the command without a terminal."""
    variables = {"PATH": sbatch.path, **(environment or {})}
    with standard_input(stdin) as number:
        given = {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}
        status, out, err = forked(words, here, given, number)
    return Done(status, out, err.decode())
