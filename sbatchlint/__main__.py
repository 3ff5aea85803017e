"""The program: ``sbatchlint`` and ``python -m sbatchlint``."""

import sys

if __name__ == "__main__" and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    # `python -m` looks for modules in the present folder first, and that is the one to be checked.
    del sys.path[0]

import gc

from sbatchlint.cli.main import main

_OBJECTS_BETWEEN_COLLECTIONS = 200_000
"""A start makes 120,000 objects that all stay, and a script leaves some twenty in cycles behind."""


def run() -> None:
    """Run the command line of this process and end it with the command's exit status."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    status = main()
    gc.freeze()  # or the interpreter searches them all for cycles once more before it ends
    sys.exit(status)


if __name__ == "__main__":
    run()
