"""Plugins that do what they should not: told in a line, and nothing else suffers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Related
from sbatchlint.lint.loading import RuleLoadError, load_rules
from sbatchlint.lint.registry import Registry
from sbatchlint.lint.well_formed import problem_of
from sbatchlint.source import Source, Span
from tests.adopt.linting import all_rules, lint

RULE = '''
from sbatchlint.api import *
class One(Rule):
    """Page."""
    code, name, severity = {code}, {name}, Severity.WARNING
    def check(self, job):
        {body}
'''
TEXT = "#!/bin/bash\n#SBATCH --nodes=2\nexport NCCL_DEBGU=INFO\nhostname\n"


def plugin(
    folder: Path,
    before: str = "",
    *,
    code: str = "'ACME001'",
    name: str = "'one'",
    body: str = "return iter(())",
) -> str:
    place = folder / "rules"
    place.mkdir()
    (place / "__init__.py").write_text(before + RULE.format(code=code, name=name, body=body))
    return f"{place}/"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("class E(BaseException): pass\nraise E('why')", "E: why"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("class E(Exception):\n    def __str__(self): raise ValueError\nraise E", "cannot be shown"),
        ("import sys; sys.exit('bye')", "ends the program, with status bye"),
        ("def __getattr__(name): raise RuntimeError(name)\nSBATCHLINT_API = '1'", "must be a number"),
        ("SBATCHLINT_API = True", "must be a number"),
        ("SBATCHLINT_API = 2", "version 2 of the rule API"),
    ],
)
def test_whatever_is_raised_while_it_is_imported(tmp_path: Path, before: str, said: str) -> None:
    with pytest.raises(RuleLoadError, match=said):
        load_rules(plugin(tmp_path, f"{before}\n"))


def test_an_interrupt_is_no_fault_of_it(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load_rules(plugin(tmp_path, "raise KeyboardInterrupt\n"))


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("'ACME٠٠١'", "'one'"),
        ("'ACME001\\n'", "'one'"),
        ("type('S', (str,), {'__lt__': lambda *_: 1 / 0})('ACME001')", "'one'"),
        ("property(lambda self: 1 / 0)", "'one'"),
        ("'ACME001'", "'all'"),
        ("'ACME001'", "type('S', (str,), {'__hash__': lambda _: 1 / 0})('one')"),
    ],
)
def test_codes_and_names_are_plain_words(tmp_path: Path, code: str, name: str) -> None:
    with pytest.raises(RuleLoadError, match=r"(code|name) must"):
        load_rules(plugin(tmp_path, code=code, name=name))


def test_a_class_that_cannot_be_looked_at(tmp_path: Path) -> None:
    text = (
        "from sbatchlint.api import Rule\n"
        "class Meta(type(Rule)):\n"
        "    def __getattribute__(cls, name):\n"
        "        if name == 'code': raise RuntimeError('never')\n"
        "        return super().__getattribute__(name)\n"
        "class Two(Rule, metaclass=Meta):\n"
        "    '''Page.'''\n"
        "    def check(self, job): return iter(())\n"
    )
    with pytest.raises(RuleLoadError, match="cannot be looked at: RuntimeError: never"):
        load_rules(plugin(tmp_path, text))


def test_what_a_module_changes_of_the_process_is_put_back(tmp_path: Path) -> None:
    handler, streams, folder = (
        signal.getsignal(signal.SIGINT),
        (sys.stdin, sys.stdout, sys.stderr),
        os.getcwd(),
    )
    load_rules(
        plugin(
            tmp_path,
            "import os, signal, sys\nos.chdir('/')\nsys.stdin = sys.stdout = sys.stderr = None\n"
            "signal.signal(signal.SIGINT, signal.SIG_IGN)\n",
        )
    )
    assert (sys.stdin, sys.stdout, sys.stderr) == streams
    assert os.getcwd() == folder
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize(
    "body",
    [
        "yield None",
        "yield self.finding(Span(0, 3), None)",
        "yield self.finding(Span(0.0, 3.0), 'x')",
        "yield self.finding(Span(0, 999), 'x')",
        "yield self.finding(Span(0, 3), 'x', severity='error')",
        "yield self.finding(Span(0, 3), 'x', notes=[1])",
        "yield self.finding(Span(0, 3), 'x', related=[Related(Span(0, 999), 'y')])",
        "yield self.finding(Span(0, 3), 'x', fix='no fix')",
        "yield self.finding(Span(0, 3), 'x', fix=Fix.safe('t', Edit(Span(0, 3), None)))",
        "raise GeneratorExit",
        "class E(Exception):\n            def __str__(self): raise ValueError\n        raise E",
    ],
)
def test_a_finding_that_cannot_be_shown_is_the_fault_of_its_rule(tmp_path: Path, body: str) -> None:
    rules = Registry.load([plugin(tmp_path, body=body)]).select()
    result = lint_source(Source.from_text(TEXT, "job.sh"), rules)
    assert [error.code for error in result.internal_errors] == ["ACME001"]
    assert result.findings == lint(TEXT).findings != ()


def test_what_is_sound_has_no_problem() -> None:
    finding = lint(TEXT).findings[0]
    rule = next(rule for rule in all_rules().rules if rule.code == finding.code)
    fix = Fix.safe("write it", Edit(Span(0, 10_000), ""))  # refused later, with a reason
    more = rule.finding(Span(0, 0), "x", notes=("y",), related=[Related(Span(1, 2), "z")], fix=fix)
    assert problem_of(finding, len(TEXT)) == problem_of(more, len(TEXT)) == ""


def test_what_a_rule_prints_does_not_spoil_the_output(tmp_path: Path) -> None:
    plugin(tmp_path, body="print('noise'); yield self.finding(Span(0, 3), 'x')")
    (tmp_path / "c.toml").write_text('plugins = ["./rules"]\n')
    (tmp_path / "job.sh").write_text(TEXT)
    command = [sys.executable, "-m", "sbatchlint", "--config", "c.toml", "--output-format", "json", "job.sh"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert {"ACME001"} < {one["code"] for one in json.loads(done.stdout)["findings"]}
    assert b"noise" in done.stderr
