"""Fuzzing that is led by coverage, with atheris."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from random import Random

import atheris

from tests.fuzz.failures import Failures
from tests.fuzz.limits import LIMIT
from tests.fuzz.mutations import ODD, mutated
from tests.fuzz.seeds import seeds
from tests.fuzz.table import Target, target

_LONGEST = 8_192
_NEVER = 1_000_000
"""Seconds: the time for an input is limited by us."""
_EDITED = 0.5
"""The part of the inputs that is changed as people change files, and not by libFuzzer."""
_PACKAGES = ("sbatchlint", "sbatchlint_rules", "bashlex")
_WARMED = 40
"""So many seeds are run first."""


def run(failures: Failures, seconds: float, chosen: list[bytes], corpus: str | None, seed: int) -> None:
    """Try inputs for *seconds*, beginning with *chosen*; ends the process and never returns.

    Inputs that reach new code are kept in the folder *corpus*.
    """
    name = failures.name
    one = failures.watching(_instrumented(name), LIMIT * 3)  # what is watched takes longer
    folder = Path(corpus or tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(chosen):
        (folder / f"seed-{number:04}").write_bytes(data)
    words = Path(tempfile.mkstemp(prefix="fuzz-words-")[1])
    words.write_text(_dictionary(name), "ascii")
    failures.begin(seconds)

    def until_the_end(data: bytes) -> None:
        if failures.is_over:
            words.unlink()
            print(failures.summary(), flush=True)
            os._exit(failures.status)
        one(data)

    options = [
        f"-dict={words}",
        f"-max_len={_LONGEST}",
        f"-timeout={_NEVER}",
        "-verbosity=0",
        f"-seed={seed}",
    ]
    options += ["-rss_limit_mb=0", "-use_value_profile=1", str(folder)]
    atheris.Setup([sys.argv[0], *options], until_the_end, custom_mutator=_mutator(Random(seed)))
    atheris.Fuzz()


def _instrumented(name: str) -> Target:
    """Return the target, with all modules that it imports noting where they have been."""
    with (
        open(os.devnull, "w", encoding="utf-8") as nothing,
        contextlib.redirect_stderr(nothing),
        atheris.instrument_imports(include=list(_PACKAGES), enable_loader_override=False),
    ):
        found = target(name)
        for data in Random(1).sample(seeds(name), min(len(seeds(name)), _WARMED)):
            with contextlib.suppress(Exception):  # told later; here it is for the imports in functions
                found(data)
    return found


def _mutator(chance: Random):  # type: ignore[no-untyped-def]
    def change(data: bytes, most: int, _seed: int) -> bytes:
        if chance.random() < _EDITED:
            return mutated(data, chance, most)
        return bytes(atheris.Mutate(data, most))

    return change


def _dictionary(name: str) -> str:
    """Return the words that libFuzzer puts into inputs, in its own quoting."""
    found: dict[bytes, int] = {}
    for text in seeds(name):
        for word in text.split():
            found[word] = found.get(word, 0) + 1
    often = sorted(found, key=lambda word: (-found[word], word))[:600]
    words = {word for word in (*often, *ODD) if 1 < len(word) < 40}
    return "".join(f'"{"".join(f"{chr(92)}x{byte:02x}" for byte in word)}"\n' for word in sorted(words))
