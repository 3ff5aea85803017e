"""Variables whose names say that they hold a secret, and where a script expands them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sbatchlint.launch.plan import Arg
from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.once import kept
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.secrets.names import is_secret_name
from sbatchlint.shell.syntax import Parameter
from sbatchlint.source import Span

_VARIABLE = regex(r"\$\{?([A-Za-z_]\w*)\}?")
_WHOLE = ("", ":-", "-", ":?", "?", ":=", "=")
"""Operators of ``${...}`` that leave a value as it is."""


def secrets_in_words(words: tuple[Arg, ...]) -> Iterator[tuple[str, Span]]:
    """Yield the secret variables that are expanded into *words*, and where each is written."""
    for word in words:
        for leaf in word.value.unknowns():
            match = _VARIABLE.fullmatch(leaf.name)
            span = leaf.span or word.place
            if match is not None and span is not None and is_secret_name(match[1]):
                yield match[1], span


def secret_expansions(job: Job, *, whole: bool = False) -> Iterator[tuple[str, Span]]:
    """Yield where the script's own shell puts the values of secret variables, by name.

    With *whole* only where it puts all of the value, not a part of it (``${TOKEN:0:4}``).
    """
    yield from secrets_of((node for node, _ in nodes_of(job, Parameter)), whole=whole)


def secrets_of(parameters: Iterable[Parameter], *, whole: bool = False) -> Iterator[tuple[str, Span]]:
    """Yield those of *parameters* that give the value of a secret variable, or with *whole* all of it."""
    for node in parameters:
        if node.prefix in ("#", "!") or node.operator in (":+", "+"):
            continue
        if is_secret_name(node.name) and not (whole and node.operator not in _WHOLE):
            yield node.name, node.span


@kept
def names_secrets(job: Job) -> bool:
    """Whether the script speaks of secrets: a variable of such a name, or a file called after them."""
    names = set(re.findall(r"\b[A-Za-z_]\w*_\w+\b", job.source.text))
    return any(is_secret_name(name) for name in names) or "secret" in job.source.text.lower()
