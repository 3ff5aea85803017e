"""What is assumed of the submission: the options that ``check`` and ``plan`` share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sbatchlint.cli.console import Console
from sbatchlint.config.values import (
    is_variable,
    option_name,
    release_fault,
    sbatch_args_faults,
    variable_faults,
    words_of,
)
from sbatchlint.records import dataclass

if TYPE_CHECKING:
    from sbatchlint.config.sheets import Sheet

_WITH_ANY_VALUE = ("--sbatch-args", "--arg", "--env", "--known-option")
_ARG = "give the script's own arguments with --arg"


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What the command line assumes of the submission."""

    said: Mapping[str, Any]
    """What a configuration file may say as well, by the keys of the file."""
    arguments: tuple[str, ...] | None = None
    """What the script is given on its own command line; None where that is not known."""
    use_environment: bool = False
    """Whether the ``SBATCH_*`` variables of this process count."""


def add_assumptions(parser: argparse.ArgumentParser) -> None:
    """Add the group of options to *parser*."""
    group = parser.add_argument_group("what is assumed of the submission")
    for option, metavar, text in (
        (
            "--sbatch-args",
            "OPTIONS",
            'what sbatch will be given, as in --sbatch-args="--nodes=4 -p gpu"; repeatable',
        ),
        ("--arg", "VALUE", "the script's next argument; repeatable"),
        ("--env", "NAME=VALUE", "a variable of the shell that submits the job; repeatable"),
        (
            "--known-option",
            "OPTION",
            "an option that a plugin of the site adds, such as --image; repeatable",
        ),
    ):
        group.add_argument(option, metavar=metavar, action="append", default=[], help=text)
    group.add_argument(
        "--use-environment", action="store_true", help="count in the SBATCH_* variables of this shell"
    )
    group.add_argument(
        "--slurm-version", metavar="RELEASE", help="the cluster's Slurm, such as 24.05 (default: any)"
    )
    group.add_argument(
        "--cluster",
        metavar="FILE|NAME",
        help="a profile that `sbatchlint cluster import` wrote, or its name in [clusters]",
    )
    add_switch(
        group,
        "--check-paths",
        "look whether the files that the job needs are there, as seen from this folder",
    )
    group.add_argument(
        "--no-follow",
        dest="follow",
        action="store_false",
        default=None,
        help="read no file that a script sources",
    )
    group.add_argument("--follow", action="store_true", help=argparse.SUPPRESS)


def add_switch(group: argparse._ArgumentGroup, option: str, text: str | None) -> None:
    """Add *option* and its opposite, which is there to contradict a file; without a *text* none is listed."""
    name = option.removeprefix("--").replace("-", "_")
    group.add_argument(option, dest=name, action="store_true", default=None, help=text or argparse.SUPPRESS)
    group.add_argument(
        f"--no-{option.removeprefix('--')}", dest=name, action="store_false", help=argparse.SUPPRESS
    )


def glued(arguments: Sequence[str]) -> Iterator[str]:
    """Glue values that may begin with a dash to their options: argparse takes them for options else."""
    words = iter(arguments)
    for word in words:
        value = next(words, None) if word in _WITH_ANY_VALUE else None
        yield word if value is None else f"{word}={value}"


def read_assumptions(
    read: argparse.Namespace, console: Console, files: Sequence[Sheet] = ()
) -> Assumptions | None:
    """Return what the command line assumes; None, and a complaint, where that makes no sense.

    *files* are what the configuration of the run says: options of plugins and a release may be told there.
    """
    from sbatchlint.config.sheets import elements, value_of
    from sbatchlint.submission.environment import submit_environment

    release = getattr(read, "slurm_version", None)
    if release is not None and release_fault(release):
        console.complain("--slurm-version", release_fault(release))
        release = None
    options = _known_options(getattr(read, "known_option", []), console)
    environment = _environment(getattr(read, "env", []), console)
    whole_release = release or value_of(files, "slurm-version")
    known = (*options, *(option_name(given.value) or "" for given in elements(files, "known-options")))
    words = _sbatch_args(getattr(read, "sbatch_args", []), whole_release, known, console)
    use_own = getattr(read, "use_environment", False)
    if not console.failed:
        own = dict(os.environ) if use_own else {}
        _tell_of_variables(submit_environment({**own, **environment}), whole_release, console)
    arguments = getattr(read, "arg", [])
    said = {
        "slurm-version": release,
        "known-options": options or None,
        "env": environment or None,
        "sbatch-args": words or None,
        "cluster": getattr(read, "cluster", None),
        "check-paths": getattr(read, "check_paths", None),
        "follow": getattr(read, "follow", None),
    }
    assumptions = Assumptions(
        {key: value for key, value in said.items() if value is not None},
        tuple(arguments) if arguments else None,
        use_own,
    )
    return None if console.failed else assumptions


def _sbatch_args(
    texts: Sequence[str], release: str | None, known_options: Sequence[str], console: Console
) -> tuple[str, ...]:
    try:
        words = tuple(word for text in texts for word in words_of(text))
    except ValueError as error:
        console.complain("--sbatch-args", str(error))
        return ()
    if words and not console.failed:
        for said in sbatch_args_faults(words, release, known_options, known="--known-option", arg=_ARG):
            console.complain("--sbatch-args", said)
    return words


def _environment(texts: Sequence[str], console: Console) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not is_variable(name):
            console.complain("--env", "give NAME=VALUE, such as --env DATA=/data")
        else:
            found[name] = value
    return found


def _tell_of_variables(variables: tuple[tuple[str, str], ...], release: str | None, console: Console) -> None:
    """Complain of values for which sbatch refuses each job; remark on variables that it does not read."""
    if not variables:
        return
    from sbatchlint.slurm.options import parse_release
    from sbatchlint.slurm.submit_environment import unread

    for name, value, said in variable_faults(variables, release):
        console.complain(f"{name}={value}", said)
    for name, spec in unread(variables, parse_release(release)):
        console.remark(name, f"sbatch does not read it; --{spec.long} can be given in a directive")


def _known_options(texts: Sequence[str], console: Console) -> tuple[str, ...]:
    names: list[str] = []
    for text in texts:
        name = option_name(text)
        if name is not None:
            names.append(name)
        else:
            console.complain(
                "--known-option", f"{text!r} is not the name of an option; give one like --image"
            )
    return tuple(names)
