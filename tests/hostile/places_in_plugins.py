"""Texts that somebody's rules say."""

from __future__ import annotations

from pathlib import Path

from sbatchlint.report.formats import FORMATS
from tests.hostile.places import put, scene, settings

_PLUGIN = """
from sbatchlint.api import Confidence, Edit, Finding, Fix, Fixable, Job, Related, Rule, Severity, Span

TEXT = {0!r}

class Quoting(Rule):
    __doc__ = f'''Quotes {{TEXT}}.

    ## Why
    {{TEXT}}
    '''
    code = "SITE001"
    name = "quoting"
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS

    def check(self, job):
        place = Span(0, 3)
        yield self.finding(
            place, TEXT, label=TEXT, help=TEXT, notes=(TEXT,), related=(Related(place, TEXT),),
            fix=Fix.safe(TEXT, Edit(Span(len(job.source.text), len(job.source.text)), "#x")),
        )

class Breaking(Rule):
    '''Breaks.'''
    code = "SITE002"
    name = "breaking"
    severity = Severity.ERROR

    def check(self, job):
        print(TEXT)
        raise type(TEXT.replace("\\0", ""), (ValueError,), {{}})(TEXT)
        yield
"""


@scene(
    "plugin",
    [
        *(("check", "--allow-plugins", "--output-format", form, "job.sh") for form in FORMATS),
        ("check", "--allow-plugins", "-v", "job.sh"),
        ("check", "--allow-plugins", "--diff", "job.sh"),
        ("rule", "SITE001", "--plugin", "./rules"),
        ("rule", "SITE001", "--plugin", "./rules", "--output-format", "json"),
        ("rule", "--list", "--plugin", "./rules"),
        ("rule", "--test", "./rules"),
        ("submit", "--lint-only", "--lint-config", "sbatchlint.toml", "job.sh"),
    ],
)
def _plugin(folder: Path, text: str) -> None:
    settings(folder, "plugins = ['./rules']\n")
    put(folder / "rules/quoting.py", _PLUGIN.format(text.encode("utf-8", "ignore").decode()))


@scene(
    "plugin that breaks",
    [("check", "--allow-plugins", "-v", "job.sh"), ("rule", "--list", "--plugin", "./rules")],
)
def _broken_plugin(folder: Path, text: str) -> None:
    settings(folder, "plugins = ['./rules']\n")
    put(folder / "rules/broken.py", f"raise ValueError({text!r})\n")


@scene("plugin that is no Python", [("check", "--allow-plugins", "job.sh"), ("rule", "--test", "./rules")])
def _no_python(folder: Path, text: str) -> None:
    settings(folder, "plugins = ['./rules']\n")
    put(folder / "rules/broken.py", f"x = 1\ndef {text}(:\n")
