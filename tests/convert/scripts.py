"""Batch scripts made of commands, for the tests."""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.convert.conversion import convert
from sbatchlint.convert.site import Site
from sbatchlint.lint.engine import LintOptions, lint_source
from sbatchlint.lint.registry import Registry
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source

FILLED = Site(time="01:00:00", account="acme", partition="gpu")
_RULES = Registry.load().select()


def made(command: str, site: Site = FILLED, **options: object) -> str:
    """The script for the shell text *command*."""
    return script_text(convert(Source.from_text(command), site, **options))  # type: ignore[arg-type]


def with_nodes(nodes: int, gpus: int | None = None) -> Site:
    """A site where nothing is left to be filled in."""
    return replace(FILLED, nodes=nodes, gpus_per_node=gpus)


def findings(script: str) -> list[str]:
    """What a default run of the linter says of *script*."""
    result = lint_source(Source.from_text(script, "job.sbatch"), _RULES, LintOptions(pedantic=False))
    assert not result.internal_errors
    return [f"{one.code} {one.message}" for one in result.findings]
