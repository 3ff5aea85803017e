"""What the options of training and inference programs tell of the services that they call.

A name such as ``meta-llama/Llama-3.1-8B`` is a repository of the Hugging Face hub unless a folder of that
name stands there; whether it is fetched or found in a cache nobody can tell from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sbatchlint.launch.plan import Program
from sbatchlint.needs import switches
from sbatchlint.needs.commands import HUB, INTERPRETED, WANDB_HOST, Call
from sbatchlint.needs.need import ServiceKind
from sbatchlint.needs.switches import Wanted, is_off
from sbatchlint.needs.words import Given
from sbatchlint.regex import regex

_REPOSITORY = regex(r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)*/[A-Za-z0-9][\w.-]*")
_FILE = regex(
    r"\.(?:json[l5]?|ya?ml|toml|txt|csv|tsv|py|sh|pt|pth|bin|ckpt|safetensors|model|gguf|h5|npz?|parquet|tar|gz"
    r"|zip|sif|sqsh|cfg|ini|log|out|pkl|idx|nemo|arrow|db)$",
    re.IGNORECASE,
)
_FOLDERS = frozenset(
    "data dataset datasets configs config conf checkpoints checkpoint ckpt ckpts models model output outputs "
    "results logs log src scripts examples runs experiments train test tests weights pretrained cache "
    "recipes downloads tmp assets resources exp work_dirs save saves tools".split()
)
"""What folders of projects are called, and organisations of the hub hardly."""
_MODEL = regex(
    r"(?:.{0,99}[.-])?"
    r"(?:model|tokenizer|teacher|student|reward|base|draft|ref|judge|policy|hf|pretrained|processor)"
    r"(?:-(?:model|name|id|path|repo|type|name-or-path|name-path|tokenizer|checkpoint))*"
    r"|(?:.{0,99}[.-])?(?:hf|pretrained|tokenizer)-[\w-]*|(?:.{0,99}[.-])?(?:repo|repo-id|checkpoint)"
)
_DATASET = regex(r"(?:.{0,99}[.-])?(?:dataset|datasets|data)(?:-(?:name|id|repo|config-name|hf|mixer))*")
_MODEL_ARGUMENTS = regex(r"(?:^|,)(?:pretrained|model|tokenizer)=([^,]+)")
_WANDB = regex(r"(?:.{0,99}[.-])?(?:use-|enable-|with-|log-|logger-)?(?:wandb|weights-and-biases)(?:[.-].*)?")
_NOT_WANDB = regex(r".*(?:no-wandb|disable-wandb|wandb-off|wandb-disabled?|-offline).*")
_LOGGERS = regex(r"(?:.{0,99}[.-])?(?:report-to|loggers?|log-with|trackers?|logging|log-to|logger-type)")
_TRACKERS = {
    "comet": ("www.comet.com", ()),
    "comet_ml": ("www.comet.com", ()),
    "mlflow": ("", switches.MLFLOW),
    "neptune": ("app.neptune.ai", switches.NEPTUNE),
    "clearml": ("api.clear.ml", switches.CLEARML),
    "swanlab": ("swanlab.cn", switches.SWANLAB),
}
_HUB_CODE = regex(
    r"\bfrom_pretrained\(|\bsnapshot_download\(|\bhf_hub_download\(|\bload_dataset\(|\bhf_hub_url\("
)
_WANDB_CODE = regex(r"\bwandb\.(?:init|login|Api)\(")
_WANDB_VARIABLES = ("WANDB_PROJECT", "WANDB_ENTITY", "WANDB_NAME", "WANDB_RUN_ID", "WANDB_API_KEY")


def told_by_options(program: Program, given: Sequence[Given]) -> list[Call]:
    """Return the services that the options, or the code, of *program* tell of; each kind and option once."""
    if not _runs_code(program):
        return []
    calls = [call for word in given for call in _of_word(word)]
    calls += _of_code(program)
    if any(_is_off_switch(word) for word in given):
        calls = [call for call in calls if call.host != WANDB_HOST]
    elif not any(call.host == WANDB_HOST for call in calls):
        calls += _of_environment(program)
    first = {
        (call.kind, call.host, "" if call.kind is ServiceKind.TRACKER else call.by): call
        for call in reversed(calls)
    }
    return list(reversed(list(first.values())))


_TOOLS = frozenset("vllm lm_eval trl axolotl llamafactory-cli lightning nemo swift".split())
"""Commands that train, serve or evaluate models."""


def _runs_code(program: Program) -> bool:
    interpreted = any(layer.kind in INTERPRETED for layer in program.layers)
    return program.is_module or interpreted or program.name in _TOOLS


def _of_word(word: Given) -> Iterator[Call]:
    text = None if word.value is None else word.value.text
    if _WANDB.fullmatch(word.name) and not _NOT_WANDB.fullmatch(word.name):
        if word.value is None or not (text is not None and is_off(text)):
            yield Call(ServiceKind.TRACKER, WANDB_HOST, word.written, switches.WANDB, False)
    elif text and _LOGGERS.fullmatch(word.name):
        yield from _loggers(word.written, text)
    elif text:
        yield from _of_value(word, text)


def _loggers(written: str, text: str) -> Iterator[Call]:
    for name in re.findall(r"[a-z_]+", text.lower()):
        if name in ("wandb", "weights_and_biases"):
            yield Call(ServiceKind.TRACKER, WANDB_HOST, f"{written} {name}", switches.WANDB, False)
        elif name in _TRACKERS:
            host, wanted = _TRACKERS[name]
            yield Call(ServiceKind.TRACKER, host, f"{written} {name}", wanted, False)


def _of_value(word: Given, text: str) -> Iterator[Call]:
    if word.name in ("model-args", "") and "=" in text:
        for name in filter(is_repository, _MODEL_ARGUMENTS.findall(text)):
            yield _of_hub(f"{word.written} {name}", switches.MODEL_HUB)
    elif is_repository(text):
        by = f"{word.written} {text}"
        if _MODEL.fullmatch(word.name) or (not word.name and text.partition("/")[0] in _WELL_KNOWN):
            yield _of_hub(by, switches.MODEL_HUB)
        elif _DATASET.fullmatch(word.name):
            yield _of_hub(by, switches.DATASET_HUB)


def _of_hub(by: str, wanted: tuple[Wanted, ...]) -> Call:
    return Call(ServiceKind.MODEL_HUB, HUB, by.strip(), wanted, False)


_WELL_KNOWN = frozenset(
    "meta-llama mistralai google Qwen deepseek-ai microsoft nvidia EleutherAI facebook openai allenai "
    "bigscience HuggingFaceTB HuggingFaceH4 tiiuae bigcode stabilityai".split()
)
"""Organisations of the hub that are well known."""


def is_repository(text: str) -> bool:
    """Tell whether *text* looks like a repository of the hub, and not like a path."""
    if not _REPOSITORY.fullmatch(text) or _FILE.search(text):
        return False
    return text.partition("/")[0].lower() not in _FOLDERS


def _of_code(program: Program) -> Iterator[Call]:
    if program.target.text != "-c":
        return
    code = " ".join(word.value.show() for word in program.words)
    if _HUB_CODE.search(code):
        yield Call(ServiceKind.MODEL_HUB, HUB, "python -c", switches.DATASET_HUB, False)
    if _WANDB_CODE.search(code):
        yield Call(ServiceKind.TRACKER, WANDB_HOST, "python -c", switches.WANDB)


def _of_environment(program: Program) -> Iterator[Call]:
    name = next((name for name in _WANDB_VARIABLES if name in program.environment_spans), None)
    if name is not None and not program.is_module and program.target.text != "-c":
        yield Call(ServiceKind.TRACKER, WANDB_HOST, name, switches.WANDB, False)


def _is_off_switch(word: Given) -> bool:
    """Whether an option switches W&B off, or keeps it from the network."""
    text = (None if word.value is None else word.value.text) or ""
    if re.fullmatch(r"(?:.{0,99}[.-])?(?:no-wandb|disable-wandb|wandb-disabled?|wandb-offline)", word.name):
        return not word.value or not is_off(text) or text == "offline"
    wandb = _WANDB.fullmatch(word.name) is not None
    if wandb and word.name.endswith("offline"):
        return not is_off(text)
    return (
        wandb
        and word.name.endswith(("mode", "wandb", "enabled", "project", "enable", "logger"))
        and (word.value is not None and word.value.text is not None and is_off(text))
    )
