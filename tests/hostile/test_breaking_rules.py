"""A rule that breaks is told by its code and its file; all else stands, and nothing private is said."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from sbatchlint.report.formats import FORMATS
from sbatchlint.secrets.fake import fake_token
from tests.hostile.payloads import sent
from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.running import Done, run

PRIVATE = "my-private-project"
TOKEN = fake_token("huggingface", random.Random(3))
_HEAD = """
import os, sys
from sbatchlint.api import Edit, Finding, Fix, Fixable, Job, Related, Rule, Severity, Span

class Worst(Exception):
    def __str__(self):
        raise SystemExit(7)
    __repr__ = __str__

class Loud(Exception):
    def __str__(self):
        return "\\x1b[5;7m" + "x" * 10_000_000

class Breaking(Rule):
    '''Breaks.

    ## Why
    To see what happens.
    '''
    code = "SITE001"
    name = "breaking"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job):
"""
_BODIES = {
    "Exception": "raise Exception(job.source.text)",
    "KeyError": "yield {}[job.source.text]",
    "RecursionError": "yield from self.check(job)",
    "MemoryError": "raise MemoryError(job.source.text)",
    "SystemExit": "sys.exit(0)",
    "AssertionError": "assert job is None, os.environ",
    "GeneratorExit": "raise GeneratorExit(job.source.text)",
    "StopIteration": "raise StopIteration(job.source.text)",
    "BrokenPipeError": "raise BrokenPipeError(job.source.text)",
    "FileNotFoundError": "open(job.source.text)",
    "UnicodeEncodeError": "(job.source.text + '\\udc80').encode()",
    "its message breaks": "raise Worst()",
    "its message is long": "raise Loud()",
    "its type is hostile": "raise type(job.source.text.replace('\\0', ''), (Exception,), {})()",
    "a chain": "try:\n    open(job.source.text)\nexcept OSError as e:\n    raise TypeError() from e",
    "midway": "yield self.finding(Span(0, 1), 'before it broke')\nraise ValueError(os.environ)",
    "None": "return None",
    "an int": "yield 1",
    "a text": "yield job.source.text",
    "another's code": "yield Finding('SB301', 'x', Severity.ERROR, job.source.text, Span(0, 1))",
    "out of the file": "yield self.finding(Span(0, 10 ** 9), job.source.text)",
    "backwards": "yield self.finding(Span(5, 1), job.source.text)",
    "a number for a message": "yield self.finding(Span(0, 1), 5)",
    "no text for a note": "yield self.finding(Span(0, 1), 'm', notes=(job,))",
    "no fix": "yield self.finding(Span(0, 1), 'm', fix='x')",
    "a fix of no text": "yield self.finding(Span(0, 1), 'm', fix=Fix.safe('f', Edit(Span(0, 1), 5)))",
}
_QUIET = ("GeneratorExit", "StopIteration", "None")
"""Python, or who asks the rule, may take these for an end or as something else than a fault of ours."""


def _indented(body: str) -> str:
    return "".join(f"        {line}\n" for line in body.split("\n"))


def _fill(folder: Path, body: str) -> None:
    put(folder / "rules/breaking.py", f"{_HEAD}{_indented(body)}        yield from ()\n")
    put(folder / "sbatchlint.toml", "plugins = ['./rules']\n")
    put(folder / "job.sh", f"{HEAD}{WRONG}# {PRIVATE}\nexport HF_TOKEN={TOKEN}\n# \x1b[5;7m\n")
    put(folder / "other.sh", HEAD + WRONG)


def _is_discreet(done: Done, *, sources: bool) -> None:
    errors = b"".join(line for line in done.err.splitlines(True) if b"internal error" in line)
    told = errors.decode("utf-8", "replace")
    for private in (PRIVATE, TOKEN, "environ", "PATH", "#SBATCH", "x" * 1000):
        assert private not in told
    assert TOKEN not in done.both.decode("utf-8", "replace")
    assert sent(done.both) == []
    assert sources or b"Traceback" not in done.err


@pytest.mark.parametrize("name", _BODIES)
def test_a_rule_that_breaks(folder: Path, name: str) -> None:
    _fill(folder, _BODIES[name])
    done = run(folder, "check", "--allow-plugins", "--output-format", "concise", "job.sh", "other.sh")
    _is_discreet(done, sources=False)
    found = [line for line in done.out.decode().splitlines() if " SB301 " in line]
    assert [line.split(":")[0] for line in found] == ["job.sh", "other.sh"]
    if name in _QUIET and b"internal error" not in done.err:
        return
    assert done.status == 2
    told = re.findall(r"^sbatchlint: (\S+): internal error in rule (\w+): ", done.err.decode(), re.MULTILINE)
    assert told == [("job.sh", "SITE001"), ("other.sh", "SITE001")]
    assert ("before it broke" in done.out.decode()) == (name == "midway")


@pytest.mark.parametrize("name", ["Exception", "its message breaks", "a chain", "RecursionError", "no fix"])
@pytest.mark.parametrize(
    "words",
    [
        *(f"check --allow-plugins --output-format {form} job.sh" for form in FORMATS),
        "check --allow-plugins -v job.sh",
        "check --allow-plugins --diff job.sh",
        "check --allow-plugins --statistics job.sh",
        "check --allow-plugins --add-ignore=known job.sh",
        "check --allow-plugins --jobs 2 .",
        "submit --lint-only --lint-config sbatchlint.toml job.sh",
        "diagnose --allow-plugins --script job.sh job.log",
        "rule --test ./rules",
    ],
)
def test_whoever_asks_it(folder: Path, name: str, words: str) -> None:
    _fill(folder, _BODIES[name])
    put(folder / "job.log", "srun: error: node1: task 3: Out Of Memory\n")
    done = run(folder, *words.split())
    _is_discreet(done, sources=" -v " in words)
    if words.startswith("check"):
        assert done.status == 2 and b"internal error in rule SITE001" in done.err


def test_it_does_not_fix_by_halves(folder: Path) -> None:
    _fill(folder, _BODIES["Exception"])
    before = (folder / "other.sh").read_bytes()
    done = run(folder, "check", "--allow-plugins", "--fix", "other.sh")
    assert done.status == 2 and b"internal error in rule SITE001" in done.err
    assert (folder / "other.sh").read_bytes() in (before, before.replace(b"per-node=8\n", b"per-node=1\n", 1))


def test_ctrl_c_in_a_rule_is_ctrl_c(folder: Path) -> None:
    _fill(folder, "raise KeyboardInterrupt()")
    assert run(folder, "check", "--allow-plugins", "job.sh").status == 130


def test_the_line_to_report_has_what_is_needed(folder: Path) -> None:
    _fill(folder, "raise ValueError(job.source.text)")
    done = run(folder, "check", "--allow-plugins", "job.sh")
    line = next(line for line in done.err.decode().splitlines() if "internal error" in line)
    assert re.fullmatch(
        r"sbatchlint: job\.sh: internal error in rule SITE001: ValueError at rules/breaking\.py:\d+"
        r"; please report this line \(--verbose tells more, and may quote the script\)",
        line,
    )


def test_a_fault_of_a_command_itself_quotes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sbatchlint.cli import size

    def broken(words: object) -> int:
        raise ValueError(f"{PRIVATE} {TOKEN} \x1b[5;7m")

    monkeypatch.setattr(size, "run", broken)
    done = run(folder, "size", "minimax-m2")
    assert done.status == 2 and done.out == b""
    told = done.err.decode()
    assert told.startswith("sbatchlint: internal error: ValueError; please report it with the lines below\n")
    assert "test_breaking_rules.py:" in told and PRIVATE not in told and TOKEN not in told
    assert sent(done.err) == []
