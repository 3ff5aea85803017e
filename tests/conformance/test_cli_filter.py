"""Plain ``sbatch`` of a real Slurm with our filter in its cli_filter/lua plugin."""

from __future__ import annotations

import os
import pty
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.conformance.live_slurm import Slurm, running_slurm
from tests.integrations.conftest import FINDING, Linter
from tests.integrations.lua_filter import FILTER
from tests.packaging import PROJECT

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

GOOD = """#!/bin/bash
#SBATCH --hold
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=00:10:00
srun hostname
"""
BAD = GOOD.replace("srun", "SLURM_PROCID=0 srun --gpus-per-nodes=8")
# sbatch takes this script: nothing but the filter holds it up.
HETEROGENEOUS = (
    f"{GOOD.removesuffix('srun hostname' + chr(10))}#SBATCH hetjob\n#SBATCH --nodes=1\nsrun hostname\n"
)
# TP 16 needs two nodes, and how many there are stands on the command line.
TRAINING = """#!/bin/bash
#SBATCH --hold --time=10 --ntasks-per-node=8 --gpus-per-node=8
export CUDA_DEVICE_MAX_CONNECTIONS=1
srun python Megatron-LM/pretrain_gpt.py --tensor-model-parallel-size 16 --num-layers 32 --hidden-size 4096 \\
  --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 \\
  --micro-batch-size 1 --global-batch-size 128
"""
REFUSED = "sbatch: error: lua: sbatchlint: the job was not submitted, because of the errors above."
REAL = f'{{ "{sys.executable}", "-I", "-m", "sbatchlint" }}'
SUBMITTED = re.compile(r"Submitted batch job ([0-9]+)\n")

Done = subprocess.CompletedProcess[str]


@dataclass
class Door:
    """A login node whose sbatch goes through the filter."""

    slurm: Slurm
    folder: Path
    """Where slurm.conf and the filter lie: only commands read them there, the daemons have their own."""
    linter: Linter
    """The stand-in for sbatchlint, where a test does not take the real one."""

    def set(self, settings: str, *, real: bool = False) -> None:
        program = REAL if real else f'"{self.linter.path}"'
        text = f"return {{ sbatchlint = {program}, {settings} }}\n"
        (self.folder / "sbatchlint_filter.lua").write_text(text, "utf-8")

    def sbatch(
        self, *words: str, program: str = "sbatch", script: str | None = None, **variables: str
    ) -> Done:
        """Run sbatch with *script* coming by a pipe, if one is given."""
        return subprocess.run(
            [program, *words],
            cwd=self.slurm.folder,
            env={**self.slurm.environment, **variables},
            input=script or "",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def script(self, text: str, name: str = "job.sh") -> str:
        (self.slurm.folder / name).write_text(text, "utf-8")
        return name

    def queued(self) -> list[str]:
        return self.slurm.run("squeue", "--noheader", "--format=%i").stdout.split()


@pytest.fixture(scope="module")
def own_slurm() -> Iterator[Slurm]:
    """A Slurm whose jobs nobody else counts."""
    with running_slurm(nodes=1, first_port=18700) as running:
        yield running


@pytest.fixture
def door(own_slurm: Slurm, tmp_path: Path) -> Iterator[Door]:
    slurm = own_slurm
    conf = Path(slurm.environment["SLURM_CONF"])
    shutil.copytree(conf.parent, tmp_path / "etc")
    with (tmp_path / "etc" / conf.name).open("a", encoding="utf-8") as file:
        file.write("CliFilterPlugins=cli_filter/lua\n")
    shutil.copy(FILTER, tmp_path / "etc" / "cli_filter.lua")
    environment = {**slurm.environment, "SLURM_CONF": str(tmp_path / "etc" / conf.name)}
    slurm.run("scancel", "--user=root")
    yield Door(replace(slurm, environment=environment), tmp_path / "etc", Linter(tmp_path))
    slurm.run("scancel", "--user=root")


def shell(door: Door, program: str) -> Done:
    """Run *program* as a user's shell would."""
    return door.sbatch("-c", program, program="bash")


def finds_an_error(door: Door) -> None:
    door.linter.does(f"echo '{FINDING}' >&2; exit 1")


# With the real sbatchlint ----------------------------------------------------------------------------------


def test_a_bad_script_is_refused_with_our_findings(door: Door) -> None:
    door.set('mode = "enforce", seconds = 10', real=True)
    done = door.sbatch(door.script(BAD))
    assert (done.returncode, done.stdout) == (1, "")
    assert re.search(r"^error\[SB[0-9]+\]", done.stderr, re.MULTILINE)
    assert "job.sh:6:" in done.stderr
    assert REFUSED in done.stderr
    assert door.queued() == []


def test_a_good_script_is_queued_without_a_word(door: Door) -> None:
    door.set('mode = "enforce", seconds = 10', real=True)
    done = door.sbatch(door.script(GOOD))
    assert (done.returncode, done.stderr) == (0, "")
    submitted = SUBMITTED.fullmatch(done.stdout)
    assert submitted
    assert door.queued() == [submitted[1]]


def test_the_command_line_counts(door: Door) -> None:
    door.set('mode = "enforce", seconds = 10', real=True)
    name = door.script(TRAINING)
    one_node, two_nodes = door.sbatch("--nodes=1", name), door.sbatch("--nodes=2", name)
    assert (one_node.returncode, two_nodes.returncode) == (1, 0)
    assert "world size 8 is not divisible by TP 16" in one_node.stderr
    assert two_nodes.stderr == ""


def test_a_wrapped_command_is_refused(door: Door) -> None:
    door.set('mode = "enforce", seconds = 10', real=True)
    done = door.sbatch("--hold", "--time=5", "--wrap", "srun --gpus-per-nodes=8 hostname")
    assert done.returncode == 1
    assert "--gpus-per-nodes" in done.stderr


def test_a_script_by_a_pipe_is_refused(door: Door) -> None:
    door.set('mode = "enforce", seconds = 10', real=True)
    piped, here = door.sbatch(script=BAD), shell(door, f"sbatch --parsable <<'END'\n{BAD}END\n")
    assert (piped.returncode, here.returncode) == (1, 1)
    assert REFUSED in piped.stderr
    assert REFUSED in here.stderr


def test_a_good_script_by_a_pipe_is_queued_unchanged(door: Door) -> None:
    door.set('mode = "enforce", seconds = 10', real=True)
    script = f"{GOOD}# é \\n 'x' $(y)\n" + "# filler\n" * 5000
    done = shell(door, f"sbatch --parsable <<'END'\n{script}END\n")
    assert (done.returncode, done.stderr) == (0, "")
    kept = door.slurm.run("scontrol", "write", "batch_script", done.stdout.strip(), "-").stdout
    assert kept.rstrip("\n") == script.rstrip("\n")


def test_what_stands_on_standard_input_is_left_to_others(door: Door) -> None:
    door.set("seconds = 10", real=True)
    name = door.script(GOOD)
    done = shell(door, f"echo for the next command | {{ sbatch {name} >/dev/null; cat; }}")
    assert (done.stdout, done.stderr) == ("for the next command\n", "")


def test_the_sites_file_counts_and_not_the_users(door: Door, tmp_path: Path) -> None:
    name = door.script(BAD)
    (tmp_path / "site.toml").write_text('ignore = ["SB338"]\n')
    (tmp_path / "mine.toml").write_text('ignore = ["SB"]\n')
    door.set('mode = "enforce", seconds = 10', real=True)
    assert door.sbatch(name, SBATCHLINT_SITE_CONFIG=str(tmp_path / "mine.toml")).returncode == 1
    door.set(f'mode = "enforce", seconds = 10, site_config = "{tmp_path}/site.toml"', real=True)
    assert door.sbatch(name).returncode == 0


def test_nothing_of_the_users_python_breaks_it(door: Door) -> None:
    (door.slurm.folder / "pydantic.py").write_text("raise SystemExit(0)\n")
    (door.slurm.folder / "bashlex.py").write_text("raise SystemExit(0)\n")
    door.set('mode = "enforce", seconds = 10', real=True)
    done = door.sbatch(door.script(BAD), PYTHONPATH=str(door.slurm.folder), PYTHONHOME="/nowhere")
    assert REFUSED in done.stderr


def test_a_terminal_gets_colours(door: Door) -> None:
    door.set('mode = "enforce", seconds = 10', real=True)
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        ["sbatch", door.script(BAD)],
        cwd=door.slurm.folder,
        env={**door.slurm.environment, "TERM": "xterm"},
        stdin=subprocess.DEVNULL,
        stderr=writer,
    )
    os.close(writer)
    shown = b""
    try:
        while part := os.read(reader, 4096):
            shown += part
    except OSError:  # how Linux tells of the end
        pass
    os.close(reader)
    assert process.wait() == 1
    assert re.search(rb"\x1b\[[0-9;]*merror", shown)


def test_the_time_that_it_takes(door: Door, capsys: pytest.CaptureFixture[str]) -> None:
    """Processor time has to stay within the limit; time by the clock depends on how busy the machine is."""
    name = door.script(GOOD)
    clock, processor = {}, {}
    for mode in ("off", "enforce"):
        door.set(f'mode = "{mode}", seconds = 10', real=True)
        runs = [timed(door, name) for _ in range(7)]
        clock[mode], processor[mode] = (statistics.median(values) for values in zip(*runs, strict=True))
    added = processor["enforce"] - processor["off"]
    with capsys.disabled():
        more = clock["enforce"] - clock["off"]
        print(f"\nsbatch takes {clock['off']:.2f} s, with the filter {more:.2f} s more")
        print(f"({added:.2f} s of them on the processor)")
    assert added < 2


def timed(door: Door, name: str) -> tuple[float, float]:
    """Return how long sbatch took by the clock, and on the processor with all that it started."""
    before, used_before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = door.sbatch(name)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (done.returncode, done.stderr) == (0, "")
    spent = used.ru_utime + used.ru_stime - used_before.ru_utime - used_before.ru_stime
    return time.monotonic() - before, spent


def test_the_site_file_of_the_docs(door: Door, tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "cluster-staff.md").read_text("utf-8")
    shown = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert shown
    lines = (line.strip() for line in shown[1].splitlines() if "cluster.toml" not in line)
    (tmp_path / "site.toml").write_text("\n".join(lines), "utf-8")
    door.set(f'mode = "enforce", seconds = 10, site_config = "{tmp_path}/site.toml"', real=True)
    name = door.script(GOOD)
    answers = [door.sbatch("--partition=interactive", f"--time={hours}:00:00", name) for hours in (8, 3)]
    assert [answer.returncode for answer in answers] == [1, 0]
    assert "error[interactive-is-short]" in answers[0].stderr


# With a stand-in -------------------------------------------------------------------------------------------

FAILURES = {
    "crash": ("kill -SEGV $$", "it crashed (signal 11)"),
    "hang": ("exec sleep 60", "it took longer than 2 s"),
    "a hang that is deaf": (
        "trap '' TERM; while :; do sleep 60; done",
        "it took longer than 2 s or was killed",
    ),
    "another status": ("exit 42", "it failed (status 42)"),
    "a traceback": ("echo 'Traceback (most recent call last):' >&2; exit 1", "it failed (status 1)"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_of_the_linter_lets_the_job_pass(name: str, door: Door) -> None:
    script, reason = FAILURES[name]
    door.linter.does(script)
    door.set('mode = "enforce"')
    before = time.monotonic()
    done = door.sbatch(door.script(GOOD))
    assert time.monotonic() - before < 4
    assert done.returncode == 0
    assert SUBMITTED.fullmatch(done.stdout)
    assert done.stderr.startswith(f"sbatch: lua: sbatchlint: the job was not checked: {reason}")
    assert len(done.stderr.splitlines()) == 1


def test_no_linter_at_all(door: Door) -> None:
    door.set('mode = "enforce"')
    door.linter.path.unlink()
    done = door.sbatch(door.script(GOOD))
    assert done.returncode == 0
    assert "not checked: it could not be started" in done.stderr


@pytest.mark.parametrize("settings", ['mode = "enfroce"', "nonsense = 1", "}", "mode = nil + 1"])
def test_wrong_settings_let_the_job_pass(settings: str, door: Door) -> None:
    finds_an_error(door)
    door.set(settings)
    done = door.sbatch(door.script(GOOD))
    assert (done.returncode, door.linter.calls) == (0, [])
    assert done.stderr.startswith("sbatch: lua: sbatchlint: jobs are not checked: ")


MODES = [
    (["--partition=batch"], 1),
    (["--partition=interactive"], 0),
    (["--partition=interactive,batch"], 1),
    ([], 1),
    (["--partition=long"], 0),
]


@pytest.mark.parametrize(("words", "status"), MODES)
def test_modes_by_partition(words: list[str], status: int, door: Door) -> None:
    finds_an_error(door)
    modes = '{ batch = "enforce", interactive = "warn", long = "off" }'
    door.set(f'partitions = {modes}, default_partition = "batch"')
    done = door.sbatch(*words, door.script(GOOD))
    assert done.returncode == status
    assert (FINDING in done.stderr) is ("--partition=long" not in words)
    assert len(door.queued()) == 1 - status


def test_modes_by_user(door: Door) -> None:
    finds_an_error(door)
    door.set('mode = "enforce", users = { root = "warn" }')
    assert door.sbatch(door.script(GOOD), USER="somebody").returncode == 0
    door.set('mode = "off", users = { root = "enforce" }')
    assert door.sbatch(door.script(GOOD), USER="somebody").returncode == 1


def test_a_variable_switches_off_warnings_alone(door: Door) -> None:
    finds_an_error(door)
    name = door.script(GOOD)
    door.set("")
    assert (door.sbatch(name, SBATCHLINT="off").stderr, door.linter.calls) == ("", [])
    door.set('mode = "enforce"')
    for variables in ({"SBATCHLINT": "off"}, {"SBATCHLINT_FILTER": str(os.getpid())}):
        assert door.sbatch(name, **variables).returncode == 1


def test_the_partition_of_the_script_and_of_the_environment_count(door: Door) -> None:
    finds_an_error(door)
    door.set('partitions = { interactive = "enforce" }')
    in_script = door.script(GOOD.replace("--hold", "--hold -p interactive"))
    assert door.sbatch(in_script).returncode == 1
    assert door.sbatch(door.script(GOOD), SBATCH_PARTITION="interactive").returncode == 1
    assert door.sbatch("--partition=batch", in_script).returncode == 0


def test_parsable_output_stays_clean(door: Door) -> None:
    door.linter.does("echo to stdout; echo 'x:1:1: warning[SB202] y' >&2")
    door.set('mode = "enforce"')
    done = door.sbatch("--parsable", door.script(GOOD))
    assert re.fullmatch(r"[0-9]+\n", done.stdout)
    assert "warning[SB202]" in done.stderr


def test_arguments_arrive_as_they_are(door: Door) -> None:
    door.set("")
    words = ["--array=1-3", '--comment=it\'s "a" $(b)', door.script(GOOD), "--x", "", "a\nb", "\udcff", "'"]
    done = door.sbatch(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert door.linter.calls == [[b"submit", b"--lint-only", *map(os.fsencode, words)]]


def test_wrap(door: Door) -> None:
    finds_an_error(door)
    door.set('mode = "enforce"')
    assert door.sbatch("--hold", "--wrap", "srun hostname; echo 'x y'").returncode == 1
    assert door.linter.calls == [
        [b"submit", b"--lint-only", b"--hold", b"--wrap", b"srun hostname; echo 'x y'"]
    ]


def test_a_script_from_a_file_on_standard_input(door: Door) -> None:
    door.linter.does(f"cat >{door.linter.path}.got; echo '{FINDING}' >&2; exit 1")
    door.set('mode = "enforce"')
    with (door.slurm.folder / door.script(GOOD)).open() as file:
        done = subprocess.run(
            ["sbatch"],
            cwd=door.slurm.folder,
            env=door.slurm.environment,
            stdin=file,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert Path(f"{door.linter.path}.got").read_text() == GOOD


def test_the_linter_does_not_take_what_stands_on_standard_input(door: Door) -> None:
    door.linter.does(f"cat >{door.linter.path}.got")
    door.set("")
    assert door.sbatch(door.script(GOOD), script="kept for another").returncode == 0
    assert Path(f"{door.linter.path}.got").read_text() == ""


def test_a_script_that_cannot_be_read_twice_passes_with_a_notice(door: Door) -> None:
    finds_an_error(door)
    door.set('mode = "enforce"')
    done = shell(door, f"{{ sleep 1; cat {door.script(GOOD)}; }} | sbatch")
    assert (done.returncode, door.linter.calls) == (0, [])
    assert "the job was not checked: the script came by a pipe" in done.stderr


@pytest.mark.parametrize("by", ["directive", "words"])
def test_a_heterogeneous_job_is_checked_once(by: str, door: Door) -> None:
    finds_an_error(door)
    door.set("")
    words = (
        ["--hold", "-N1", ":", "-N1", door.script(GOOD)] if by == "words" else [door.script(HETEROGENEOUS)]
    )
    done = door.sbatch(*words)
    assert (done.returncode, len(door.linter.calls)) == (0, 1)
    assert done.stderr.count(FINDING) == 1


def test_a_later_component_may_be_the_one_that_refuses(door: Door) -> None:
    finds_an_error(door)
    door.set('mode = "off", partitions = { interactive = "enforce" }')
    done = door.sbatch("--hold", "-N1", ":", "-N1", "-p", "interactive", door.script(GOOD))
    assert (done.returncode, len(door.linter.calls)) == (1, 1)


@pytest.mark.parametrize("words", [["salloc", "-N1", "true"], ["srun", "-N1", "true"]])
def test_salloc_and_srun_are_let_alone(words: list[str], door: Door) -> None:
    finds_an_error(door)
    door.set('mode = "enforce"')
    assert door.sbatch(*words[1:], program=words[0]).returncode == 0
    assert door.linter.calls == []


def test_a_test_is_let_alone(door: Door) -> None:
    finds_an_error(door)
    door.set('mode = "enforce"')
    assert door.sbatch("--test-only", door.script(GOOD)).returncode == 0
    assert door.linter.calls == []


def test_a_linter_that_calls_sbatch_does_not_go_round_in_circles(door: Door) -> None:
    door.linter.does('sbatch "$4" >&2; exit 0')
    door.set('mode = "enforce", plan = true')
    done = door.sbatch("--hold", door.script(GOOD))
    assert (done.returncode, len(door.linter.calls)) == (0, 1)
    assert "called by sbatchlint itself and is not checked again" in done.stderr


def test_interrupting_it_submits_nothing(door: Door) -> None:
    started = Path(f"{door.linter.path}.started")
    door.linter.does(f"touch {started}; exec sleep 60")
    door.set("seconds = 10")
    process = subprocess.Popen(
        ["sbatch", door.script(GOOD)],
        cwd=door.slurm.folder,
        env=door.slurm.environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    until = time.monotonic() + 10
    while not started.exists() and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(10) == -signal.SIGINT
    assert door.queued() == []
