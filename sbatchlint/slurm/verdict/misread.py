"""Values that Slurm takes, but not as they look, or not the whole of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.arrays import ArraySpec
from sbatchlint.slurm.grammar.counts import Switches
from sbatchlint.slurm.grammar.filenames import FilePattern
from sbatchlint.slurm.grammar.gres_items import GresRequest
from sbatchlint.slurm.grammar.mail import MailTypes
from sbatchlint.slurm.grammar.node_counts import NodeCount
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect
from sbatchlint.slurm.verdict.grounds import about
from sbatchlint.slurm.verdict.settings import Settings

_GPU_OPTIONS = ("gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task")
_NUMBER = regex(r"\s*[+-]?[0-9]+")
_Finding = tuple[Effect, str]


def misread_values(settings: Settings) -> Iterator[Complaint]:
    """Say which values of a component are taken otherwise than they look, or lose a part."""
    for name, look in _LOOKS.items():
        use = settings.use(name)
        found = None if use is None or use.value is None else look(settings, use.value)
        if found is not None:
            effect, detail = found
            dropped = effect is Effect.IGNORED
            kind = ComplaintKind.VALUE_DROPPED if dropped else ComplaintKind.VALUE_MISTAKEN
            yield about(settings, (name,), kind, effect=effect, detail=detail)
    for name in _GPU_OPTIONS:
        request = settings.value(name, GresRequest)
        if request is not None and "gpu" in request.types():
            detail = "it asks for GPUs of a type called gpu"
            kind = ComplaintKind.TYPE_CALLED_GPU
            yield about(settings, (name,), kind, effect=Effect.DIFFERENT, detail=detail)


def _array(settings: Settings, text: str) -> _Finding | None:
    spec = settings.value("array", ArraySpec)
    _, percent, throttle = text.partition("%")
    if spec is None or spec.throttle is not None or not percent:
        return None
    return Effect.IGNORED, f"%{throttle} limits nothing: all tasks may run at once"


def _switches(settings: Settings, text: str) -> _Finding | None:
    switches = settings.value("switches", Switches)
    _, _, wait = text.partition("@")
    if switches is None or switches.wait_seconds is not None or not wait:
        return None
    return Effect.IGNORED, f"@{wait} is no time that Slurm knows, so it is passed over"


def _mail(settings: Settings, text: str) -> _Finding | None:
    types = settings.value("mail-type", MailTypes)
    words = [word for word in text.split(",") if word]
    if types is None or all(word.lower() == "none" for word in words):
        return None
    if types.events:
        lost = ", ".join(types.passed_over)
        return (Effect.IGNORED, f"Slurm knows no {lost} and passes over it") if lost else None
    return Effect.DIFFERENT, "NONE among other types means that no mail is sent"


def _number(settings: Settings, text: str) -> _Finding | None:
    if not text or _NUMBER.match(text) or text.lower() == "top":
        return None
    return Effect.DIFFERENT, f"{text} is no number and is taken as 0"


def _output(settings: Settings, text: str) -> _Finding | None:
    return _file(settings.value("output", FilePattern), text)


def _error(settings: Settings, text: str) -> _Finding | None:
    return _file(settings.value("error", FilePattern), text)


def _file(pattern: FilePattern | None, text: str) -> _Finding | None:
    if not text:
        return Effect.DIFFERENT, "an empty name is the folder itself, where the job fails to write"
    if text.lower() == "none":
        return Effect.DIFFERENT, "none stands for /dev/null, where nothing is kept"
    if pattern is None or not pattern.unknown:
        return None
    return Effect.DIFFERENT, f"%{pattern.unknown[0]} stands for nothing and is kept as it is"


def _time(settings: Settings, text: str) -> _Finding | None:
    if re.fullmatch(r"[0:]+", text) and settings.given("time"):
        return Effect.DIFFERENT, f"{text} asks for no time limit at all"
    return None


def _nodes(settings: Settings, text: str) -> _Finding | None:
    nodes, tasks = settings.value("nodes", NodeCount), settings.integer("ntasks")
    if nodes is None or not tasks or not nodes.low <= tasks < nodes.high:
        return None
    return Effect.IGNORED, f"{tasks} tasks take {tasks} nodes at the most"


_LOOKS: dict[str, Callable[[Settings, str], _Finding | None]] = {
    "array": _array,
    "error": _error,
    "mail-type": _mail,
    "nice": _number,
    "nodes": _nodes,
    "output": _output,
    "priority": _number,
    "switches": _switches,
    "time": _time,
}
