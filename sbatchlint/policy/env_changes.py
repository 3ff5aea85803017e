"""What may set variables without saying which: modules, activated environments, names that are worked out."""

from __future__ import annotations

import re

from sbatchlint.launch.layers import Layer, LayerKind, LayerOption
from sbatchlint.launch.plan import Program, Step
from sbatchlint.launch.values import Value
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_COMMAND = r"(?:^|[;&|(){}`]|\b(?:then|do|else|exec|command|builtin))[ \t]*"
_READS = regex(_COMMAND + r"(source|\.|eval)[ \t]", re.MULTILINE)
"""Text from elsewhere is read as the script's own."""
_NAMES = regex(
    _COMMAND + r"(?:(?:module|ml|conda|mamba|micromamba|spack|guix|nix|direnv|eval|source|\.)[ \t]"
    r"|env[ \t]+(?:-\S+[ \t]+|\w+=\S+[ \t]+)*[\"']?[$`]"
    r"|(?:export|declare|typeset|readonly|printf[ \t]+-v|read|mapfile|readarray|getopts)[ \t][^\n;]*[$`])",
    re.MULTILINE,
)
"""Variables are set whose names do not stand there."""
_FILES = ("env-file", "environment-file", "envfile")
_PAIRS = ("env", "e", "export", "container-env", "environment")


@dataclass(frozen=True, slots=True)
class Changes:
    """What a script's text says of variables that come from elsewhere.

    It is looked for in the bare text: what stands in a comment or a quoted text makes less known, never more.
    """

    last: int
    """Where the text is read from elsewhere for the last time; -1 if never."""
    evaluates: bool
    """Whether a text is made and run (``eval``)."""
    names: bool
    """Whether variables may be set that are not named."""

    def is_after(self, value: Value) -> bool:
        """Tell whether *value* is written behind all that may have changed it."""
        return self.last < 0 or (value.span is not None and value.span.start > self.last)


def changes(text: str) -> Changes:
    """Look through the text of a script."""
    reads = list(_READS.finditer(text))
    evaluates = any(match[1] == "eval" for match in reads)
    return Changes(reads[-1].start() if reads else -1, evaluates, _NAMES.search(text) is not None)


def sets_more(program: Program, step: Step | None) -> bool:
    """Tell whether what stands before *program* on its line may set variables for it that are not seen."""
    if step is not None and (not step.options_complete or not _told(step.get("export"))):
        return True
    return any(map(_layer_sets_more, program.layers))


def _layer_sets_more(layer: Layer) -> bool:
    if layer.kind not in (LayerKind.WRAPPER, LayerKind.CONTAINER, LayerKind.LAUNCHER):
        return False
    if not layer.complete or layer.get(*_FILES) is not None:
        return True
    operands = layer.name == "env" and any(word.value.text is None for word in layer.operands)
    return operands or not all(map(_told, layer.all(*_PAIRS)))


def _told(option: LayerOption | None) -> bool:
    """Tell whether the value of *option* is known, where it is given and has one."""
    return option is None or option.value is None or option.value.text is not None
