"""SB505 apptainer-option-order."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Arg,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Layer,
    LayerKind,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    regex,
)

_APPTAINER = ("apptainer", "singularity")
_FLAGS = frozenset("--nv --rocm --nvccli --cleanenv -e --contain -c --containall -C --writable-tmpfs".split())
_WITH_VALUE = frozenset("-B --bind --mount --pwd --cwd --env --env-file -H --home --overlay".split())
_COMMAND = regex(r"(?:.*/)?(?:(?:ba|da|k|z)?sh|python[\d.]*|env)")
"""What no image is called: with it in the image's place, the image is missing and no option is misplaced."""
_GAP = regex(r"(?:[ \t]|\\\n)+")


class ApptainerOptionOrder(Rule):
    """An option of apptainer or singularity stands behind the image, where it belongs to the command.

    ## Why
    `apptainer exec [options] IMAGE COMMAND`: all that follows the image is what to run in it.  With
    `exec train.sif --nv python train.py` the container is told to run a program called `--nv`:
    `FATAL: "--nv": executable file not found in $PATH`.  With `run`, the option goes to the image's own
    start script, and the GPUs or the folders are missing without a word.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun singularity exec train.sif --nv python train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --ntasks=1
    #SBATCH --gpus=1
    srun singularity exec --nv train.sif python train.py
    ```

    ## Fix
    The options are moved in front of the image.

    ## What it can't know
    Whether the start script of an image has an option of the same name; with `run` it is less sure.

    ## References
    - apptainer-exec(1), apptainer-run(1)
    """

    code = "SB505"
    name = "apptainer-option-order"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for _, program in job.plan.programs():
            layer = program.layers[-1] if program.layers else None
            if layer is None or layer.kind is not LayerKind.CONTAINER or layer.name not in _APPTAINER:
                continue
            image = layer.get("image")
            if image is not None and _COMMAND.fullmatch(image.arg.value.show()):
                continue
            runs_script = program.target.show().startswith("run script of ")
            words = _behind_image(program, runs_script)
            misplaced = _misplaced(words)
            span = misplaced[0].place if misplaced else None
            if span is None or span in seen:
                continue
            seen.add(span)
            yield self._report(job, layer, program, misplaced, runs_script)

    def _report(
        self, job: Job, layer: Layer, program: Program, misplaced: list[Arg], runs_script: bool
    ) -> Finding:
        span = misplaced[0].place
        assert span is not None
        image = layer.get("image")
        where = image.arg.place if image is not None else None
        what = misplaced[0].value.show()
        unsure = runs_script or program.code_incomplete
        return self.finding(
            span,
            f"{what} is handed to the image's start script, not to {layer.name}"
            if runs_script
            else f"the container will be told to run {what}, which is no program",
            label="stands behind the image",
            related=[] if where is None else [Related(where, "the image")],
            help=f"put the options of {layer.name} in front of the image",
            fix=None if image is None or image.arg.span is None else _fix(job, image.arg.span, misplaced),
            severity=Severity.WARNING if unsure else Severity.ERROR,
            confidence=Confidence.MEDIUM if unsure else Confidence.HIGH,
        )


def _behind_image(program: Program, runs_script: bool) -> tuple[Arg, ...]:
    if runs_script:
        return program.arguments
    target = program.words[len(program.words) - len(program.arguments) - 1 :]
    return target if target and target[0].value == program.target else ()


def _misplaced(words: tuple[Arg, ...]) -> list[Arg]:
    """The options of the container's command that the words begin with, with their values."""
    found: list[Arg] = []
    rest = list(words)
    while rest:
        text = rest[0].text or ""
        name, equals, _ = text.partition("=")
        if text in _FLAGS or (equals and name in _WITH_VALUE):
            found.append(rest.pop(0))
        elif text in _WITH_VALUE and len(rest) > 1:
            found += [rest.pop(0), rest.pop(0)]
        else:
            break
    return found


def _fix(job: Job, image: Span, misplaced: list[Arg]) -> Fix | None:
    """Move the words, which stand one behind the other after the image, in front of it."""
    text = job.source.text
    end = image.end
    for word in misplaced:
        if word.span is None or not _GAP.fullmatch(text, end, word.span.start):
            return None
        end = word.span.end
    if text[image.end : image.end + 1] not in " \t\\":
        return None
    moved = " ".join(job.source.slice(word.span) for word in misplaced if word.span is not None)
    return Fix.safe(
        "put the options in front of the image",
        Edit(Span(image.start, image.start), moved + " "),
        Edit(Span(image.end, end), ""),
    )
