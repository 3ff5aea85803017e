"""Credentials that a job expects to find in its environment.  Only names are read, never values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import LaunchPlan, LayerOption
from sbatchlint.needs.commands import HUB, WANDB_HOST
from sbatchlint.needs.need import Credential, How, Service
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.secrets.names import is_secret_name
from sbatchlint.shell.syntax import Script
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

_USE = regex(r"\$\{?!?(?P<name>[A-Za-z_]\w*)(?P<operator>:?[?=+-]|\})?")
_TEST = regex(r"-[znv]\s+[\"']?\$?\{?(?P<name>[A-Za-z_]\w*)")
_SET = regex(
    r"(?:^|[\s;&|({])(?P<name>[A-Za-z_]\w*)=(?P<value>\"(?:\\.|[^\"\\])*\"|'[^']*'|\$\([^()]*\)|[^\s;&|]*)"
    r"|\bread\s+(?:-\S+\s+){0,9}(?P<read>[A-Za-z_]\w*)",
    re.MULTILINE,
)
_WORD = regex(r"\w+")
_HINT = regex(r"token|key|secret|pass|pwd|credential|pat", re.IGNORECASE)
"""What the name of every variable that holds a secret has in it."""
_CALLED = {
    WANDB_HOST: ("WANDB_API_KEY",),
    "www.comet.com": ("COMET_API_KEY",),
    "app.neptune.ai": ("NEPTUNE_API_TOKEN",),
    "ngc.nvidia.com": ("NGC_CLI_API_KEY", "NGC_API_KEY"),
}
"""What a service asks for; the first name is told where none of them is known of."""
_HUB_NAMES = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
_CLOSED_MODELS = regex(r"\b(?:meta-llama|mistralai|google/gemma|bigcode/star|black-forest-labs)")
"""Models of the hub that are given only to who has agreed to their licence."""
_KEY_OPTION = regex(r"--?[\w.-]*(?:wandb|comet|neptune|hf)[\w.-]*(?:key|token)(?:=|$)")
"""An option that hands the credential over itself."""
_LISTS = ("container-env", "export")


@dataclass
class _Found:
    how: set[How] = field(default_factory=set)
    place: Span | None = None

    def add(self, how: How, place: Span | None) -> None:
        self.how.add(how)
        if self.place is None or (place is not None and place < self.place):
            self.place = place


def credentials_of(
    text: str, script: Script, request: JobRequest, plan: LaunchPlan, services: Iterable[Service]
) -> Iterator[Credential]:
    """Yield what is expected, in the order of the script."""
    found: dict[str, _Found] = {}
    spoken = bool(script.body) and _speaks_of_secrets(text)
    given = _given(text, script) if spoken else set()
    read = _read(text, script) if spoken else ()
    for name, how, place in (*read, *_passed_on(request, plan), *_called(services)):
        if name not in given:
            found.setdefault(name, _Found()).add(how, place)
    order = sorted(found.items(), key=lambda item: item[1].place or Span(len(text), len(text)))
    for name, one in order:
        grade = Certainty.KNOWN if How.GUARDED in one.how else Certainty.ASSUMED
        yield Credential(name, tuple(how for how in How if how in one.how), grade, one.place)


def _speaks_of_secrets(text: str) -> bool:
    return any(_HINT.search(word) is not None and is_secret_name(word) for word in {*_WORD.findall(text)})


def _given(text: str, script: Script) -> set[str]:
    """The names that the script itself sets to something else than what the environment has."""
    names: set[str] = set()
    for match in _SET.finditer(text):
        name = match["name"] or match["read"]
        if not is_secret_name(name) or script.is_comment(Span(*match.span(match.lastgroup or 0))):
            continue
        value = match["value"] or ""
        if f"${name}" not in value and f"${{{name}" not in value:
            names.add(name)
    return names


def _read(text: str, script: Script) -> Iterator[tuple[str, How, Span]]:
    for match in _USE.finditer(text):
        place = Span(match.start(), match.end("name"))
        if is_secret_name(match["name"]) and not script.is_comment(place):
            yield match["name"], How.GUARDED if (match["operator"] or "").endswith("?") else How.READ, place
    for match in _TEST.finditer(text):
        place = Span(*match.span("name"))
        if is_secret_name(match["name"]) and not script.is_comment(place):
            yield match["name"], How.GUARDED if match.group().startswith(("-z", "-v")) else How.READ, place


def _passed_on(request: JobRequest, plan: LaunchPlan) -> Iterator[tuple[str, How, Span | None]]:
    for use in request.uses:
        if use.spec.long in _LISTS:
            yield from _names((use.value or "").split(","), use.value_span or use.span)
    for step in plan.steps:
        for option in step.options:
            if option.name in _LISTS:
                yield from _of_option(option)
    for _, program in plan.programs():
        for layer in program.layers:
            for option in layer.all("e", "env"):
                yield from _of_option(option)


def _of_option(option: LayerOption) -> Iterator[tuple[str, How, Span | None]]:
    if option.value is not None:
        yield from _names(option.value.show().split(","), option.value.span or option.arg.place)


def _names(items: Iterable[str], place: Span | None) -> Iterator[tuple[str, How, Span | None]]:
    for item in items:
        if item.isidentifier() and is_secret_name(item):
            yield item, How.PASSED, place


def _called(services: Iterable[Service]) -> Iterator[tuple[str, How, Span | None]]:
    for service in services:
        if service.independent:
            continue
        names = _CALLED.get(service.host, ())
        if service.host == HUB and (" login" in service.by or _CLOSED_MODELS.search(service.by)):
            names = _HUB_NAMES
        program = service.program
        if program is not None and any(_KEY_OPTION.match(word.value.show()) for word in program.arguments):
            continue
        held = program.environment if program is not None else {}
        # One that the script has a value for is not expected; one that it hands on is told by its reading.
        if names and not any(name in held for name in names):
            yield names[0], How.CALLED, service.place
