"""``sbatchlint submit X`` beside ``sbatch X`` on a real Slurm: output, exit status, and what comes of it."""

from __future__ import annotations

import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.conformance.live_slurm import Slurm, running_slurm

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

SUBMIT = (sys.executable, "-m", "sbatchlint", "submit")
JOB = """\
#!/bin/bash
#SBATCH --job-name=shown
#SBATCH --nodes=1
#SBATCH --time=5
printf '[%s]' "$@"
"""
FILES = {
    "job.sh": JOB,
    "fails.sh": "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=5\nexit 7\n",
    "het.sh": "#!/bin/bash\n#SBATCH -N1 -t5\n#SBATCH hetjob\n#SBATCH -N2\nsrun hostname\n",
    "dos.sh": "#!/bin/bash\r\n#SBATCH -N1\r\nhostname\r\n",
    "text.sh": "no script\n",
    "empty.sh": "",
    "unknown.sh": "#!/bin/bash\n#SBATCH --mpi=pmix\nhostname\n",
    "elsewhere/there.sh": JOB,
    "bin/found.sh": JOB,
}
_VOLATILE = re.compile(
    r"\b(?:\w*Time|AllocNode:Sid|JobId|\w*JobId|Priority|StdOut|StdErr|ArrayTaskId|JobState|Reason|HetJobIdSet|LastSchedEval"
    r"|AccrueTime|NodeList|BatchHost|TRES|RunTime|Scheduler)=\S*"
)
"""What Slurm decides anew for each job; which of its two schedulers came first is one of these."""


@dataclass(frozen=True)
class Done:
    """How a submission ended, with what differs from run to run left out."""

    status: int
    out: str
    err: str
    numbers: tuple[str, ...]
    """The jobs that standard output names."""


@pytest.fixture(scope="module")
def farm() -> Iterator[Slurm]:
    """A Slurm with scripts in its folder."""
    with running_slurm(nodes=4, first_port=19200) as slurm:
        for name, text in FILES.items():
            path = slurm.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8", newline="")
        on_path = f"{slurm.folder / 'bin'}:{slurm.environment['PATH']}"
        yield Slurm(slurm.folder, {**slurm.environment, "PATH": on_path}, slurm.release)


def run(farm: Slurm, *command: str, stdin: str = "", variables: dict[str, str] | None = None) -> Done:
    done = subprocess.run(
        command,
        input=stdin,
        env={**farm.environment, **(variables or {})},
        cwd=farm.folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        start_new_session=True,
    )
    numbers = tuple(re.findall(r"[0-9]+", done.stdout))
    return Done(
        done.returncode, re.sub("[0-9]+", "N", done.stdout), re.sub("[0-9]+", "N", done.stderr), numbers
    )


def shown(farm: Slurm, done: Done) -> list[str]:
    """Return what Slurm has made of the job and of its components, and the script that it keeps."""
    if not done.numbers:
        return []
    job = farm.run("scontrol", "show", "job", done.numbers[0]).stdout
    script = farm.run("scontrol", "write", "batch_script", done.numbers[0], "-").stdout
    farm.run("scancel", "-Q", done.numbers[0])
    return [" ".join(_VOLATILE.sub("", job).split()), script]


ACCEPTED = [
    (["job.sh"], ""),
    (["--parsable", "job.sh"], ""),
    (["--parsable", "-N2", "--ntasks-per-node", "4", "job.sh", "a b", "", ":", "-N9"], ""),
    (["--job=abbreviated", "-vv", "job.sh"], ""),
    (["-Q", "job.sh"], ""),
    (["--parsable"], JOB),
    ([], JOB),
    (["/dev/stdin"], JOB),
    (["--wrap", "hostname\nsrun hostname"], ""),
    (["--wra=hostname", "-N1"], "not read"),
    (["--parsable", "--array=1-4%2", "job.sh"], ""),
    (["-a", "1-4", "--wrap=hostname"], ""),
    (["--parsable", "het.sh"], ""),
    (["-N1", ":", "-N2", "-J", "second", "job.sh", "x"], ""),
    (["-N1", ":", "-N2", "--wrap", "hostname"], ""),
    (["-N1", ":", "-N1"], JOB),
    (["--", "job.sh"], ""),
    (["-D", "elsewhere", "there.sh"], ""),
    (["elsewhere/there.sh"], ""),
    (["./job.sh"], ""),
    (["found.sh"], ""),
    (["--test-only", "--wrap=hostname"], ""),
]
REFUSED = [
    (["none.sh"], ""),
    ([""], ""),
    (["-"], JOB),
    (["empty.sh"], ""),
    ([], ""),
    ([], " \n"),
    (["text.sh"], ""),
    (["dos.sh"], ""),
    (["unknown.sh"], ""),
    (["--bogus", "job.sh"], ""),
    (["-N", "job.sh"], ""),
    (["--node=2", "job.sh"], ""),
    (["--nodes"], ""),
    (["--wrap=hostname", "job.sh"], ""),
    (["--partition=nosuch", "job.sh"], ""),
    (["--gpus-per-node=64", "job.sh"], ""),
    (["--mem=1G", "--mem-per-cpu=1G", "job.sh"], ""),
    (["-N1", ":", "-N99", "job.sh"], ""),
    (["--test-only", "unknown.sh"], ""),
]
TELLING = [
    ["--version"],
    ["-V"],
    ["--usage"],
    ["--help"],
    ["-N1", "--usage", "--bogus"],
    ["--gres=help"],
    ["--mem-bind=help"],
]


def _name(case: object) -> str | None:
    return " ".join(case)[:40] if isinstance(case, list) else None


@pytest.mark.parametrize(("words", "stdin"), ACCEPTED, ids=_name)
def test_accepted(farm: Slurm, words: list[str], stdin: str) -> None:
    plain = run(farm, "sbatch", "-H", *words, stdin=stdin)
    ours = run(farm, *SUBMIT, "-H", *words, stdin=stdin)
    assert plain.status == 0
    assert (ours.status, ours.out) == (plain.status, plain.out)
    assert ours.err.endswith(plain.err)
    assert shown(farm, ours) == shown(farm, plain)


@pytest.mark.parametrize(("words", "stdin"), REFUSED, ids=_name)
def test_refused(farm: Slurm, words: list[str], stdin: str) -> None:
    plain = run(farm, "sbatch", *words, stdin=stdin)
    ours = run(farm, *SUBMIT, "--force", *words, stdin=stdin)
    assert plain.status != 0
    assert (ours.status, ours.out) == (plain.status, plain.out)
    assert ours.err.endswith(plain.err)


@pytest.mark.parametrize("words", TELLING, ids=_name)
def test_telling(farm: Slurm, words: list[str]) -> None:
    plain, ours = run(farm, "sbatch", *words), run(farm, *SUBMIT, *words)
    assert (ours.status, ours.out, ours.err) == (plain.status, plain.out, plain.err)


def test_errors_stop_it(farm: Slurm) -> None:
    before = farm.run("squeue", "-h").stdout
    done = run(farm, *SUBMIT, "unknown.sh")
    assert (done.status, done.out) == (1, "")
    assert "sbatch refuses the script" in done.err
    assert farm.run("squeue", "-h").stdout == before


@pytest.mark.parametrize(
    "words",
    [
        ["--wait", "fails.sh"],
        ["-W", "--parsable", "fails.sh"],
        ["-W", "--array=1-2", "--wrap", "exit $SLURM_ARRAY_TASK_ID"],
        ["-W", "job.sh"],
    ],
    ids=_name,
)
def test_waiting(farm: Slurm, words: list[str]) -> None:
    plain, ours = run(farm, "sbatch", *words), run(farm, *SUBMIT, *words)
    assert (ours.status, ours.out) == (plain.status, plain.out)
    assert ours.err.endswith(plain.err)


def test_variables_reach_sbatch_and_the_job(farm: Slurm) -> None:
    variables = {"SBATCH_TIMELIMIT": "3", "SBATCH_JOB_NAME": "named", "MINE": "a\nb", "SBATCH_WAIT": ""}
    command = ["-o", "said-%j", "--wrap", 'printf %s "$MINE"']
    plain = run(farm, "sbatch", *command, variables=variables)
    ours = run(farm, *SUBMIT, *command, variables=variables)
    said = [(farm.folder / f"said-{done.numbers[0]}").read_text() for done in (plain, ours)]
    assert said == ["a\nb", "a\nb"]
    assert shown(farm, ours) == shown(farm, plain)


def test_what_is_linted_is_what_the_job_runs(farm: Slurm) -> None:
    """The script that sbatch makes of ``--wrap``, and the one that it finds, are the ones that we read."""
    from sbatchlint.submission.command_line import read_command_line
    from sbatchlint.submission.script import script_of

    path = farm.environment["PATH"].split(":")
    for words in (["found.sh"], ["-D", str(farm.folder / "elsewhere"), "there.sh"], ["--wrap", "a\n\n# b"]):
        done = run(farm, "sbatch", "-H", *words)
        kept = farm.run("scontrol", "write", "batch_script", done.numbers[0], "-").stdout
        farm.run("scancel", "-Q", done.numbers[0])
        script = script_of(read_command_line(words, "22.05"), str(farm.folder), path, 10_000)
        assert script.data.decode().rstrip("\n") == kept.rstrip("\n")


_OPTIONS = """\
-N1|-N 1-2|--nodes=2|--nod 2|--nodes=|-n4|--ntasks 4|-t5|-HQ|-vHN2|-J 'a b'|--job-name=|--job=\x1b[31m
-D elsewhere|-D/tmp|-a1-4%2|--array 1,3|--export=NONE|--export 'ALL,A=1,B=x y'|--export=NIL|--gres=gpu:2
--gpus-per-node h100:2|-p cpu|--parsable|--exclusive=user|--comment "é '"|-o x-%j|--mem=1G|:|--|''|--bogus|-Z
"""
_ENDS = """\
job.sh|job.sh 'a b' '' -N9|job.sh x :|./job.sh|found.sh|there.sh|elsewhere/there.sh|het.sh x|dos.sh|empty.sh
none.sh|.|/dev/null|/dev/stdin x|--wrap "srun a; #SBATCH -N2"|--wra=hostname|--wrap=||
"""
_VARIABLES = [
    *({"SBATCH_PARTITION": "cpu"}, {"SBATCH_EXPORT": "NONE"}, {"SBATCH_JOB_NAME": "named"}, {"LC_ALL": "C"}),
    *({"SLURM_EXIT_ERROR": "9"}, {"SBATCH_ARRAY_INX": "1-2"}, {"POSIXLY_CORRECT": "1"}),
    {"SLURM_JOB_ID": "7", "SLURM_NNODES": "4", "SLURM_JOB_NODELIST": "gpu[01-04]", "SLURM_JOB_NAME": "outer"},
]


def words_of(table: str) -> list[list[str]]:
    return [shlex.split(text) for text in table.strip("\n").replace("\n", "|").split("|")]


def kept(farm: Slurm, done: Done) -> list[bytes]:
    """Return the environments and scripts that slurmctld keeps for the job and its other components."""
    if not done.numbers:
        return []
    found = []
    for number in range(int(done.numbers[0]), int(done.numbers[0]) + 3):
        folder = farm.folder.parent / "state" / f"hash.{number % 10}" / f"job.{number}"
        for name in ("environment", "script"):
            path = folder / name
            text = path.read_bytes() if path.exists() else b""
            found.append(b"\0".join(sorted(text[4:].split(b"\0"))) if name == "environment" else text)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_any_command_line(farm: Slurm, seed: int) -> None:
    """The same output, status and job; the script and the environment byte for byte."""
    choose = random.Random(seed)
    words = [word for _ in range(choose.randint(0, 3)) for word in choose.choice(words_of(_OPTIONS))]
    words += choose.choice(words_of(_ENDS))
    variables = {"UNI": "é\n'", **choose.choice(_VARIABLES)} if choose.random() < 0.5 else {"UNI": "é"}
    stdin = choose.choice([JOB, JOB, "", JOB + "# filler\n" * 20_000])
    outcomes = []
    for command in (["sbatch"], [*SUBMIT, "--force"]):
        done = run(farm, *command, "-H", *words, stdin=stdin, variables=variables)
        outcomes.append((done.status, done.out, kept(farm, done), shown(farm, done)))
    assert outcomes[0] == outcomes[1], words
