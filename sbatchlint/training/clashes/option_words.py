"""The options that a program is given, by name, as far as they are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sbatchlint.launch.options import arg_text, tail
from sbatchlint.launch.plan import Arg
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_OVERRIDE = regex(r"[+~]*\w+(\.\w+)+=")
"""``model.tensor_model_parallel_size=2``: no value of the option before it."""


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
        if self.name == self.word.text or not self.values:
            return " ".join([self.name, *(value.value.show() for value in self.values)])
        return self.word.value.show()


class GivenOptions:
    """All options among *words*; of those that stand there twice, the last.

    ``key=value`` counts as the option ``key``.
    """

    def __init__(self, words: Sequence[Arg]) -> None:
        self._sure: dict[str, GivenOption] = {}
        self._possible: set[str] = set()
        for option, sure in _options(words):
            self._possible.add(option.name)
            if sure:
                self._sure[option.name] = option

    def get(self, name: str) -> GivenOption | None:
        """Return the option *name*, if it is given on every way through the script."""
        return self._sure.get(name)

    def may_have(self, names: Iterable[str]) -> bool:
        """Tell whether one of *names* is given on some way through the script."""
        return not self._possible.isdisjoint(names)


def _options(words: Sequence[Arg]) -> Iterator[tuple[GivenOption, bool]]:
    """Each option, and whether it is there on every way through the script."""
    all_texts = [_texts(word) for word in words]
    ends = _ends_of_values(all_texts)
    for index, (word, texts) in enumerate(zip(words, all_texts, strict=True)):
        for text in texts:
            name, glued, _ = text.partition("=")
            sure = not word.optional and len(texts) == 1
            if glued:
                value = Arg(tail(word.value, len(name) + 1), word.span)
                yield GivenOption(name.lstrip("+~"), word, (value,)), sure
            elif _is_name(text):
                yield GivenOption(name, word, tuple(words[index + 1 : ends[index]])), sure


def _texts(word: Arg) -> list[str]:
    """What the word may be, with a placeholder character for each unknown piece."""
    return [arg_text(Arg(one)) for one in word.value.alternatives() or []]


def _ends_of_values(texts: Sequence[list[str]]) -> list[int]:
    """For each word, where the words behind it end that may be values: at the next option, or at the end."""
    end = len(texts)
    ends: list[int] = []
    for index in range(len(texts) - 1, -1, -1):
        ends.append(end)
        if any(_is_name(text) or _OVERRIDE.match(text) for text in texts[index]):
            end = index
    return ends[::-1]


def _is_name(text: str) -> bool:
    return text.startswith("-") and not text[1:2].isdigit()
