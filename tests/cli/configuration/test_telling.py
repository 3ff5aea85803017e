"""What ``sbatchlint config`` tells, and what it says of mistakes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.configuration.asking import CONCISE, codes
from tests.cli.conftest import Run, Write


def test_each_value_is_told_with_its_place(run: Run, write: Write, site: Write) -> None:
    site('pedantic = true\nknown-options = ["--image"]\n')
    write("base.toml", whole='\nfail-on = "error"\n')
    write(
        "sbatchlint.toml",
        whole='extend = "base.toml"\nselect = ["TST"]\n[severity]\nTST101 = "info"\n'
        '[per-path."a"]\nenv = { A = "1" }\n',
    )
    told = json.loads(run("config", "a/job.sh", "--slurm-version", "24.05", "--output-format", "json").out)
    (path,) = told["paths"]
    places = {
        one["key"]: (one["value"], one["file"] and f"{one['file']}:{one['line']}", one["option"])
        for one in path["settings"]
    }
    assert places["pedantic"] == (True, "site/sbatchlint.toml:1", None)
    assert places["known-options"] == ("--image", "site/sbatchlint.toml:2", None)
    assert places["fail-on"] == ("error", "base.toml:2", None)
    assert places["select"] == (["TST"], "sbatchlint.toml:2", None)
    assert places["severity.TST101"] == ("info", "sbatchlint.toml:4", None)
    assert places["env.A"] == ("1", "sbatchlint.toml:6", None)
    assert places["slurm-version"] == ("24.05", None, "--slurm-version")
    assert places["force-exclude"] == (False, None, None)
    assert [file["kind"] for file in path["files"]] == ["project", "project", "site"]
    text = run("config", "a/job.sh", "--slurm-version", "24.05").out
    for key, (_, *where) in places.items():
        assert not any(where) or any(
            key in line and str(where[0] or where[1]) in line for line in text.splitlines()
        )


def test_secrets_are_not_told(run: Run, write: Write) -> None:
    token = "hf_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3f"
    write("job.sh")
    text = f'env = {{ HF_TOKEN = "{token}", MY_PASSWORD = "geheim12", OTHER = "{token}" }}\n'
    write("sbatchlint.toml", whole=text)
    for arguments in (("config",), ("config", "--output-format", "json")):
        done = run(*arguments)
        assert done.status == 0
        assert token not in done.out and "geheim12" not in done.out
    write("sbatchlint.toml", whole=text.replace("}", ", RANKS = 8 }"))
    done = run("config")
    assert done.status == 2 and "RANKS" in done.err and token not in done.err


def test_the_files_that_would_be_checked(run: Run, write: Write) -> None:
    for name in ("job.sh", "old/job.sh", "a/b.sbatch"):
        write(name)
    write("a/notes.txt", whole="nothing\n")
    write("sbatchlint.toml", whole='exclude = ["/old"]\n')
    assert run("config", "--files") == (0, "./a/b.sbatch\n./job.sh\n", "")


def test_no_other_file_than_toml_is_shown(run: Run, write: Write) -> None:
    """A file of somebody else's may name any path: what stands there must not come into a log."""
    write("job.sh")
    write(".netrc", whole="machine example.org password geheim\n")
    write("sbatchlint.toml", whole='extend = ".netrc"\n')
    done = run("job.sh")
    assert done.status == 2 and "has to end in .toml" in done.err and "geheim" not in done.err


def test_the_schema_is_printed(run: Run) -> None:
    assert json.loads(run("config", "--schema").out)["additionalProperties"] is False


def test_nothing_is_configured(run: Run, write: Write) -> None:
    write("job.sh")
    assert "no configuration file holds for it" in run("config").out


def test_without_a_file_no_models_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text("#!/bin/bash\n#SBATCH --time=00:10:00\nhostname\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'jobs'\n")
    code = (
        "import sys\nfrom sbatchlint.cli.main import main\nstatus = main(sys.argv[1:])\n"
        "print(status, 'pydantic' in sys.modules, 'sbatchlint_rules' in sys.modules)"
    )
    command = [sys.executable, "-c", code, "job.sh"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=True)
    assert done.stdout == "0 False True\n"


@pytest.mark.parametrize("paths", [("broken", "good"), ("good", "broken"), (".",)])
def test_a_mistake_concerns_its_own_scripts_alone(run: Run, write: Write, paths: tuple[str, ...]) -> None:
    """Whichever path is the first: the configuration of its folder is that of the run as a whole."""
    for folder in ("broken", "good"):
        write(f"{folder}/job.sh", "BAD\n")
    write("broken/sbatchlint.toml", whole='fail-on = "Eror"\n')
    done = run(*CONCISE, *paths)
    assert (done.status, codes(done)) == (2, [f"{'./' * (paths == ('.',))}good/job.sh TST101"])
    assert done.err.count("error: fail-on") == 1


def test_a_mistake_is_in_the_report(run: Run, write: Write) -> None:
    write("job.sh")
    write("sbatchlint.toml", whole='\nfail-on = "Eror"\n')
    done = run("--output-format", "github", ".")
    assert done.status == 2 and "::sbatchlint.toml:2: fail-on: 'Eror' is no value for it" in done.out


def test_a_mistake_in_a_base_is_told_once(run: Run, write: Write) -> None:
    write("base.toml", whole='slurm-version = "1.0"\n')
    for folder in ("a", "b"):
        write(f"{folder}/job.sh")
        write(f"{folder}/sbatchlint.toml", whole='extend = "../base.toml"\n')
    assert run(".").err.count("error: ") == 1


@pytest.mark.parametrize(
    "line",
    [
        'HF_TOKEN = "{secret}"\nDATA = 3',
        "HF_TOKEN = {secret}",
        'HF_TOKEN = "{secret}',
        'x.HF_TOKEN = ["{secret}"]',
        "HF_TOKEN = '''{secret}",
        'A = {{ "HF_TOKEN" = "{secret}" }}',
        'SBATCH_ARGS = ["--export=A=1,HF_TOKEN={secret}", 1]',
        'pédantic = "HF_TOKEN={secret}"',
        'fail-on = "HF_TOKEN={secret}"\n[severity]\nSB3 = "HF_TOKEN={secret}"',
    ],
)
@pytest.mark.parametrize("head", ["", "[env]\n"])
def test_no_message_tells_a_secret(run: Run, write: Write, head: str, line: str) -> None:
    """The name says that it is one, even where the file can't be read."""
    write("job.sh")
    write("sbatchlint.toml", whole=head + line.format(secret="s3cr3tvalue99") + "\n")
    done = run("--output-format", "github", ".")
    assert "error: " in done.err and "s3cr3t" not in done.err + done.out


def test_no_account_tells_a_secret_in_a_word(run: Run, write: Write) -> None:
    write("sbatchlint.toml", whole='sbatch-args = "--export=A=1,HF_TOKEN=s3cr3tvalue99"\n')
    done = run("config")
    assert "sbatch-args" in done.out and "s3cr3t" not in done.out


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.symlink_to("nowhere.toml"), "a link to nowhere.toml, which is not there"),
        (lambda path: path.symlink_to(path.name), "cannot be read (too many levels"),
        (lambda path: os.mkfifo(path), "this is a pipe and no file"),
        (lambda path: path.symlink_to("/dev/zero"), "larger than 1 MiB"),
        (lambda path: path.write_text("#" * 1024**2 + "\n"), "larger than 1 MiB"),
        (lambda path: path.write_text(f"a = {'[' * 5000}"), "nested too deep"),
        (lambda path: path.write_text(f"a = {'9' * 5000}"), "this number is too long"),
        (lambda path: path.write_text('extend = "a\\u0000.toml"'), "a text with a NUL character"),
        (lambda path: path.write_text('"a\\u0000" = 1'), "a text with a NUL character"),
        (lambda path: path.write_text('[tool.sbatchlint]\nselect = ["SB3"]'), "for pyproject.toml"),
        (lambda path: path.write_text('[lint]\nselect = ["SB3"]'), "stands at the top here"),
        (lambda path: path.write_text('[severity]\nignore = ["SB3"]'), "above the first [table]"),
        (lambda path: path.write_text('[per-path."a"]\nselect = ["SB3"]'), "above the first [table]"),
        (lambda path: path.write_text('[policy]\nname = "a"'), "write [[policy]]"),
        (lambda path: path.write_text('cluster = ""'), "it is empty"),
        (lambda path: path.write_text("fail-on = 2027-01-01"), "fail-on: 2027-01-01 is no value for it"),
    ],
)
def test_files_that_nobody_meant(run: Run, write: Write, make: Callable[[Path], object], said: str) -> None:
    for folder in ("a", "b"):
        write(f"{folder}/job.sh", "BAD\n")
    make(Path("a/sbatchlint.toml").absolute())
    done = run(*CONCISE, ".")
    assert (done.status, codes(done)) == (2, ["./b/job.sh TST101"])
    assert said in done.err and "a/sbatchlint.toml:" in done.err


def test_long_chains_end(run: Run, write: Write) -> None:
    write("job.sh")
    write("sbatchlint.toml", whole='extend = "0.toml"\n')
    for number in range(2000):
        write(f"{number}.toml", whole=f'extend = "{number + 1}.toml"\n')
    done = run(".")
    assert done.status == 2 and "100 files extend each other already" in done.err


def test_a_long_line_is_shown_in_part(run: Run, write: Write) -> None:
    write("job.sh")
    write("sbatchlint.toml", whole=f'ignore = ["{"x" * 3000}"]\nfail-on = "{"y" * 3000}"\n')
    done = run(".")
    assert done.status == 2 and max(map(len, done.err.splitlines())) < 200


def test_the_rules_that_do_not_look_are_named(run: Run, write: Write) -> None:
    write("sbatchlint.toml", whole='ignore = ["TST101"]\n')
    assert "rules look at it, all but TST101" in run("config").out
    (account,) = json.loads(run("config", "--output-format", "json").out)["paths"]
    assert account["left-out-rules"] == ["TST101"]
