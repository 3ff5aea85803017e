"""Secrets that a script prints into its log, and which of them are worth nothing after the job."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.ask.commands import written_commands
from sbatchlint.lint.ask.dumps import goes_to_log
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.ask.secret_names import secret_expansions
from sbatchlint.lint.ask.settings import settings_of
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.source import Span

_BY_CHANCE = regex(
    r"\b(?:uuidgen|mcookie|pwgen|openssl\s+rand)\b|/dev/u?random\b|/random/uuid\b|\$\{?RANDOM\b"
    r"|\bsecrets\.(?:token|choice)|\buuid\.uuid[14]\b|\bgpg\b[^\n]*--gen-random\b"
)
"""How a shell comes by a word that nobody can guess."""


@asked_once
def printed_secrets(job: Job) -> Iterator[tuple[str, Span]]:
    """Yield the first secret variable that each ``echo`` or ``printf`` writes into the log as a whole."""
    expanded = list(secret_expansions(job, whole=True))
    if not expanded:
        return
    for command in written_commands(job):
        if command.name not in ("echo", "printf") or not goes_to_log(job, command):
            continue
        if command.name == "printf" and command.words[:1] == ("-v",):
            continue
        within = (
            (name, span) for name, span in expanded if any(span in one.span for one in command.arguments)
        )
        yield from list(within)[:1]


def is_throw_away(job: Job, name: str) -> bool:
    """Tell whether the script itself makes up the value of *name*, wherever it sets it: good for this job."""
    made = [setting for setting in settings_of(job) if setting.name == name]
    values = (job.source.slice(setting.value) if setting.value is not None else "" for setting in made)
    return bool(made) and all(_BY_CHANCE.search(value) is not None for value in values)


__all__ = ["is_throw_away", "printed_secrets"]
