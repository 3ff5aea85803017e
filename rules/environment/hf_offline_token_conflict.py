"""SB620 hf-offline-token-conflict."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Arg,
    Confidence,
    Finding,
    Job,
    LayerKind,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    regex,
)

_SWITCHES = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
"""The second one counts where the first is not set, or empty (huggingface_hub: ``constants.py``)."""
_YES = frozenset(("1", "on", "yes", "true"))
_COMMANDS = frozenset(("hf", "huggingface-cli"))
_CALLS = regex(r"(?:auth )?(?:login|whoami)\b|upload|repos? (?:create|delete|settings)|jobs? run")
_PUSHES = regex(r"--push[-_]to[-_]hub(?:=(?P<value>.*))?")
_NO = frozenset(("false", "0", "no"))
_CLOSED = frozenset(("docker", "nvidia-docker", "podman", "podman-hpc"))
"""Runtimes that hand on no variable but those that they are told."""


class HfOfflineTokenConflict(Rule):
    """A command needs the Hugging Face Hub, and the script has switched the Hub off for it.

    ## Why
    With `HF_HUB_OFFLINE=1` huggingface_hub sends no request at all: `hf auth login`, an upload and
    `--push_to_hub` end in "OfflineModeIsEnabled: Cannot reach https://huggingface.co/api/...: offline mode is
    enabled", and `hf download` finds what the cache has or ends in "LocalEntryNotFoundError".  A token is of
    no use to such a job: what it loads has to be in the cache before.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    export HF_HUB_OFFLINE=1
    srun python train.py --model_name_or_path /data/llama --push_to_hub  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    export HF_HUB_OFFLINE=1
    srun python train.py --model_name_or_path /data/llama
    ```

    ## What it can't know
    Whether the cache has what `hf download` asks for: that is reported with less confidence.  And whether the
    image of a container sets the switch anew.

    ## References
    - [Environment variables of huggingface_hub](https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables)
    - huggingface_hub: constants.py, utils/_http.py
    """

    code = "SB620"
    name = "hf-offline-token-conflict"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step, program in job.plan.programs():
            switch = _switched_off(program)
            found = _call(program) if switch is not None else None
            if switch is None or found is None or found[1] in seen:
                continue
            what, span, loads = found
            seen.add(span)
            sure = not (loads or program.doubtful or (step is not None and step.doubtful))
            place = program.environment_spans.get(switch)
            becomes = "fetches nothing" if loads else "fails"
            yield self.finding(
                span,
                f"{what} {becomes}: {switch} keeps it from the Hugging Face Hub",
                label="only looks into the cache" if loads else "needs the Hub",
                related=[Related(place, "no request is sent from here on")] if place is not None else (),
                help="do it before the job, or without the switch",
                confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
            )


def _switched_off(program: Program) -> str | None:
    """The variable that keeps *program* from the Hub; None for none, or for not known."""
    if any(layer.kind is LayerKind.CONTAINER and layer.name in _CLOSED for layer in program.layers):
        return None
    for name in _SWITCHES:
        value = program.environment.get(name)
        if value is None or value.text == "":
            continue
        return name if (value.text or "").lower() in _YES else None
    return None


def _call(program: Program) -> tuple[str, Span, bool] | None:
    """What calls the Hub, where, and whether it only loads."""
    if program.name in _COMMANDS and program.span is not None:
        words = " ".join(word.value.show() for word in program.arguments)
        call = _CALLS.match(words)
        if call is not None:
            return f"{program.name} {call.group()}", program.span, False
        if words.startswith("download "):
            return f"{program.name} download", program.span, True
        return None
    arguments = program.arguments
    for index, word in enumerate(arguments):
        match = _PUSHES.fullmatch(word.text or "")
        if match is None or word.place is None:
            continue
        value = match["value"] if match["value"] is not None else _text(arguments[index + 1 : index + 2])
        return None if value.lower() in _NO else (match.group().partition("=")[0], word.place, False)
    return None


def _text(words: tuple[Arg, ...]) -> str:
    return words[0].value.show() if words else ""
