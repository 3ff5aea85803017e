"""Whether what is assumed of the submission makes sense, wherever it was said.

Each function returns what is wrong in words, or nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sbatchlint.regex import regex

if TYPE_CHECKING:
    from sbatchlint.slurm.getopt import Use

_NAME = regex(r"[A-Za-z_]\w*", re.ASCII)
_SITE_OPTION = regex(r"(?:--)?(?P<name>[A-Za-z][\w-]*)=?", re.ASCII)


def release_fault(text: str) -> str:
    """Say what is wrong with *text* as a release of Slurm (``24.05.3`` is of ``24.05``)."""
    from sbatchlint.slurm.options import KNOWN_RELEASES, parse_release, spell_release

    try:
        release = parse_release(text)
    except ValueError:
        release = None
    if release in KNOWN_RELEASES:
        return ""
    known = ", ".join(map(spell_release, KNOWN_RELEASES))
    return f"{text!r} is no release that is known; known are {known}"


def option_name(text: str) -> str | None:
    """Return the name, without dashes, in ``--image``, ``image`` or ``--image=``; None if it is none."""
    match = _SITE_OPTION.fullmatch(text)
    return match["name"] if match else None


def is_variable(name: str) -> bool:
    """Tell whether *name* can be a variable's."""
    return _NAME.fullmatch(name) is not None


def words_of(line: str) -> tuple[str, ...]:
    """Return the words of *line* as a shell would.  Raises ValueError where a quote is open."""
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise ValueError(f"{str(error).lower()}; quote it as a shell needs it") from None


def sbatch_args_faults(
    words: Sequence[str], release: str | None, known_options: Sequence[str], *, known: str, arg: str
) -> Iterator[str]:
    """Say what sbatch has against *words*.

    *known* is how an option of a plugin is named, *arg* how the script's own arguments are given.
    """
    from sbatchlint.slurm.getopt import ProblemKind, parse

    parsed = parse(tuple(words), "sbatch", release)
    for problem in parsed.problems:
        if problem.kind is ProblemKind.UNKNOWN:
            if problem.name.lstrip("-") not in known_options:
                advice = f"correct it, or name it with {known} if a plugin of the site adds it"
                yield f"{problem.name} is no option of sbatch; {advice}"
        else:
            yield f"{problem.name}: {problem.kind.value}"
    for use in parsed.uses:
        said = _refused(use, release)
        if said:
            yield f"--{use.spec.long}={use.value}: {said}"
    if parsed.rest < len(words):
        yield f"{words[parsed.rest]!r} is no option; {arg}"


def _refused(use: Use, release: str | None) -> str:
    """Return what sbatch says of a value that it refuses; empty where it takes it."""
    from sbatchlint.slurm.grammar.base import Refused
    from sbatchlint.slurm.option_values import read_value
    from sbatchlint.slurm.options import KNOWN_RELEASES, parse_release

    if use.value is None:
        return ""
    answer = read_value(use.spec.long, use.value, parse_release(release) or KNOWN_RELEASES[-1])
    return answer.said.splitlines()[0] if isinstance(answer, Refused) else ""


def variable_faults(
    variables: tuple[tuple[str, str], ...], release: str | None
) -> Iterator[tuple[str, str, str]]:
    """Yield the name and value of each variable for which sbatch refuses every job, and what it says."""
    from sbatchlint.slurm.grammar.base import Refused
    from sbatchlint.slurm.option_values import read_value
    from sbatchlint.slurm.options import KNOWN_RELEASES, parse_release
    from sbatchlint.slurm.submit_environment import settings

    series = parse_release(release)
    for setting in settings(variables, series):
        if setting.value is None:
            continue
        answer = read_value(setting.spec.long, setting.value, series or KNOWN_RELEASES[-1])
        if isinstance(answer, Refused):
            said = answer.said.splitlines()[0]
            yield setting.variable.name, setting.value, f"sbatch refuses every job: {said}"
