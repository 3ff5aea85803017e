"""The reader of command lines: argparse, whose complaints quote words that came from anywhere."""

from __future__ import annotations

import argparse
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """An ``ArgumentParser`` that sends no word of the command line to the terminal as it is.

    A word may be the name of a file that the shell put there for a ``*``.
    """

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and end with status 2."""
        from sbatchlint.report.cells import shown

        super().error(shown(message))
