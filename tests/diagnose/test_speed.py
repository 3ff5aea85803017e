"""Gigabytes in one pass: how fast, and in how much memory."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

MEGABYTES = 1000
_FLOOR = 60
"""MB for each second of processor time; a machine of its own does three times as much."""
_PROGRAM = r"""
import json, re, sys, time
from pathlib import Path
from sbatchlint.diagnose.running import gather
from sbatchlint.diagnose.judging import judge
start = time.process_time()
facts, _ = gather([sys.argv[1]], sys.stdin.buffer, print, print)
found = judge(facts)
seconds = time.process_time() - start
# Not getrusage: it counts what the process that started this one had.
most = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())[1]
print(json.dumps({
    "seconds": seconds,
    "kilobytes": int(most),
    "cause": found.cause and found.cause.id,
    "lines": found.lines,
}))
"""


def log(megabytes: int) -> Iterator[bytes]:
    """Yield the lines of a training as it runs: progress, bars, NCCL's information, a handled traceback."""
    size, steps = 0, itertools.count(1)
    while size < megabytes * 1_000_000:
        block = b"".join(_second(next(steps)) for _ in range(100))
        size += len(block)
        yield block
    yield b"5: [rank5]: Traceback (most recent call last):\n"
    yield b"5: [rank5]: torch.OutOfMemoryError: CUDA out of memory\n"
    yield b"srun: error: n5: task 5: Exited with exit code 1\n"


def _second(step: int) -> bytes:
    clock = b"2026-03-04 %02d:%02d:%02d" % (step // 3600 % 24, step // 60 % 60, step % 60)
    lines = [
        b"%d: [%s] iteration %8d/  500000 | consumed samples: %12d | elapsed time per iteration (ms): 2146.6 "
        b"| learning rate: 1.166667E-05 | global batch size:   256 | lm loss: 8.219774E+00 | grad norm: 0.45 "
        b"| number of skipped iterations:   0 |\n" % (task, clock, step, step * 256)
        for task in range(8)
    ]
    lines += [
        b"n%d:%d:%d [%d] NCCL INFO Channel %02d/0 : %d[%d] -> %d[%d] via P2P/IPC/read\n"
        % (rank, 4000 + rank, 5000 + rank, rank, step % 24, rank, rank, rank + 1, rank + 1)
        for rank in range(8)
    ]
    bar = [b"Epoch 0: %3d%%|##    | %d/1000 [00:12<01:32,  9.5it/s, loss=2.3]" % (n, n) for n in range(10)]
    lines.append(b"\r".join(bar) + b"\n")
    if step % 500 == 0:
        lines.append(
            b'3: [rank3]: Traceback (most recent call last):\n3: [rank3]:   File "a.py", line 3, in f\n'
        )
        lines.append(b"3: [rank3]: ValueError: sample %d is odd\n3: [rank3]: iteration %d\n" % (step, step))
    return b"".join(lines)


@pytest.mark.slow
def test_a_gigabyte(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    path = tmp_path / "big.log"
    with path.open("wb") as file:
        for block in log(MEGABYTES):
            file.write(block)
    try:
        command = [sys.executable, "-c", _PROGRAM, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    finally:
        path.unlink()
    measured = json.loads(done.stdout)
    speed = MEGABYTES / measured["seconds"]
    record_property("megabytes_a_second", round(speed))
    print(f"{speed:.0f} MB/s, {measured['kilobytes'] / 1000:.0f} MB of memory, {measured['lines']} lines")
    assert measured["cause"] == "cuda-oom"
    assert measured["kilobytes"] < 200_000
    assert speed > _FLOOR
