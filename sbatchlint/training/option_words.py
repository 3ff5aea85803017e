"""The options that a program is given, by name, as far as they are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sbatchlint.launch.options import tail
from sbatchlint.launch.plan import Arg


@dataclass(frozen=True, slots=True)
class GivenOption:
    """An option on the command line, with the words behind it that are its values."""

    name: str
    word: Arg
    values: tuple[Arg, ...]

    @property
    def value(self) -> str | None:
        """The value, if it is one word that is known."""
        return self.values[0].text if len(self.values) == 1 else None

    @property
    def shown(self) -> str:
        """The option with its values, as the program gets them."""
        if self.name in (self.word.text, None) or not self.values:
            return " ".join([self.name, *(value.value.show() for value in self.values)])
        return self.word.value.show()


class GivenOptions:
    """All options among *words*; of those that stand there twice, the last.

    ``key=value`` counts as the option ``key``.
    """

    def __init__(self, words: Sequence[Arg]) -> None:
        self._sure: dict[str, GivenOption] = {}
        self._possible: set[str] = set()
        for option in _options(words):
            self._possible.add(option.name)
            if option.word.text is not None:
                self._sure[option.name] = option

    def get(self, name: str) -> GivenOption | None:
        """Return the option *name*, if it is given on every way through the script."""
        return self._sure.get(name)

    def may_have(self, names: Iterable[str]) -> bool:
        """Tell whether one of *names* is given on some way through the script."""
        return not self._possible.isdisjoint(names)


def _options(words: Sequence[Arg]) -> Iterator[GivenOption]:
    for index, word in enumerate(words):
        for text in _texts(word):
            name, glued, _ = text.partition("=")
            if glued:
                yield GivenOption(name.lstrip("+~"), word, (Arg(tail(word.value, len(name) + 1), word.span),))
            elif text.startswith("-") and not text[1:2].isdigit():
                yield GivenOption(name, word, tuple(_values(words[index + 1 :])))


def _texts(word: Arg) -> list[str]:
    """What the word may be; an unknown one gives nothing."""
    texts = [one.text for one in word.value.alternatives() or []]
    return [text for text in texts if text is not None]


def _values(words: Sequence[Arg]) -> Iterator[Arg]:
    for word in words:
        if any(text.startswith("--") for text in _texts(word)):
            return
        yield word
