"""What goes wrong around ``submit``: broken rules, missing programs, hanging ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sbatchlint.cli import examining
from sbatchlint.cli.main import main
from sbatchlint.submission import patience
from tests.cli.submit.standing_in import BAD, StandIn, become_submit, stand_in, submit
from tests.cli.submit.terminal import on_terminal


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
