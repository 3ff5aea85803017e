"""What a command of Slurm refuses of the options on its line: values that it can't read or does not get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.launch.options import tail
from sbatchlint.launch.plan import Arg
from sbatchlint.lint.job import Job
from sbatchlint.lint.unread import PLACEHOLDER
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.getopt import ProblemKind, holds_unknown, parse
from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.option_values import read_value
from sbatchlint.slurm.options import Release, option_table, spell_release
from sbatchlint.source import Span

TAKES_NO_ARGUMENT = "takes no argument"
_PROBLEMS = {
    ProblemKind.MISSING_ARGUMENT: ("option '{}' requires an argument", "has no argument"),
    ProblemKind.ARGUMENT_NOT_ALLOWED: ("option '{}' doesn't allow an argument", TAKES_NO_ARGUMENT),
}
"""What getopt says of a long name, and what we do."""
_BLANK = regex(r"[<>{}…]|\[\[|\.\.\.|^@.*@$|^[A-Z][A-Z:_-]*$|(?i:your)")
"""What stands where somebody has yet to fill in a value."""
_FORM = regex(rf"(?<![\w<]){PLACEHOLDER.pattern}")


@dataclass(frozen=True, slots=True)
class OptionMistake:
    """An option with an argument that the command does not take, or without the one that it needs."""

    name: str
    """The option as written, with its dashes and without a value."""
    long: str
    """Its long name with its dashes, where it is an option with a value; else as written."""
    value: str
    """The argument, empty where there is none."""
    said: tuple[str, ...]
    """What the command prints, without its name in front."""
    fault: str
    """In our words, to follow "the option ..."; empty where Slurm's words say it all."""
    word: int
    """Which of the words it is in, the command's name not counted."""
    start: int
    """Where the argument begins in that word."""
    long_word: str = ""
    """The word with a second dash, where a long name stands behind one (``-ntasks=4``); empty elsewhere."""

    @property
    def glued(self) -> bool:
        """Whether the argument as such is the mistake (``--label=1``)."""
        return bool(self.value) and self.fault == TAKES_NO_ARGUMENT

    def place(self, word: Arg) -> Span | None:
        """Where the argument is written in *word*, or its first piece; without one the place of the word."""
        return tail(word.value, self.start).span or word.place


def sure_words(line: Sequence[Arg]) -> Sequence[Arg]:
    """Return the words behind the command's name up to the first that may be missing, or be several."""
    words = line[1:]
    end = next((at for at, word in enumerate(words) if word.optional or word.open or word.splits), len(words))
    return words[:end]


def is_form(job: Job, line: Span) -> bool:
    """Tell whether the command at *line* is still to be filled in: ``-A <account>``, redirections to bash."""
    start, end = line.start, job.source.line_around(line.end).end
    while job.source.text[:end].endswith("\\") and end < len(job.source.text):
        end = job.source.line_around(end + 1).end
    return _FORM.search(job.source.text, start, end) is not None


def option_mistakes(
    words: Sequence[str], command: str, releases: Sequence[Release], *, whole: bool
) -> list[OptionMistake]:
    """Return the mistakes of the oldest of *releases* that all the others find at the same word.

    *words* follow the name of *command*; *whole* is False where more words follow that are not known.
    """
    found = [list(_mistakes(words, command, whole, release)) for release in releases]
    others = [{mistake.word for mistake in mistakes} for mistakes in found[1:]]
    return [one for one in found[0] if all(one.word in places for places in others)] if found else []


def _mistakes(words: Sequence[str], command: str, whole: bool, release: Release) -> Iterator[OptionMistake]:
    parsed = parse(words, command, spell_release(release))
    # Behind an option that the command does not know, nobody knows what is the value of what.
    end = min((one.word for one in parsed.problems if one.kind not in _PROBLEMS), default=len(words))
    for problem in parsed.problems:
        missing = problem.kind is ProblemKind.MISSING_ARGUMENT
        if problem.word < end and (whole or not missing):
            said, fault = _PROBLEMS[problem.kind]
            name, argument = problem.name, problem.text.partition("=")[2]
            start = len(name) + 1 if argument else 0
            yield OptionMistake(name, name, argument, (said.format(name),), fault, problem.word, start)
    for use in parsed.uses:
        if not use.value or use.value_word is None or use.name_word >= end or use.spec.plugin is not None:
            continue
        if holds_unknown(use.value) or _BLANK.search(use.value):
            continue
        value = read_value(use.spec.long, use.value, release, command)
        if isinstance(value, Refused) and value.stage is Stage.CLIENT:
            name = words[use.name_word][use.name_start : use.name_end]
            name = name if name.startswith("-") else f"-{name}"
            said_of_it = tuple(f"error: {line}" for line in value.said.splitlines() if line)
            glued = use.name_word == use.value_word
            dashed = _with_two_dashes(words[use.name_word], command, release) if glued else ""
            long = f"--{use.spec.long}"
            where = use.value_word, use.value_start
            yield OptionMistake(name, long, use.value, said_of_it, value.detail, *where, dashed)


def _with_two_dashes(word: str, command: str, release: Release) -> str:
    """Return the long option that a word with one dash spells (``-ntasks=4``); empty where it spells none."""
    name = word.removeprefix("-").partition("=")[0]
    names = option_table().names(command, release)
    return f"-{word}" if len(name) > 1 and name.replace("_", "-") in names else ""
