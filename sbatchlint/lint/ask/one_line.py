"""Loops whose input is known to be a single line."""

from __future__ import annotations

from sbatchlint.lint.ask.nodes import Place
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Pipeline, Simple, While

_ONE = regex(r"-n ?1|--lines[= ]1|-1|-m ?1|--max-count[= ]1")
"""What makes head, tail and grep print one line."""


def has_one_line(loop: While, place: Place) -> bool:
    """Tell whether *loop* only takes one line apart: ``head -n 1 FILE | while read ...``, ``<<< "a b"``.

    *place* is where it stands.
    """
    fed = [one for one in loop.redirects if one.operator.startswith("<") and one.descriptor in ("", "0")]
    if fed:
        text = fed[-1].target.literal if fed[-1].operator == "<<<" else None
        return text is not None and "\n" not in text
    around = place.around[-1] if place.around else None
    if not isinstance(around, Pipeline) or loop not in around.commands[1:]:
        return False
    before = around.commands[around.commands.index(loop) - 1]
    return isinstance(before, Simple) and _prints_one_line(before)


def _prints_one_line(command: Simple) -> bool:
    words = [word.literal for word in command.words[1:]]
    texts = [word or "" for word in words]
    if command.name in ("head", "tail", "grep"):
        pairs = [" ".join(texts[at : at + 2]) for at in range(len(texts))]
        return any(_ONE.fullmatch(text) for text in (*texts, *pairs))
    if command.name == "echo":
        return all(word is not None and "\n" not in word for word in words) and "-e" not in words
    return command.name in ("hostname", "pwd")


__all__ = ["has_one_line"]
