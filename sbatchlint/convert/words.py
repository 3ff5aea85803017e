"""The words of the command as they stand in the script: known ones quoted, others as they were written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.convert.keeping import NOT_ITSELF, names_itself
from sbatchlint.convert.quoting import in_double_quotes, quoted
from sbatchlint.convert.refusal import Refused
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.values import Text, Unknown, Value
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Command, ProcessSubstitution, Simple
from sbatchlint.source import Source, Span

_NAME = regex(r"\$\{?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}?")
_USED = regex(r"(?<!\\)\$\{?[#!]?(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?P<default>:?[-+=?])?")
_ALWAYS_SET = frozenset(
    "HOME USER LOGNAME PATH PWD SHELL HOSTNAME RANDOM SECONDS UID EUID BASHPID LINENO".split()
)
_ADVICE = "write the word out, or put it into a variable in double quotes"


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the words of one command into a script that has the lines before it, too."""

    source: Source
    command: Command
    """The command that they stand in."""
    shared: frozenset[Span] = frozenset()
    """Words that give more than the program's own: they are never written as they are."""
    tokens: frozenset[str] = frozenset()
    """Variables that hold a token, which is one word."""
    lost: frozenset[str] = frozenset()
    """Variables that the script does not set as the file did."""

    def words(self, args: Sequence[Arg]) -> Iterator[str]:
        """Yield the shell words for *args*; what gave several of them is written once, if it is not known.

        Raises Refused where a word depends on what the script alone decides.
        """
        unknown = {arg.span for arg in args if arg.span is not None and not _is_known(arg)}
        written: Span | None = None
        for arg in args:
            _refuse_of_task(arg)
            text = self._as_written(arg.span) if arg.span in unknown else None
            if text is None:
                written = None
                yield self.word(arg)
            elif arg.span != written:
                written = arg.span
                self._refuse_lost(text, arg)
                if names_itself(text):
                    raise Refused(text, NOT_ITSELF)
                yield text

    def word(self, arg: Arg) -> str:
        """Return the shell word for *arg* alone."""
        text = arg.text
        if text is not None and _is_known(arg):
            return quoted(text)
        names = {one.name.strip("${}") for one in arg.value.unknowns()}
        if arg.optional or (arg.open and not names <= self.tokens):
            raise Refused(arg.value.show(), f"it is not known which words it stands for; {_ADVICE}")
        text = expanding(arg.value)
        self._refuse_lost(text, arg)
        return text

    def _refuse_lost(self, text: str, arg: Arg) -> None:
        for match in _USED.finditer(text):
            if match["name"] in self.lost:
                why = f"it depends on {match['name']}, which a line that is left out may set; {_ADVICE}"
                raise Refused(arg.value.show(), why)

    def _as_written(self, span: Span | None) -> str | None:
        """The word at *span*, if it is one of the command's own, outside of a string that a shell reads."""
        if span is None or span in self.shared or not isinstance(self.command, Simple):
            return None
        word = next((word for word in self.command.words if word.span == span), None)
        if word is None:
            return None
        text = self.source.slice(span)
        if any(isinstance(part, ProcessSubstitution) for part in word.parts):
            raise Refused(text, "only the shell that starts the job has such a file; give it a file's name")
        return text


def expanding(value: Value, *, unset: bool = False) -> str:
    """Return *value* as a shell word in which variables are expanded where it stands.

    With *unset* a variable that is not set is empty there.  Raises Refused for what is no variable.
    """
    if all(isinstance(one, Text) for one in value.segments):
        return quoted(value.text or "")
    pieces: list[str] = []
    for segment in value.segments:
        if isinstance(segment, Text) and segment.early is None:
            pieces.append(in_double_quotes(segment.text))
            continue
        match = _NAME.fullmatch(segment.name) if isinstance(segment, Unknown) else None
        if match is None or (isinstance(segment, Unknown) and segment.early is not None):
            raise Refused(value.show(), f"its text is not known and can't be carried over; {_ADVICE}")
        pieces.append(f"${{{match['name']}:-}}" if unset else f"${{{match['name']}}}")
    text = "".join(pieces)
    if any(not char.isprintable() for char in text):
        raise Refused(value.show(), f"it has invisible characters beside a variable; {_ADVICE}")
    return f'"{text}"'


def variables_in(texts: Sequence[str]) -> Iterator[str]:
    """Yield the variables that the shell words *texts* need and that neither the system nor Slurm sets."""
    for text in texts:
        if text.startswith(("'", "$'")):
            continue
        for match in _USED.finditer(text):
            name = match["name"]
            if name not in _ALWAYS_SET and not name.startswith("SLURM_") and not match["default"]:
                yield name


def _refuse_of_task(arg: Arg) -> None:
    early = [leaf.early.variable for leaf in arg.value.leaves() if leaf.early is not None]
    if early:
        raise Refused(
            f"${early[0]}",
            "it differs between the tasks, and the batch script would expand it once, for all of them; "
            "let the program read it",
        )


def _is_known(arg: Arg) -> bool:
    if arg.text is None or arg.value.certainty is not Certainty.KNOWN:
        return False
    return all(leaf.early is None for leaf in arg.value.leaves())
