"""What concerns the job as a whole: arrays, dependencies, layout, environment, lists of names."""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.arrays import ARRAY
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import lower
from sbatchlint.slurm.grammar.dependencies import DEPENDENCY
from sbatchlint.slurm.grammar.distributions import DISTRIBUTION

_NIL = (23, 2)
"""From here on NIL is a word of its own; before, it is the name of a variable."""
_EMPTY_PARTITION = (24, 11)
"""From here on an empty list of partitions means the default one."""


@dataclass(frozen=True, slots=True)
class Export:
    """Which variables of the submitting shell the job gets."""

    all: bool = False
    """True where it gets them all."""
    names: tuple[str, ...] = ()
    """Those that it gets by name."""
    assignments: tuple[tuple[str, str], ...] = ()
    """Those that are set for it: name and value."""
    nil: bool = False
    """True for NIL: not even the user's login environment is loaded."""


def _export(text: str, context: Context) -> Export:
    word = lower(text)
    if word == "none":
        return Export()
    if word == "nil" and context.release >= _NIL:
        return Export(nil=True)
    tokens = [token for token in _split_quoted(text) if token]
    pairs = [token.partition("=") for token in tokens if "=" in token]
    names = [token for token in tokens if "=" not in token]
    return Export(
        any(lower(name) == "all" for name in names),
        tuple(name for name in names if lower(name) != "all"),
        tuple((name, value) for name, _, value in pairs),
    )


def _split_quoted(text: str) -> list[str]:
    """Split at commas that stand in no quotes, which belong to the value."""
    tokens, token, quote = [], "", ""
    for char in text:
        if char == "," and not quote:
            tokens.append(token)
            token = ""
            continue
        if char in "'\"" and quote in ("", char):
            quote = "" if quote else char
        token += char
    return [*tokens, token]


@dataclass(frozen=True, slots=True)
class NameList:
    """Names separated by commas."""

    names: tuple[str, ...]


def _names(text: str, context: Context) -> NameList:
    names = tuple(name for name in text.split(",") if name)
    if context.option == "partition" and not names and context.release < _EMPTY_PARTITION:
        said = "invalid partition specified: (null)\nInvalid partition name specified"
        raise Refused(said, "no partition is named", stage=Stage.CONTROLLER)
    return NameList(names)


GRAMMARS = (
    ARRAY,
    DEPENDENCY,
    DISTRIBUTION,
    Grammar(
        "export",
        "variables of the submitting shell that the job gets",
        (
            ("ALL", "all of them (the default)"),
            ("NONE", "none but Slurm's own; the user's login environment is loaded"),
            ("NIL", "none, and no login environment (23.02 and later)"),
            ("NAME,NAME", "these"),
            ("NAME=VALUE", "this one, set so"),
            ("ALL,NAME=VALUE", "all, and this one set so"),
        ),
        ("ALL", "NONE", "PATH,HOME", "ALL,A=1", "A=1,B=2", "=x", ""),
        (),
        _export,
        (
            "A comma ends a value, unless the value's quotes are part of it.",
            "All but ALL set SLURM_EXPORT_ENV, and srun then drops what the script itself exports too.",
        ),
    ),
    Grammar(
        "name_list",
        "names, separated by commas",
        (("NAME,NAME", "each of them"),),
        ("a", "a,b", "A_B"),
        (),
        _names,
        ("An empty --partition is refused before 24.11.",),
    ),
)
