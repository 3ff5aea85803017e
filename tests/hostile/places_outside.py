"""Texts that Slurm and jobs have written."""

from __future__ import annotations

from pathlib import Path

from tests.hostile.places import HEAD, in_toml, job, put, scene

# --- clusters ---


_SHOWN = [("cluster", "show", "c.toml"), ("cluster", "show", "c.toml", "--output-format", "json")]


@scene(
    "slurm.conf",
    [
        ("cluster", "import", "--from-conf", "slurm.conf"),
        ("cluster", "import", "--from-conf", "slurm.conf", "--force", "-o", "c.toml"),
        *_SHOWN,
        ("check", "--cluster", "./c.toml", "--pedantic", "job.sh"),
        ("plan", "--cluster", "./c.toml", "job.sh"),
    ],
)
def _slurm_conf(folder: Path, text: str) -> None:
    put(
        folder / "slurm.conf",
        f"ClusterName=c{text}\nNodeName=n[1-4] CPUs=8 Gres=gpu:{text}:8 Features={text} RealMemory=1000\n"
        f"PartitionName=p{text} Nodes=n[1-4] MaxTime=1-0 Default=YES AllowAccounts={text} QOS={text}\n"
        f"Foo{text}={text}\n",
    )
    job(folder, head=f"{HEAD}#SBATCH --partition=x\n#SBATCH --constraint=a100\n#SBATCH --account=y\n")


@scene("saved outputs", [("cluster", "import", "--from-dump", "dump")])
def _dump(folder: Path, text: str) -> None:
    put(folder / "dump/config", f"Configuration data as of 2024\nClusterName             = c{text}\n")
    put(
        folder / "dump/part",
        f"PartitionName=p{text}\n   AllowAccounts={text} MaxTime=1-0 Nodes=n1 State=UP\n",
    )
    put(
        folder / "dump/node",
        f"NodeName=n1 CPUTot=8 Gres=gpu:{text}:8 AvailableFeatures={text} RealMemory=1\n",
    )
    put(folder / "dump/qos", f"Name|MaxWall|MaxTRESPerJob|Flags\nn{text}|1-0|{text}|{text}\n")
    put(folder / "dump/plugstack.conf", f"required {text}.so {text}\n")


@scene(
    "cluster profile",
    [*_SHOWN, ("check", "--cluster", "./c.toml", "job.sh"), ("plan", "--cluster", "./c.toml", "job.sh")],
)
def _profile(folder: Path, text: str) -> None:
    quoted = in_toml(text)
    put(
        folder / "c.toml",
        f"name = {quoted}\n[[partitions]]\nname = {quoted}\naccounts = [{quoted}]\n{quoted} = 1\n",
    )
    job(folder, head=f"{HEAD}#SBATCH --partition=x\n")


# --- logs ---


_LOGGED = [("diagnose", "job.log"), ("diagnose", "--output-format", "json", "job.log")]
_FAILURES = (
    "{0}RuntimeError: CUDA out of memory. {0} Tried to allocate 2 GiB",
    "srun: error: {0}: task 3: Out Of Memory {0}",
    "ModuleNotFoundError: No module named '{0}'",
    "bash: line 3: {0}: command not found",
    "FileNotFoundError: [Errno 2] No such file or directory: '{0}'",
    "slurmstepd: error: *** JOB 12 ON {0} CANCELLED AT 2024-01-01T00:00:00 DUE TO TIME LIMIT ***",
    "[rank{0}]: ValueError: {0}",
    "{0}",
)


@scene("log", _LOGGED)
def _log(folder: Path, text: str) -> None:
    put(folder / "job.log", "".join(f"{line.format(text)}\n{text}\n" for line in _FAILURES))


for _number, _line in enumerate(_FAILURES):

    @scene(f"log {_number}", [*_LOGGED, ("diagnose", "--script", "job.sh", "job.log")])
    def _one_line(folder: Path, text: str, line: str = _line) -> None:
        job(folder)
        put(
            folder / "job.log",
            f'Traceback (most recent call last):\n  File "{text}", line 1\n{line.format(text)}\n',
        )


@scene(
    "accounting",
    [
        ("diagnose", "--sacct", "s.txt"),
        ("diagnose", "--sacct", "s.txt", "job.log"),
        ("diagnose", "--sacct", "s.txt", "--output-format", "json"),
    ],
)
def _accounting(folder: Path, text: str) -> None:
    put(
        folder / "s.txt",
        "JobID|JobName|State|ExitCode|DerivedExitCode|NodeList|Reason|Elapsed|Timelimit|ReqMem|MaxRSS\n"
        f"12|n{text}|FAILED {text}|1:0|0:0|n{text}|{text}|{text}|{text}|{text}|{text}\n",
    )
    job(folder)


@scene("broken accounting", [("diagnose", "--sacct", "s.txt")])
def _broken_accounting(folder: Path, text: str) -> None:
    put(folder / "s.txt", f"JobID|{text}\n{text}\n")
