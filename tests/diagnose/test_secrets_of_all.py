"""No token of any provider that is known leaves a log, whatever line it stands in."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sbatchlint.cli.main import main
from sbatchlint.secrets.fake import fake_token
from sbatchlint.secrets.patterns import formats

PROVIDERS = sorted({form.provider for form in formats()})
LINES = (
    "Traceback (most recent call last):\nValueError: no: {}\nsrun: error: n1: task 0: Killed\n",
    "1: [rank3]: OSError: No space left on device: {}\nCRITICAL: login with {} failed\n",
    "ERROR refused {}\nslurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-02T03:04:05 ***\n",
)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_it_is_hidden(provider: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    token = fake_token(provider, random.Random(provider))
    for number, line in enumerate(LINES):
        log = tmp_path / f"{number}.log"
        log.write_text(line.replace("{}", token), "utf-8")
        for form in ("text", "json"):
            main(["diagnose", str(log), "--output-format", form])
            shown = capsys.readouterr()
            assert token not in shown.out + shown.err
