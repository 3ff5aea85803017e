"""Files and folders that programs are told to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbatchlint.launch.plan import LayerKind, Program
from sbatchlint.launch.values import Value
from sbatchlint.needs.training_options import is_repository
from sbatchlint.needs.words import Given
from sbatchlint.regex import regex
from sbatchlint.source import Span

_INPUT = regex(
    r"(?:.*[.-])?(?:data|dataset|datasets|train|val|valid|validation|test|eval)?-?"
    r"(?:data|dataset|file|files|path|dir|root|folder)s?(?:-(?:path|dir|root|folder|file|prefix))?"
    r"|(?:.*[.-])?(?:config|cfg|yaml|hostfile|vocab-file|merge-file|tokenizer|tokenizer-model|tokenizer-path"
    r"|model|model-path|model-dir|model-name-or-path|pretrained|pretrained-checkpoint|pretrained-model"
    r"|pretrained-model-name-or-path|ckpt|ckpt-path|checkpoint|checkpoint-path|init-from|weights|load"
    r"|deepspeed|deepspeed-config|ds-config|recipe|input|inputs|input-file|input-dir|input-path|env-file"
    r"|megatron-path|repo-path|source|prompts?|template|hf-path|hf-model|hf-model-path|image-folder)"
    r"(?:-(?:file|path|dir|name))?"
)
_NOT_INPUT = regex(
    r".*(?:out|save|log|cache|tmp|temp|result|export|dest|write|tensorboard|profile|run-?dir|exp-?dir|work-?dir"
    r"|(?:checkpoints?|ckpts?)-(?:dir|path|folder|root)|dump|switch|artifact|remote|name|url|entry|bin-path|resume|script).*"
)
_SETTINGS = regex(r"\.(?:ya?ml|json[l5]?|toml|cfg|ini)$")
_FILE = regex(
    r"\.(?:ya?ml|json[l5]?|toml|cfg|ini|txt|csv|tsv|model|pt|pth|ckpt|bin|h5|npz|parquet|tar|zip|nemo)$"
)
_ROOTED = regex(r"[/~]|\.\.?/|\$\{?\w+\}?/")
_PLAIN = regex(r"[\w./@+$~{}=:-]+")
_INSTALLS = regex(r"pip(?:\d(?:\.\d+)?)?|uv|conda|mamba|micromamba")
_LISTS = ("r", "requirement", "requirements", "f", "file")
"""Options of package managers that name a list of packages."""


def data_of(program: Program, words: Iterable[Given]) -> Iterator[tuple[Value, Span | None, bool]]:
    """Yield what *program* is likely to read, where, and whether it surely does without a way out."""
    name = program.name or ""
    if _INSTALLS.fullmatch(name) or (program.is_module and name == "pip"):
        for word in words:
            if word.name in _LISTS and word.value is not None and "://" not in word.value.show():
                yield word.value, word.span, word.sure
        return
    runs = any(layer.kind in (LayerKind.INTERPRETER, LayerKind.LAUNCHER) for layer in program.layers)
    if not runs and name not in ("vllm", "deepspeed", "lightning", "llamafactory-cli", "axolotl"):
        return
    for word in words:
        if word.value is None:
            continue
        shown = word.value.show()
        if not _PLAIN.fullmatch(shown) or "://" in shown or "," in shown:
            continue
        if not word.name:
            if _SETTINGS.search(shown):
                yield word.value, word.span, word.sure
        elif _INPUT.fullmatch(word.name) and not _NOT_INPUT.fullmatch(word.name) and _is_path(shown):
            yield word.value, word.span, False


def _is_path(shown: str) -> bool:
    if shown.replace(".", "").isdigit():
        return False
    if _ROOTED.match(shown) or _FILE.search(shown):
        return True
    return "/" in shown and not is_repository(shown)
