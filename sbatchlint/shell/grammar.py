"""How much grammar cutting shell text into tokens needs: which word is reserved at which place.

bash decides while it reads whether ``if`` is a reserved word, whether ``a[1 2]=x`` is one word and
which ``)`` belongs to ``case``.  The places and moves here follow its ``reserved_word_acceptable``,
``command_token_position`` and the ``PST_CASEPAT`` state.
"""

from __future__ import annotations

from enum import Enum


class Place(Enum):
    """What may stand next."""

    COMMAND = "a command or a reserved word"
    PREFIX = "more assignments, or the command's name"
    WORDS = "arguments"
    NAME = "the name after for, select or function, or the subject of case"
    IN = "in, or a loop's do"
    PATTERN = "a pattern of case, or esac"
    PATTERN_REST = "the rest of a pattern of case"


BEFORE_COMMAND = frozenset(("if", "then", "else", "elif", "while", "until", "do", "{", "!", "time", "coproc"))
"""Reserved words behind which a command begins."""
CLOSERS = frozenset(("fi", "done", "esac", "}"))
OPENERS = frozenset(("for", "select", "case", "function"))
"""Reserved words behind which a name comes."""
COMPOUND = frozenset(("if", "while", "until", "for", "select", "case", "{", "!"))
"""Reserved words that begin what ``time`` and ``coproc`` can stand before."""
NESTING = COMPOUND - {"!"}
PREFIXES = frozenset(("time", "coproc"))
_RESERVED = BEFORE_COMMAND | CLOSERS | OPENERS
_TIME_OPTIONS = frozenset(("-p", "--"))


class Grammar:
    """The place reached; each ``after_*`` tells it of one more token."""

    def __init__(self) -> None:
        self.place = Place.COMMAND
        self._opener = ""
        self._before = ""
        self._open: list[str] = []

    def is_reserved(self, word: str) -> bool:
        """Tell whether *word*, read at this place, is a reserved word."""
        if self.place is Place.COMMAND:
            return word in _RESERVED
        if self.place is Place.IN:
            return word == "in" or (word in ("do", "{") and self._opener != "case")
        return self.place is Place.PATTERN and word == "esac"

    @property
    def assignable(self) -> bool:
        """Tell whether a word at this place can be an assignment."""
        return self.place in (Place.COMMAND, Place.PREFIX)

    @property
    def arithmetic(self) -> bool:
        """Tell whether ``((`` at this place begins arithmetic."""
        return self.place is Place.COMMAND or (self.place is Place.NAME and self._opener == "for")

    def after_reserved(self, word: str) -> None:
        """Move past a reserved word."""
        if word in OPENERS:
            self.place, self._opener = Place.NAME, word
        elif word == "in":
            self.place = Place.PATTERN if self._opener == "case" else Place.WORDS
            if self._opener == "case":
                self._open.append("case")
        else:
            if word == "esac" and self._open and self._open[-1] == "case":
                self._open.pop()
            self.place = Place.COMMAND
        self._before = word

    def after_word(self, word: str, *, assigns: bool) -> None:
        """Move past any other word; *assigns* if it is an assignment."""
        if self.place is Place.NAME:
            self.place = Place.COMMAND if self._opener == "function" else Place.IN
        elif self.place is Place.PATTERN:
            self.place = Place.PATTERN_REST
        elif self.place is Place.COMMAND and self._before == "coproc":
            pass  # may be the name of a coprocess
        elif self.place is Place.COMMAND and self._before == "time" and word in _TIME_OPTIONS:
            return
        elif self.assignable:
            self.place = Place.PREFIX if assigns else Place.WORDS
        self._before = word

    def after_target(self) -> None:
        """Move past a redirection."""
        if self.place is Place.COMMAND:
            self.place = Place.PREFIX

    def after_special(self, text: str) -> None:
        """Move past ``((...))`` or ``[[...]]``."""
        self.place = Place.IN if self.place is Place.NAME else Place.WORDS
        self._before = text

    def after_newline(self) -> None:
        """Move past the end of a line."""
        if self.place not in (Place.IN, Place.PATTERN, Place.NAME):
            self.place = Place.COMMAND
            self._before = ""

    def after_operator(self, operator: str) -> bool:
        """Move past an operator; give whether it is a ``)`` that nothing here has opened."""
        self._before = operator
        if self.place in (Place.PATTERN, Place.PATTERN_REST):
            self.place = Place.COMMAND if operator == ")" else Place.PATTERN_REST
            return False
        self.place = Place.COMMAND
        if operator == "(":
            self._open.append("(")
        elif operator == ")":
            return self._close()
        elif operator in (";;", ";&", ";;&") and self._open and self._open[-1] == "case":
            self.place = Place.PATTERN
        return False

    def _close(self) -> bool:
        while self._open:
            if self._open.pop() == "(":
                return False
        return True
