"""What a configuration file of ``accelerate launch`` says of the processes that it starts."""

from __future__ import annotations

import os
import re

from sbatchlint.digits import whole_number
from sbatchlint.launch.layers import Layer
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_MOST_BYTES = 1_000_000
_LINE = regex(r"^(num_processes|num_machines|distributed_type) *: *['\"]?([\w.-]+)", re.M)
_CHOSEN = ("multi-gpu", "use-deepspeed", "use-fsdp", "use-megatron-lm", "tpu", "cpu")
"""Options beside which the file's ``distributed_type`` does not count."""


@dataclass(frozen=True, slots=True)
class AccelerateConfig:
    """One file, as far as it matters; the command line's own options come before it."""

    path: str
    """As the command names it."""
    processes: int | None = None
    """Of all machines together."""
    machines: int | None = None
    distributed_type: str = ""
    """Empty where the file can't be read."""


def accelerate_config(layer: Layer | None, *folders: str) -> AccelerateConfig | None:
    """Return what the file of *layer* says, looked for from *folders*; None where the command names none."""
    option = layer.get("config-file") if layer is not None and layer.name == "accelerate" else None
    if layer is None or option is None:
        return None
    path = (option.value.text if option.value is not None else None) or ""
    text = next((text for one in folders if (text := _read(os.path.join(one, path)))), "")
    told = {match[1]: match[2] for match in _LINE.finditer(text)}
    return AccelerateConfig(
        path or "the configuration",
        whole_number(told.get("num_processes", "")) or None,
        whole_number(told.get("num_machines", "")) or None,
        "" if any(layer.get(name) for name in _CHOSEN) else told.get("distributed_type", "").upper(),
    )


def _read(path: str) -> str:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _MOST_BYTES:
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except (OSError, ValueError):
        return ""
