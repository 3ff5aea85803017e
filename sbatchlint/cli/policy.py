"""``sbatchlint policy``: try the policies of a site on their own examples, and say what they may speak of."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.cli.arguments import Parser
from sbatchlint.cli.console import COLOUR_CHOICES, Console, style_for, write
from sbatchlint.cli.status import FAILURE, FINDINGS, OK

if TYPE_CHECKING:
    from sbatchlint.lint.job import LintOptions
    from sbatchlint.policy.rule import Policy

    Found = tuple[Policy, LintOptions]

_EPILOG = """\
sbatchlint policy test [FILE...]     lint each policy's good and bad examples
sbatchlint policy list [FILE...]     list the policies
sbatchlint policy variables          print what an expression may speak of, with types

FILE is a configuration file with [[policy]] tables; without one, the configuration that applies here.

exit status: 0 all as it should be; 1 an example fails; 2 wrong use, or a mistake in a file
"""


def run(arguments: Sequence[str]) -> int:
    """Do what *arguments* say; return the exit status."""
    read = _parser().parse_args(list(arguments))
    if read.what == "variables":
        return _variables(as_markdown=read.output_format == "markdown")
    console = Console()
    policies = _policies(read, console)
    if policies is None:
        return FAILURE
    if not policies:
        where = " ".join(read.file) or "policy"
        console.complain(where, "there is no [[policy]] here; docs/policy.md shows how to write one")
        return FAILURE
    return _test(policies, read) if read.what == "test" else _list(policies)


def _variables(*, as_markdown: bool) -> int:
    from sbatchlint.report.policy_variables import variables_markdown, variables_text

    write(sys.stdout, variables_markdown() if as_markdown else variables_text())
    return OK


def _list(policies: Sequence[Found]) -> int:
    from sbatchlint.report.mask import without_tokens
    from sbatchlint.report.policy_text import policies_text

    write(sys.stdout, without_tokens(policies_text([policy for policy, _ in policies])))
    return OK


def _test(policies: Sequence[Found], read: argparse.Namespace) -> int:
    from sbatchlint.policy.examples import trials
    from sbatchlint.report.policy_text import trials_text

    tried = [(policy, list(trials(policy, options))) for policy, options in policies]
    from sbatchlint.report.mask import without_tokens

    write(sys.stdout, without_tokens(trials_text(tried, style_for(sys.stdout, read.color))))
    return FINDINGS if any(trial.wrong for _, found in tried for trial in found) else OK


def _policies(read: argparse.Namespace, console: Console) -> list[Found] | None:
    """Return the policies of the files that are named, else of the configuration of this folder.

    None, and a complaint for each file, where one of them is wrong.
    """
    from sbatchlint.config.errors import ConfigError
    from sbatchlint.report.mistakes import mistakes_text, without_secrets
    from sbatchlint.toml.read import TomlError

    found: list[Found] = []
    for name in read.file or [None]:
        try:
            found += _read(name)
        except TomlError as error:
            console.fail(mistakes_text(without_secrets(error), style_for(sys.stderr, read.color)))
        except ConfigError as error:
            console.complain(error.subject, error.message)
    return None if console.failed else found


def _read(name: str | None) -> list[Found]:
    """Return the policies of one file with those it extends, or of all that applies here.

    The examples are for the cluster and the release that the configuration names.

    Raises ConfigError and TomlError.
    """
    from sbatchlint.config.discovery import SITE_VARIABLE, Discovery
    from sbatchlint.config.plugins import policy_rules
    from sbatchlint.config.resolve import Resolver
    from sbatchlint.lint.job import LintOptions
    from sbatchlint.policy.examples import EXAMPLE_PATH
    from sbatchlint.policy.rule import PolicyRule

    discovery = Discovery(os.environ) if name is None else Discovery({SITE_VARIABLE: ""}, config=name)
    resolver = Resolver(discovery)
    rules = policy_rules(resolver.stack(os.getcwd()))
    assumed = resolver.options(os.path.join(os.getcwd(), EXAMPLE_PATH))
    options = LintOptions(assumed.release, cluster=assumed.cluster, known_options=assumed.known_options)
    return [(rule.policy, options) for rule in rules if issubclass(rule, PolicyRule)]


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sbatchlint policy",
        description="Try the policies of a site, and say what their expressions may speak of.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="what", required=True, metavar="test|list|variables")
    for what, help in (("test", "lint each policy's examples"), ("list", "list the policies")):
        command = commands.add_parser(what, help=help, allow_abbrev=False)
        command.add_argument(
            "file", nargs="*", metavar="FILE", help="a configuration file (default: what applies here)"
        )
        command.add_argument(
            "--color", choices=COLOUR_CHOICES, default="auto", help="default: auto, on a terminal"
        )
    variables = commands.add_parser("variables", help="what an expression may speak of", allow_abbrev=False)
    variables.add_argument(
        "--output-format", choices=("text", "markdown"), default="text", help="default: text"
    )
    return parser
