"""Takes tokens out of a command before anything else looks at it: none is ever written into a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from sbatchlint.convert.keeping import DECLARING, simples
from sbatchlint.convert.refusal import Note, Refused
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.secrets import find_secrets
from sbatchlint.secrets.names import is_secret_name, provider_of, words_of
from sbatchlint.secrets.providers import TITLES
from sbatchlint.shell.reader import read_script
from sbatchlint.shell.syntax import Comment, DoubleQuoted, Literal, Script, SingleQuoted
from sbatchlint.source import Source, Span

_USUAL = {
    "huggingface": "HF_TOKEN",
    "wandb": "WANDB_API_KEY",
    "nvidia": "NGC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "comet": "COMET_API_KEY",
    "neptune": "NEPTUNE_API_TOKEN",
    "github": "GITHUB_TOKEN",
    "gitlab": "GITLAB_TOKEN",
}
"""The variables that programs look for."""
_VARIABLE = regex(r"[A-Z][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A command without its tokens."""

    source: Source
    """The text, with a variable in the place of each token."""
    variables: tuple[str, ...]
    """Those variables, each once."""
    notes: tuple[Note, ...]


def without_secrets(source: Source) -> Cleaned:
    """Return *source* with an expansion of a variable for each token in it.

    Raises Refused where a token stands where no expansion can take its place.
    """
    script = read_script(source)
    text, names, notes = source.text, _Names(), []
    for token in sorted(_tokens(source, script), key=lambda one: one.span, reverse=True):
        name = names.of(token)
        line = source.position(token.span.start).line
        start, end, put = _instead(script, token, name, line)
        text = text[:start] + put + text[end:]
        subject = f"line {line}" if source.line_count > 2 else token.title
        why = f"export {name} in the shell that submits it"
        notes.append(Note(subject, f"a {token.title} is left out of the script: {why}"))
    return Cleaned(Source.from_text(text, source.path), tuple(names), tuple(reversed(notes)))


@dataclass(frozen=True, slots=True)
class _Token:
    span: Span
    text: str
    name: str
    """The variable, option or key that holds it; empty for none."""
    provider: str
    whole: bool
    """Whether *span* is a whole value with the quotes around it."""

    @property
    def title(self) -> str:
        return TITLES[self.provider]


def _tokens(source: Source, script: Script) -> Iterator[_Token]:
    """Yield what looks like a token, and whatever a variable is given whose name says that it holds one."""
    named = list(_named(source, script))
    yield from named
    for secret in find_secrets(source):
        if not any(one.span.overlaps(secret.span) for one in named):
            yield _Token(secret.span, source.slice(secret.span), secret.name, secret.provider, False)


def _named(source: Source, script: Script) -> Iterator[_Token]:
    for simple in simples(script.body):
        values = [(one.name, one.value) for one in simple.assignments if one.value is not None]
        given = [(name, value.span, value.literal) for name, value in values]
        for word in simple.words[1:] if simple.name in DECLARING else ():
            name, equals, _ = source.slice(word.span).partition("=")
            span = Span(word.span.start + len(name) + len(equals), word.span.end)
            given.append((name, span, (word.literal or "").partition("=")[2]))
        for name, span, text in given:
            if text and is_secret_name(name):
                yield _Token(span, text, name, provider_of(words_of(name)), True)


class _Names:
    """One variable for each value."""

    def __init__(self) -> None:
        self._by_value: dict[str, str] = {}

    def of(self, token: _Token) -> str:
        """Return the variable for *token*: its own, its provider's, or one made of its option's name."""
        if token.text not in self._by_value:
            own = token.name if is_secret_name(token.name) else ""
            wanted = own if _VARIABLE.fullmatch(own) else _USUAL.get(token.provider, "")
            wanted = wanted or re.sub(r"\W", "_", own.strip("-")).upper()
            wanted = wanted if _VARIABLE.fullmatch(wanted) else "SECRET"
            taken = set(self._by_value.values())
            names = (wanted, *(f"{wanted}_{number}" for number in range(2, len(taken) + 3)))
            self._by_value[token.text] = next(name for name in names if name not in taken)
        return self._by_value[token.text]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(set(self._by_value.values())))


def _instead(script: Script, token: _Token, name: str, line: int) -> tuple[int, int, str]:
    """From where to where something is put in the place of *token*, and what, by the quotes around it."""
    span = token.span
    if token.whole:
        return span.start, span.end, f'"${{{name}}}"'
    if script.is_comment(span):
        return span.start, span.end, name
    around = [part for part in _parts(script) if span in part.span]
    part = min(around, key=lambda one: len(one.span), default=None)
    if isinstance(part, SingleQuoted) and not part.ansi_c:
        if (part.span.start + 1, part.span.end - 1) == (span.start, span.end):
            return part.span.start, part.span.end, f'"${{{name}}}"'
        return span.start, span.end, f"'\"${{{name}}}\"'"
    if isinstance(part, Literal):
        inside = any(isinstance(one, DoubleQuoted) for one in around)
        return span.start, span.end, f"${{{name}}}" if inside else f'"${{{name}}}"'
    raise Refused(
        f"line {line}",
        f"a secret stands where it can't be taken out; write ${name} there and export {name} before",
    )


def _parts(node: object) -> Iterator[Literal | SingleQuoted | DoubleQuoted]:
    """Yield every piece of the words below *node*."""
    if isinstance(node, tuple):
        for item in node:
            yield from _parts(item)
    elif is_dataclass(node) and not isinstance(node, (Span, Comment)):
        if isinstance(node, (Literal, SingleQuoted, DoubleQuoted)):
            yield node
        for field in fields(node):
            yield from _parts(getattr(node, field.name))
