"""Counts what a check does, instead of timing it: the same number on any machine, however busy.

``python -m benchmarks.counting SHAPE [SIZE]`` tells which functions' work grows faster than the script.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING

from benchmarks.measure import BenchmarkError
from benchmarks.shapes import SHAPES

if TYPE_CHECKING:
    from sbatchlint.cli.checking import Checker

TIMES = (1, 2, 4)
"""The sizes that are compared, as multiples of the smallest."""


def calls_of_check(text: str, folder: Path) -> Counter[CodeType]:
    """Count the calls that are made when a script with *text* is checked, in this process.

    A call of Python code is counted with that code, one of C code with what calls it.  A loop in C, such as
    the search of a list, is one call however long it takes; the benchmarks see those by the clock.  What an
    earlier check has left in memory is forgotten first.  Raises BenchmarkError if the check fails.
    """
    from sbatchlint.cli.inputs import Input
    from sbatchlint.report.full import full
    from sbatchlint.report.model import RunReport

    checker = _checker()
    given = Input(str(folder / "grown.sbatch"), text.encode())
    _forget_texts()
    calls: Counter[CodeType] = Counter()

    def look(frame: FrameType, event: str, arg: object) -> None:
        if event in ("call", "c_call"):
            calls[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        checked = checker.check(given)
        if checked is not None:
            full(RunReport((checked.report,)))
    finally:
        sys.setprofile(before)
    if checked is None or checked.result.internal_errors:
        raise BenchmarkError("the check failed")
    return calls


@cache
def _checker() -> Checker:
    """Return what checks a file as the command does, without its start-up."""
    from sbatchlint.cli.checking import Checker
    from sbatchlint.cli.console import Console
    from sbatchlint.lint.registry import Registry

    return Checker(Registry.load().select(), Console(), unsafe=False, verbose=False, time_limit=0)


def _forget_texts() -> None:
    """Empty the caches of bounded size, which hold answers about texts; the others hold tables."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("sbatchlint", "sbatchlint_rules"):
            for kept in vars(module).values():
                if isinstance(kept, _lru_cache_wrapper) and kept.cache_parameters()["maxsize"] is not None:
                    kept.cache_clear()


def calls_of_shape(shape: str, size: int, folder: Path) -> list[Counter[CodeType]]:
    """Count the calls for *shape* at *size* and at its multiples.

    Some are checked beforehand: modules are imported and methods compiled when they are first needed.
    """
    texts = [SHAPES[shape](size * times) for times in TIMES]
    for text in (texts[-1], texts[0]):
        calls_of_check(text, folder)
    return [calls_of_check(text, folder) for text in texts]


def growth(shape: str, size: int, folder: Path) -> float:
    """Return how much more the step from 2 to 4 times *size* costs than the one from *size* to twice that.

    That is 2 where the cost is linear, whatever a script of no size costs, and 4 where it is quadratic.
    Raises BenchmarkError where a larger script costs less, because it is given up.
    """
    small, middle, large = (calls.total() for calls in calls_of_shape(shape, size, folder))
    if not small < middle < large:
        raise BenchmarkError(
            f"{shape} costs {small}, {middle} and {large} calls; choose another size than {size}"
        )
    return (large - middle) / (middle - small)


def culprits(small: Counter[CodeType], middle: Counter[CodeType], large: Counter[CodeType]) -> Iterator[str]:
    """Yield the code whose calls grow faster than the script, and how many there are, the worst first."""
    beyond = {code: large[code] - middle[code] - 2 * (middle[code] - small[code]) for code in large}
    for code in sorted(beyond, key=lambda code: -beyond[code]):
        if beyond[code] > max(10, large.total() / 5000):
            place = f"{code.co_filename}:{code.co_firstlineno} {code.co_name}"
            yield f"{small[code]:>9,} {middle[code]:>9,} {large[code]:>9,}  {place}"


def main() -> None:
    """Print the culprits for the shapes that are named."""
    parser = argparse.ArgumentParser("python -m benchmarks.counting")
    parser.add_argument("shape", choices=SHAPES, metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("size", nargs="?", type=int, default=20, help="of the smallest of three scripts (20)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        calls = calls_of_shape(asked.shape, asked.size, Path(folder))
    small, middle, large = (each.total() for each in calls)
    grown = (large - middle) / (middle - small)
    print(f"{small:>9,} {middle:>9,} {large:>9,}  calls; the steps grow by {grown:.2f}")
    print("\n".join(list(culprits(*calls))[:12]))


if __name__ == "__main__":
    main()
