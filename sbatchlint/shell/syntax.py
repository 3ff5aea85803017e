"""The small syntax tree of a shell script that everything after the reader sees.

Both parsers build it.  Structure (commands, pipelines, lists, compounds, redirections) comes from
them; what stands inside a word comes from :mod:`sbatchlint.shell.words`.  Every node has the span of
its text.  All nodes are immutable, so they can be shared and compared.
"""

from __future__ import annotations

from bisect import bisect_right

from sbatchlint.records import dataclass
from sbatchlint.source import Span

# --- inside a word -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """Characters that stand for themselves.  ``text`` has escapes removed, so ``span`` may be longer."""

    span: Span
    text: str
    escaped: bool = False
    """True where the text was written with a backslash: such a character never globs or splits."""


@dataclass(frozen=True, slots=True)
class SingleQuoted:
    """``'...'`` or ``$'...'`` (then ``text`` is decoded)."""

    span: Span
    text: str
    ansi_c: bool = False


@dataclass(frozen=True, slots=True)
class DoubleQuoted:
    """``"..."`` or ``$"..."``."""

    span: Span
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """``$name`` or ``${...}``.

    ``prefix`` is ``#`` (length) or ``!`` (indirection, or names and keys); ``subscript`` the text
    inside ``[...]``; ``operator`` what follows the name (``:-``, ``%%``, ``/``, ``:``, ``@``...) and
    ``arguments`` the one or two words after it.
    """

    span: Span
    name: str
    braced: bool = False
    prefix: str = ""
    subscript: Word | None = None
    operator: str = ""
    arguments: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandSubstitution:
    """``$(...)`` or backquotes.  ``body`` is the span of the commands inside."""

    span: Span
    body: Span
    backquoted: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``$((...))`` or ``$[...]``.  ``expression`` is read as if it stood in double quotes."""

    span: Span
    expression: Word


@dataclass(frozen=True, slots=True)
class ProcessSubstitution:
    """``<(...)`` or ``>(...)``."""

    span: Span
    direction: str
    body: Span


Part = (
    Literal | SingleQuoted | DoubleQuoted | Parameter | CommandSubstitution | Arithmetic | ProcessSubstitution
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word as written: the concatenation of its parts."""

    span: Span
    parts: tuple[Part, ...]

    @property
    def literal(self) -> str | None:
        """The word's text if no expansion can change it, quotes removed; else None."""
        texts: list[str] = []
        for part in self.parts:
            if isinstance(part, (Literal, SingleQuoted)):
                texts.append(part.text)
            elif isinstance(part, DoubleQuoted):
                inner = [piece.text for piece in part.parts if isinstance(piece, Literal)]
                if len(inner) != len(part.parts):
                    return None
                texts.extend(inner)
            else:
                return None
        return "".join(texts)


# --- commands ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArrayElement:
    """``value``, ``[key]=value`` or (``append``) ``[key]+=value`` inside ``name=( ... )``."""

    span: Span
    key: Word | None
    value: Word
    append: bool = False


@dataclass(frozen=True, slots=True)
class Assignment:
    """``name=value``, ``name+=value``, ``name[i]=value`` or ``name=(...)``."""

    span: Span
    name: str
    append: bool = False
    subscript: Word | None = None
    value: Word | None = None
    elements: tuple[ArrayElement, ...] | None = None


@dataclass(frozen=True, slots=True)
class HereDocument:
    """The body of ``<<`` or ``<<-``; ``body`` holds expansions unless the delimiter was quoted."""

    span: Span
    delimiter: str
    quoted: bool
    strip_tabs: bool
    body: Word


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection; ``descriptor`` is the text before the operator (``2``, ``{fd}`` or nothing)."""

    span: Span
    descriptor: str
    operator: str
    target: Word
    document: HereDocument | None = None


@dataclass(frozen=True, slots=True)
class Simple:
    """Assignments, words and redirections.  Words that declare (``export A=1``) stay words."""

    span: Span
    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]

    @property
    def name(self) -> str | None:
        """The first word, if no expansion can change it; None for assignments alone."""
        return self.words[0].literal if self.words else None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """``[!] a | b``; ``operators`` are ``|`` and ``|&``."""

    span: Span
    commands: tuple[Command, ...]
    operators: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AndOr:
    """``a && b || c``, from left to right; one operator between two commands."""

    span: Span
    commands: tuple[Command, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One member of a list, with the way it is ended."""

    span: Span
    command: Command
    background: bool = False


Body = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """``{ ...; }``."""

    span: Span
    body: Body
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Subshell:
    """``( ... )``."""

    span: Span
    body: Body
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    """``if``/``elif`` branches as (condition, body) pairs, and the ``else`` body."""

    span: Span
    branches: tuple[tuple[Body, Body], ...]
    otherwise: Body
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """``while`` or, with ``until`` set, ``until``."""

    span: Span
    condition: Body
    body: Body
    until: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """``for name in words``; ``words`` is None where ``in`` is left out (``"$@"``)."""

    span: Span
    name: str
    words: tuple[Word, ...] | None
    body: Body
    select: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class ArithmeticFor:
    """``for ((init; condition; step))``; the three expressions as one word of raw text."""

    span: Span
    header: Word
    body: Body
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseItem:
    """``a|b) body ;;``."""

    span: Span
    patterns: tuple[Word, ...]
    body: Body
    terminator: str


@dataclass(frozen=True, slots=True)
class Case:
    """``case subject in items esac``."""

    span: Span
    subject: Word
    items: tuple[CaseItem, ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A function definition."""

    span: Span
    name: str
    body: Command


@dataclass(frozen=True, slots=True)
class Test:
    """``[[ ... ]]``; operators and parentheses are words of their own."""

    span: Span
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class ArithmeticCommand:
    """``(( ... ))``."""

    span: Span
    expression: Word
    redirects: tuple[Redirect, ...] = ()


NOT_UNDERSTOOD = "not understood as shell"
"""Why a text is left out in which the tokens are sound, but make no statement."""


@dataclass(frozen=True, slots=True)
class Unparsed:
    """Text that neither parser could read, and why."""

    span: Span
    reason: str


Command = (
    Simple
    | Pipeline
    | AndOr
    | Group
    | Subshell
    | If
    | While
    | For
    | ArithmeticFor
    | Case
    | Function
    | Test
    | ArithmeticCommand
    | Unparsed
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment from its ``#`` to the end of the line."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script: its statements, its comments and what could not be read."""

    span: Span
    body: Body
    comments: tuple[Comment, ...]
    unparsed: tuple[Unparsed, ...] = ()

    def is_comment(self, place: Span) -> bool:
        """Tell whether *place* lies in a comment."""
        behind = bisect_right(self.comments, place.start, key=lambda comment: comment.span.start)
        return behind > 0 and place in self.comments[behind - 1].span
