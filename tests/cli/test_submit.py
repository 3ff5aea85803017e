"""``submit``: a stand-in for sbatch sees what a user would have given it, byte for byte."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sbatchlint.cli import examining
from sbatchlint.cli.console import Console
from sbatchlint.cli.main import main
from sbatchlint.secrets.fake import fill_tokens
from sbatchlint.submission import checking, patience
from sbatchlint.submission import sbatch as running
from sbatchlint.submission.own_options import OwnOptions

GOOD = b"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --time=60\nsrun hostname\n"
BAD = b"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --mpi=pmix\nsrun hostname\n"
WARNED = b"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --cpus-per-task=8\nsrun python train.py\n"
TWO_NODES = "2 nodes x 1 task (assumed) = 2 tasks (assumed)"
_STAND_IN = """\
#!/bin/sh
if [ "$*" = --version ]; then echo slurm 22.05.8; exit; fi
cat /proc/$$/cmdline >{folder}/argv
cat /proc/$$/environ >{folder}/environ
cat >{folder}/stdin
echo 17
echo 'sbatch: said' >&2
exit {status}
"""


@dataclass(frozen=True)
class StandIn:
    """A program called sbatch that keeps what it was given."""

    folder: Path
    kept: Path

    @property
    def path(self) -> str:
        return f"{self.folder}:/usr/bin:/bin"

    @property
    def called(self) -> bool:
        return (self.kept / "argv").exists()

    @property
    def argv(self) -> list[bytes]:
        """The words behind the name of the program."""
        return (self.kept / "argv").read_bytes().split(b"\0")[2:-1]

    @property
    def environment(self) -> set[bytes]:
        return set((self.kept / "environ").read_bytes().split(b"\0")) - {b""}

    @property
    def stdin(self) -> bytes:
        return (self.kept / "stdin").read_bytes()


@contextmanager
def stand_in(status: int = 0) -> Iterator[StandIn]:
    with tempfile.TemporaryDirectory() as root:
        made = StandIn(Path(root) / "bin", Path(root) / "kept")
        made.folder.mkdir()
        made.kept.mkdir()
        program = made.folder / "sbatch"
        program.write_text(_STAND_IN.format(folder=made.kept, status=status))
        program.chmod(0o755)
        yield made


@dataclass(frozen=True)
class Done:
    """How a run ended."""

    status: int
    out: bytes
    err: str


@pytest.fixture
def sbatch() -> Iterator[StandIn]:
    with stand_in() as made:
        yield made


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name, text in (("good.sh", GOOD), ("bad.sh", BAD), ("warned.sh", WARNED)):
        (tmp_path / name).write_bytes(text)
    return tmp_path


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Load all that the command loads, once: the processes forked from this one have it then."""
    with stand_in() as sbatch, tempfile.TemporaryDirectory() as folder:
        Path(folder, "job.sh").write_bytes(GOOD)
        _examined(sbatch, Path(folder))


def _examined(sbatch: StandIn, folder: Path) -> None:
    words = ["-D", str(folder), "job.sh"]
    found = examining.examine(words, OwnOptions(isolated=True), str(sbatch.folder / "sbatch"), Console())
    assert found is not None


def become_submit(
    words: Sequence[str], folder: Path, environment: Mapping[bytes, bytes]
) -> None:  # pragma: no cover - in another process
    """Be the command, in a forked process whose standard streams are in place; never return."""
    status = 99
    try:
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        running._given_locale = lambda: environment.get(b"LC_CTYPE")
        for name in ("LINES", "COLUMNS"):  # set by readline behind Python's back, where pytest has loaded it
            os.unsetenv(name)
        os.environb.clear()
        os.environb.update(environment)
        os.chdir(folder)
        status = main(["submit", *words])
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def forked(
    words: Sequence[str], folder: Path, environment: Mapping[bytes, bytes], stdin: int
) -> tuple[int, bytes, bytes]:
    """Run the command without a terminal; return its status and what it writes."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:  # pragma: no cover - in another process
            os.setsid()
            for number, stream in enumerate((stdin, out.fileno(), err.fileno())):
                os.dup2(stream, number)
            become_submit(words, folder, environment)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return status, out.read(), err.read()


@contextmanager
def standard_input(text: bytes, *, file: bool = False) -> Iterator[int]:
    """Yield the number of an open file or of a pipe with *text* in it, which is short."""
    if file:
        with tempfile.TemporaryFile() as made:
            made.write(text)
            made.flush()
            made.seek(0)
            yield made.fileno()
        return
    number, writer = os.pipe()
    os.write(writer, text)
    os.close(writer)
    yield number
    os.close(number)


def submit(
    sbatch: StandIn,
    here: Path,
    *words: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Run the command without a terminal."""
    variables = {"PATH": sbatch.path, **(environment or {})}
    with standard_input(stdin) as number:
        given = {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}
        status, out, err = forked(words, here, given, number)
    return Done(status, out, err.decode())


# --- nothing is changed on the way -----------------------------------------------------------------

_BYTES = st.binary(max_size=12).map(lambda word: word.replace(b"\0", b"\n"))
_WORDS = st.lists(
    st.sampled_from(
        [b"-N2", b"--nodes", b"2", b":", b"--", b"--wrap=srun x", b"good.sh", b"bad.sh", b"-D", b"-"]
    )
    | _BYTES,
    max_size=6,
).filter(lambda words: not words or not words[0].startswith((b"--lint-", b"--force")))
_VARIABLES = st.dictionaries(
    st.from_regex(rb"[A-Z_]{1,8}", fullmatch=True).filter(lambda name: name not in (b"PATH", b"LC_CTYPE")),
    _BYTES,
    max_size=4,
)
_TEXTS = st.binary(max_size=200) | st.sampled_from([GOOD, BAD, b""])


@settings(max_examples=40)
@given(_WORDS, _VARIABLES, _TEXTS, st.booleans())
@example([], {}, GOOD, False)
@example([b"-H", b"bad.sh", b"", b"\xff\n"], {b"HF_TOKEN": b"\xfe"}, b"rest", True)
@example([b"--wrap", b"srun \xff\n'"], {b"SBATCH_NODES": b"\xff"}, b"rest", False)
def test_sbatch_gets_what_the_user_gave(
    words: list[bytes], environment: dict[bytes, bytes], text: bytes, file: bool
) -> None:
    with stand_in(3) as sbatch, tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "good.sh").write_bytes(GOOD)
        (here / "bad.sh").write_bytes(BAD)
        environment = {**environment, b"PATH": sbatch.path.encode()}
        with standard_input(text, file=file) as number:
            status, out, _ = forked(["--force", *map(os.fsdecode, words)], here, environment, number)
        assert (status, out) == (3, b"17\n")
        assert sbatch.argv == words
        assert sbatch.stdin == text
        assert sbatch.environment == {b"=".join(item) for item in environment.items()}


@pytest.mark.parametrize("variables", [{}, {"LC_CTYPE": "C"}, {"LC_ALL": "C"}])
def test_the_locale_is_the_users(sbatch: StandIn, here: Path, variables: dict[str, str]) -> None:
    environment = {"PATH": sbatch.path, **variables}
    subprocess.run(
        [sys.executable, "-m", "sbatchlint", "submit", "good.sh"],
        env=environment,
        cwd=here,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert sbatch.environment == {f"{name}={value}".encode() for name, value in environment.items()}


def test_signals_are_as_before(here: Path, tmp_path: Path) -> None:
    """Python ignores SIGPIPE; the programs that it becomes must not."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "sbatch"
    program.write_text("#!/bin/sh\ngrep SigIgn /proc/self/status\n")
    program.chmod(0o755)
    seen = submit(StandIn(folder, tmp_path), here, "good.sh").out
    assert int(seen.split()[1], 16) & (1 << (signal.SIGPIPE - 1) | 1 << (signal.SIGXFSZ - 1)) == 0


# --- what is shown, and when the job goes ----------------------------------------------------------


def test_good(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "--parsable", "good.sh", "x")
    assert (done.status, done.out) == (0, b"17\n")
    assert sbatch.argv == [b"--parsable", b"good.sh", b"x"]
    assert done.err == (
        f"job     {TWO_NODES}, no GPUs asked for, partition not told, 1 hour\n"
        "starts  1 step: srun -> hostname\n"
        "layout  no sizes of parallelism are told, no container\n"
        "sbatch: said\n"
    )


def test_errors_stop_the_job_where_nobody_can_be_asked(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "bad.sh")
    assert (done.status, done.out, sbatch.called) == (1, b"", False)
    assert "error[SB101]" in done.err
    assert "bad.sh:3:9" in done.err
    assert "\nstarts  1 step" in done.err
    assert done.err.endswith(
        "sbatchlint: not submitted: 1 error; `sbatchlint submit --force ...` submits all the same\n"
    )


def test_force(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "--force", "bad.sh")
    assert (done.status, sbatch.argv) == (0, [b"bad.sh"])
    assert "error[SB101]" in done.err


def test_warnings_stop_nothing(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "warned.sh")
    assert (done.status, sbatch.argv) == (0, [b"warned.sh"])
    assert "warning[SB350]" in done.err  # rests on the release that sbatch says


@pytest.mark.parametrize(
    ("words", "silent"), [(["good.sh"], True), (["warned.sh"], True), (["bad.sh"], False)]
)
def test_quiet(sbatch: StandIn, here: Path, words: list[str], silent: bool) -> None:
    done = submit(sbatch, here, "--lint-quiet", *words)
    assert (done.err == "sbatch: said\n") == silent == sbatch.called


@pytest.mark.parametrize(
    ("words", "status"),
    [(["good.sh"], 0), (["warned.sh"], 0), (["bad.sh"], 1), (["none.sh"], 2), (["--bogus", "good.sh"], 2)],
)
def test_lint_only(sbatch: StandIn, here: Path, words: list[str], status: int) -> None:
    assert submit(sbatch, here, "--lint-only", *words).status == status
    assert not sbatch.called


@pytest.mark.parametrize("status", [0, 1, 3, 255])
def test_the_status_is_sbatchs(here: Path, status: int) -> None:
    with stand_in(status) as sbatch:
        assert submit(sbatch, here, "good.sh").status == status


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (["none.sh"], b"", "the script can't be read (no such file or directory)"),
        (["--bogus", "bad.sh"], b"", "--bogus: unknown option"),
        (["-N2", "--force", "bad.sh"], b"", "it stands before sbatch's own options"),
        (["--wrap=x", "bad.sh"], b"", "takes no script"),
        ([], b"", "empty"),
        ([], b"\0\0", "binary"),
        (["--lint-config", "none.toml", "bad.sh"], b"", "none.toml"),
    ],
)
def test_what_cannot_be_checked_is_sbatchs(
    sbatch: StandIn, here: Path, words: list[str], stdin: bytes, said: str
) -> None:
    done = submit(sbatch, here, *words, stdin=stdin)
    assert (done.status, done.out, sbatch.stdin) == (0, b"17\n", stdin)
    assert said in done.err
    assert "not checked" in done.err


@pytest.mark.parametrize("words", [["--help"], ["-V"], ["--usage", "bad.sh"], ["--test-only", "bad.sh"]])
def test_where_nothing_is_submitted_nothing_is_linted(sbatch: StandIn, here: Path, words: list[str]) -> None:
    done = submit(sbatch, here, *words)
    assert (done.status, done.err, sbatch.argv) == (0, "sbatch: said\n", [word.encode() for word in words])


def test_a_fault_of_ours_is_told_and_the_job_goes(
    sbatch: StandIn, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("what the script says")

    monkeypatch.setattr(checking, "lint", broken)
    done = submit(sbatch, here, "bad.sh")
    assert (done.status, sbatch.argv) == (0, [b"bad.sh"])
    assert done.err == "sbatchlint: submit: not checked: internal error: RuntimeError\nsbatch: said\n"


def test_a_linter_that_hangs_is_left(sbatch: StandIn, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "PATIENCE", 0.5)
    monkeypatch.setattr(checking, "lint", lambda *_: time.sleep(50))
    done = submit(sbatch, here, "bad.sh")
    assert (done.status, sbatch.argv) == (0, [b"bad.sh"])
    assert "not checked: it takes longer" in done.err


def test_without_sbatch(here: Path, tmp_path: Path) -> None:
    done = submit(StandIn(tmp_path / "none", tmp_path), here, "good.sh", environment={"PATH": "/nowhere"})
    assert (done.status, done.out) == (2, b"")
    assert "no sbatch on PATH" in done.err


def test_a_wrapper_that_calls_us_is_not_called(sbatch: StandIn, here: Path) -> None:
    wrappers = here / "wrappers"
    wrappers.mkdir()
    wrapper = wrappers / "sbatch"
    wrapper.write_text('#!/bin/sh\nexec sbatchlint submit "$@"\n')
    wrapper.chmod(0o755)
    path = f"{wrappers}:{sbatch.path}"
    assert submit(sbatch, here, "good.sh", environment={"PATH": path}).status == 0
    assert sbatch.argv == [b"good.sh"]


def test_the_sbatch_to_use_may_be_named(sbatch: StandIn, here: Path) -> None:
    named = {"PATH": "/nowhere", "SBATCHLINT_SBATCH": str(sbatch.folder / "sbatch")}
    # The stand-in needs cat.
    assert submit(sbatch, here, "good.sh", environment={**named, "PATH": "/usr/bin:/bin"}).status == 0
    assert sbatch.argv == [b"good.sh"]


# --- what counts -----------------------------------------------------------------------------------


def test_the_command_line_counts(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "-N4", "-p", "gpu", "--gpus-per-node=8", "good.sh")
    assert done.err.startswith(
        "job     4 nodes x 1 task (assumed) = 4 tasks (assumed), 32 GPUs, partition gpu, 1 hour"
    )


def test_variables_for_sbatch_count(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "good.sh", environment={"SBATCH_PARTITION": "gpu", "SBATCH_TIMELIMIT": "5"})
    assert "partition gpu, 5 minutes" in done.err


def test_arguments_and_numbers_of_the_environment_count(sbatch: StandIn, here: Path) -> None:
    (here / "args.sh").write_text(
        "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n#SBATCH --gpus-per-node=8\n"
        'srun python "$1" --tensor-model-parallel-size $TP --pipeline-model-parallel-size 1\n'
    )
    done = submit(sbatch, here, "args.sh", "pretrain_gpt.py", environment={"TP": "4"})
    assert "starts  1 step: srun -> pretrain_gpt.py\n" in done.err
    assert "layout  TP 4 x PP 1 x DP 4, no container\n" in done.err


def test_a_script_from_standard_input(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "-H", stdin=BAD)
    assert (done.status, sbatch.called) == (1, False)
    assert " --> -:3:9" in done.err
    assert submit(sbatch, here, "-H", stdin=GOOD).status == 0
    assert sbatch.stdin == GOOD


def test_a_script_of_a_process_substitution(sbatch: StandIn, here: Path) -> None:
    program = sbatch.folder / "sbatch"
    program.write_text(program.read_text().replace("cat >", "cat $1 >"))
    command = f"{sys.executable} -m sbatchlint submit <(cat good.sh)"
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        cwd=here,
        env={"PATH": sbatch.path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert sbatch.stdin == GOOD
    assert b"1 step: srun -> hostname" in done.stderr


def test_wrap(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "-N2", "--wrap", "srun -n16 python train.py")
    assert (done.status, sbatch.argv) == (0, [b"-N2", b"--wrap", b"srun -n16 python train.py"])
    assert "starts  1 step: srun -> train.py\n" in done.err


def test_components_of_the_command_line(sbatch: StandIn, here: Path) -> None:
    done = submit(sbatch, here, "-N1", ":", "-N3", "-p", "gpu", "good.sh")
    assert done.err.startswith("job     2 components: 1 node x 1 task")
    assert "; 3 nodes x 1 task" in done.err


def test_array(sbatch: StandIn, here: Path) -> None:
    assert submit(sbatch, here, "-a0-9%2", "good.sh").err.startswith(
        "job     array of 10 tasks, at most 2 at once, each 2 nodes"
    )


def test_no_secret_is_shown(sbatch: StandIn, here: Path) -> None:
    """None of the script, of the command line, of sbatch's variables or of the environment."""
    tokens = [fill_tokens("{{token:" + provider + "}}") for provider in ("huggingface", "wandb", "github")]
    own = "correct-horse-battery"
    (here / "secret.sh").write_text(
        f"#!/bin/bash\n#SBATCH --mpi=x\nexport HF_TOKEN={tokens[0]}\n"
        'srun $MINE --key "$1" $WANDB_API_KEY $GITHUB_TOKEN\nsrun "$1" $MINE/x\n'
    )
    done = submit(
        sbatch,
        here,
        f"--export=ALL,GITHUB_TOKEN={tokens[2]}",
        "secret.sh",
        tokens[2],
        environment={
            "MINE": own,
            "SBATCH_EXPORT": f"ALL,WANDB_API_KEY={tokens[1]}",
            "WANDB_API_KEY": tokens[1],
        },
    )
    assert done.status == 1
    assert "********" in done.err
    for secret in (*tokens, own):
        assert secret not in done.err


def test_nothing_of_the_script_reaches_the_terminal_raw(sbatch: StandIn, here: Path) -> None:
    (here / "esc.sh").write_bytes(b"#!/bin/bash\nsrun $'a\x1b[31mb' --x=\x1b]0;t\x07\n")
    assert "\x1b" not in submit(sbatch, here, "-p", "\x1b[31m", "esc.sh").err


# --- on a terminal ---------------------------------------------------------------------------------


def on_terminal(sbatch: StandIn, here: Path, shell: str, answer: bytes) -> tuple[int, str]:
    """Be the command on a terminal, or with *shell* have a shell run it; give *answer* when asked.

    Return the status and what the terminal shows.
    """
    child, terminal = pty.fork()
    if not child:  # pragma: no cover - in another process
        environment = {b"PATH": os.fsencode(sbatch.path), b"TERM": b"dumb"}
        if not shell:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            become_submit(["bad.sh"], here, environment)
        os.chdir(here)
        line = shell.replace("submit", f"{sys.executable} -m sbatchlint submit", 1)
        os.execve("/bin/sh", ["sh", "-c", line], environment)
    return followed(child, terminal, answer)


def followed(child: int, terminal: int, answer: bytes) -> tuple[int, str]:
    """Read what *child* shows until it ends."""
    shown, asked, end = b"", False, time.monotonic() + 30
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        shown += piece
        if b"[y/N]" in shown and not asked:
            asked = True
            os.write(terminal, answer)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return status, shown.decode()


@pytest.mark.parametrize(
    ("answer", "goes"), [("y", True), ("YES", True), ("", False), ("n", False), ("yy", False)]
)
def test_asked(sbatch: StandIn, here: Path, answer: str, goes: bool) -> None:
    status, shown = on_terminal(sbatch, here, "", answer.encode() + b"\n")
    assert "submit all the same? [y/N] " in shown
    assert (status, sbatch.called) == (0 if goes else 1, goes)
    assert ("not submitted" in shown) == (not goes)


def test_asked_while_the_script_comes_from_a_pipe(sbatch: StandIn, here: Path) -> None:
    status, _ = on_terminal(sbatch, here, "cat bad.sh | submit --parsable", b"y\n")
    assert (status, sbatch.stdin) == (0, BAD)


def test_not_asked_where_the_findings_are_not_seen(sbatch: StandIn, here: Path) -> None:
    status, shown = on_terminal(sbatch, here, "submit bad.sh </dev/null 2>said", b"y\n")
    assert (status, shown, sbatch.called) == (1, "", False)
    assert "error[SB101]" in (here / "said").read_text()


def test_the_end_of_the_terminal_is_a_no(sbatch: StandIn, here: Path) -> None:
    status, _ = on_terminal(sbatch, here, "", b"\x04")
    assert (status, sbatch.called) == (1, False)


def test_ctrl_c_submits_nothing(sbatch: StandIn, here: Path) -> None:
    status, shown = on_terminal(sbatch, here, "", b"\x03")
    assert not sbatch.called
    assert status != 0
    assert "Traceback" not in shown


def test_a_script_typed_at_the_terminal(sbatch: StandIn, here: Path) -> None:
    child, terminal = pty.fork()
    if not child:  # pragma: no cover - in another process
        become_submit([], here, {b"PATH": os.fsencode(sbatch.path), b"TERM": b"dumb"})
    os.write(terminal, GOOD + b"\x04")
    status, shown = followed(child, terminal, b"")
    assert (status, sbatch.stdin) == (0, GOOD)
    assert "Ctrl-D ends it" in shown


# --- what goes wrong around it ---------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--lint-only"], ["--force"], []])
def test_quiet_leaves_out_the_plan_and_no_error(sbatch: StandIn, here: Path, words: list[str]) -> None:
    (here / "both.sh").write_bytes(BAD + b"srun --gpus-per-nodes=1 python train.py\n")
    (here / "sbatchlint.toml").write_text('[severity]\nSB338 = "warning"\n')
    loud = submit(sbatch, here, *words, "both.sh").err
    quiet = submit(sbatch, here, "--lint-quiet", *words, "both.sh").err
    assert loud.count("error[") == quiet.count("error[") > 0
    assert "\nlayout " in loud
    assert "\nlayout " not in quiet
    assert "warning[" in loud
    assert "warning[" not in quiet


BROKEN = '''
from sbatchlint.api import Fixable, Rule, Severity

class Breaks(Rule):
    """This rule breaks.

    ## Why
    It does.
    """

    code = "XY001"
    name = "breaks"
    severity = Severity.ERROR
    fixable = Fixable.NEVER

    def check(self, job):
        print("on standard output")
        raise {error}
'''


@pytest.mark.parametrize("error", ["RuntimeError('what the script says')", "SystemExit(0)"])
@pytest.mark.parametrize("script", ["good.sh", "bad.sh"])
def test_a_rule_that_breaks(sbatch: StandIn, here: Path, script: str, error: str) -> None:
    (here / "rules").mkdir()
    (here / "rules" / "__init__.py").write_text("")
    (here / "rules" / "breaks.py").write_text(BROKEN.format(error=error))
    (here / "own.toml").write_text('plugins = ["./rules"]\n')
    only = submit(sbatch, here, "--lint-config", "own.toml", "--lint-only", script)
    assert (only.status, only.out, sbatch.called) == (2, b"", False)
    assert "internal error in rule XY001" in only.err
    assert ("error[SB101]" in only.err) == (script == "bad.sh")
    done = submit(sbatch, here, "--lint-config", "own.toml", script)
    goes = script == "good.sh"
    assert (done.status, done.out, sbatch.called) == ((0, b"17\n", True) if goes else (1, b"", False))


def test_a_plugin_that_ends_python_is_told_and_the_job_goes(sbatch: StandIn, here: Path) -> None:
    (here / "rules").mkdir()
    (here / "rules" / "__init__.py").write_text("raise SystemExit(0)\n")
    (here / "own.toml").write_text('plugins = ["./rules"]\n')
    done = submit(sbatch, here, "--lint-config", "own.toml", "bad.sh")
    assert (done.status, done.out, sbatch.called) == (0, b"17\n", True)
    assert "not checked" in done.err


@pytest.mark.parametrize("lost", ["/dev/full", "gone"])
@pytest.mark.parametrize(("script", "status"), [("good.sh", 17), ("none.sh", 17), ("bad.sh", 1)])
def test_a_standard_error_that_cannot_be_written(here: Path, lost: str, script: str, status: int) -> None:
    with stand_in(17) as sbatch:
        program = sbatch.folder / "sbatch"
        program.write_text(program.read_text().replace("echo 'sbatch: said' >&2", "readlink /proc/$$/fd/2"))
        child = os.fork()
        if not child:  # pragma: no cover - in another process
            os.setsid()
            reader, writer = os.pipe()
            os.close(reader)
            out = os.open(here / "out", os.O_WRONLY | os.O_CREAT, 0o600)
            for number, stream in enumerate((os.open(os.devnull, os.O_RDONLY), out, writer)):
                os.dup2(stream, number)
            if lost != "gone":
                os.dup2(os.open(lost, os.O_WRONLY), 2)
            become_submit([script], here, {b"PATH": os.fsencode(sbatch.path)})
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == status
        said = (here / "out").read_text()
        assert sbatch.called == (status == 17)
        assert (lost in said or "pipe:" in said) == sbatch.called  # its own, as it was given to us


def test_a_baseline_of_the_configuration_is_heeded(
    sbatch: StandIn, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "jobs").mkdir()
    (here / "jobs" / "old.sh").write_bytes(BAD)
    (here / "sbatchlint.toml").write_text('baseline = "known.json"\n')
    monkeypatch.chdir(here)
    assert main(["--no-baseline", "--write-baseline", "known.json", "-q", "jobs"]) == 0
    for folder, name in ((here, "jobs/old.sh"), (here / "jobs", "old.sh"), (here, str(here / "jobs/old.sh"))):
        assert submit(sbatch, folder, "--lint-only", name).status == 0
    (here / "jobs" / "old.sh").write_bytes(BAD + b"srun --gpus-per-nodes=8 x\n")
    new = submit(sbatch, here, "jobs/old.sh")
    assert (new.status, new.err.count("error["), "SB101" in new.err) == (1, 1, False)
    assert submit(sbatch, here, "--lint-isolated", "--lint-only", "jobs/old.sh").err.count("error[") == 2
    assert submit(sbatch, here, "--lint-only", stdin=BAD).status == 1


@pytest.mark.parametrize("text", [None, "no baseline"])
def test_a_baseline_that_cannot_be_used_is_told_and_the_job_goes(
    sbatch: StandIn, here: Path, text: str | None
) -> None:
    (here / "sbatchlint.toml").write_text('baseline = "known.json"\n')
    if text:
        (here / "known.json").write_text(text)
    done = submit(sbatch, here, "bad.sh")
    assert (done.status, sbatch.called) == (0, True)
    assert "known.json" in done.err
    assert "not checked: its baseline can't be used" in done.err


def test_the_current_folder_is_gone(sbatch: StandIn, here: Path) -> None:
    line = f"mkdir gone; cd gone; rmdir ../gone; {sys.executable} -m sbatchlint submit {here}/bad.sh"
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=here,
        env={"PATH": sbatch.path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert b"not checked: the current folder is gone" in done.stderr
    assert sbatch.called


def _wrapper(folder: Path, text: str) -> str:
    folder.mkdir()
    (folder / "sbatch").write_text(text)
    (folder / "sbatch").chmod(0o755)
    return str(folder)


@pytest.mark.parametrize("named", [False, True], ids=["on-path", "named"])
@pytest.mark.parametrize(
    "text",
    [
        '#!/bin/sh\nexec {round} "$@"\n',
        '#!/bin/sh\n{round} "$@"\n',
        "#!{python}\nimport subprocess, sys\nsys.exit(subprocess.call(['{round}', *sys.argv[1:]]))\n",
    ],
    ids=["exec", "call", "closing-files"],
)
def test_a_wrapper_that_calls_us_by_a_way_round(here: Path, text: str, named: bool) -> None:
    way_round = here / "checked"
    way_round.write_text(f'#!/bin/sh\nexec {sys.executable} -m sbatchlint submit "$@"\n')
    way_round.chmod(0o755)
    folder = _wrapper(here / "wrappers", text.format(round=way_round, python=sys.executable))
    environment = {"PATH": folder}
    if named:
        environment["SBATCHLINT_SBATCH"] = f"{folder}/sbatch"
    done = subprocess.run(
        [sys.executable, "-m", "sbatchlint", "submit", "good.sh"],
        cwd=here,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "SBATCHLINT_SBATCH" in done.stderr
    assert len(done.stderr) < 2000


def test_ctrl_c_leaves_the_prompt_on_a_line_of_its_own(sbatch: StandIn, here: Path) -> None:
    _, shown = on_terminal(sbatch, here, "", b"\x03")
    assert shown.endswith("\n")


@pytest.mark.slow
def test_an_alarm_of_the_caller_stays(sbatch: StandIn, here: Path) -> None:
    """``alarm`` and exec are a poor man's timeout."""
    program = sbatch.folder / "sbatch"
    program.write_text('#!/bin/sh\n[ "$*" = --version ] || exec sleep 50\n')
    child = os.fork()
    if not child:  # pragma: no cover - in another process
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.setitimer(signal.ITIMER_REAL, 4)
        become_submit(["good.sh"], here, {b"PATH": os.fsencode(sbatch.path)})
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGALRM


@pytest.mark.parametrize(
    "work",
    [
        "time.sleep(50)",
        """
        for _ in range(3):
            try:
                time.sleep(50)
            except:
                pass
        time.sleep(50)
        """,
    ],
    ids=["sleeps", "swallows"],
)
def test_a_rule_that_hangs_is_left(
    sbatch: StandIn, here: Path, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    """Whatever the engine catches, and however often the rule catches it."""
    monkeypatch.setattr(examining, "PATIENCE", 2.0)
    monkeypatch.setattr(patience, "_AGAIN", 0.2)
    (here / "rules").mkdir()
    (here / "rules" / "__init__.py").write_text("")
    (here / "rules" / "hangs.py").write_text(
        BROKEN.replace("raise {error}", work).replace("from sbatchlint", "import time\nfrom sbatchlint", 1)
    )
    (here / "own.toml").write_text('plugins = ["./rules"]\n')
    done = submit(sbatch, here, "--lint-config", "own.toml", "bad.sh")
    assert "not checked: it takes longer" in done.err
    assert (done.status, sbatch.argv) == (0, [b"bad.sh"])
