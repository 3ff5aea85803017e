"""Binding tasks to GPUs and other generic resources: ``--gpu-bind``, ``--tres-bind``.

Source: ``src/common/tres_bind.c``.
"""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage
from sbatchlint.slurm.grammar.c_text import LONG_MAX, leading_integer, lower
from sbatchlint.slurm.grammar.gres_items import INVALID_TRES
from sbatchlint.slurm.options import Release

_EXACT_CASE_UNTIL = (20, 11)
_CHECKS_LISTS = (22, 5)
_WHOLE_WORDS = (23, 2)
"""From here on closest and none must be written out; in 21.08 and 22.05 their first letter was enough."""
_SHORT_WORDS = (23, 11)
"""From here on map: and mask: are known beside map_gpu: and mask_gpu:."""
_SHORT_WORDS_RIGHT = (26, 5)
"""From here on Slurm looks at what stands after map: and mask:; before, four letters too far."""
_DECIMAL = "0123456789*"
_HEXADECIMAL = f"{_DECIMAL}abcdefABCDEF"
_ANY_BASE = regex(r"(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)?")
"""A number as C's ``strtol`` takes it where the base is not given."""
_SHARED = frozenset({"mps", "shard"})


@dataclass(frozen=True, slots=True)
class GresBinding:
    """How tasks are bound to one kind of generic resource."""

    resource: str
    """``gpu`` and its like."""
    method: str
    """``closest``, ``none``, ``single``, ``per_task``, ``map`` or ``mask``."""
    argument: str = ""
    """The number of tasks (single) or of resources (per_task); the list of a map or mask."""
    verbose: bool = False


class _Malformed(ValueError):
    """The binding can't be read; the message is Slurm's first line, if there is one."""


def _gpu_bind(text: str, context: Context) -> GresBinding:
    release = context.release
    separator = "+" if release >= _SHORT_WORDS else ";"
    prefix = "gres/gpu:" if release >= _SHORT_WORDS else "gpu:"
    bindings = []
    try:
        for part in filter(None, f"{prefix}{text}".split(separator)):
            if not part.startswith(prefix):
                raise _Malformed
            bindings.append(_binding("gpu", part[len(prefix) :], release))
        return bindings[0]
    except _Malformed as malformed:
        shown = text if release >= _SHORT_WORDS else f"gpu:{text}"
        last = f"Invalid --gpu-bind argument: {shown}"
        said = "\n".join(filter(None, (str(malformed), last)))
        detail = "it takes closest, none, per_task:N, single:N, map_gpu:LIST or mask_gpu:LIST"
        raise Refused(said, detail) from None


def _tres_bind(text: str, context: Context) -> tuple[GresBinding, ...]:
    bindings = []
    for part in filter(None, text.split("+")):
        kind, colon, method = part.partition(":")
        name = kind.removeprefix("gres/")
        try:
            if not colon or name == kind:
                raise _Malformed
            binding = _binding(name, method, context.release)
            if name in _SHARED and binding.method not in ("none", "per_task"):
                raise _Malformed
        except _Malformed:
            detail = "it takes gres/NAME:METHOD, such as gres/gpu:closest"
            raise Refused(INVALID_TRES, detail, stage=Stage.CONTROLLER) from None
        bindings.append(binding)
    return tuple(bindings)


def _binding(resource: str, text: str, release: Release) -> GresBinding:
    verbose = lower(text).startswith("verbose,")
    rest = text[len("verbose,") :] if verbose else text
    folded = rest if release <= _EXACT_CASE_UNTIL else lower(rest)
    if method := _bare_method(folded, release):
        return GresBinding(resource, method, verbose=verbose)
    word, colon, argument = rest.partition(":")
    method = _methods(release).get(folded.partition(":")[0], "") if colon else ""
    if not method:
        raise _Malformed
    if word.lower() in ("map", "mask"):
        if release >= _SHORT_WORDS_RIGHT:
            _check_list(argument, method, release)
    elif method in ("map", "mask"):
        _check_list(argument, method, release)
    elif not 0 <= leading_integer(argument)[0] < LONG_MAX:
        raise _Malformed
    return GresBinding(resource, method, argument, verbose)


def _bare_method(folded: str, release: Release) -> str:
    """Find closest or none, by as many letters as the release looks at."""
    if release <= _EXACT_CASE_UNTIL:
        return "closest" if folded == "closest" else ""
    for method in ("closest", "none"):
        if folded.startswith(method if release >= _WHOLE_WORDS else method[0]):
            return method
    return ""


def _methods(release: Release) -> dict[str, str]:
    methods = {"single": "single", "map_gpu": "map", "mask_gpu": "mask"}
    if release > _EXACT_CASE_UNTIL:
        methods["per_task"] = "per_task"
    if release >= _SHORT_WORDS:
        methods |= {"map": "map", "mask": "mask"}
    return methods


def _check_list(text: str, method: str, release: Release) -> None:
    for member in filter(None, text.split(",")):
        digits = member
        if release >= _CHECKS_LISTS:
            digits = member[2:] if method == "mask" and member.startswith("0x") else member
            _check_characters(digits, _HEXADECIMAL if method == "mask" else _DECIMAL)
        number, star, times = digits.partition("*")
        if (star and not _ANY_BASE.fullmatch(times)) or (
            release < _CHECKS_LISTS and not _ANY_BASE.fullmatch(number)
        ):
            raise _Malformed


def _check_characters(text: str, allowed: str) -> None:
    for char in text:
        if char not in allowed:
            raise _Malformed(f"Failed to validate {text}, offending character is {char}")


GPU_BIND = Grammar(
    "gpu_bind",
    "binding of tasks to GPUs",
    (
        ("closest", "the GPUs nearest to the task's CPUs"),
        ("none", "all GPUs of the job on this node (21.08 and later)"),
        ("per_task:N", "N GPUs for each task (21.08 and later)"),
        ("single:N", "one GPU for each N tasks"),
        ("map_gpu:N,N", "for each task the number of its GPU"),
        ("mask_gpu:0xM,0xM", "for each task a mask of GPUs, in hexadecimal"),
        ("verbose,METHOD", "and report it"),
    ),
    ("closest", "single:1", "map_gpu:0,1", "mask_gpu:0x1,0x2", "verbose,closest", "map_gpu:0*2"),
    ("x", "", "single", "per_task", "verbose"),
    _gpu_bind,
    ("In 21.08 and 22.05 any word that begins with c or n is taken for closest or none.",),
)

TRES_BIND = Grammar(
    "tres_bind",
    "binding of tasks to generic resources",
    (("gres/NAME:METHOD", "a method of --gpu-bind"), ("A+B", "for several resources")),
    ("gres/gpu:closest", "gres/gpu:single:1", "gres/gpu:closest+gres/nic:none", "gres/shard:per_task:1", ""),
    ("gpu:closest", "gres/gpu", "gres/gpu:x", "gres/shard:closest"),
    _tres_bind,
)
