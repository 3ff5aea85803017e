"""Hiding the secrets of a file from everything that is shown of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import TYPE_CHECKING

from sbatchlint.secrets import hidden_values
from sbatchlint.secrets.patterns import Format, formats, occurrences
from sbatchlint.source import Source

if TYPE_CHECKING:
    from sbatchlint.lint.job import LintOptions

HIDDEN = "********"
"""What stands for a secret."""
_LONG = 6
"""A shorter secret is hidden only where it stands as a word: it would garble all that is shown else."""


def without_tokens(text: str) -> str:
    """Return *text* with a fixed run of ``*`` for each token that its own looks give away."""
    if not _prefixes().search(text):
        return text
    seen = (span for form in formats() for span in occurrences(form, text) if _is_token(form, text, span))
    done, pieces = 0, []
    for start, end in sorted(seen):
        if start >= done:
            pieces += [text[done:start], HIDDEN]
            done = end
    return "".join(pieces) + text[done:]


def _is_token(form: Format, text: str, span: tuple[int, int]) -> bool:
    return form.judge(text[slice(*span)]) is not None


@cache
def _prefixes() -> re.Pattern[str]:
    return re.compile("|".join(sorted({re.escape(form.prefix) for form in formats()})))


class Mask:
    """The secret values found in the versions of one file.

    *source* is the version whose lines are shown; *values* are texts that must not be.  Nothing is
    asked of where a value came from, so a value found in one version is hidden in all of them.
    """

    def __init__(self, source: Source, values: Iterable[str] = ()) -> None:
        self._source = source
        parts = {part for value in values for part in _parts(value)}
        longest_first = sorted(parts, key=lambda part: (-len(part), part))
        self._pattern = re.compile("|".join(map(_pattern, longest_first))) if parts else None

    @classmethod
    def found_in(cls, source: Source, *versions: Source) -> Mask:
        """Return the mask for *source* that hides what is secret in it or in another of its *versions*."""
        return cls(source, (value for version in (source, *versions) for value in hidden_values(version)))

    @classmethod
    def of_job(cls, source: Source, options: LintOptions, *versions: Source) -> Mask:
        """Return :meth:`found_in` that knows the secrets, too, which are given to the job with *options*."""
        given = [f"{name}={value}" for name, value in (*options.environment, *options.submit_environment)]
        given += [" ".join(options.arguments or ()), " ".join(options.sbatch_args)]
        return cls.found_in(source, *versions, Source.from_text("\n".join(filter(None, given))))

    @property
    def hides_nothing(self) -> bool:
        """Whether no secret was found."""
        return self._pattern is None

    @cached_property
    def source(self) -> Source:
        """The source with every character of a secret replaced by ``*``: all positions stay true."""
        if self._pattern is None:
            return self._source
        text = self._pattern.sub(lambda match: "*" * len(match.group()), self._source.text)
        return Source(self._source.path, text, self._source.crlf_lines)

    def text(self, text: str) -> str:
        """Return *text*, which may quote the file, with a fixed run of ``*`` for each secret.

        Tokens that come from elsewhere, such as a policy or a rule of others, are hidden too.
        """
        return without_tokens(text if self._pattern is None else self._pattern.sub(HIDDEN, text))


def _parts(value: str) -> Iterator[str]:
    """Yield the pieces of *value* that stand on one line, since a diff puts its own marks between lines."""
    lines = [line.strip() for line in value.split("\n")]
    shortest = 1 if len(lines) == 1 else _LONG
    yield from (line for line in lines if len(line) >= shortest)


def _pattern(part: str) -> str:
    return re.escape(part) if len(part) >= _LONG else rf"(?<!\w){re.escape(part)}(?!\w)"
