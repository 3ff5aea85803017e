"""A stand-in for training: at rank FAIL_RANK, in step FAIL_AT, it fails as FAIL tells."""

import atexit
import importlib
import os
import signal
import sys
import time


def told(name: str, otherwise: str) -> float:
    """Return the number that the environment gives for *name*."""
    return float(os.environ.get(name, otherwise))


RANK = int(os.environ.get("RANK") or told("SLURM_PROCID", "0"))
STEPS = int(told("STEPS", "8"))
PACE = told("PACE", "0.5")


def fail(how: str) -> None:
    """End, or stop working, in the way that *how* names."""
    if how == "raise":
        raise ValueError("cannot reshape array of size 4095 into shape (4096,)")
    if how in ("kill", "segv"):
        os.kill(os.getpid(), signal.SIGKILL if how == "kill" else signal.SIGSEGV)
        time.sleep(5)
    if how == "hang":
        time.sleep(3600)
    if how == "import":
        importlib.import_module("megatron.bridge")
    if how == "fill":
        with open(os.environ["CACHE"], "wb") as cache:
            cache.write(bytes(4 << 20))
    if how.startswith("exit"):
        sys.exit(int(how.removeprefix("exit")))


def report(step: int, loss: float) -> None:
    """Print the progress of one step."""
    print(f"[rank{RANK}] iteration {step:6}/{STEPS:8} | lm loss: {loss:.6E} |", flush=True)


def main() -> None:
    """Train, as it were."""
    for step in range(1, STEPS + 1):
        time.sleep(PACE)
        if "FAIL" in os.environ and told("FAIL_RANK", "0") == RANK and told("FAIL_AT", "4") == step:
            fail(os.environ["FAIL"])
        if RANK == 0 or "LOUD" in os.environ:
            report(step, 11.2 / step**0.3)
        if told("WARN_RANK", "-1") == RANK and step == 2:
            warning = "WARNING: could not load the fused kernel (error: no nvcc found); falling back"
            print(warning, file=sys.stderr)


if __name__ == "__main__":
    # What srun has not read when --kill-on-bad-exit ends the step is lost, so a task leaves a while after its
    # last words.
    atexit.register(time.sleep, 1)
    main()
