"""Makes logs of the real torchrun: two agents, each on a stand-in for a machine, and a file for each.

``python -m tests.diagnose.making.on_torchrun FOLDER [NAME...]`` with SBATCHLINT_MEGATRON_PYTHON naming a
Python with torch; needs root and ``ip``.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.diagnose.making.neutral import neutral, places, shortened

HERE = Path(__file__).parent
_STATIC = ("--master_addr=gpu01", "--master_port=29501", "--rdzv_conf=timeout=15")
_C10D = ("--rdzv_backend=c10d", "--rdzv_endpoint=gpu01:29501", "--rdzv_id=7", "--rdzv_conf=join_timeout=15")
_ONCE_MORE = "--max_restarts=1"


@dataclass(frozen=True)
class Run:
    """How one failure comes about."""

    options: Sequence[str] = _STATIC
    """What torchrun is told of the meeting."""
    environment: Mapping[str, str] = field(default_factory=dict)
    ranks: Sequence[int] = (0, 1)
    """The number that each node says it has; a node that never starts is left out."""
    stop: int | None = None
    """The node whose agent is told to end once it trains."""
    listener: bool = False
    """Whether somebody listens on gpu01's port already."""


def _failing(how: str, rank: int, **more: str) -> dict[str, str]:
    return {"FAIL": how, "FAIL_RANK": str(rank), "STEPS": "60", **more}


RUNS = {
    "agents-worker-raises": Run(environment=_failing("raise", 1)),
    "agents-worker-crashes": Run(environment=_failing("segv", 2)),
    "agents-worker-killed-c10d": Run(_C10D, _failing("kill", 3)),
    "agents-killed-restarted": Run((*_STATIC, _ONCE_MORE), _failing("kill", 3)),
    "agents-exits-restarted": Run((*_C10D, _ONCE_MORE), _failing("exit7", 2)),
    "agents-module-missing": Run(environment=_failing("import", 1)),
    "agents-rank-hangs": Run(environment=_failing("hang", 2, COLLECTIVE_SECONDS="12")),
    "agents-told-to-stop": Run(environment={"STEPS": "600"}, stop=1),
    "agents-port-in-use": Run(listener=True),
    "agents-missing-peer": Run(ranks=(0,)),
    "agents-missing-peer-c10d": Run(_C10D, ranks=(0,)),
    "agents-same-node-rank": Run(ranks=(0, 0)),
    "agents-unknown-host": Run(("--master_addr=gpu09", *_STATIC[1:])),
    "agents-no-address": Run(("--rdzv_conf=timeout=15",)),
    "agents-other-address": Run(("--master_addr=10.77.0.9", *_STATIC[1:])),
    "agents-healthy": Run(environment={"STEPS": "8"}),
}


def make(name: str, folder: Path, *, apart: bool = True) -> list[str]:
    """Run what *name* says in *folder* and return what each node's agent wrote.

    Unless they are *apart*, both agents run on this machine as it is, and nothing of it has to be set up.
    """
    run = RUNS[name]
    if not apart:
        options = tuple(option.replace("gpu01", "localhost") for option in run.options)
        run = replace(run, options=options)
    shutil.copytree(HERE / "programs", folder, dirs_exist_ok=True)
    other = _listen() if run.listener else None
    agents = [_agent(run, folder, node, rank, apart) for node, rank in enumerate(run.ranks)]
    try:
        if run.stop is not None:
            _wait_for(folder / "0.log", "iteration      3")
            agents[run.stop].send_signal(signal.SIGTERM)
        for agent in agents:
            agent.wait(120)
    finally:
        for process in (*agents, *([other] if other else [])):
            process.kill()
            process.wait()
    return [(folder / f"{node}.log").read_text("utf-8", "surrogateescape") for node in range(len(agents))]


def _agent(run: Run, folder: Path, node: int, rank: int, apart: bool) -> subprocess.Popen[bytes]:
    where = (folder / "on-node", f"gpu0{node + 1}") if apart else ()
    torchrun = Path(os.environ["SBATCHLINT_MEGATRON_PYTHON"]).with_name("torchrun")
    shape = ("--nnodes=2", "--nproc_per_node=2", f"--node_rank={rank}")
    with (folder / f"{node}.log").open("wb") as log:
        return subprocess.Popen(
            [*where, torchrun, *shape, *run.options, "train_torch.py"],
            cwd=folder,
            env={"PATH": os.environ["PATH"], **run.environment},
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def _listen() -> subprocess.Popen[bytes]:
    program = "import socket, time; s = socket.create_server(('', 29501)); time.sleep(100)"
    listener = subprocess.Popen([HERE / "programs" / "on-node", "gpu01", sys.executable, "-c", program])
    time.sleep(2)
    return listener


def _wait_for(log: Path, text: str) -> None:
    end = time.monotonic() + 90
    while time.monotonic() < end and text not in log.read_text("utf-8", "replace"):
        time.sleep(0.2)


def main(arguments: Sequence[str]) -> None:
    """Write the logs of the runs that *arguments* name, or of all, to the folder that it names first."""
    out, names = Path(arguments[0]), arguments[1:] or list(RUNS)
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([HERE / "programs" / "nodes", "up"], check=True)
            for node, text in enumerate(make(name, Path(folder))):
                path = out / f"{name}.gpu0{node + 1}.log"
                path.write_text(shortened(neutral(text, places(Path(folder)))), "utf-8", "surrogateescape")
        print(name, flush=True)
    subprocess.run([HERE / "programs" / "nodes", "down"], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
