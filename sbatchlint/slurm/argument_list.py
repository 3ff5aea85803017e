"""The argument list that the directives of one component make, read option by option."""

from __future__ import annotations

from collections.abc import Sequence

from sbatchlint.records import dataclass
from sbatchlint.slurm.directives import DirectiveLine, Token
from sbatchlint.slurm.getopt import Parsed, Problem, ProblemKind, Use, parse
from sbatchlint.slurm.option_use import OptionUse
from sbatchlint.slurm.options import OptionSpec
from sbatchlint.source import Span


@dataclass(frozen=True, slots=True)
class RequestProblem:
    """Something in a directive that sbatch refuses when it splits the options."""

    kind: ProblemKind
    span: Span
    """The option with its value, where it has one, or the stray word."""
    name_span: Span
    """The name alone, or the stray word."""
    line: int
    name: str
    """The guilty name with its dashes (``--mpi``, ``-Z``), or the stray word."""
    text: str
    """The whole word."""
    spec: OptionSpec | None = None
    """The option that was meant, where that is clear."""
    possibilities: tuple[str, ...] = ()
    """For an ambiguous name: what it could mean, without dashes."""
    component: int = 0


class ArgumentListReader:
    """Reads the words of one component's directives, over stray ones, with the places of all."""

    def __init__(
        self, tokens: Sequence[tuple[DirectiveLine, Token]], component: int, release: str | None
    ) -> None:
        self.tokens = tokens
        self.component = component
        self.release = release
        self.uses: list[OptionUse] = []
        self.problems: list[RequestProblem] = []
        self.hides_options = False
        """Whether options stand behind a stray word on its line: what they ask for is not in ``uses``."""

    def read(self) -> None:
        """Read all words.  sbatch stops at the first stray one; its neighbours are still worth reading."""
        words = [token.value for _, token in self.tokens]
        start = 0
        while start < len(words):
            parsed = parse(words[start:], "sbatch", self.release)
            self.uses += [self._use(use, start) for use in parsed.uses]
            self.problems += [self._problem(problem, start) for problem in parsed.problems]
            stray = start + parsed.rest
            if stray >= len(words):
                return
            if self._belongs_to_unknown(parsed, start, stray):
                start = stray + 1
                continue
            self._stray(stray)
            start = self._next_line(stray)
            self.hides_options |= any(_is_option(word) for word in words[stray + 1 : start])

    def _use(self, use: Use, start: int) -> OptionUse:
        line, token = self.tokens[start + use.name_word]
        named_all = use.name_start == 0 and use.name_end == len(token.value)
        whole = token.span if named_all else token.span_of(use.name_start, use.name_end)
        value_span = None
        if use.value_word is not None and use.value is not None:
            value_token = self.tokens[start + use.value_word][1]
            value_span = value_token.span_of(use.value_start, len(value_token.value))
            whole = whole.cover(Span(whole.start, value_token.span.end))
        return OptionUse(use.spec, use.value, whole, value_span, line.number)

    def _problem(self, problem: Problem, start: int) -> RequestProblem:
        word = start + problem.word
        line, token = self.tokens[word]
        name_span = self._name_span(token, problem.name)
        span = token.span
        if problem.value_word is not None:
            span = span.cover(self.tokens[start + problem.value_word][1].span)
        return RequestProblem(
            problem.kind,
            span,
            name_span,
            line.number,
            problem.name,
            problem.text,
            problem.spec,
            problem.possibilities,
            self.component,
        )

    @staticmethod
    def _name_span(token: Token, name: str) -> Span:
        if token.value.startswith(name):
            return token.span_of(0, len(name))
        letter = token.value.index(name[1:], 1)
        return token.span_of(letter, letter + 1)

    def _belongs_to_unknown(self, parsed: Parsed, start: int, stray: int) -> bool:
        """Tell whether the stray word looks like the value of an unknown option just before it."""
        doubtful = (ProblemKind.UNKNOWN, ProblemKind.AMBIGUOUS)
        last = parsed.problems[-1] if parsed.problems else None
        return (
            last is not None
            and last.kind in doubtful
            and "=" not in last.text
            and start + last.word == stray - 1
            and self.tokens[stray - 1][0] is self.tokens[stray][0]
        )

    def _stray(self, index: int) -> None:
        line, token = self.tokens[index]
        self.problems.append(
            RequestProblem(
                ProblemKind.STRAY_WORD,
                token.span,
                token.span,
                line.number,
                token.value,
                token.value,
                component=self.component,
            )
        )

    def _next_line(self, index: int) -> int:
        """Return the index of the first word on a later line than that of word *index*."""
        line = self.tokens[index][0]
        while index < len(self.tokens) and self.tokens[index][0] is line:
            index += 1
        return index


def _is_option(word: str) -> bool:
    """Tell whether *word* is written as an option (``-N2``, ``--nodes``), and not as a dash or a number."""
    return word.lstrip("-")[:1].isalpha() and 1 <= len(word) - len(word.lstrip("-")) <= 2
