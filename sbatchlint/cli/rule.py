"""``sbatchlint rule``: the pages of the rules, and whether they hold."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Sequence
from contextlib import suppress

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.console import Console, write
from sbatchlint.cli.status import FAILURE, OK
from sbatchlint.lint.importing import is_path
from sbatchlint.lint.registry import Registry, RuleLoadError, SelectionError
from sbatchlint.lint.rule import Rule
from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Brought:
    """The rules that are there beside the built-in ones."""

    plugins: tuple[str, ...] = ()
    """Names of packages, and folders."""
    policies: tuple[type[Rule], ...] = ()


def run(arguments: Sequence[str]) -> int:
    """Show or test the rules that *arguments* name; return the exit status."""
    parser = _parser()
    read = parser.parse_args(arguments)
    if sum((bool(read.rule), read.all, read.list)) > 1:
        parser.error("give rules, --all or --list, not several of them")
    if read.test and read.list:
        parser.error("--list shows rules and --test tries them: give one of them")
    if not (read.rule or read.all or read.list or read.test):
        parser.error("name a rule, or give --all, --list or --test")
    console = Console()
    try:
        brought = _brought(read, console)
        if brought is None:
            return FAILURE
        if read.test:
            from sbatchlint.cli.rule_testing import prove

            return prove(read.rule, brought.plugins, every=read.all, as_json=_as_json(read), console=console)
        return _show(read, Registry.load(brought.plugins, more=brought.policies), console)
    except RuleLoadError as error:
        console.complain("rules", str(error))
        return FAILURE


def find(registry: Registry, key: str, console: Console) -> list[type[Rule]]:
    """Return the rule of this code or name, or all rules of a family, a group or with this prefix.

    Nothing, and a complaint with the nearest name, where there is none.
    """
    try:
        rules = _meant(registry, key)
        if not rules:
            console.complain(key, "there is no rule of this kind")
        return rules
    except SelectionError:
        near = registry.suggest(key)
        hint = f"did you mean {near!r}?" if near else "`sbatchlint rule --all` shows all there are"
        console.complain(key, f"no rule has this code or name; {hint}")
        return []


def _meant(registry: Registry, key: str) -> list[type[Rule]]:
    rule = registry.find(key) or registry.find(key.upper()) or registry.find(key.lower())
    return [rule] if rule is not None else list(registry.matching(key))


def _is_known(registry: Registry, key: str) -> bool:
    with suppress(SelectionError):
        return bool(_meant(registry, key))
    return False


def is_package(key: str) -> bool:
    """Tell whether *key* is a package or folder of rules, and no word for rules that are there without it."""
    if is_path(key):
        return True
    with suppress(SelectionError):
        Registry.load().matching(key)
        return False
    with suppress(ImportError, ValueError):
        return key.isidentifier() and importlib.util.find_spec(key) is not None
    return False


def _brought(read: argparse.Namespace, console: Console) -> Brought | None:
    """Return what the command line and the configuration of the current folder bring.

    None, and a complaint, where that is wrong.  A rule that is known without the configuration is shown
    without it, for that may name plugins which have no leave.
    """
    named = Brought(tuple(read.plugin))
    if read.rule:
        registry = Registry.load(named.plugins)
        if all(_is_known(registry, key) or (read.test and is_package(key)) for key in read.rule):
            return named
    from sbatchlint.cli.configuring import configure

    configuration = configure(read, console)
    brought = None if configuration is None else configuration.brought()
    if brought is None:
        return None
    plugins, policies = brought
    return Brought((*named.plugins, *plugins), policies)


def _show(read: argparse.Namespace, registry: Registry, console: Console) -> int:
    from sbatchlint.report.mask import without_tokens
    from sbatchlint.report.rule_page import rule_data, rule_list, rule_page

    found = [find(registry, key, console) for key in read.rule]
    rules = list(registry.rules) if read.all or read.list else [rule for each in found for rule in each]
    if console.failed:
        return FAILURE
    if read.list or (not _as_json(read) and any(len(each) > 1 for each in found)):
        write(sys.stdout, without_tokens(rule_list(rules)))
    elif _as_json(read):
        data = [rule_data(rule) for rule in rules]
        text = json.dumps(data[0] if len(data) == 1 and not read.all else data, indent=2)
        write(sys.stdout, without_tokens(text) + "\n")
    else:
        write(sys.stdout, without_tokens("\n".join(rule_page(rule) for rule in rules)))
    return OK


def _as_json(read: argparse.Namespace) -> bool:
    return bool(read.output_format == "json")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint rule",
        description="Show what a rule is about, or test whether what its page says is true.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "rule",
        nargs="*",
        default=[],
        metavar="CODE|NAME",
        help="the rules to show; a family or prefix lists its own.  --test takes packages and folders, too",
    )
    parser.add_argument("--all", action="store_true", help="show every rule")
    parser.add_argument("--list", action="store_true", help="list every rule in a line, by family")
    parser.add_argument(
        "--test",
        action="store_true",
        help="lint the examples of the pages and tell what is not as the pages say: of the rules named, "
        "else of those of the plugins, else of all",
    )
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="NAME|FOLDER",
        help="load the rules of an installed package, or of a folder (written with a /); may be repeated",
    )
    parser.add_argument("--config", metavar="FILE", help="take the plugins and policies of this file")
    parser.add_argument("--isolated", action="store_true", help="read no configuration file")
    parser.add_argument(
        "--allow-plugins", action="store_true", help="run the code of plugins that a project's file names"
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    return parser
