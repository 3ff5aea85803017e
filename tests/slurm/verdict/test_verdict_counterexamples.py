"""Random scripts of which Slurm 22.05.8 and we once thought differently, cut down to what mattered."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.verdict import judge
from sbatchlint.source import Source

Case = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]

ACCEPTED: list[Case] = [
    ("-wgpu[03-01]\n-wgpu01", (), ()),
    ("--gres gpu:1,gpu:h100:1 --gres=gpu:h100:4", (), ()),
    ("-G h100:1,1\n-G8", (), ()),
    ("--extra-node-info 1 --hint=x", (), ()),
    ("--ntasks-per-gpu 2 --extra-node-info=1", (), ()),
    ("--ntasks-per-gpu=08 -B1:2:1", (), ()),
    ("--mem-per-cpu 100", (), (("SBATCH_MEM_PER_GPU", "512"),)),
    ("--nice=", (), ()),
    ("--propagate=stack\n--propagate", (), ()),
    ("--exclude=gpu01,,gpu02", (), ()),
    ("--prefer h100,ib --batch=h100", (), ()),
    ("-i 100%", (), (("SBATCH_REQUEUE", "x"), ("SBATCH_NO_REQUEUE", ""))),
    ("--mem=1G", (), (("SBATCH_MEM_PER_CPU", "1G"),)),
]
REFUSED: list[Case] = [
    ("--mincpus=08", (), (("SBATCH_REQ_SWITCH", "2@1:00:00"),)),
    ("--hint=memory_bound -B1:2:1 -mplane=2 --nodelist=", (), ()),
    ("-b01/20", (), (("SBATCH_BATCH", "h100"),)),
    ("--batch=a|b -C h100", (), ()),
    ("--time-=2:00:00 -t10", (), ()),
    ("--mem=1G\nhetjob\n--mem-per-cpu=1G", (), ()),
    ("--gpus=1", ("--cpus-per-gpu=1", "-c2"), ()),
    ("-a 1-3\nhetjob\n-N1", (), ()),
    ("-N1\nhetjob\n-a 1-3", (), ()),
    ("-t 5", (), (("SBATCH_TIMELIMIT", "x"),)),
    ("--gres gpu:2 --gpus-per-node=h100:2 --extra-node-info 1 --hint multithread,x", (), ()),
]


def refused(case: Case) -> bool:
    options, arguments, environment = case
    lines = "".join(f"#SBATCH {line}\n" for line in options.splitlines())
    source = Source.from_text(f"#!/bin/sh\n{lines}")
    return judge(source, "22.05", sbatch_args=arguments, environment=environment).refused


@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(case: Case) -> None:
    assert not refused(case)


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: Case) -> None:
    assert refused(case)
