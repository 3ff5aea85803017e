"""What is found, and what holds for a script."""

from __future__ import annotations

import argparse
from pathlib import Path

from sbatchlint.cli.configuring import configure
from sbatchlint.cli.console import Console
from sbatchlint.config.file_settings import FileSettings
from tests.cli.conftest import Outcome

CONCISE = ("--output-format", "concise")
NO_ACCOUNT = """
[[policy]]
name = "require-account"
require = "job.account != ''"
message = "no account is named"
"""


def codes(done: Outcome) -> list[str]:
    """Return ``path code`` of each finding."""
    return [f"{line.split(':')[0]} {line.split(' ')[1]}" for line in done.out.splitlines()]


def settings(path: Path) -> FileSettings | None:
    """Return what holds for the script at *path*."""
    configuration = configure(argparse.Namespace(), Console())
    return None if configuration is None else configuration.settings(str(path))
