"""Switches that make programs independent of an outside service.

Sources: huggingface_hub's and datasets' documentation of environment variables; huggingface_hub's
``constants.py`` (``TRANSFORMERS_OFFLINE`` counts as ``HF_HUB_OFFLINE``); wandb's "Environment variables";
pip's and uv's documentation of theirs; conda's of ``offline``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sbatchlint.launch.plan import Container, LayerOption, Program
from sbatchlint.launch.values import Value
from sbatchlint.needs.need import Switch
from sbatchlint.records import dataclass
from sbatchlint.source import Span

_NO = frozenset(("", "0", "false", "no", "off", "n", "f"))
_YES = frozenset(("1", "true", "yes", "on", "y", "t"))
_CLOSED = ("docker", "podman", "nvidia-docker", "podman-hpc")
"""Runtimes that hand on no variable but those that they are told."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A switch as a table has it."""

    name: str
    values: tuple[str, ...] = ()
    """What it may be, the first one to be advised; none for any value."""


_ON = ("1", "true", "yes", "on")
MODEL_HUB = (
    Wanted("HF_HUB_OFFLINE", _ON),
    Wanted("TRANSFORMERS_OFFLINE", _ON),
    Wanted("HF_ENDPOINT"),
)
DATASET_HUB = (*MODEL_HUB, Wanted("HF_DATASETS_OFFLINE", _ON))
WANDB = (
    Wanted("WANDB_MODE", ("offline", "disabled", "dryrun", "dry_run")),
    Wanted("WANDB_DISABLED", ("true", "1", "yes")),
    Wanted("WANDB_BASE_URL"),
)
PIP = (Wanted("PIP_INDEX_URL"), Wanted("PIP_NO_INDEX", _ON), Wanted("--index-url"), Wanted("--no-index"))
UV = (
    Wanted("UV_INDEX_URL"),
    Wanted("UV_DEFAULT_INDEX"),
    Wanted("UV_OFFLINE", _ON),
    Wanted("--index-url"),
    Wanted("--default-index"),
    Wanted("--offline"),
    Wanted("--no-index"),
)
UV_RUN = (*UV, Wanted("UV_NO_SYNC", _ON), Wanted("--no-sync"))
CONDA = (Wanted("CONDA_OFFLINE", _ON), Wanted("--offline"))
MLFLOW = (Wanted("MLFLOW_TRACKING_URI"),)
NEPTUNE = (Wanted("NEPTUNE_MODE", ("offline", "debug")),)
CLEARML = (Wanted("CLEARML_OFFLINE_MODE", _ON), Wanted("CLEARML_API_HOST"))
SWANLAB = (Wanted("SWANLAB_MODE", ("local", "offline", "disabled")),)


@dataclass(frozen=True, slots=True)
class Setting:
    """What decides on the switches of one program: its environment, and its own options."""

    variables: Mapping[str, Value]
    spans: Mapping[str, Span]
    options: Mapping[str, Span | None]
    """Long options without values that the program is given."""


def setting_of(program: Program, container: Container | None, options: Iterable[LayerOption]) -> Setting:
    """Return what *program* gets; *options* are those of the layers that belong to it."""
    given: dict[str, Span | None] = {f"--{option.name}": option.arg.place for option in options}
    for word in program.arguments:
        shown = word.value.show()
        if shown.startswith("-"):
            given.setdefault("--index-url" if shown == "-i" else shown.partition("=")[0], word.place)
    variables, spans = dict(program.environment), dict(program.environment_spans)
    if container is not None:
        if container.runtime in _CLOSED:
            variables, spans = {}, {}
        for name, value, span in container.environment:
            variables[name] = value
            if span is not None:
                spans[name] = span
    return Setting(variables, spans, given)


def switches(wanted: Iterable[Wanted], setting: Setting) -> tuple[Switch, ...]:
    """Return the switches with how they are set."""
    found = []
    for one in wanted:
        advised = one.values[0] if one.values else ""
        if one.name.startswith("--"):
            is_set: bool | None = one.name in setting.options
            found.append(Switch(one.name, advised, is_set, setting.options.get(one.name)))
            continue
        value = setting.variables.get(one.name)
        is_set = False if value is None else _fits(one, value)
        found.append(Switch(one.name, advised, is_set, setting.spans.get(one.name)))
    return tuple(found)


def _fits(one: Wanted, value: Value) -> bool | None:
    text = value.text
    if text is None:
        return True if not one.values and len(value.segments) > 1 else None
    if not one.values:
        return text != ""
    return text.lower() in one.values or (one.values == _ON and text.lower() in _YES)


def is_off(text: str) -> bool:
    """Tell whether the value of an option switches something off."""
    return text.lower() in _NO or text.lower() in ("none", "null", "disabled", "offline", "dryrun", "~")


__all__ = ["Setting", "Wanted", "is_off", "setting_of", "switches"]
