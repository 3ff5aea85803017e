"""What is assumed of the submission: the options that ``check`` and ``plan`` share."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sbatchlint.cli.console import Console, style_for

if TYPE_CHECKING:
    from sbatchlint.cluster.profile import Profile
    from sbatchlint.lint.job import LintOptions
    from sbatchlint.slurm.getopt import Use

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WITH_ANY_VALUE = ("--sbatch-args", "--arg", "--env", "--known-option")
_SITE_OPTION = re.compile(r"(?:--)?(?P<name>[A-Za-z][\w-]*)=?", re.ASCII)


def add_assumptions(parser: argparse.ArgumentParser) -> None:
    """Add the group of options to *parser*."""
    group = parser.add_argument_group("what is assumed of the submission")
    for option, metavar, text in (
        (
            "--sbatch-args",
            "OPTIONS",
            'options that sbatch will be given, such as --sbatch-args="--nodes=4 -p gpu"',
        ),
        ("--arg", "VALUE", "the script's next argument; repeatable"),
        ("--env", "NAME=VALUE", "a variable of the shell that submits the job; repeatable"),
        (
            "--known-option",
            "OPTION",
            "an option that a plugin of the site adds to sbatch, such as --image; repeatable",
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
        "--cluster", metavar="FILE", help="a cluster profile, as `sbatchlint cluster import` writes it"
    )
    group.add_argument(
        "--check-paths",
        action="store_true",
        help="look whether the files that the job needs are there; use it in the folder of submission",
    )
    group.add_argument("--no-follow", action="store_true", help="read no file that a script sources")


def glued(arguments: Sequence[str]) -> Iterator[str]:
    """Glue values that may begin with a dash to their options: argparse takes them for options else."""
    words = iter(arguments)
    for word in words:
        value = next(words, None) if word in _WITH_ANY_VALUE else None
        yield word if value is None else f"{word}={value}"


def read_assumptions(read: argparse.Namespace, console: Console) -> LintOptions | None:
    """Return what the command line assumes; None, and a complaint, where that makes no sense."""
    from sbatchlint.lint.job import LintOptions

    known = _known_options(read.known_option, console)
    environment = _environment(read.env, console)
    options = LintOptions(
        release=_release(read.slurm_version, console),
        sbatch_args=_sbatch_args(read.sbatch_args, read.slurm_version, known, console),
        arguments=tuple(read.arg) if read.arg else None,
        environment=environment,
        submit_environment=_submit_environment(
            read.use_environment, environment, read.slurm_version, console
        ),
        known_options=known,
        cluster=_cluster(read.cluster, console, read.color),
        look=_looker() if read.check_paths else None,
    )
    return None if console.failed else options


def _looker() -> Callable[[str], bool | None]:
    from sbatchlint.lint.looking import looker

    return looker(os.getcwd(), os.environ)


def _cluster(path: str | None, console: Console, colour: str) -> Profile | None:
    if path is None:
        return None
    from sbatchlint.cluster.load import load_profile
    from sbatchlint.toml.read import TomlError

    try:
        return load_profile(path)
    except OSError as error:
        console.complain(path, f"cannot be read ({(error.strerror or str(error)).lower()}); check the path")
    except TomlError as error:
        from sbatchlint.report.mistakes import mistakes_text

        console.fail(mistakes_text(error, style_for(sys.stderr, colour)))
    return None


def _release(text: str | None, console: Console) -> str | None:
    """Return the series of *text* (``24.05.3`` is of ``24.05``), if it is one that is known."""
    if text is None:
        return None
    from sbatchlint.slurm.options import KNOWN_RELEASES, parse_release, spell_release

    known = ", ".join(map(spell_release, KNOWN_RELEASES))
    try:
        release = parse_release(text)
    except ValueError:
        release = None
    if release not in KNOWN_RELEASES:
        console.complain("--slurm-version", f"{text!r} is no release that is known; known are {known}")
        return None
    return text


def _sbatch_args(
    texts: Sequence[str], release: str | None, known_options: Sequence[str], console: Console
) -> tuple[str, ...]:
    from sbatchlint.slurm.getopt import ProblemKind, parse

    try:
        words = tuple(word for text in texts for word in shlex.split(text))
    except ValueError as error:
        console.complain("--sbatch-args", f"{str(error).lower()}; quote it as a shell needs it")
        return ()
    if console.failed:
        return words
    parsed = parse(words, "sbatch", release)
    for problem in parsed.problems:
        if problem.kind is ProblemKind.UNKNOWN:
            if problem.name.lstrip("-") not in known_options:
                advice = "correct it, or name it with --known-option if a plugin of the site adds it"
                console.complain("--sbatch-args", f"{problem.name} is no option of sbatch; {advice}")
        else:
            console.complain("--sbatch-args", f"{problem.name}: {problem.kind.value}")
    for use in parsed.uses:
        said = _refused(use, release)
        if said:
            console.complain("--sbatch-args", f"--{use.spec.long}={use.value}: {said}")
    if parsed.rest < len(words):
        stray = words[parsed.rest]
        console.complain(
            "--sbatch-args", f"{stray!r} is no option; give the script's own arguments with --arg"
        )
    return words


def _refused(use: Use, release: str | None) -> str:
    """Return what sbatch says of a value that it refuses; empty where it takes it."""
    from sbatchlint.slurm.grammar.base import Refused
    from sbatchlint.slurm.option_values import read_value
    from sbatchlint.slurm.options import KNOWN_RELEASES, parse_release

    if use.value is None:
        return ""
    answer = read_value(use.spec.long, use.value, parse_release(release) or KNOWN_RELEASES[-1])
    return answer.said.splitlines()[0] if isinstance(answer, Refused) else ""


def _environment(texts: Sequence[str], console: Console) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not _NAME.fullmatch(name):
            console.complain("--env", "give NAME=VALUE, such as --env DATA=/data")
        else:
            found[name] = value
    return tuple(found.items())


def _submit_environment(
    use_own: bool, given: Iterable[tuple[str, str]], release: str | None, console: Console
) -> tuple[tuple[str, str], ...]:
    """Return the variables that sbatch reads as options: those given and, if *use_own*, of this process."""
    found = {**os.environ, **dict(given)} if use_own else dict(given)
    read = tuple(
        (name, value) for name, value in sorted(found.items()) if name.startswith(("SBATCH_", "SLURM_"))
    )
    if read and not console.failed:
        _complain_of_variables(read, release, console)
    return read


def _complain_of_variables(
    variables: tuple[tuple[str, str], ...], release: str | None, console: Console
) -> None:
    """Complain of values for which sbatch refuses each job; remark on variables that it does not read."""
    from sbatchlint.slurm.grammar.base import Refused
    from sbatchlint.slurm.option_values import read_value
    from sbatchlint.slurm.options import KNOWN_RELEASES, parse_release
    from sbatchlint.slurm.submit_environment import settings, unread

    series = parse_release(release)
    for setting in settings(variables, series):
        if setting.value is None:
            continue
        answer = read_value(setting.spec.long, setting.value, series or KNOWN_RELEASES[-1])
        if isinstance(answer, Refused):
            said = answer.said.splitlines()[0]
            console.complain(f"{setting.variable.name}={setting.value}", f"sbatch refuses every job: {said}")
    for name, spec in unread(variables, series):
        console.remark(name, f"sbatch does not read it; --{spec.long} can be given in a directive")


def _known_options(texts: Sequence[str], console: Console) -> tuple[str, ...]:
    names: list[str] = []
    for text in texts:
        match = _SITE_OPTION.fullmatch(text)
        if match:
            names.append(match["name"])
        else:
            console.complain(
                "--known-option", f"{text!r} is not the name of an option; give one like --image"
            )
    return tuple(names)
