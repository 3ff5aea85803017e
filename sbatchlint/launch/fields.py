"""Word splitting and pathname expansion: from pieces of a word to the words that a command gets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from sbatchlint.certainty import Certainty
from sbatchlint.launch.combining import Slices, optional_value, without_absent
from sbatchlint.launch.nodes import is_one_node
from sbatchlint.launch.plan import Arg, Way
from sbatchlint.launch.together import one_word
from sbatchlint.launch.values import ABSENT, EMPTY, Choice, Segment, Text, Unknown, Value
from sbatchlint.regex import regex
from sbatchlint.source import Span

DEFAULT_SEPARATORS = " \t\n"
_PATTERN = regex(r"[*?]|\[[^\[\]]*\]")
_WILD = regex(r"[*?]")
_NUMBERS = frozenset(
    f"${name}"
    for name in "$ ? BASHPID EPOCHSECONDS EUID LINENO PPID RANDOM SECONDS SRANDOM UID "
    "SLURM_JOB_ID SLURM_JOBID SLURM_NNODES SLURM_JOB_NUM_NODES SLURM_CPUS_ON_NODE "
    "SLURM_PROCID SLURM_NODEID SLURM_LOCALID".split()
)
"""Variables that bash and Slurm set to a number: one word, with quotes or without."""


class Fields:
    """Collects the pieces of one word and gives the words that it becomes."""

    def __init__(
        self, span: Span | None, separators: str | None, *, globs: bool = True, keeps: bool = True
    ) -> None:
        self._span = span
        self._separators = separators
        self._globs = globs
        self._keeps = keeps
        """True where a pattern that matches no file stays as it is: not so with ``shopt -s nullglob``."""
        self.at_best = Certainty.KNOWN
        """No piece is taken to be more certain than this."""
        self.splits = False
        """Set once assumed text was split: there may be more words, or fewer."""
        self._done: list[Arg] = []
        self._current: list[Segment] = []
        self._bare = ""
        self._present = False
        self._open = False
        self._optional = False
        self._after_blank = False
        self._doubt = False
        """Set where assumed text that is empty stands in the word: in truth there may be more of it."""
        self._loose: tuple[int, Value] | None = None
        """Where alternatives stand that are whole words only if nothing follows them in the word."""

    def finish(self) -> list[Arg]:
        """Close the last word and give all."""
        self.flush()
        return self._done

    def flush(self) -> None:
        """End the current word, if there is one."""
        self._loose = None
        if self._present or self._current:
            value = Value(tuple(self._current))
            if self._doubt:
                value = value.assumed()
            arg = Arg(value, self._span, self._optional, self._open, self.splits)
            self._done.append(_globbed(arg, self._bare, keeps=self._keeps) if self._globs else arg)
        self._current = []
        self._bare = ""
        self._present = self._open = self._optional = self._doubt = False

    # --- quoted pieces -----------------------------------------------------------------------------

    def add(self, segments: Iterable[Segment], *, quoted: bool = False) -> None:
        """Add to the current word without splitting; a quoted nothing still makes a word."""
        value = Value(tuple(segments))
        if self.at_best is not Certainty.KNOWN:
            value = value.weakened(self.at_best)
        if self._loose is not None:
            start, whole = self._loose
            del self._done[start:]
            self._current, self._bare = [], ""
            self._loose, self._optional = None, False
            self.add_open((Unknown(whole.show(), whole.span),))
        self._current.extend(value.segments)
        self._present = self._present or quoted
        if not quoted:
            self._bare += "".join(s.text if isinstance(s, Text) else " " for s in value.segments)
        self._after_blank = False

    def add_element(self, value: Value) -> None:
        """Add an array's element as a quoted word; one that may be missing makes the word optional."""
        present, maybe_missing = without_absent(value)
        self._optional = self._optional or maybe_missing
        self.add(present.segments, quoted=True)

    @property
    def in_word(self) -> bool:
        """Whether something stands in the current word already."""
        return bool(self._current)

    @property
    def count(self) -> int:
        """The number of words that are closed."""
        return len(self._done)

    def loosen(self, start: int, whole: Value) -> None:
        """Say that the words from number *start* on hold only if nothing follows in the current word.

        Else they become open text, *whole*.
        """
        self._loose = (start, whole)

    def add_open(self, segments: Iterable[Segment]) -> None:
        """Add what may be any number of words."""
        self.add(segments)
        self._open = True

    # --- pieces that are split -----------------------------------------------------------------------

    def split(self, value: Value) -> None:
        """Add an unquoted expansion, cut at separators."""
        if self.at_best is not Certainty.KNOWN:
            value = value.weakened(self.at_best)
        run: list[Segment] = []
        for segment in value.segments:
            if isinstance(segment, Text):
                run.append(segment)
                continue
            self._split_text(Value(tuple(run)))
            run = []
            if isinstance(segment, Unknown) and segment.blank and segment.name in (self._separators or ""):
                self._split_text(Value((Text(segment.name, segment.span),)))  # nothing gives no word either
            elif isinstance(segment, Unknown) and (
                segment.looked_up or segment.name in _NUMBERS or is_one_node(segment)
            ):
                self.add((segment,))  # a folder of PATH is taken to have no blanks in its name
            elif isinstance(segment, Unknown):
                self.add_open((segment,))
            else:
                self._split_choice(segment)
        self._split_text(Value(tuple(run)))

    def _split_text(self, value: Value) -> None:
        text = value.text or ""
        if value.certainty is Certainty.ASSUMED:
            self.splits = True
        if not text:
            self._doubt = self._doubt or value.certainty is Certainty.ASSUMED
            return
        if self._separators is None:
            self.add_open((Unknown(text, value.span),))
            return
        if not self._separators:
            self.add(value.segments)
            return
        at = 0
        slices = Slices(value)
        for cut in _delimiter(self._separators).finditer(text):
            if cut.start() > at:
                self.add(slices.slice(at, cut.start()).segments)
            hard = bool(cut.group().strip(DEFAULT_SEPARATORS))
            if hard and not self._current and not (self._after_blank and not cut.start()):
                self._present = True
            self.flush()
            self._after_blank = not hard and bool(self._done)
            at = cut.end()
        if at < len(text):
            self.add(slices.slice(at, len(text)).segments)

    def _split_choice(self, choice: Choice) -> None:
        ways = [self._split_alone(option) for option in choice.options]
        self.one_of(ways, Value((choice,)), closed=all(map(self._ends_apart, choice.options)))

    def _ends_apart(self, value: Value) -> bool:
        """Tell whether what follows *value* in the word is a word of its own."""
        last = value.segments[-1] if value.segments else None
        return last is None or value == ABSENT or (isinstance(last, Text) and self._is_blank(last.text[-1:]))

    def _is_blank(self, char: str) -> bool:
        return bool(char) and char in DEFAULT_SEPARATORS and char in (self._separators or "")

    def _split_alone(self, value: Value) -> tuple[list[Arg], bool]:
        if value == ABSENT:
            return [], True
        fields = Fields(self._span, self._separators, globs=self._globs, keeps=self._keeps)
        fields.split(value)
        text = value.segments[0].text if value.segments and isinstance(value.segments[0], Text) else ""
        apart = bool(text) and text[0] in (self._separators or "")
        return fields.finish(), apart or not value.segments

    def one_of(
        self, ways: Sequence[tuple[Sequence[Arg], bool]], whole: Value, *, closed: bool = False
    ) -> None:
        """Add what is one of several lists of words.

        Each comes with whether it is surely apart from what stands before it in the word; *closed* says that
        all are from what follows.
        """
        lists = [_as_one(words) for words, _ in ways]
        apart = all(alone for _, alone in ways)
        single = all(len(words) == 1 and not words[0].open and not words[0].optional for words in lists)
        if single and not any(alone for _, alone in ways):
            self.add((Choice(tuple(words[0].value for words in lists)),))
            self.splits = self.splits or any(words[0].splits for words in lists)
            return
        if (self._current or self._present or self._loose is not None) and not apart:
            self.add_open((Unknown(whole.show(), whole.span),))
            return
        self.flush()
        start = len(self._done)
        for number, words in enumerate(lists):
            for word in words:
                way = Way(whole, number, len(lists), word.optional)
                self._done.append(replace(word, optional=True, way=way))
        self._loose = None if closed else (start, whole)


def _as_one(words: Sequence[Arg]) -> Sequence[Arg]:
    """The words of one way, as one where they are one of several themselves."""
    together = one_word(words, 0) if words else None
    return words if together is None or together[1] < len(words) else [together[0]]


@lru_cache(maxsize=64)
def _delimiter(separators: str) -> re.Pattern[str]:
    """Blanks among the separators run together; any other separator ends a word by itself."""
    blanks = "".join(char for char in separators if char in DEFAULT_SEPARATORS)
    hard = "".join(re.escape(char) for char in separators if char not in DEFAULT_SEPARATORS)
    blank = f"[{blanks}]" if blanks else "(?!)"
    return re.compile(f"{blank}*[{hard}]{blank}*|{blank}+" if hard else f"{blank}+")


def _globbed(arg: Arg, bare: str, *, keeps: bool) -> Arg:
    """What pathname expansion makes of a word: unknown file names, or the word if it matches none.

    Words that look like an option, a setting or an address are taken to match no file, as are those with
    nothing but brackets (``devices=[0,1]``); that is an assumption.
    """
    found = _PATTERN.search(bare)
    if not found:
        return arg
    if not keeps:
        return replace(arg, value=Value((Unknown(arg.value.show(), arg.value.span),)), open=True)
    if arg.open:
        return replace(arg, value=Value((Unknown(arg.value.show(), arg.value.span),)))
    before = bare[: found.start()]
    if _WILD.search(bare) and not before.startswith("-") and "=" not in before and "://" not in before:
        return replace(arg, value=Value((Unknown(arg.value.show(), arg.value.span),)), open=True)
    return replace(arg, value=arg.value.assumed())


_MOST_ARGUMENTS = 4096
"""More are no more followed: ``set -- "$@" "$@"`` doubles them each time."""


def settled(args: Sequence[Arg], before: Arg | None = None) -> tuple[Value, ...] | None:
    """The values of *args* in order, some of which may be missing; None where they are not known.

    *before* is the word in front of them, which tells whether they are none by assumption only.
    Behind a word whose text is assumed and split, each value stands in its place by assumption only.
    """
    values: list[Value] = []
    moved = False
    if not args and before is not None and before.splits:
        return None
    if len(args) > _MOST_ARGUMENTS:
        return None
    for arg in args:
        if arg.open:
            return None
        moved = moved or arg.splits
        value = arg.value.assumed() if moved else arg.value
        values.append(optional_value(value) if arg.optional else value)
    return tuple(values)


__all__ = ["DEFAULT_SEPARATORS", "EMPTY", "Fields", "settled"]
