"""A cluster of stand-ins: batch scripts run under the real bash, and each rank notes how it was called.

``srun`` starts its command once for each task of each node, launchers start their ranks, and ``python``
writes its words and its environment into a file.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_NOTE = r"""#!/bin/bash
set -f
note() {
  local file=$SIM_CALLS/$SIM_STEP-$1-$BASHPID
  { printf '%s\0' "$1" "$#" "$@"; env -0; } > "$file"
}
"""
_SRUN = r"""
SIM_STEP=$((SIM_STEP + 1))
while [ -e "$SIM_CALLS/step$SIM_STEP" ]; do SIM_STEP=$((SIM_STEP + 1)); done
: > "$SIM_CALLS/step$SIM_STEP"
nodes=$SIM_NODES each=$SIM_TASKS options=()
while [ "$#" -gt 0 ]; do
  case $1 in
    --nodes=*) nodes=${1#*=} ;;
    --ntasks-per-node=*) each=${1#*=} ;;
    -*) ;;
    *) break ;;
  esac
  options+=("$1"); shift
done
note srun "${options[@]}"
export SIM_STEP SLURM_NNODES=$nodes SLURM_NTASKS=$((nodes * each)) SLURM_NODEID SLURM_LOCALID SLURM_PROCID
status=0
for ((SLURM_NODEID = 0; SLURM_NODEID < nodes; SLURM_NODEID++)); do
  for ((SLURM_LOCALID = 0; SLURM_LOCALID < each; SLURM_LOCALID++)); do
    SLURM_PROCID=$((SLURM_NODEID * each + SLURM_LOCALID))
    "$@" || status=1
  done
done
exit "$status"
"""
_UV = r"""
note uv "$@"
[ "$1" = run ] || exit 0
shift
while :; do case $1 in --extra|--with|-p) shift 2 ;; -*) shift ;; *) break ;; esac; done
exec "$@"
"""
_PYTHON = r"""
before=()
while [ "$1" = -u ]; do before+=("$1"); shift; done
if [ "$1" = -m ] && [ "$2" = torch.distributed.run ]; then shift 2; exec torchrun "$@"; fi
note python "${before[@]}" "$@"
"""
LAUNCHER = r"""
name=${0##*/} module=() start=python nodes=1 node=0
[ "$name" = accelerate ] && shift
while [ "$#" -gt 0 ]; do
  case $1 in
    --nnodes=*|--num_machines=*) nodes=${1#*=} ;;
    --node_rank=*|--machine_rank=*) node=${1#*=} ;;
    --nproc_per_node=*|--num_gpus=*) each=${1#*=} ;;
    --num_processes=*) world=${1#*=} ;;
    --master_addr=*|--main_process_ip=*) MASTER_ADDR=${1#*=} ;;
    --master_port=*|--main_process_port=*) MASTER_PORT=${1#*=} ;;
    --hostfile=*) nodes=$(grep -c " slots=" "${1#*=}") ;;
    -m) module=(-m) ;;
    --no-python) start= ;;
    -*) ;;
    *) break ;;
  esac
  shift
done
[ -n "$each" ] || each=$((world / nodes))
export RANK WORLD_SIZE=$((nodes * each)) LOCAL_RANK MASTER_ADDR MASTER_PORT
for ((LOCAL_RANK = 0; LOCAL_RANK < each; LOCAL_RANK++)); do
  RANK=$((node * each + LOCAL_RANK))
  $start "${module[@]}" "$@" || exit 1
done
"""
_SCONTROL = r"""
for ((i = 1; i <= SIM_NODES; i++)); do echo "node$i"; done
"""
_WRAPPER = r"""
while :; do case $1 in -N|-n) shift 2 ;; -*) shift ;; *) break ;; esac; done
exec "$@"
"""
_TOOLS = {
    "srun": _SRUN,
    "uv": _UV,
    "python": _PYTHON,
    "torchrun": LAUNCHER,
    "accelerate": LAUNCHER,
    "deepspeed": LAUNCHER,
    "scontrol": _SCONTROL,
    "numactl": _WRAPPER,
}


@dataclass(frozen=True)
class Call:
    """One call of a stand-in."""

    name: str
    words: tuple[str, ...]
    environment: Mapping[str, str]

    @property
    def step(self) -> int:
        return int(self.environment["SIM_STEP"])

    @property
    def rank(self) -> int:
        """The rank that a program takes itself for: torch's variable, else Slurm's."""
        return int(self.environment.get("RANK", self.environment.get("SLURM_PROCID", "-1")))

    @property
    def world(self) -> int:
        return int(self.environment.get("WORLD_SIZE", self.environment.get("SLURM_NTASKS", "-1")))


@dataclass(frozen=True)
class Outcome:
    """What one script did."""

    status: int
    errors: str
    calls: tuple[Call, ...]

    def named(self, name: str) -> list[Call]:
        """The calls of one stand-in, by step and rank."""
        found = [call for call in self.calls if call.name == name]
        return sorted(found, key=lambda call: (call.step, call.rank, call.words))

    @property
    def ranks(self) -> list[Call]:
        """The ranks of the last step."""
        return self.named("python")


class Cluster:
    """A folder with the stand-ins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._tools = folder / "tools"
        self._tools.mkdir(parents=True)
        for name, body in _TOOLS.items():
            tool = self._tools / name
            tool.write_text(_NOTE + body)
            tool.chmod(0o755)

    def run(self, script: bytes, environment: Mapping[str, str] | None = None) -> Outcome:
        """Run *script*, with what sbatch would set for its directives, in a folder of its own.

        Without directives it is one task on one node, as a shell script runs.
        """
        self._count += 1
        place = self._folder / f"run{self._count}"
        calls, work = place / "calls", place / "work"
        calls.mkdir(parents=True)
        work.mkdir()
        (work / "job.sbatch").write_bytes(script)
        size = dict(re.findall(rb"^#SBATCH --(nodes|ntasks-per-node)=(\d+)$", script, re.M))
        nodes, tasks = (size.get(name, b"1").decode() for name in (b"nodes", b"ntasks-per-node"))
        everything = {
            "PATH": f"{self._tools}:/usr/bin:/bin",
            "HOME": str(work),
            "LC_ALL": "C.UTF-8",
            "SIM_CALLS": str(calls),
            "SIM_STEP": "0",
            "SIM_NODES": nodes,
            "SIM_TASKS": tasks,
            "SLURM_JOB_ID": "4242",
            "SLURM_JOB_NODELIST": f"node[1-{nodes}]",
            "SLURM_JOB_NUM_NODES": nodes,
            "SLURM_NTASKS": str(int(nodes) * int(tasks)),
            "SLURM_NTASKS_PER_NODE": tasks,
            **(environment or {}),
        }
        done = subprocess.run(
            ["bash", "job.sbatch"],
            cwd=work,
            env=everything,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=60,
        )
        found = [_call(path.read_bytes()) for path in calls.iterdir() if not path.name.startswith("step")]
        return Outcome(done.returncode, done.stderr.decode(errors="replace"), tuple(found))


def is_bash(script: bytes) -> bool:
    """Tell whether bash can read *script*."""
    done = subprocess.run(["bash", "-n"], input=script, capture_output=True, check=False)
    return done.returncode == 0 and done.stderr == b""


def _call(data: bytes) -> Call:
    name, count, *rest = os.fsdecode(data).split("\0")[:-1]
    words, settings = rest[1 : int(count)], rest[int(count) :]
    return Call(name, tuple(words), dict(one.split("=", 1) for one in settings if "=" in one))
