"""Makes the logs of the jobs in ``jobs/``, by running each on a real Slurm.

``python -m tests.diagnose.making.on_slurm FOLDER [JOB...]`` uses the Slurm that SLURM_CONF names, else
starts one.  The jobs ``torchrun-*`` and ``bare-python`` need SBATCHLINT_MEGATRON_PYTHON to name a Python
with torch.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.live_slurm import Slurm, running_slurm
from tests.diagnose.making.neutral import neutral, places, shortened

HERE = Path(__file__).parent
JOBS = tuple(sorted(path.stem for path in (HERE / "jobs").glob("*.sh")))
_PATIENCE = 180.0
_SACCT = "JobID,JobName,NodeList,State,ExitCode,Start,End"


@dataclass(frozen=True)
class Made:
    """What a job left behind."""

    log: str
    """As it was written; empty where there is no log."""
    sacct: str
    """What the accounting says of it; empty without one."""
    job: str
    """What ``scontrol show job`` says of it."""


def make(slurm: Slurm, name: str) -> Made:
    """Run the job *name* in a folder of its own and return what it left behind."""
    folder = slurm.folder / name
    _lay_out(folder)
    script = (HERE / "jobs" / f"{name}.sh").read_text("utf-8").replace("/shared/run", str(folder))
    (folder / "job.sh").write_text(script, "utf-8")
    environment = slurm.environment | {
        "PATH": f"{folder}:{folder / 'bin'}:{slurm.environment['PATH']}",
        "SBATCH_MEM_PER_NODE": "8G",  # else each job would have its nodes' whole memory, and all would queue
        "OMP_NUM_THREADS": "1",
    }
    environment.pop("SBATCHLINT_MEGATRON_PYTHON", None)
    submitted = subprocess.run(
        ["sbatch", "--parsable", "--nodelist=gpu[01-02]", "job.sh"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if submitted.returncode:
        return Made(submitted.stderr, "", "")
    job = submitted.stdout.strip()
    if name in DURING:
        _wait_for(folder, "iteration ")
        time.sleep(2)
        DURING[name](slurm, job)
    return _left(slurm, folder, job)


def _lay_out(folder: Path) -> None:
    shutil.copytree(HERE / "programs", folder)
    shutil.copy(folder / "train.py", folder / "evaluate.py")
    tools = folder / "bin"
    tools.mkdir()
    python = os.environ.get("SBATCHLINT_MEGATRON_PYTHON", sys.executable)
    for tool in ("python", "torchrun"):
        (tools / tool).write_text(f'#!/bin/bash\nexec {Path(python).with_name(tool)} "$@"\n')
        (tools / tool).chmod(0o755)
    (folder / "env-gpu01.sh").write_text(
        "mkdir -p gpu01/megatron/bridge\ntouch gpu01/megatron/__init__.py gpu01/megatron/bridge/__init__.py\n"
        'export PYTHONPATH=$PWD/gpu01\ntorchrun-lite() { python "$@"; }\n'
    )
    (folder / "env-gpu02.sh").write_text("export PYTHONPATH=\n")
    (folder / "launch.sh").write_text("#!/bin/bash\nexec python train.py\n")


def _cancel(slurm: Slurm, job: str) -> None:
    slurm.run("scancel", job)


def _requeue(slurm: Slurm, job: str) -> None:
    slurm.run("scontrol", "requeue", job)
    time.sleep(12)
    slurm.run("scontrol", "update", f"JobId={job}", "StartTime=now")


def _lose_a_node(slurm: Slurm, job: str) -> None:
    slurm.run("scontrol", "update", "NodeName=gpu02", "State=DOWN", "Reason=power")
    time.sleep(5)
    slurm.run("scontrol", "update", "NodeName=gpu02", "State=RESUME")


DURING: dict[str, Callable[[Slurm, str], None]] = {
    "cancelled": _cancel,
    "torchrun-cancelled": _cancel,
    "requeued-then-well": _requeue,
    "node-down": _lose_a_node,
}
"""What is done to a job from outside, once it trains."""


def _wait_for(folder: Path, text: str) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if any(text in log.read_text("utf-8", "replace") for log in folder.glob("*.out")):
            return
        time.sleep(0.2)


def _left(slurm: Slurm, folder: Path, job: str) -> Made:
    end = time.monotonic() + _PATIENCE + 120
    while time.monotonic() < end:
        shown = slurm.run("scontrol", "show", "job", job).stdout
        if not re.search(r"JobState=(PENDING|RUNNING|COMPLETING|CONFIGURING|REQUEUED?)\b", shown):
            break
        time.sleep(0.5)
    time.sleep(2)  # for the last words of srun, and for the accounting
    log = "".join(path.read_text("utf-8", "surrogateescape") for path in sorted(folder.rglob("*.out")))
    sacct = slurm.run("sacct", "-P", "-j", job, "-o", _SACCT)
    return Made(log, sacct.stdout if sacct.returncode == 0 else "", shown)


def _places(slurm: Slurm, name: str) -> dict[str, str]:
    spool = str(slurm.folder.parent / "spool")
    return {**places(slurm.folder / name), str(slurm.folder): "/shared", spool: "/var/spool/slurmd"}


def _write(slurm: Slurm, name: str, folder: Path) -> str:
    made, where = make(slurm, name), _places(slurm, name)
    shown = "" if made.log else made.job
    for kind, text in (("log", made.log), ("sacct", made.sacct), ("scontrol", shown)):
        if text:
            path = folder / f"{name}.{kind}"
            path.write_text(shortened(neutral(text, where)), "utf-8", "surrogateescape")
    return name


def main(arguments: Sequence[str]) -> None:
    """Write the logs of the jobs that *arguments* name, or of all, to the folder that it names first."""
    folder, names = Path(arguments[0]).absolute(), arguments[1:] or JOBS
    folder.mkdir(parents=True, exist_ok=True)
    with _slurm() as slurm, ThreadPoolExecutor(4) as pool:
        subprocess.run([HERE / "programs" / "nodes", "up"], check=True)
        alone = [name for name in names if name == "node-down"]
        for done in pool.map(lambda name: _write(slurm, name, folder), [n for n in names if n not in alone]):
            print(done, flush=True)
        for name in alone:
            print(_write(slurm, name, folder), flush=True)
        subprocess.run([HERE / "programs" / "nodes", "down"], check=True)


def _slurm() -> AbstractContextManager[Slurm]:
    if "SLURM_CONF" not in os.environ:
        return running_slurm(nodes=4, first_port=18800)
    folder = Path(os.environ["SLURM_CONF"]).parent.parent / "scripts"
    folder.mkdir(exist_ok=True)
    return nullcontext(Slurm(folder, dict(os.environ), ""))


if __name__ == "__main__":
    main(sys.argv[1:])
