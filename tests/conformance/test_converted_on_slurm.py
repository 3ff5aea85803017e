"""Converted commands on a real Slurm of two nodes, with stand-ins for what they start.

Each rank notes its words; they must be those of the command, and each rank must be there once.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from sbatchlint.convert.conversion import convert
from sbatchlint.convert.quoting import quoted
from sbatchlint.convert.site import Site
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source
from tests.conformance.live_slurm import Slurm, running_slurm
from tests.convert.simulated import LAUNCHER

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

GPUS, NODES = 2, 2
WORDS = [
    "t.py",
    "",
    "a b",
    "it's",
    "$HOME ${X} $(date) `date`",
    '"',
    "\\",
    "a\nb",
    "\t",
    "model.list=[1, 2,'x']",
    "*",
    "~",
    "!",
    "日本 ü",
    "-x",
    "--",
    "{a,b}",
    "#",
    "&|;<>()",
    "\u00a0\u200b",
    "\udcff",
    "%x_%j",
    "#SBATCH --nodes=1",
]
COMMANDS = {
    "torchrun": "torchrun --standalone --nproc_per_node=2 --max_restarts=1",
    "module": "uv run python -m torch.distributed.run --nproc_per_node=2",
    "accelerate": "accelerate launch --num_processes=2",
    "deepspeed": "deepspeed --num_gpus=2",
    "native": "numactl -N 0 python -u",
    "native-uv": "FOO='a b' uv run --extra x python",
}
PYTHON = r"""#!/bin/bash
while [ "$1" = -u ]; do shift; done
if [ "$1" = -m ] && [ "$2" = torch.distributed.run ]; then shift 2; exec torchrun "$@"; fi
rank=${RANK-$SLURM_PROCID}
case $1 in
  fail.py) [ "$rank" = 3 ] && exit 7; sleep 45 && touch "$RANKS/survived.$rank"; exit ;;
esac
{ printf '%s\0' "$SLURMD_NODENAME" "${LOCAL_RANK-$SLURM_LOCALID}" "${WORLD_SIZE-$SLURM_NTASKS}" "$FOO" "$@"
} > "$RANKS/$rank.$$"
"""
WRAPPER = r"""#!/bin/bash
if [ "${0##*/}" = uv ]; then [ "$1" = run ] || exit 0; shift; fi
while :; do case $1 in -N|--extra) shift 2 ;; -*) shift ;; *) break ;; esac; done
exec "$@"
"""


@dataclass(frozen=True)
class Rank:
    number: int
    node: str
    local: int
    world: int
    foo: str
    words: list[str]


@pytest.fixture(scope="module")
def pair() -> Iterator[Slurm]:
    """A Slurm of two nodes that has stand-ins in front of its PATH."""
    with running_slurm(nodes=NODES, first_port=18800) as slurm:
        tools = slurm.folder / "tools"
        tools.mkdir()
        launcher = "#!/bin/bash\n" + LAUNCHER
        bodies = {"python": PYTHON, "uv": WRAPPER, "numactl": WRAPPER}
        for name, body in {
            **bodies,
            **dict.fromkeys(("torchrun", "accelerate", "deepspeed"), launcher),
        }.items():
            (tools / name).write_text(body)
            (tools / name).chmod(0o755)
        path = f"{tools}:{slurm.environment['PATH']}"
        yield Slurm(slurm.folder, {**slurm.environment, "PATH": path}, slurm.release)


def script_of(command: str, mode: str) -> str:
    """The batch script for *command*, less the GPUs that the farm's nodes don't have."""
    site = Site(nodes=NODES, gpus_per_node=GPUS, time="2", account="", partition="")
    script = script_text(convert(Source.from_text(command), site, mode=mode))
    return script.replace(f"#SBATCH --gpus-per-node={GPUS}\n", "")


def ranks_of(pair: Slurm, name: str) -> list[Rank]:
    """Convert the command, run it, and return what its ranks noted, by number."""
    place = pair.folder / name
    ranks = place / "ranks"
    ranks.mkdir(parents=True)
    mode = "native" if name.startswith("native") else "torchrun"
    script = script_of(" ".join([COMMANDS[name], *map(quoted, WORDS)]), mode)
    (place / "job.sbatch").write_bytes(script.encode("utf-8", "surrogateescape"))
    within = replace(pair, folder=place, environment={**pair.environment, "RANKS": str(ranks)})
    done = within.run("sbatch", "--wait", "job.sbatch", timeout=180)
    logs = "".join(path.read_text(errors="replace") for path in place.glob("*.log"))
    assert done.returncode == 0, done.stderr + logs + script
    time.sleep(0.1)
    return sorted(map(_rank, ranks.iterdir()), key=lambda rank: rank.number)


def _rank(path: Path) -> Rank:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    node, local, world, foo, *words = text.split("\0")[:-1]
    return Rank(int(path.name.partition(".")[0]), node, int(local), int(world), foo, words)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_rank_is_there_once_and_gets_the_words(name: str, pair: Slurm) -> None:
    ranks = ranks_of(pair, name)
    assert [rank.number for rank in ranks] == list(range(NODES * GPUS))
    assert {rank.world for rank in ranks} == {NODES * GPUS}
    assert [rank.local for rank in ranks] == [0, 1] * NODES
    assert ranks[0].node == ranks[1].node != ranks[2].node == ranks[3].node
    for rank in ranks:
        assert rank.words == WORDS, shlex.join(rank.words)
        assert rank.foo == ("a b" if name == "native-uv" else "")


def test_a_rank_that_fails_ends_the_job(pair: Slurm) -> None:
    place = pair.folder / "failing"
    ranks = place / "ranks"
    ranks.mkdir(parents=True)
    (place / "job.sbatch").write_text(script_of("python fail.py", "native"))
    within = replace(pair, folder=place, environment={**pair.environment, "RANKS": str(ranks)})
    start = time.monotonic()
    done = within.run("sbatch", "--wait", "job.sbatch", timeout=180)
    assert done.returncode != 0
    assert time.monotonic() - start < 40, "the others were waited for"
    assert not list(ranks.iterdir())
    (log,) = place.glob("fail_*.log")
    assert "Exited with exit code 7" in log.read_text()
