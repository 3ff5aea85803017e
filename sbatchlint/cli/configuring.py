"""From the command line and the files to the configuration of a run."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any

from sbatchlint.cli.assumptions import Assumptions, add_switch, read_assumptions
from sbatchlint.cli.configuration import Configuration
from sbatchlint.cli.console import Console

_SAID = (
    *("select", "extend-select", "ignore", "fail-on", "pedantic", "unsafe-fixes"),
    *("exclude", "extend-exclude", "force-exclude", "respect-gitignore", "include-markdown"),
)
"""What a command line may say in the words of the file."""


def add_configuration(group: argparse._ArgumentGroup) -> None:
    """Add the options that say which configuration is read, and which files are looked at."""
    group.add_argument(
        "--config",
        metavar="FILE",
        help="read this file, not the closest sbatchlint.toml or pyproject.toml",
    )
    group.add_argument("--isolated", action="store_true", help="read no configuration file")
    for option, text in (
        ("--exclude", "leave these out, as a line of .gitignore names them; repeatable"),
        ("--extend-exclude", "leave these out besides those of the configuration; repeatable"),
    ):
        group.add_argument(option, metavar="GLOB", action="append", help=text)
    add_switch(group, "--force-exclude", "leave excluded files out even where they are named")
    add_switch(group, "--respect-gitignore", None)
    group.add_argument(
        "--allow-plugins", action="store_true", help="run the code of plugins that a project's file names"
    )


def configure(read: argparse.Namespace, console: Console, paths: Sequence[str] = ()) -> Configuration | None:
    """Return what the files and the command line *read* say; None, and a complaint, where that is wrong.

    *paths* are what the run is about.
    """
    from sbatchlint.config.discovery import Discovery
    from sbatchlint.config.plugins import ALLOW_VARIABLE
    from sbatchlint.config.resolve import Resolver

    colour = getattr(read, "color", "auto")
    config, isolated = getattr(read, "config", None), getattr(read, "isolated", False)
    if isolated and config is not None:
        console.complain("--isolated", "it reads no file, and --config names one; leave out one of the two")
        return None
    if config is not None and (not config or ("=" in config and not os.path.lexists(config))):
        console.complain("--config", f"{config!r} is no file; name one, settings are given by their options")
        return None
    discovery = Discovery(os.environ, config=config, isolated=isolated)
    told: set[str] = set()
    files = Configuration(Resolver(discovery), console, colour, told=told)
    home = _home(discovery.closest, paths)
    stack = files.run_wide(home)  # a mistake in it concerns its own scripts: others are looked at
    console.failed, broken = False, console.failed
    assumptions = read_assumptions(read, console, () if stack is None else stack.files)
    console.failed = console.failed or broken
    if assumptions is None:
        return None
    allowed = getattr(read, "allow_plugins", False) or os.environ.get(ALLOW_VARIABLE, "") not in ("", "0")
    resolver = Resolver(
        discovery,
        _said(read, assumptions),
        allow_plugins=allowed,
        environment=os.environ if assumptions.use_environment else None,
    )
    configuration = Configuration(resolver, console, colour, assumptions.arguments, told)
    configuration.home = home
    cluster = stack is not None and "cluster" in assumptions.said
    if cluster and configuration.options(os.path.join(home, "job.sh")) is None:
        return None  # told even where there is no script to look at
    return configuration


def _said(read: argparse.Namespace, assumptions: Assumptions) -> dict[str, Any]:
    """Return what the command line says, by the keys of the file."""
    found = {key: getattr(read, key.replace("-", "_"), None) for key in _SAID}
    found.update(assumptions.said)
    return {key: value for key, value in found.items() if value is not None and value != []}


def _home(closest: Callable[[str], str | None], paths: Sequence[str]) -> str:
    """Return the folder whose configuration holds for the run as a whole.

    It is the current one; where none is found there, that of the first path.
    """
    here = os.getcwd()
    named = next((os.path.abspath(path) for path in paths if path != "-"), None)
    if named is None or closest(here) is not None:
        return here
    return named if os.path.isdir(named) else os.path.dirname(named)
