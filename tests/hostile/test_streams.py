"""Standard streams that are closed, full, or read by somebody who goes away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.processes import plain_environment

COMMANDS = {
    "check job.sh": 1,
    "check --output-format sarif job.sh": 1,
    "check --jobs 2 .": 1,
    "check --diff job.sh": 0,
    "plan job.sh": 0,
    "size minimax-m2": 0,
    "config": 0,
    "config --schema": 0,
    "policy variables": 0,
    "rule --list": 0,
    "option --all": 0,
    "convert -- torchrun --nproc-per-node=8 x.py": 0,
    "diagnose job.log": 1,
    "submit --lint-only job.sh": 1,
    "cluster import --from-conf slurm.conf": 0,
    "--help": 0,
    "--version": 0,
}
"""With the status where all is well."""
_ALL = [*COMMANDS]
_FEW = ["check job.sh", "plan job.sh", "--version"]


def _run(folder: Path, words: str, redirections: str) -> tuple[int, bytes]:
    """Return the status and what was said of a command that a shell has started so."""
    script = f"{sys.executable} -m sbatchlint {words} {redirections}"
    put(folder / "job.sh", HEAD + WRONG)
    put(folder / "other.sbatch", HEAD + WRONG)
    put(folder / "job.log", "CUDA out of memory\n")
    put(folder / "slurm.conf", "ClusterName=x\nNodeName=n1 CPUs=8\n")
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=plain_environment(SBATCHLINT_SBATCH="/nowhere"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    told = done.stdout + done.stderr
    for bad in (b"Traceback", b"internal error:", b"Exception ignored"):
        assert bad not in told, told
    return done.returncode, told


def _some(words: list[str]) -> list[object]:
    return [pytest.param(one, marks=[] if one in _FEW else [pytest.mark.slow]) for one in words]


@pytest.mark.parametrize("words", _some(_ALL))
def test_a_stream_is_closed(folder: Path, words: str) -> None:
    for closed in (">&-", "2>&-", "<&-", "<&- >&-", "<&- >&- 2>&-"):
        assert _run(folder, words, closed)[0] == COMMANDS[words], closed


@pytest.mark.parametrize("words", _some(_ALL))
def test_the_output_is_full(folder: Path, words: str) -> None:
    if words == "check --diff job.sh" or words.startswith("submit"):
        return  # nothing goes to standard output
    status, told = _run(folder, words, ">/dev/full")
    assert status == 2
    assert told.count(b"sbatchlint: output: No space left on device; nothing more is written") == 1


@pytest.mark.parametrize("words", _some(_ALL))
def test_errors_can_not_be_told(folder: Path, words: str) -> None:
    assert _run(folder, words, "2>/dev/full >/dev/null")[0] in (COMMANDS[words], 2)


@pytest.mark.parametrize("words", _some(_ALL))
def test_who_reads_goes_away(folder: Path, words: str) -> None:
    status, told = _run(folder, words, "| head -c 0; exit ${PIPESTATUS[0]}")
    assert status in (COMMANDS[words], 141)
    assert b"sbatchlint: output" not in told


@pytest.mark.parametrize(
    "words", ["check -", "check --fix -", "plan -", "diagnose -", "convert --from-file -"]
)
@pytest.mark.parametrize("given", ["<&-", "</dev/null"])
def test_nothing_to_read(folder: Path, words: str, given: str) -> None:
    status, told = _run(folder, words, given)
    assert status == (0 if words == "diagnose -" else 2)
    assert told


@pytest.mark.slow
def test_an_endless_input_ends(folder: Path) -> None:
    for words in ("check -", "check --fix -", "plan -", "convert --from-file -"):
        status, told = _run(folder, words, "</dev/zero")
        assert status == 2 and len(told) < 1000
