"""Nothing is changed on the way to sbatch: words, environment, standard input, answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.cli.submit.standing_in import BAD, GOOD, StandIn, forked, stand_in, standard_input, submit

_BYTES = st.binary(max_size=12).map(lambda word: word.replace(b"\0", b"\n"))
_WORDS = st.lists(
    st.sampled_from(
        [b"-N2", b"--nodes", b"2", b":", b"--", b"--wrap=srun x", b"good.sh", b"bad.sh", b"-D", b"-"]
    )
    | _BYTES,
    max_size=6,
).filter(lambda words: not words or not words[0].startswith((b"--lint-", b"--force")))
_VARIABLES = st.dictionaries(
    st.from_regex(rb"[A-Z_]{1,8}", fullmatch=True).filter(lambda name: name not in (b"PATH", b"LC_CTYPE")),
    _BYTES,
    max_size=4,
)
_TEXTS = st.binary(max_size=200) | st.sampled_from([GOOD, BAD, b""])


@settings(max_examples=40)
@given(_WORDS, _VARIABLES, _TEXTS, st.booleans())
@example([], {}, GOOD, False)
@example([b"-H", b"bad.sh", b"", b"\xff\n"], {b"HF_TOKEN": b"\xfe"}, b"rest", True)
@example([b"--wrap", b"srun \xff\n'"], {b"SBATCH_NODES": b"\xff"}, b"rest", False)
def test_sbatch_gets_what_the_user_gave(
    words: list[bytes], environment: dict[bytes, bytes], text: bytes, file: bool
) -> None:
    with stand_in(3) as sbatch, tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "good.sh").write_bytes(GOOD)
        (here / "bad.sh").write_bytes(BAD)
        environment = {**environment, b"PATH": sbatch.path.encode()}
        with standard_input(text, file=file) as number:
            status, out, _ = forked(["--force", *map(os.fsdecode, words)], here, environment, number)
        assert (status, out) == (3, b"17\n")
        assert sbatch.argv == words
        assert sbatch.stdin == text
        assert sbatch.environment == {b"=".join(item) for item in environment.items()}


@pytest.mark.parametrize("variables", [{}, {"LC_CTYPE": "C"}, {"LC_ALL": "C"}])
def test_the_locale_is_the_users(sbatch: StandIn, here: Path, variables: dict[str, str]) -> None:
    environment = {"PATH": sbatch.path, **variables}
    subprocess.run(
        [sys.executable, "-m", "sbatchlint", "submit", "good.sh"],
        env=environment,
        cwd=here,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert sbatch.environment == {f"{name}={value}".encode() for name, value in environment.items()}


def test_signals_are_as_before(here: Path, tmp_path: Path) -> None:
    """Python ignores SIGPIPE; the programs that it becomes must not."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "sbatch"
    program.write_text("#!/bin/sh\ngrep SigIgn /proc/self/status\n")
    program.chmod(0o755)
    seen = submit(StandIn(folder, tmp_path), here, "good.sh").out
    assert int(seen.split()[1], 16) & (1 << (signal.SIGPIPE - 1) | 1 << (signal.SIGXFSZ - 1)) == 0
