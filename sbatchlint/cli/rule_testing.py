"""``sbatchlint rule --test``: whether rules do what their pages say."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence

from sbatchlint.cli.console import Console, style_for, write
from sbatchlint.cli.rule import find, is_package
from sbatchlint.cli.status import FAILURE, FINDINGS, OK
from sbatchlint.lint.docs import read_doc
from sbatchlint.lint.loading import load_rules
from sbatchlint.lint.registry import Registry
from sbatchlint.lint.rule import Rule
from sbatchlint.lint.rule_test import check_rule_docs
from sbatchlint.records import dataclass
from sbatchlint.report.cells import shown
from sbatchlint.report.style import Style
from sbatchlint.report.summary import count


@dataclass(frozen=True, slots=True)
class Tested:
    """A rule and what is wrong with its page; nothing if all of it holds."""

    rule: type[Rule]
    problems: tuple[str, ...]


def prove(
    keys: Sequence[str], plugins: Sequence[str], *, every: bool, as_json: bool, console: Console
) -> int:
    """Try the pages of the rules that *keys* name and show what does not hold; return the exit status.

    A key is a code, a name, a prefix or a family, or a package or folder of rules, which is loaded as the
    *plugins* are.  Without keys those of the plugins are tried; all, if *every*, or if there is no plugin.
    Raises RuleLoadError where rules cannot be loaded.
    """
    named = [key for key in keys if key not in plugins and is_package(key)]
    packages = {package: load_rules(package) for package in dict.fromkeys([*plugins, *named])}
    registry = Registry.load(packages)
    rules: list[type[Rule]] = []
    for key in keys:
        if key in packages:
            rules += packages[key]
        elif os.path.isdir(key) and not registry.suggest(key):
            console.complain(key, f"no rule has this code or name; write ./{key} for the folder")
        else:
            rules += find(registry, key, console)
    if every or not (keys or packages):
        rules = list(registry.rules)
    elif not keys:
        rules = [rule for package in packages.values() for rule in package]
    if console.failed:
        return FAILURE
    tested = _try(sorted(dict.fromkeys(rules), key=lambda rule: rule.code), packages)
    if as_json:
        write(sys.stdout, json.dumps([_data(one) for one in tested], indent=2) + "\n")
    else:
        write(sys.stdout, _text(tested, style_for(sys.stdout, "auto")))
    return FINDINGS if any(one.problems for one in tested) else OK


def _try(rules: Iterable[type[Rule]], packages: Mapping[str, Sequence[type[Rule]]]) -> list[Tested]:
    """Try each of *rules* beside the built-in ones and those of its own package alone.

    What another package has against an example is no fault of the rule: its author need not know of it.
    """
    home = {rule: package for package, owned in packages.items() for rule in owned}
    registries = {package: Registry.load([package]) for package in packages}
    built_in = Registry.load()
    tested = []
    for rule in rules:
        registry = registries[home[rule]] if rule in home else built_in
        tested.append(Tested(rule, tuple(check_rule_docs(rule, registry))))
    return tested


def _text(tested: Sequence[Tested], style: Style) -> str:
    lines = []
    for one in tested:
        if one.problems:
            lines.append(style.strong(f"{one.rule.code} {one.rule.name}"))
        for problem in one.problems:
            first, *more = problem.splitlines() or [""]
            lines.append(f"  {shown(first)}")
            lines += [f"    {shown(line)}" for line in more]
    return "\n".join([*lines, _summary(tested)]) + "\n"


def _summary(tested: Sequence[Tested]) -> str:
    docs = [read_doc(one.rule) for one in tested]
    examples = count(sum(len(doc.bad) + len(doc.good) for doc in docs), "example")
    failed = sum(bool(one.problems) for one in tested)
    outcome = f"problems with {count(failed, 'rule')}" if failed else "all is as the pages say"
    return f"Tested {count(len(tested), 'rule')} by {examples}: {outcome}."


def _data(tested: Tested) -> dict[str, object]:
    return {"code": tested.rule.code, "name": tested.rule.name, "problems": list(tested.problems)}
