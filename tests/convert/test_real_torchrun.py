"""The real torchrun, with torch for the CPU: the agents of two nodes find each other and form one world."""

from __future__ import annotations

import ast
import os
import socket
import subprocess
from pathlib import Path

import pytest

from sbatchlint.convert.quoting import quoted
from tests.convert.scripts import made, with_nodes
from tests.megatron.oracle import megatron_core

pytestmark = pytest.mark.megatron

PROGRAM = """\
import os, sys, pathlib
import torch, torch.distributed as dist
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
total = torch.tensor([rank + 1])
dist.all_reduce(total)
text = repr((rank, world, int(os.environ["LOCAL_RANK"]), int(total), sys.argv[1:]))
pathlib.Path(os.environ["RANKS"], str(rank)).write_text(text)
dist.destroy_process_group()
"""
SRUN = r"""#!/bin/bash
while case $1 in -*) true ;; *) false ;; esac; do shift; done
for ((SLURM_NODEID = 0; SLURM_NODEID < 2; SLURM_NODEID++)); do
  SLURM_NODEID=$SLURM_NODEID "$@" &
  agents+=($!)
done
status=0
for agent in "${agents[@]}"; do wait "$agent" || status=1; done
exit "$status"
"""
SCONTROL = "#!/bin/sh\necho localhost\necho localhost\n"
WORDS = ["--x", "a $b", "", "日本", "it's"]


@pytest.fixture(scope="module")
def torch_folder(pytestconfig: pytest.Config) -> Path:
    """The folder with the python and the torchrun of the environment that has torch."""
    assert pytestconfig.cache is not None
    return megatron_core(pytestconfig.cache.mkdir("megatron-core"))._python.parent


def free_port() -> int:
    """A port that is free here, of those that a job's number stands for."""
    for port in range(15000 + os.getpid() % 5000, 25000):
        with socket.socket() as listener:
            try:
                listener.bind(("", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


@pytest.mark.parametrize("command", ["torchrun", "python -m torch.distributed.run"])
def test_two_nodes_form_one_world(command: str, torch_folder: Path, tmp_path: Path) -> None:
    tools, ranks = tmp_path / "tools", tmp_path / "ranks"
    tools.mkdir()
    ranks.mkdir()
    for name, body in (("srun", SRUN), ("scontrol", SCONTROL)):
        (tools / name).write_text(body)
        (tools / name).chmod(0o755)
    (tmp_path / "t.py").write_text(PROGRAM)
    text = " ".join([f"{command} --standalone --nproc_per_node=2 t.py", *map(quoted, WORDS)])
    (tmp_path / "job.sbatch").write_text(made(text, with_nodes(2), folder=str(tmp_path)))
    environment = {
        "PATH": f"{tools}:{torch_folder}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "RANKS": str(ranks),
        "SLURM_JOB_ID": str(free_port() - 15000 + 70000),
        "SLURM_JOB_NODELIST": "n[1-2]",
        "SLURM_JOB_NUM_NODES": "2",
    }
    done = subprocess.run(
        ["bash", "job.sbatch"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    told = [ast.literal_eval((ranks / name).read_text()) for name in sorted(os.listdir(ranks))]
    assert told == [(rank, 4, rank % 2, 1 + 2 + 3 + 4, WORDS) for rank in range(4)]
