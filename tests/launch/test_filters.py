"""``cut``, ``tr``, ``sed`` and others: whatever is said of their output is what the real ones print."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence

import pytest

from sbatchlint.launch.filters import FILTERS
from sbatchlint.launch.values import text_value
from tests.launch.agreement import plan_of

_LETTERS = "ab:, \n\n\t.-1/_=A;Z@#"
_SETS = (
    *"a ab a-z A-Z [:upper:] [:lower:] \\n : , - _ 0-9 a- -a aa ab: [:space:] [:digit:] \\t [a-z]".split(),
    *"a\\ \\\\ . [:punct:] b-a A-b [:alnum:]_- \\x [=a=] [a*2] é".split(),
    *(" ", " \\n", "\n", ""),
)
_SEPARATORS = ("-F:", "-F/", "-F,", "-F\\t", "-F\t", "-F ", "-F-", "-F=", "-F_", "-F.", "-F|", "-F;", "-Ft")


class _Drawn:
    """Draws command lines and texts."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def one(self, options: Sequence[str]) -> str:
        return self._random.choice(options)

    def number(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def some(self, letters: str, low: int, high: int) -> str:
        return "".join(self.one(letters) for _ in range(self.number(low, high)))

    def text(self) -> str:
        return self.some(_LETTERS, 0, 30) + self.one(("\n", "\n", ""))

    def ranges(self) -> str:
        forms = ("{0}", "{0}-", "-{0}", "{0}-{1}")
        pieces = (
            self.one(forms).format(self.number(0, 5), self.number(0, 6)) for _ in range(self.number(1, 3))
        )
        return ",".join(pieces)

    def cut(self) -> list[str]:
        mark, ranges = self.one(":, \t.-/a_=;"), self.ranges()
        lines: Sequence[list[str]] = (
            ["-d" + mark, "-f" + ranges],
            ["-f", ranges],
            ["-c" + ranges],
            ["-d", mark, "-s", "-f", ranges],
        )
        return lines[self.number(0, 3)]

    def tr(self) -> list[str]:
        option = self.one(("", "", "", "-d", "-s", "-dc", "-cd", "-c", "-ds", "-sc", "--delete"))
        return [*([option] if option else []), *(self.one(_SETS) for _ in range(self.number(1, 2)))]

    def wc(self) -> list[str]:
        return [self.one(("-l", "-w", "-c", "-m", "--lines", "-L"))]

    def head(self) -> list[str]:
        number = str(self.number(0, 4))
        lines: Sequence[list[str]] = (
            ["-n" + number],
            ["-" + number],
            ["-n", number],
            [],
            ["--lines=2"],
            ["-n", "-1"],
            ["-n", "+2"],
        )
        return list(lines[self.number(0, 6)])

    def sed(self) -> list[str]:
        kind, mark = self.number(0, 7), self.one("//|,#:")
        if kind < 2:
            return ["-n", f"{self.number(0, 4)}p"] if kind else [f"{self.number(0, 3)}q"]
        old, new = self.some("ab:. -1/_|,+(*^$&", 0, 3), self.some("abxy:/., &|", 0, 3)
        if kind == 7:
            old = self.some("ab-:", 1, 2) + "\\."
        option = self.one(("", "", "-E", "-r", "-e"))
        flag = self.one(("", "g", "g", "I"))
        return [*([option] if option else []), f"s{mark}{old}{mark}{new}{mark}{flag}"]

    def awk(self) -> list[str]:
        field, line = self.one(("1", "2", "3", "NF", "0")), self.number(1, 3)
        programs = (
            f"{{print ${field}}}",
            f"{{ print ${field}; }}",
            f"NR=={line}",
            f"NR == {line} {{ print ${field} }}",
            f"{{print ${field}; exit}}",
            "{print}",
            "{print $1 $2}",
        )
        separator = [self.one(_SEPARATORS)] if self.number(0, 1) else []
        return [*separator, self.one(programs)]


_LINES: dict[str, Callable[[_Drawn], list[str]]] = {
    "cut": _Drawn.cut,
    "tr": _Drawn.tr,
    "wc": _Drawn.wc,
    "head": _Drawn.head,
    "tail": _Drawn.head,
    "sed": _Drawn.sed,
    "awk": _Drawn.awk,
}


def _check(name: str, count: int, seed: int, locale: str) -> int:
    """Compare with the real *name* as often as something is known; give how often that was."""
    known = 0
    drawn = _Drawn(seed)
    for _ in range(count):
        words, text = _LINES[name](drawn), drawn.text()
        parsed = FILTERS[name](words)
        value = None if parsed is None or parsed[1] else parsed[0](text_value(text))
        if value is None or value.text is None:
            continue
        known += 1
        environment = {"PATH": os.environ["PATH"], "LC_ALL": locale}
        real = subprocess.run([name, *words], input=text.encode(), capture_output=True, env=environment)
        assert (real.returncode, real.stdout.decode()) == (0, value.text), (name, words, text, real.stderr)
    return known


_SEED = random.randrange(10**6) if "SBATCHLINT_FRESH_SEEDS" in os.environ else 2
"""As in conftest.py: by hand other texts are tried at each run."""


@pytest.mark.parametrize("name", _LINES)
def test_output_is_that_of_the_real_program(name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"no {name} here")
    assert _check(name, 150, 1, "C.UTF-8") > 20


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["C.UTF-8", "POSIX"])
@pytest.mark.parametrize("name", _LINES)
def test_many_outputs_are_those_of_the_real_program(name: str, locale: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"no {name} here")
    assert _check(name, 3000, _SEED, locale) > 400


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("echo a:b | cut -d: -f2", "b"),
        ("echo a-b | tr - _", "a_b"),
        ("echo 'a b c' | wc -w", "3"),
        ("printf 'a\\nb\\n' | head -n1", "a"),
        ("printf 'a\\nb\\n' | tail -1", "b"),
        ("echo llama.nemo | sed 's/\\.nemo//'", "llama"),
        ("echo ' 7  gpus' | awk '{print $1}'", "7"),
        ("expr 6 / -4", "-1"),
        ("expr 3 \\* 4", "12"),
        ("echo $((4 * 8)) | cut -c1", "3"),
    ],
)
def test_what_is_known(command: str, printed: str) -> None:
    (word,) = plan_of(f'#!/bin/bash\n#SBATCH -N1\nX=$({command})\npython "$X"\n').host_programs[-1].words[1:]
    assert word.text == printed


@pytest.mark.parametrize(
    "command",
    [
        "echo a:b | cut -d: --complement -f2",
        "echo é | tr é e",
        "echo ab | sed 's/a*/x/'",
        "echo ab | sed -i 's/a/x/'",
        "echo a | awk '{print $1 $1}'",
        "echo a b | awk '{print $1, $2}'",
        "echo a.b | awk -F. '{print $1}'",
        "wc -l /etc/passwd",
        "head -n1 elsewhere.txt",
        "expr 1 / 0",
        "expr abc : a",
        "cut -d: -f1",
    ],
)
def test_what_is_left_unknown(command: str) -> None:
    (word,) = plan_of(f'#!/bin/bash\n#SBATCH -N1\nX=$({command})\npython "$X"\n').host_programs[-1].words[1:]
    assert word.text is None


def test_places_are_kept() -> None:
    text = "#!/bin/bash\n#SBATCH -N1\nX=train.py:big\npython $(echo $X | cut -d: -f1)\n"
    (word,) = plan_of(text).host_programs[-1].words[1:]
    span = word.value.span
    assert span is not None and text[span.start : span.end] == "train.py"
