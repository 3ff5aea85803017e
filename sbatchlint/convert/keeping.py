"""Which statements of a file set the stage for the command, and go along with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from sbatchlint.regex import regex
from sbatchlint.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    DoubleQuoted,
    For,
    Function,
    Group,
    If,
    Parameter,
    Redirect,
    Simple,
    Test,
    While,
    Word,
)
from sbatchlint.source import Source, Span

DECLARING = ("export", "declare", "typeset", "readonly")
_KEPT = frozenset(
    "export declare typeset readonly local cd pushd popd source . module ml conda mamba micromamba ulimit "
    "umask unset shift shopt mkdir touch ln cp : true false test [ exit return break continue".split()
)
_OF_THE_HOST = frozenset("source . module ml conda mamba micromamba eval".split())
"""What changes the programs that are found, which a container has of its own."""
QUIET = frozenset("echo printf date hostname sleep wait nvidia-smi exit true :".split())
"""What nobody would miss."""
_WRITING = frozenset({"echo", "printf"})
_ONCE = frozenset("pip pip3 apt-get git wandb huggingface-cli hf".split())
_FILLING = frozenset("read mapfile readarray getopts let printf".split())
"""Commands that set the variables that they are given the names of."""
_HOOKS = ("conda", "mamba", "spack", "pyenv", "direnv", "lmod")
"""``eval "$(conda shell.bash hook)"`` and its like."""
_ITSELF = ("$0", "${0", "BASH_SOURCE")
_MODES = regex(r"set(?: -[euvx]+| -[euvx]*o (?:errexit|nounset|pipefail|xtrace|verbose)| \+[xv]+)+")
"""Modes that the batch script has already, or that show its commands."""
_SHAPES = (
    Simple, AndOr, Group, If, For, While, ArithmeticFor, Case, Test, ArithmeticCommand, Function,
)  # fmt: skip


NOT_ITSELF = "a batch script is a copy in another folder, and does not find its own; give --workdir"


class Keeper:
    """Decides statement by statement, in the order of the file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._functions: set[str] = set()
        """Functions that are kept, and so may be called."""

    def why_not(self, command: Command) -> str | None:
        """Return why *command* does not go along; None where it does, nothing where nobody would miss it."""
        text = self._source.slice(command.span)
        if names_itself(text):
            return NOT_ITSELF
        if not isinstance(command, _SHAPES):
            return "it is no part of the training"
        for simple in simples(command):
            why = self._why_not(simple, text)
            if why is not None:
                return why
        if isinstance(command, Function):
            self._functions.add(command.name)
        return None

    def _why_not(self, simple: Simple, text: str) -> str | None:
        name = simple.name
        if any(one.document is not None for one in simple.redirects):
            return "it holds a here-document"
        if not simple.words or name in _KEPT or name in self._functions:
            return None
        if name == "eval" and any(hook in text for hook in _HOOKS):
            return None
        if name == "set":
            return "" if _MODES.fullmatch(self._source.slice(simple.span)) else None
        if name in ("rm", "rmdir"):
            return "nothing is deleted (--fresh DIR moves an old run aside)"
        if name in _ONCE:
            return "do this once, before the job is submitted"
        if name in _WRITING and any(_writes_file(one, self._source) for one in simple.redirects):
            return None  # the program may read it
        return "" if name in QUIET and "-v" not in text else "it is no part of the training"


def _writes_file(redirect: Redirect, source: Source) -> bool:
    text = source.slice(redirect.span)
    return redirect.operator in (">", ">>", ">|") and "/dev/" not in text and "&" not in text


def names_itself(text: str) -> bool:
    """Tell whether *text* asks where the file is that it stands in."""
    return any(sign in text for sign in _ITSELF)


def of_the_host(command: Command) -> bool:
    """Tell whether *command* makes programs of the host found, which a container does not have."""
    return any(simple.name in _OF_THE_HOST for simple in simples(command))


def sets(command: Command) -> Iterator[str]:
    """Yield the variables that *command* gives a value by an assignment."""
    for simple in simples(command):
        yield from (one.name for one in simple.assignments)
        for word in simple.words[1:] if simple.name in DECLARING else ():
            text = "".join(getattr(part, "text", "") for part in word.parts[:1])
            yield text.partition("=")[0].removesuffix("+")
        if simple.name == ":":
            yield from (name for word in simple.words[1:] for name in _given_defaults(word))


def _given_defaults(part: Word | DoubleQuoted) -> Iterator[str]:
    """Yield the variables that ``${NAME:=text}`` gives a value where they have none."""
    for one in part.parts:
        if isinstance(one, Parameter) and one.operator in (":=", "="):
            yield one.name
        elif isinstance(one, DoubleQuoted):
            yield from _given_defaults(one)


def may_set(command: Command) -> Iterator[str]:
    """Yield the variables that *command* may give a value in any way."""
    yield from sets(command)
    for simple in simples(command):
        for word in simple.words[1:] if simple.name in _FILLING else ():
            yield (word.literal or "").partition("=")[0]
    yield from (loop.name for loop in _loops(command))


def simples(node: object) -> Iterator[Simple]:
    """Yield every simple command of *node*, in order."""
    return (one for one in _below(node) if isinstance(one, Simple))


def _loops(node: object) -> Iterator[For]:
    return (one for one in _below(node) if isinstance(one, For))


def _below(node: object) -> Iterator[object]:
    """Yield every command of *node*, itself first."""
    if isinstance(node, tuple):
        for item in node:
            yield from _below(item)
    elif is_dataclass(node) and not isinstance(node, (Span, Redirect)):
        yield node
        for field in () if isinstance(node, Simple) else fields(node):
            yield from _below(getattr(node, field.name))
