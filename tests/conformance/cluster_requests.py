"""Random requests around the limits of the test cluster, each a list of options."""

from __future__ import annotations

import random

Options = tuple[str, ...]

PARTITIONS = (
    *("batch", "interactive", "cpu", "long", "down"),
    *("batch,cpu", "cpu,interactive", "long,cpu", "interactive,batch", "cpu,down", "down,long"),
    *("nope", "batch,nope", "Batch"),
)
TIMES = (
    "10",
    "30:00",
    "1:00:00",
    "1:00:01",
    "4:00:00",
    "4:01:00",
    "2-0",
    "2-0:01",
    "7-0",
    "8-0",
    "UNLIMITED",
)
NODES = ("1", "2", "4", "5", "15", "16", "17", "1-2", "1-4", "2-16", "3-17", "10-20")
TASKS = (
    "1",
    "2",
    "3",
    "8",
    "16",
    "63",
    "64",
    "65",
    "128",
    "129",
    "255",
    "256",
    "257",
    "2047",
    "2048",
    "2049",
)
TASKS_PER_NODE = ("1", "2", "8", "32", "63", "64", "65", "128", "129")
CPUS_PER_TASK = ("1", "2", "3", "4", "7", "8", "16", "31", "32", "64", "65", "128", "129")
MEMORY = (
    "0",
    "1G",
    "390G",
    "391G",
    "400000",
    "400001",
    "488G",
    "489G",
    "500000",
    "1900G",
    "2000000",
    "2000001",
)
MEMORY_PER_CPU = (
    "100",
    "1G",
    "3900",
    "6250",
    "6251",
    "7812",
    "7813",
    "15625",
    "15626",
    "31250",
    "31251",
    "500000",
)
GPUS = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "8",
    "9",
    "16",
    "17",
    "h100:1",
    "h100:8",
    "h100:9",
    "a100:1",
    "gpu:8",
)
ALL_GPUS = (*GPUS, "32", "64", "127", "128", "129", "h100:128", "h100:129")
GRES = ("gpu", "gpu:8", "gpu:9", "gpu:h100:8", "gpu:h100:9", "gpu:a100", "gpu:0", "none", "nvme:1", "gpus:2")
FEATURES = (
    "h100",
    "amd",
    "ib&nvme",
    "h100&amd",
    "amd|h100",
    "bigmem",
    "foo",
    "h100|foo",
    "(amd|ib)&nvme",
    "H100",
)
HOSTS = (
    *("gpu01", "gpu[01-02]", "gpu[01-04]", "gpu03", "cpu01", "cpu[01-04]", "gpu01,cpu01", "gpu[01-16]"),
    *("gpu1", "gpu17", "gpu99", "node01", "cpu[01-05]"),
)
LICENSES = (
    "matlab",
    "matlab:10",
    "matlab:11",
    "comsol:4",
    "comsol:5",
    "foo",
    "matlab:1,comsol:5",
    "matlab;comsol",
)
# Few tasks each: cancelled ones stay in memory for a while, and there is a limit to that.
ARRAYS = ("0", "1-10", "0-1000:500", "0-1001:500", "1001", "1000%2", "5,999", "1-1001:250", "0-9%1002")

CHOICES: tuple[tuple[str, tuple[str, ...], float], ...] = (
    ("partition", PARTITIONS, 0.75),
    ("time", TIMES, 0.35),
    ("time-min", TIMES, 0.04),
    ("nodes", NODES, 0.5),
    ("ntasks", TASKS, 0.3),
    ("ntasks-per-node", TASKS_PER_NODE, 0.3),
    ("cpus-per-task", CPUS_PER_TASK, 0.3),
    ("mem", MEMORY, 0.25),
    ("mem-per-cpu", MEMORY_PER_CPU, 0.15),
    ("mem-per-gpu", ("1G", "200G", "240G", "244G", "250G"), 0.04),
    ("gpus-per-node", GPUS, 0.2),
    ("gpus", ALL_GPUS, 0.12),
    ("gpus-per-task", GPUS, 0.1),
    ("gres", GRES, 0.15),
    ("cpus-per-gpu", ("1", "8", "16", "17", "32"), 0.04),
    ("constraint", FEATURES, 0.2),
    ("nodelist", HOSTS, 0.1),
    ("exclude", HOSTS, 0.08),
    ("licenses", LICENSES, 0.08),
    ("array", ARRAYS, 0.08),
    ("mincpus", ("1", "64", "65", "128", "129"), 0.05),
    ("tmp", ("1G", "97G", "98G", "100000", "100001"), 0.05),
    ("sockets-per-node", ("1", "2", "3"), 0.03),
    ("cores-per-socket", ("16", "17", "64", "65"), 0.03),
    ("threads-per-core", ("1", "2", "3"), 0.03),
    ("exclusive", ("",), 0.08),
    ("account", ("any",), 0.03),
    ("qos", ("any",), 0.03),
    ("reservation", ("",), 0.01),
    ("hint", ("nomultithread", "compute_bound"), 0.02),
    ("overcommit", ("",), 0.02),
)
"""Option, values, and how often it is taken."""
FLAGS = frozenset({"exclusive", "overcommit"})


def requests(seed: int, number: int) -> list[Options]:
    """Return *number* requests, the same ones for a seed."""
    chooser = random.Random(seed)
    made: list[Options] = []
    while len(made) < number:
        options = tuple(
            f"--{name}" if name in FLAGS else f"--{name}={chooser.choice(values)}"
            for name, values, often in CHOICES
            if chooser.random() < often * 0.7
        )
        made.append(options)
    return made


def script(options: Options) -> str:
    """Return a batch script with *options* as its directives."""
    return "#!/bin/sh\n" + "".join(f"#SBATCH {option}\n" for option in options) + "true\n"
