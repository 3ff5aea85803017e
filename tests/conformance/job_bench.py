"""Runs job scripts on a real Slurm, all at once, and reads what their steps and tasks really were."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tests.conformance.job_scripts import JobScript
from tests.conformance.job_stand_ins import OUTER, TASK, write_stand_ins
from tests.conformance.live_slurm import Slurm

_REACHED = '\ntouch "${SLURM_TASK_PROLOG%/bin/*}/calls/reached.$SLURM_JOB_ID"\n'


@dataclass(frozen=True)
class Started:
    """One program that was started, with the environment that it saw."""

    words: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Task:
    """One task of a step."""

    environment: Mapping[str, str]
    """What Slurm gave it, before any of its programs ran."""
    programs: tuple[Started, ...]

    @property
    def name(self) -> str:
        """``JOB.STEP.RANK``, which no other task has."""
        return ".".join(self.environment[f"SLURM_{part}"] for part in ("JOB_ID", "STEP_ID", "PROCID"))


@dataclass(frozen=True)
class RealStep:
    """One step that Slurm ran."""

    tasks: tuple[Task, ...]

    @property
    def outer(self) -> str:
        """The task that started it; empty for the batch shell."""
        return self.tasks[0].environment.get(OUTER, "")


@dataclass(frozen=True)
class JobRun:
    """What one job, or one element of an array, did."""

    host: tuple[Started, ...]
    """What the batch shell started itself."""
    steps: tuple[RealStep, ...]
    """In the order in which their first tasks began."""
    reached_end: bool
    log: str


def run_jobs(slurm: Slurm, scripts: Iterable[JobScript]) -> dict[str, list[JobRun]]:
    """Submit every script, wait once, and give what each did: one run for each element of an array."""
    tools = slurm.folder / "tools"
    write_stand_ins(tools)
    folders = {script.name: _lay_out(slurm.folder / script.name, script, tools) for script in scripts}
    waiting = [_submit(slurm, script, folders[script.name]) for script in scripts]
    last = subprocess.run(
        ["srun", "--quiet", "-n1", "-N1", f"--dependency=afterany:{':'.join(waiting)}", "true"],
        env=slurm.environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert last.returncode == 0, last.stderr
    return {name: list(_read(folder)) for name, folder in folders.items()}


def _lay_out(folder: Path, script: JobScript, tools: Path) -> Path:
    (folder / "work").mkdir(parents=True)
    (folder / "calls").mkdir()
    (folder / "bin").symlink_to(tools)
    (folder / "work" / "job.sh").write_text(script.text + _REACHED, "utf-8")
    return folder


def _submit(slurm: Slurm, script: JobScript, folder: Path) -> str:
    environment = {
        **slurm.environment,
        **script.environment,
        "PATH": f"{folder / 'bin'}:{slurm.environment['PATH']}",
        "SBATCH_MEM_PER_NODE": "8G",  # else each job would have its nodes' whole memory, and all would queue
        "SLURM_TASK_PROLOG": str(folder / "bin" / TASK),
    }
    done = subprocess.run(
        ["sbatch", "--parsable", "--output=log.%j", *script.options, "job.sh", *script.arguments],
        env=environment,
        cwd=folder / "work",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{script.name}: {done.stderr}"
    return done.stdout.strip()


def _read(folder: Path) -> Iterator[JobRun]:
    """Read the records of one script's job, by job number: those of an array's elements differ."""
    calls = folder / "calls"
    order = calls / "order"
    names = order.read_text().split() if order.exists() else []
    started = [_started((calls / name).read_bytes()) for name in names]
    logs = {path.suffix.removeprefix("."): path for path in (folder / "work").glob("log.*")}
    for job in sorted(logs, key=int):
        own = [call for call in started if call.environment["SLURM_JOB_ID"] == job]
        host = tuple(call for call in own if "SLURM_STEP_ID" not in call.environment)
        reached = (calls / f"reached.{job}").exists()
        yield JobRun(host, tuple(_steps(own)), reached, logs[job].read_text(errors="replace"))


def _started(data: bytes) -> Started:
    count, *fields = data.decode(errors="surrogateescape").split("\0")[:-1]
    words = 1 + int(count)
    settings = (field.split("=", 1) for field in fields[words:] if "=" in field)
    return Started(tuple(fields[:words]), {name: value for name, value in settings})


def _steps(calls: list[Started]) -> Iterator[RealStep]:
    tasks: dict[str, Task] = {}
    for call in calls:
        if call.words[0] == TASK:
            task = Task(call.environment, ())
            tasks[task.name] = task
    for call in calls:
        if call.words[0] != TASK and "SLURM_STEP_ID" in call.environment:
            name = Task(call.environment, ()).name
            tasks[name] = replace(tasks[name], programs=(*tasks[name].programs, call))
    steps: dict[str, list[Task]] = {}
    for name, task in tasks.items():
        steps.setdefault(name.rpartition(".")[0], []).append(task)
    for found in steps.values():
        yield RealStep(tuple(sorted(found, key=lambda task: int(task.environment["SLURM_PROCID"]))))
