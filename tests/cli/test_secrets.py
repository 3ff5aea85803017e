"""A secret's value appears in nothing that the tool prints, even if a rule is careless."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sbatchlint.secrets.fake import fake_token
from tests.cli.conftest import Run, Write
from tests.cli.test_check import give

PROVIDERS = ("huggingface", "github", "wandb", "openai")


def tokens() -> dict[str, str]:
    generator = random.Random()
    return {provider: fake_token(provider, generator) for provider in PROVIDERS}


def script(values: dict[str, str]) -> str:
    exports = "".join(f"export {name.upper()}_API_KEY={value}\n" for name, value in values.items())
    return f"{exports}# old: {values['huggingface']}\necho BAD CRASH {values['github']}\n"


def commands() -> Iterator[tuple[str, ...]]:
    for form in ("full", "concise", "json"):
        for more in ((), ("-v",), ("--statistics",), ("--fix", "-v"), ("--diff",), ("--color", "always")):
            yield ("--output-format", form, *more)


@pytest.mark.parametrize("options", list(commands()), ids=" ".join)
def test_no_output_holds_a_secret(run: Run, write: Write, options: tuple[str, ...]) -> None:
    values = tokens()
    write("job.sh", script(values))
    done = run(*options, "job.sh")
    assert done.out and done.err
    for value in values.values():
        for size in range(len(value) - 12):
            assert value[size : size + 13] not in done.out + done.err


def test_the_careless_rule_is_careless(run: Run, write: Write) -> None:
    write("job.sh", script(tokens()))
    done = run("--select", "TST801", "job.sh")
    assert "message ********  (indiscreet)" in done.out and "label ********" in done.out


def test_carets_still_line_up(run: Run, write: Write) -> None:
    value = tokens()["huggingface"]
    write("job.sh", f"export HF_TOKEN={value}; echo BAD\n")
    lines = run("--select", "TST101", "job.sh").out.splitlines()
    assert lines[3] == f"3 | export HF_TOKEN={'*' * len(value)}; echo BAD"
    assert lines[4].index("^") == lines[3].index("BAD")


def test_a_fixed_script_on_stdout_is_the_users_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Masking there would destroy the file that the output is meant to become."""
    value = tokens()["huggingface"]
    text = f"#!/bin/bash\n#SBATCH -N1\nexport HF_TOKEN={value}\n"
    give(monkeypatch, text.encode())
    done = run("--fix", "--ignore", "TST801", "-")
    assert done.out == text and value not in done.err
