"""Rules of others are loaded where their user says so."""

from __future__ import annotations

import pytest

from tests.cli.configuration.asking import CONCISE, codes
from tests.cli.conftest import Run, Write

PLUGIN = (
    "from sbatchlint.api import Rule, Severity\n\nclass Mine(Rule):\n    '''Doc.'''\n\n"
    "    code, name, severity = 'ACME001', 'mine', Severity.ERROR\n\n"
    "    def check(self, job):\n        yield self.finding(job.source.line_span(1), 'found')\n"
)


def test_code_of_a_project_needs_leave(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("job.sh")
    write("leave_rules/__init__.py", whole=PLUGIN)
    write("sbatchlint.toml", whole='plugins = ["./leave_rules"]\n')
    assert run("job.sh").status == 2
    assert codes(run(*CONCISE, "--allow-plugins", "job.sh")) == ["job.sh ACME001"]
    assert codes(run(*CONCISE, "--config", "sbatchlint.toml", "job.sh")) == ["job.sh ACME001"]
    monkeypatch.setenv("SBATCHLINT_ALLOW_PLUGINS", "0")
    assert run("job.sh").status == 2
    monkeypatch.setenv("SBATCHLINT_ALLOW_PLUGINS", "1")
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh ACME001"]


def test_code_of_the_site_needs_none(run: Run, write: Write, site: Write) -> None:
    write("job.sh", "BAD\n")
    write("site/site_rules_of_test/__init__.py", whole=PLUGIN)
    site('plugins = ["./site_rules_of_test"]\n')
    write("sbatchlint.toml", whole='ignore = ["TST"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh ACME001"]


def test_what_the_site_names_a_project_may_name_too(run: Run, write: Write, site: Write) -> None:
    write("job.sh")
    write("site/of_both/__init__.py", whole=PLUGIN)
    write("of_project/__init__.py", whole=PLUGIN.replace("ACME001", "ACME002").replace("mine", "other"))
    site('plugins = ["./of_both"]\n')
    write("sbatchlint.toml", whole='plugins = ["site/of_both"]\n')
    assert codes(run(*CONCISE, "job.sh")) == ["job.sh ACME001"]
    write("sbatchlint.toml", whole='plugins = ["site/of_both", "./of_project"]\n')
    done = run("job.sh")
    assert done.status == 2
    assert "'./of_project' would run code that this project brings" in done.err


def test_very_many_globs(run: Run, write: Write) -> None:
    globs = [f'"old{number}/**/*.{number}.sh"' for number in range(3000)]
    write("sbatchlint.toml", whole=f"exclude = [{', '.join(globs)}]\n")
    write("jobs/.gitignore", whole="".join(f"gone{number}/**/*.{number}\n" for number in range(3000)))
    write("old2999/a.2999.sh", "BAD\n")
    write("jobs/gone7/a.7", "BAD\n")
    write("jobs/new.sh", "BAD\n")
    done = run(*CONCISE, ".")
    assert codes(done) == ["./jobs/new.sh TST101"]
    assert "re2" not in done.err.lower()
