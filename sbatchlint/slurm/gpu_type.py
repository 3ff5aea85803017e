"""Which type of GPU a job names, in the words of its cluster."""

from __future__ import annotations

import re

from sbatchlint.slurm.resources import Resources

_OPTIONS = ("gpus-per-node", "gpus", "gres", "gpus-per-task", "gpus-per-socket", "tres-per-task")
_COUNT = re.compile(r"[0-9]+")


def gpu_type(request: Resources) -> str:
    """Return the type that the job's options give its GPUs (``h100``); empty where none or several do."""
    found: set[str] = set()
    for name in _OPTIONS:
        use = request.get(name)
        if use is not None:
            found |= set(_types(use.value or "", listed=name in ("gres", "tres-per-task")))
    return found.pop() if len(found) == 1 else ""


def _types(text: str, *, listed: bool) -> list[str]:
    """Read ``h100:8`` or, in a list of resources, ``gpu:h100:8``, ``gres/gpu:h100=8``."""
    types = []
    for item in text.split(","):
        words = re.sub(r"^gres[:/]", "", item.strip()).replace("=", ":").split(":")
        if listed and words.pop(0) != "gpu":
            continue
        types += [word for word in words[:1] if word and not _COUNT.fullmatch(word)]
    return types
