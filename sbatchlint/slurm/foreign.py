"""The ``#PBS`` and ``#BSUB`` lines of a script, translated into options as sbatch does.

The rules are those of ``_set_pbs_options`` and ``_set_bsub_options`` in Slurm's ``src/sbatch/xlate.c``,
releases 20.11 to 26.05: sbatch reads such lines after the directives, so that they override them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from sbatchlint.records import dataclass
from sbatchlint.slurm.directives import DirectiveLine, Token
from sbatchlint.slurm.foreign_resources import ResourceList
from sbatchlint.slurm.option_use import OptionUse, Origin
from sbatchlint.slurm.options import Release, option_table
from sbatchlint.source import Span

_DIRECTORY_LETTERS: Release = (23, 2)
"""First series that knows ``#PBS -d`` and ``#PBS -w``."""

_BSUB_LONG = {
    "cwd": "c",
    "error_file": "e",
    "job_name": "J",
    "hostname": "m",
    "memory_limit": "M",
    "output_file": "o",
    "queue_name": "q",
    "time": "W",
    "exclusive": "x",
}
_BSUB = {"c": "chdir", "e": "error", "J": "job-name", "o": "output", "q": "partition", "W": "time"}
"""Letters whose value sbatch takes as it is, with the option it gives it to."""
_BSUB_LETTERS = "ceJmMnoqW"
_BSUB_FLAGS = "x"

_PBS_LONG = {
    "start_time": "a",
    "account": "A",
    "checkpoint": "c",
    "working_dir": "C",
    "error": "e",
    "hold": "h",
    "interactive": "I",
    "job_array": "J",
    "keep": "k",
    "resource_list": "l",
    "mail_options": "m",
    "mail_user_list": "M",
    "job_name": "N",
    "out": "o",
    "priority": "p",
    "destination": "q",
    "rerunable": "r",
    "script_path": "S",
    "array": "t",
    "running_user": "u",
    "variable_list": "v",
    "all_env": "V",
    "attributes": "W",
    "no_std": "z",
}
_PBS = {
    "a": "begin",
    "A": "account",
    "d": "chdir",
    "e": "error",
    "J": "array",
    "M": "mail-user",
    "N": "job-name",
    "o": "output",
    "p": "nice",
    "q": "partition",
    "t": "array",
    "w": "chdir",
}
_PBS_LETTERS = "aAcCejJklmMNopqrStuvW"
_PBS_FLAGS = "hIVz"
_MAIL = (("b", "BEGIN"), ("e", "END"), ("a", "FAIL"))


@dataclass(frozen=True, slots=True)
class ForeignProblem:
    """Something in such a line for which sbatch refuses the script."""

    said: str
    span: Span
    line: int


@dataclass(frozen=True, slots=True)
class Translation:
    """What the lines ask for, in the words of sbatch, and what is wrong with them."""

    uses: tuple[OptionUse, ...] = ()
    problems: tuple[ForeignProblem, ...] = ()


def translate(
    lines: Sequence[DirectiveLine], before: Sequence[OptionUse], release: Release | None
) -> Translation:
    """Translate lines that all have one prefix; *before* are the options that sbatch has read already."""
    if not lines:
        return Translation()
    translator = _Translator(lines, before, release)
    translator.run()
    return Translation(tuple(translator.uses), tuple(translator.problems))


@dataclass(frozen=True, slots=True)
class _Given:
    """One option of such a line: its letter, and the word (from an offset on) that is its value."""

    letter: str
    line: DirectiveLine
    span: Span
    token: Token | None = None
    start: int = 0

    @property
    def value(self) -> str:
        return "" if self.token is None else self.token.value[self.start :]


@dataclass
class _Translator:
    lines: Sequence[DirectiveLine]
    before: Sequence[OptionUse]
    release: Release | None
    uses: list[OptionUse] = field(default_factory=list)
    problems: list[ForeignProblem] = field(default_factory=list)

    def run(self) -> None:
        pbs = self.lines[0].prefix == "#PBS"
        for given in self._options(pbs):
            if pbs:
                self._pbs(given)
            else:
                self._bsub(given)

    # --- the argument list ---------------------------------------------------------------------

    def _options(self, pbs: bool) -> Iterator[_Given]:
        words = [(line, token) for line in self.lines for token in line.tokens]
        index = 0
        while index < len(words):
            line, token = words[index]
            text = token.value
            # sbatch looks at every other word only, so "-cwd" after an odd one is "-c wd".
            name, start, length = self._name("-c" if self._is_cwd(pbs, index, text) else text, pbs)
            if text == "--" or len(text) < 2 or not text.startswith("-"):
                self._stray(words[index + (text == "--") :])
                return
            index += 1
            if name is None:
                said = f"invalid option -- '{text[1]}'" if text[1] != "-" else f"unrecognized option '{text}'"
                self._blame(f"{said}\nUnrecognized command line parameter ?", token, line)
                continue
            if name in (_PBS_FLAGS if pbs else _BSUB_FLAGS):
                yield from self._flags(text, length, line, token, pbs)
            elif start is not None:
                yield _Given(name, line, token.span, token, start)
            elif index < len(words):
                value = words[index][1]
                yield _Given(name, line, token.span.cover(value.span), value)
                index += 1
            elif not (pbs and name == "j" and text.startswith("--")):
                self._blame(f"option requires an argument -- '{name}'", token, line)

    @staticmethod
    def _is_cwd(pbs: bool, index: int, text: str) -> bool:
        return not pbs and index % 2 == 0 and text == "-cwd"

    def _name(self, text: str, pbs: bool) -> tuple[str | None, int | None, int]:
        """Return the letter meant by a word, where its glued value starts, and the name's length."""
        if not text.startswith("--"):
            letter = text[1:2]
            known = self._letters(pbs)
            return (letter if letter and letter in known else None), (2 if len(text) > 2 else None), 2
        long, equals, _ = text[2:].partition("=")
        table = _PBS_LONG | {"join": "j"} if pbs else _BSUB_LONG
        names = [long] if long in table else [name for name in table if name.startswith(long)]
        meant = {table[name] for name in names}
        return meant.pop() if len(meant) == 1 else None, len(long) + 3 if equals else None, len(text)

    def _letters(self, pbs: bool) -> str:
        if not pbs:
            return _BSUB_LETTERS + _BSUB_FLAGS
        newer = self.release is None or self.release >= _DIRECTORY_LETTERS
        return _PBS_LETTERS + _PBS_FLAGS + ("dw" if newer else "")

    def _flags(
        self, text: str, length: int, line: DirectiveLine, token: Token, pbs: bool
    ) -> Iterator[_Given]:
        """Read a flag, and what is bundled with it: ``-hN name`` is left to whoever writes that."""
        yield _Given(self._name(text, pbs)[0] or "", line, token.span)
        for letter in text[length:] if not text.startswith("--") else "":
            if letter not in (_PBS_FLAGS if pbs else _BSUB_FLAGS):
                self._blame(f"invalid option -- '{letter}'", token, line)
                return
            yield _Given(letter, line, token.span)

    def _stray(self, words: Sequence[tuple[DirectiveLine, Token]]) -> None:
        if words:
            line, token = words[0]
            self._blame(f"Invalid argument: {token.value}", token, line)

    def _blame(self, said: str, token: Token, line: DirectiveLine) -> None:
        self.problems.append(ForeignProblem(said, token.span, line.number))

    # --- what the options mean -----------------------------------------------------------------

    def _bsub(self, given: _Given) -> None:
        text = given.value
        if given.letter in _BSUB:
            self._use(_BSUB[given.letter], text, given)
        elif given.letter == "x":
            self._use("exclusive", None, given)
        elif given.letter == "m":
            self._use("nodelist", text.replace(" ", ","), given)
        elif given.letter == "M":
            # LSF counts in KB.
            self._use("mem-per-cpu", text + "K" if text[-1:].isdigit() else text, given)
        elif given.letter == "n":
            most = text.partition(",")[2] if "," in text else text
            if not most:
                said = f"#BSUB -n format not correct given: '{text}'"
                self.problems.append(ForeignProblem(said, given.span, given.line.number))
            else:
                self._use("ntasks", most, given)

    def _pbs(self, given: _Given) -> None:
        text = given.value
        if given.letter in _PBS:
            self._use(_PBS[given.letter], text, given)
        elif given.letter == "h":
            self._use("hold", None, given)
        elif given.letter == "l":
            self._resources(given)
        elif given.letter == "m":
            kinds = [name for letter, name in _MAIL if letter in text.lower()]
            if "n" in text.lower():
                kinds = ["NONE"]
            self._use("mail-type", ",".join(kinds), given)
        elif given.letter == "v":
            earlier = self._value("export")
            self._use("export", text if earlier is None else f"{earlier},{text}", given)
        elif given.letter == "W" and text.lower().startswith("depend="):
            self._use("dependency", text[len("depend=") :], given, len("depend="))

    def _resources(self, given: _Given) -> None:
        found = ResourceList(given.value, self._value)
        for item in found.items:
            place = (
                None
                if given.token is None
                else given.token.span_of(given.start + item.start, given.start + item.end)
            )
            self._add(item.option, item.value, place or given.span, place, given.line)
        for said in found.problems:
            self.problems.append(ForeignProblem(said, given.span, given.line.number))

    def _use(self, option: str, value: str | None, given: _Given, skipped: int = 0) -> None:
        place = None
        if value is not None and given.token is not None:
            place = given.token.span_of(given.start + skipped, len(given.token.value))
        self._add(option, value, given.span, place, given.line)

    def _add(
        self, option: str, value: str | None, span: Span, place: Span | None, line: DirectiveLine
    ) -> None:
        spec = option_table().get(option)
        self.uses.append(OptionUse(spec, value, span, place, line.number, Origin.FOREIGN))

    def _value(self, option: str) -> str | None:
        """Return the value that sbatch has for *option* by now."""
        for use in reversed((*self.before, *self.uses)):
            if use.spec.long == option:
                return use.value
        return None
