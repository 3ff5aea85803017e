"""The options on a line of srun, sbatch or salloc, as far as its words are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbatchlint.launch.code import is_placeholder
from sbatchlint.launch.options import arg_text, as_options, tail, unknown_is_options
from sbatchlint.launch.plan import Arg, LayerOption
from sbatchlint.launch.together import one_word
from sbatchlint.launch.values import holds_more
from sbatchlint.records import dataclass
from sbatchlint.slurm.getopt import Use, parse


@dataclass(frozen=True, slots=True)
class SlurmLine:
    """A command line, read."""

    uses: tuple[Use, ...]
    options: tuple[LayerOption, ...]
    rest: int
    """Index of the first operand."""
    complete: bool
    """False where unknown words may hold more options."""


def read_line(args: Sequence[Arg], command: str, release: str | None) -> tuple[list[Arg], SlurmLine]:
    """Read the options of *command*; an unknown word among them may hold more.

    Gives the words too: one that is one of several options stands there as each of them.
    """
    words = list(args)
    uses: list[Use] = []
    index = 1
    complete = True
    while True:
        parsed = parse([arg_text(arg) for arg in words[index:]], command, release)
        apart = (use.value_word for use in parsed.uses if use.value_word != use.name_word)
        if _put_together(words, [index + word for word in apart if word is not None]):
            continue
        uses.extend(_shifted(use, index) for use in parsed.uses)
        complete = complete and not any(holds_more(arg.value) for arg in words[index : index + parsed.rest])
        index += parsed.rest
        text = arg_text(words[index]) if index < len(words) else ""
        if not text or not is_placeholder(text[0]):
            break
        choice = as_options(words[index])
        if choice:
            words[index : index + 1] = choice
            continue
        if not unknown_is_options(words, index):
            break
        complete = False
        index += 1
    return words, SlurmLine(tuple(uses), tuple(_option(words, use) for use in uses), index, complete)


def _put_together(words: list[Arg], values: Sequence[int]) -> bool:
    """Make one word of an option's value that is several, one on each way; tell whether there was any."""
    for at in values:
        together = one_word(words, at)
        if together is not None:
            words[at : at + together[1]] = [together[0]]
            return True
    return False


def _shifted(use: Use, by: int) -> Use:
    value_word = None if use.value_word is None else use.value_word + by
    return replace(use, name_word=use.name_word + by, value_word=value_word)


def _option(args: Sequence[Arg], use: Use) -> LayerOption:
    arg = args[use.name_word]
    if use.value_word is None:
        return LayerOption(use.spec.long, None, arg)
    holder = args[use.value_word]
    return LayerOption(use.spec.long, tail(holder.value, use.value_start), arg, holder)


__all__ = ["SlurmLine", "read_line"]
