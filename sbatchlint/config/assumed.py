"""From what is said of the submission to the options of a look at a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sbatchlint.config.sheets import Given, Sheet, closest, each, elements, raise_all, table, value_of
from sbatchlint.config.values import option_name, sbatch_args_faults, variable_faults, words_of
from sbatchlint.lint.job import LintOptions
from sbatchlint.submission.environment import submit_environment

if TYPE_CHECKING:
    from sbatchlint.cluster.profile import Profile

_ARG = "the script's own arguments are not told here"


def options_of(
    sheets: Sequence[Sheet], cluster: Profile | None, environment: Mapping[str, str] | None = None
) -> LintOptions:
    """Return what *sheets* assume of the submission, the last of them the command line.

    *environment* are the variables of this process, where they are to count.  Raises ConfigError or TomlError
    for what makes no sense in a file; what the command line says has been looked at before.
    """
    *files, top = sheets
    release = value_of(sheets, "slurm-version")
    names = [option_name(given.value) for given in elements(sheets, "known-options")]
    known = tuple(dict.fromkeys(name for name in names if name is not None))
    variables = {name: given.value for name, given in table(sheets, "env").items()}
    chosen = closest(files, "sbatch-args")
    words = () if chosen is None else _words(chosen)
    errors = [] if chosen is None else list(_args_errors(chosen, words, release, known))
    raise_all([*errors, *_variable_errors(files, release)])
    return LintOptions(
        release=release,
        sbatch_args=(*words, *top.values.get("sbatch-args", ())),
        environment=tuple(variables.items()),
        submit_environment=submit_environment({**(environment or {}), **variables}),
        known_options=known,
        cluster=cluster,
        pedantic=bool(value_of(sheets, "pedantic")),
    )


def _words(given: Given) -> tuple[str, ...]:
    """Return the words of ``sbatch-args``: a line is cut as a shell cuts it.  Raises TomlError."""
    if not isinstance(given.value, str):
        return tuple(given.value)
    try:
        return words_of(given.value)
    except ValueError as error:
        raise given.error(f"sbatch-args: {error}") from None


def _args_errors(
    given: Given, words: Sequence[str], release: str | None, known: Sequence[str]
) -> Iterator[Exception]:
    for said in sbatch_args_faults(words, release, known, known="known-options", arg=_ARG):
        yield given.error(f"sbatch-args: {said}")


def _variable_errors(files: Sequence[Sheet], release: str | None) -> Iterator[Exception]:
    """Yield the variables of ``env`` for which sbatch refuses every job."""
    for given in each(files, "env"):
        for name, value, said in variable_faults(submit_environment(given.value), release):
            yield given.part(name).error(f"env: {name}={value}: {said}")
