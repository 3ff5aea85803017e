"""The command: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from benchmarks.against import Setting, many_scripts, one_script, version
from benchmarks.growing import SIZES, growth
from benchmarks.measure import BenchmarkError
from benchmarks.program import find_programs, versions
from benchmarks.table import Row, render

MEASUREMENTS: dict[str, Callable[[Setting], list[Row]]] = {
    "version": version,
    "one": one_script,
    "many": many_scripts,
    **{shape: partial(growth, shape=shape) for shape in SIZES},
}
"""All that is measured, by the names for ``--only``."""


def main(words: list[str] | None = None) -> int:
    """Measure what *words* (this process's, if not given) ask for; return the exit status."""
    asked = _parser().parse_args(words)
    if asked.list:
        for name, measure in MEASUREMENTS.items():
            print(f"{name:10} {_says(name, measure)}")
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
            return _measure(asked, Path(folder))
    except BenchmarkError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks", description="Measure how fast sbatchlint is.")
    parser.add_argument("--only", nargs="+", choices=MEASUREMENTS, metavar="NAME", help="measure these alone")
    parser.add_argument("--list", action="store_true", help="say what can be measured")
    parser.add_argument(
        "--rounds", type=_positive, default=3, metavar="N", help="rounds of each (default: 3)"
    )
    parser.add_argument(
        "--scripts", type=_positive, default=1000, metavar="N", help="how many (default: 1000)"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=60,
        metavar="S",
        help="stop a command after S seconds of work (60)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to FILE too")
    parser.add_argument(
        "--program", metavar="COMMAND", help="how sbatchlint is started (default: the installed one)"
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _measure(asked: argparse.Namespace, work: Path) -> int:
    programs = find_programs(asked.program, work)
    core = max(os.sched_getaffinity(0))
    setting = Setting(programs, work, asked.rounds, asked.scripts, asked.limit, core)
    told = {"date": time.strftime("%Y-%m-%d"), **versions(programs)}
    print(", ".join(f"{name} {value}" for name, value in told.items()))
    rows: list[Row] = []
    for name in asked.only or MEASUREMENTS:
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        rows += MEASUREMENTS[name](setting)
    print(render(rows))
    if asked.json is not None:
        lines = [{**asdict(row), "verdict": row.verdict} for row in rows]
        asked.json.write_text(json.dumps({**told, "rows": lines}, indent=2) + "\n", "utf-8")
    return 0


def _says(name: str, measure: Callable[[Setting], list[Row]]) -> str:
    if isinstance(measure, partial):
        return f"What a script costs as it grows, by {name}."
    return (measure.__doc__ or "").splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
