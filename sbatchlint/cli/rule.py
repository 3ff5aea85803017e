"""``sbatchlint rule``: the pages of the rules."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress

from sbatchlint.cli.console import Console, write
from sbatchlint.cli.status import FAILURE, OK
from sbatchlint.lint.registry import Registry, RuleLoadError, SelectionError
from sbatchlint.lint.rule import Rule
from sbatchlint.report.rule_page import rule_data, rule_list, rule_page


def run(arguments: Sequence[str]) -> int:
    """Show the rules that *arguments* name; return the exit status."""
    read = _parser().parse_args(arguments)
    console = Console()
    try:
        registry = Registry.load()
    except RuleLoadError as error:
        console.complain("rules", str(error))
        return FAILURE
    found = [_find(registry, key, console) for key in read.rule]
    rules = list(registry.rules) if read.all or read.list else [rule for each in found for rule in each]
    if console.failed:
        return FAILURE
    if read.list or (read.output_format == "text" and any(len(each) > 1 for each in found)):
        write(sys.stdout, rule_list(rules))
    elif read.output_format == "json":
        data = [rule_data(rule) for rule in rules]
        write(sys.stdout, json.dumps(data if read.all or len(data) > 1 else data[0], indent=2) + "\n")
    else:
        write(sys.stdout, "\n".join(rule_page(rule) for rule in rules))
    return OK


def _find(registry: Registry, key: str, console: Console) -> list[type[Rule]]:
    """Return the rule of this code or name, or all rules of a family or with this prefix."""
    rule = registry.find(key) or registry.find(key.upper()) or registry.find(key.lower())
    if rule is None:
        with suppress(SelectionError):
            return [type(rule) for rule in registry.select((key,)).rules]
        near = registry.suggest(key)
        hint = f"did you mean {near!r}?" if near else "`sbatchlint rule --all` shows all there are"
        console.complain(key, f"no rule has this code or name; {hint}")
        return []
    return [rule]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sbatchlint rule", description="Show what a rule is about.", allow_abbrev=False
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "rule", nargs="*", default=[], metavar="CODE|NAME", help="the rules to show; a family lists its own"
    )
    which.add_argument("--all", action="store_true", help="show every rule")
    which.add_argument("--list", action="store_true", help="list every rule in a line, by family")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    return parser
