"""What stands where a password or a token does is not shown, be it reported or not."""

import pytest

from sbatchlint.report.mask import Mask
from sbatchlint.secrets import find_secrets, hidden_values
from sbatchlint.source import Source

PASSWORDS = (
    "hunter2secret",
    "mySuperPassword1",
    "correct horse battery",
    "tR7xq Lm2vKpW9z",
    "kettle",
    "12345678",
)
NOTATIONS = (
    "export DB_PASSWORD={!r}",
    "db_password: {!r}",
    'password = "{}"',
    'srun python t.py --password "{}"',
    "PASSWD=${{PASSWD:-{}}}",
    "# DB_PASSWORD='{}'",
)


CASES = [(one, way) for one in PASSWORDS for way in NOTATIONS if " " not in one or "${" not in way]


@pytest.mark.parametrize(("password", "notation"), CASES)
def test_passwords_are_hidden_whatever_they_look_like(password: str, notation: str) -> None:
    source = Source.from_text(f"#!/bin/bash\n{notation.format(password)}\necho {password}\n", "job.sh")
    mask = Mask.found_in(source)
    assert password not in mask.source.text
    shown = mask.text(f"--with={password}!")
    assert not any(word in shown for word in (password, *password.split()))


@pytest.mark.parametrize("password", ["hunter2secret", "kettle", "12345678"])
def test_so_are_those_of_addresses(password: str) -> None:
    source = Source.from_text(f"git clone https://bob:{password}@example.org/x.git\n", "job.sh")
    assert password not in Mask.found_in(source).source.text


@pytest.mark.parametrize(
    "line",
    [
        "export DB_PASSWORD=CHANGE_ME",
        "export DB_PASSWORD=<your password>",
        "export DB_PASSWORD=$OTHER",
        "export DB_PASSWORD_FILE=/run/secret",
        "export PASSWORD=",
        "password = args.password",
        "export HF_TOKEN=your_token_here",
        "--tokenizer-key value",
        "--max-tokens 2048",
        "git clone https://bob:$TOKEN@example.org/x.git",
    ],
)
def test_what_is_none_is_shown(line: str) -> None:
    assert hidden_values(Source.from_text(line + "\n", "job.sh")) == ()


def test_what_is_reported_is_hidden() -> None:
    source = Source.from_text(
        "export HF_TOKEN=" + "hf_" + "kJ8sD2mQ9xZ4vB7nL1pR6tY3wE5uI0oAcF" + "\n", "job.sh"
    )
    assert {source.slice(secret.span) for secret in find_secrets(source)} <= set(hidden_values(source))
