"""Fuzzing by hand: ``python -m tests.fuzz TARGET [--seconds N] [--corpus DIR] [--blind]``.

Inputs that fail are written to a folder, one for each place in the code, and the run goes on.  At the end it
says how many inputs it saw; the exit status is 1 if one failed.  It is led by coverage where atheris is
installed (``pip install -e '.[fuzz]'``), and changes seeds at random otherwise.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from random import Random

from tests.fuzz.failures import Failures
from tests.fuzz.seeds import seeds
from tests.fuzz.table import NAMES


def main() -> int:
    """Run the target that the command line names; return the exit status."""
    read = _parser().parse_args()
    warnings.simplefilter("error")
    failures = Failures(read.target, Path(read.failures))
    chosen = list(seeds(read.target))
    Random(read.seed).shuffle(chosen)
    del chosen[read.seeds :]
    if not read.blind and find_spec("atheris") is not None:
        from tests.fuzz import guided

        guided.run(failures, read.seconds, chosen, read.corpus, read.seed)
    from tests.fuzz import blind

    blind.run(failures, read.seconds, chosen, read.seed)
    print(failures.summary())
    return failures.status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Try random inputs on a target."
    )
    parser.add_argument("target", choices=NAMES)
    parser.add_argument("--seconds", type=float, default=60, help="how long, default 60")
    parser.add_argument("--blind", action="store_true", help="without coverage, which tries more inputs")
    parser.add_argument("--corpus", metavar="DIR", help="where inputs that reach new code are kept")
    parser.add_argument("--failures", metavar="DIR", default="fuzz-failures", help="where failing inputs go")
    parser.add_argument("--seeds", type=int, default=300, help="how many texts to begin with, default 300")
    parser.add_argument("--seed", type=int, default=1, help="of the random choices, default 1")
    return parser


if __name__ == "__main__":
    sys.exit(main())
