"""The program: ``sbatchlint`` and ``python -m sbatchlint``."""

import sys

from sbatchlint.cli.main import main


def run() -> None:
    """Run the command line of this process and end it with the command's exit status."""
    sys.exit(main())


if __name__ == "__main__":
    run()
