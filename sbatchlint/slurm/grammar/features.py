"""Features of nodes: ``--constraint``, ``--prefer``, ``--batch``, ``--cluster-constraint``.

Whether any node has a feature, only the cluster knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import leading_integer, wrap
from sbatchlint.slurm.grammar.feature_list import (
    CHECKS_COUNTS,
    STRICT,
    FeatureReader,
    Malformed,
    check_counts,
)

_WORDS = regex(r"\*[ \t\n\v\f\r]*\+?[0-9]+|[][()&|]|[^][()&|*]+")
_SAID = "Invalid feature specification"
_SAID_OF_PREFERRED = "Invalid preferred feature specification"


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature; ``count`` is how many nodes must have it, None for all of them."""

    name: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Constraint:
    """Features and what joins them; a bracket holds a constraint of its own."""

    members: tuple[Feature | Constraint, ...]
    operators: tuple[str, ...] = ()
    """``&`` or ``|`` between one member and the next; Slurm goes from left to right."""
    bracket: str = ""
    """``(``, ``[`` or, for the whole, nothing.  ``[a|b]``: all nodes have the same one of them."""
    count: int | None = None

    def names(self) -> Iterator[str]:
        """Give every feature that is named, in order."""
        for member in self.members:
            if isinstance(member, Feature):
                yield member.name
            else:
                yield from member.names()


def _constraint(text: str, context: Context) -> Constraint:
    try:
        entries = FeatureReader(context.release).read(text)
        if context.release >= CHECKS_COUNTS:
            check_counts(entries)
    except Malformed as malformed:
        general = context.option != "prefer" or (malformed.general and context.release < STRICT)
        said = _SAID if general else _SAID_OF_PREFERRED
        raise Refused(said, str(malformed), stage=Stage.CONTROLLER) from None
    return _tree(text.replace(",", "&"))


def _flat(text: str, context: Context) -> Constraint:
    words = re.split("([&|,])", text)
    return Constraint(
        tuple(Feature(name) for name in words[::2] if name),
        tuple("|" if word == "|" else "&" for word in words[1::2]),
    )


def _tree(text: str) -> Constraint:
    """Build the tree of a constraint that the controller takes."""
    stack = [_Level("")]
    joined = True
    for word in _WORDS.findall(text):
        level = stack[-1]
        if word in ("(", "["):
            stack.append(_Level(word))
        elif word in (")", "]"):
            stack.pop()
            stack[-1].members.append(level.closed())
        elif word in ("&", "|"):
            level.operators.append(word)
        elif word.startswith("*"):
            level.multiply(wrap(leading_integer(word[1:])[0], 32))
        elif joined:
            level.members.append(Feature(word))
        joined = word in ("(", "[", "&", "|")
    return stack[0].closed()


class _Level:
    """What stands in one bracket, while it is read."""

    def __init__(self, bracket: str) -> None:
        self.bracket = bracket
        self.members: list[Feature | Constraint] = []
        self.operators: list[str] = []

    def multiply(self, count: int) -> None:
        self.members[-1] = replace(self.members[-1], count=count)

    def closed(self) -> Constraint:
        return Constraint(tuple(self.members), tuple(self.operators), self.bracket)


GRAMMARS = (
    Grammar(
        "constraint",
        "features that the nodes must have (or, for --prefer, should have)",
        (
            ("NAME", "every node has it"),
            ("A&B", "every node has both; a comma means the same"),
            ("A|B", "every node has one or the other"),
            ("[A|B]", "every node has the same one of them"),
            ("NAME*N", "N of the nodes have it"),
            ("[A*N&B*M]", "N nodes have A and M nodes have B"),
            ("(A|B)&C", "the bracket is read first"),
        ),
        ("h100", "h100&ib", "h100,ib", "h100|a100", "[a|b]", "h100*2", "[(a&b)*1&c*2]", "(a|b)&c", "a&", ""),
        ("&a", "(a", "a)", "[a", "()", "[]", "a*0", "a*", "((a))", "a(b)", "*2"),
        _constraint,
        (
            "In a directive `&` and `|` need no quotes; on a command line they do.",
            "A count outside [] must stand alone from 23.02 on (`a*1&b` is refused).",
            "`[a&b]` needs a count for each, `[a|b]` takes none (21.08 and later).",
            "What follows a closing bracket unjoined (`(a)b`) is lost before 23.02 and refused from then on.",
        ),
    ),
    Grammar(
        "feature_list",
        "features, for --batch of the node that runs the script, for --cluster-constraint of the cluster",
        (("A&B", "both; a comma means the same"), ("A|B", "one or the other")),
        ("h100", "a&b", "a|b", "a,b", ""),
        (),
        _flat,
        ("Brackets and counts have no meaning here.", "--batch names features that --constraint names too."),
    ),
)
