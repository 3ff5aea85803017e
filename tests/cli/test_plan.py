"""``sbatchlint plan`` as a command."""

from __future__ import annotations

import io
import json
import random
import sys

import jsonschema
import pytest

from sbatchlint.secrets.fake import fake_token
from tests.cli.conftest import Run, Write
from tests.cli.test_process import loaded

SCRIPT = '#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --time=5\nsrun python t.py "$1" $DATA\n'


def test_one_file(run: Run, write: Write) -> None:
    write("job.sh", whole=SCRIPT)
    done = run("plan", "job.sh")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("job.sh\n") and "\n  step 1  job.sh:4\n" in done.out


def test_several_files_are_kept_apart(run: Run, write: Write) -> None:
    write("b.sh", whole=SCRIPT)
    write("a.sh", whole=SCRIPT)
    done = run("plan", "b.sh", "a.sh")
    assert done.out.startswith("a.sh\n") and "\n\nb.sh\n" in done.out


def test_what_is_assumed_can_be_said(run: Run, write: Write) -> None:
    write("job.sh", whole=SCRIPT)
    given = ("--sbatch-args", "--nodes=4", "--sbatch-args=-p gpu", "--arg", "-x y", "--env", "DATA=/data=1")
    done = run("plan", *given, "job.sh")
    assert done.status == 0
    assert "partition    gpu\n" in done.out and "4 nodes x 1 task" in done.out
    assert "python t.py '-x y' /data=1\n" in done.out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--env", "DATA"), "give NAME=VALUE"),
        (("--env", "9A=1"), "give NAME=VALUE"),
        (("--sbatch-args", "'--nodes=4"), "no closing quotation"),
        (("--sbatch-args", "--nodes"), "--nodes: missing argument"),
        (("--sbatch-args", "--nodes=4 job.sh"), "'job.sh' is no option"),
    ],
)
def test_wrong_use(run: Run, write: Write, given: tuple[str, str], said: str) -> None:
    write("job.sh", whole=SCRIPT)
    done = run("plan", *given, "job.sh")
    assert (done.status, done.out) == (2, "") and said in done.err


def test_an_option_of_a_plugin_is_no_mistake(run: Run, write: Write) -> None:
    write("job.sh", whole=SCRIPT)
    done = run("plan", "--sbatch-args=--site-thing --nodes=3", "job.sh")
    assert done.status == 2 and "--site-thing is no option of sbatch; correct it, or name it" in done.err
    done = run("plan", "--known-option=--site-thing", "--sbatch-args=--site-thing --nodes=3", "job.sh")
    assert (done.status, done.err) == (0, "")
    assert "3 nodes x" in done.out


@pytest.mark.parametrize(
    ("name", "data"),
    [("gone.sh", None), ("empty.sh", b""), ("binary.sbatch", b"\0\1"), ("plain.sh", b"echo\n")],
)
def test_bad_input(run: Run, write: Write, name: str, data: bytes | None) -> None:
    if data is not None:
        write(name, whole=data)
    done = run("plan", name)
    assert (done.status, done.out) == (2, "") and name in done.err


def test_a_good_file_beside_a_bad_one(run: Run, write: Write) -> None:
    write("job.sh", whole=SCRIPT)
    done = run("plan", "job.sh", "gone.sh")
    assert done.status == 2 and "step 1" in done.out


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SCRIPT.encode())))
    done = run("plan", "--stdin-filename", "jobs/x.sh", "-")
    assert done.status == 0 and "jobs/x.sh:4" in done.out


def test_colours(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("job.sh", whole=SCRIPT)
    assert "\x1b[" not in run("plan", "job.sh").out
    assert "\x1b[" in run("plan", "--color", "always", "job.sh").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("plan", "job.sh").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("plan", "job.sh").out


def test_a_fault_of_the_tool_costs_one_file(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    from sbatchlint.launch import evaluate

    monkeypatch.setattr(evaluate, "Machine", lambda *arguments: 1 / 0)
    write("job.sh", whole=SCRIPT)
    done = run("plan", "job.sh")
    assert done.status == 2 and "internal error: ZeroDivisionError" in done.err
    assert "Traceback" in run("plan", "-v", "job.sh").err


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("colour", ["never", "always"])
def test_no_output_holds_a_secret(run: Run, write: Write, form: str, colour: str) -> None:
    """Tokens in the script, put together of pieces, and given on the command line."""
    generator = random.Random()
    whole, pieces, given, argument = (
        fake_token(provider, generator) for provider in ("huggingface", "github", "openai", "wandb")
    )
    half = len(pieces) // 2
    write(
        "job.sh",
        f"export HF_TOKEN={whole}\nA={pieces[:half]}\nB=${{A}}{pieces[half:]}\nexport GITHUB_TOKEN=$B\n"
        f'curl -H "Authorization: Bearer {whole}" "$(echo {whole})"\n'
        'srun --comment="$B" python t.py --token "$B" --key "$GIVEN" --wandb-api-key "$1" $HF_TOKEN\n'
        'srun --container-image="docker://user:$B@host/image" bash -c "curl -u u:$HF_TOKEN x.py"\n',
    )
    options = ("--env", f"GIVEN={given}", "--env", f"API_KEY={argument}", "--arg", argument)
    done = run("plan", "--output-format", form, "--color", colour, *options, "job.sh")
    assert done.status == 0 and "********" in done.out
    for value in (whole, pieces, given, argument):
        for start in range(len(value) - 12):
            assert value[start : start + 13] not in done.out + done.err


def test_json(run: Run, write: Write) -> None:
    write("job.sh", whole=SCRIPT)
    done = run("plan", "--output-format", "json", "job.sh")
    document = json.loads(done.out)
    assert document["version"] == 1 and document["files"][0]["path"] == "job.sh"


def test_the_schema_is_printed_and_kept(run: Run, write: Write) -> None:
    done = run("plan", "--schema")
    assert (done.status, done.err) == (0, "")
    schema = json.loads(done.out)
    jsonschema.Draft202012Validator.check_schema(schema)
    write("job.sh", whole=SCRIPT)
    write("other.sh", whole='#!/bin/bash\n#SBATCH -N1\nif [ "${A:-1}" = 1 ]; then srun ./a; fi\n')
    told = json.loads(run("plan", "--output-format", "json", "job.sh", "other.sh", "gone.sh").out)
    jsonschema.Draft202012Validator(schema).validate(told)
    assert [file["by_default"] for file in told["files"]] == [False, True]


def test_a_path_must_be_named(run: Run) -> None:
    done = run("plan", "--arg", "x")
    assert done.status == 2 and "name a batch script, a folder, or - for standard input" in done.err


def test_a_folder_is_searched(run: Run, write: Write) -> None:
    write("jobs/a.sh", whole=SCRIPT)
    write("jobs/deep/b.sbatch", whole=SCRIPT)
    write("jobs/lib.sh", whole="echo\n")
    done = run("plan", "jobs")
    assert (done.status, done.err) == (0, "")
    assert [line for line in done.out.splitlines() if line[:1] not in ("", " ")] == [
        "jobs/a.sh",
        "jobs/deep/b.sbatch",
    ]


def test_help_costs_little() -> None:
    modules = loaded("plan", "--help")
    assert not {
        name for name in modules if name.startswith(("sbatchlint.launch", "sbatchlint.shell", "bashlex"))
    }


def test_check_does_not_pay_for_plan() -> None:
    assert not {name for name in loaded("--version") if "plan" in name.rsplit(".", 1)[-1]}
