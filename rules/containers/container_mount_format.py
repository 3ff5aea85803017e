"""SB509 container-mount-format."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    LayerOption,
    Rule,
    Severity,
    Span,
    Step,
    mount_target,
    refusal_of_value,
    regex,
)

_OPTIONS = ("container-mounts", "container-name", "container-env", "container-unshare", "container-save")
_PATH = regex(r"[./][^\s,:]*(?::[./][^\s,:]*){1,2}(?:,.*)?")
_BLANK = regex(r"(?:^|,):|[<>{}]")
"""A place that is yet to be filled in: a variable that is set to nothing, or ``<your folder>``."""
_HOME = regex(r"(?:^|,)~")
_TILDE = "the shell expands ~ only at the start of a word"


class ContainerMountFormat(Rule):
    r"""Pyxis refuses what an srun line says of mounts or of the container's name.

    ## Why
    Mounts are `SRC:DST[:FLAGS]`, parted by commas without blanks; each path begins with `/` or `.`, and flags
    are joined by `+`.  The step ends before it begins: `pyxis: --container-mounts: invalid format`, `pyxis:
    mount target must be a relative path or an absolute path`.  With a blank behind a comma the rest of the
    list is no mount any more: srun takes it for the program to start.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    srun --container-image=/images/a.sqsh --no-container-mount-home \
        --container-mounts=/data:/data, /out:/out python t.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    srun --container-image=/images/a.sqsh --no-container-mount-home \
        --container-mounts=/data:/data,/out:/out python t.py
    ```

    Two mounts at one place: the later one hides the earlier.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    M=/lustre/a:/data,/lustre/b:/data  # finding here
    srun --container-image=/images/a.sqsh --no-container-mount-home --container-mounts="$M" python t.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    M=/lustre/a:/data,/lustre/b:/more
    srun --container-image=/images/a.sqsh --no-container-mount-home --container-mounts="$M" python t.py
    ```

    ## Fix
    A blank behind a comma goes.

    ## What it can't know
    Values that are not known text, or that have yet to be filled in, are not read.  Directives are SB501's
    business.

    ## References
    - NVIDIA/pyxis: args.c
    """

    code = "SB509"
    name = "container-mount-format"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            for finding in self._of_step(job, step):
                if finding.span not in seen:
                    seen.add(finding.span)
                    yield finding

    def _of_step(self, job: Job, step: Step) -> Iterator[Finding]:
        for option in step.options:
            if option.name in _OPTIONS and option.value is not None and option.value.text:
                yield from self._of_option(job, step, option, option.value.text)
        yield from self._twice(step)

    def _of_option(self, job: Job, step: Step, option: LayerOption, text: str) -> Iterator[Finding]:
        assert option.value is not None
        span = option.value.span or option.arg.place or step.span
        severity = Severity.WARNING if step.conditional or not option.certain else Severity.ERROR
        cut = _cut_list(job, step, option)
        if cut is not None:
            yield self.finding(
                cut,
                f"srun will try to start {job.source.slice(cut)}: a blank ends the list of mounts",
                label="no mount, but the program",
                help="take the blank away",
                fix=_join(job, option, cut),
                severity=severity,
            )
            return
        blank = option.name == "container-mounts" and _BLANK.search(text) is not None
        refused = None if blank else refusal_of_value(job, option.name, text)
        if refused is not None:
            yield self.finding(
                span,
                f"the step will not start: Pyxis can't read the value of --{option.name}",
                label=_TILDE if _HOME.search(text) is not None else refused.detail,
                help="write SRC:DST[:FLAG+FLAG], parted by commas"
                if option.name == "container-mounts"
                else "",
                notes=tuple(f"srun: error: {line}" for line in refused.said.splitlines()),
                severity=severity,
            )

    def _twice(self, step: Step) -> Iterator[Finding]:
        container = step.container
        if container is None or container.runtime != "pyxis":
            return
        places: dict[str, str] = {}
        for mount, span in container.mounts:
            text, target = mount.text, mount_target(mount)
            if text is None or text.startswith("umount:") or span is None:
                continue
            source = text.partition(":")[0].rstrip("/")
            if places.setdefault(target, source) != source:
                yield self.finding(
                    span,
                    f"{places[target]} will be hidden: {source} is mounted over it at {target}",
                    label="the second mount at this place",
                    help="give each mount a place of its own",
                    severity=Severity.WARNING,
                )


def _cut_list(job: Job, step: Step, option: LayerOption) -> Span | None:
    """The word behind a list of mounts that ends in a comma, if it goes on with the list."""
    if option.name != "container-mounts" or option.value is None:
        return None
    last = option.value_arg or option.arg
    if not (option.value.text or "").endswith(",") or last.span is None:
        return None
    for word in step.words:
        if word.span is not None and word.span.start > last.span.end:
            gap = job.source.text[last.span.end : word.span.start]
            return word.span if not gap.strip(" \t\\\n") and _PATH.fullmatch(word.value.show()) else None
    return None


def _join(job: Job, option: LayerOption, cut: Span) -> Fix | None:
    last = option.value_arg or option.arg
    assert last.span is not None
    joined = job.source.slice(last.span).endswith(",") and job.source.text[cut.start] not in "\"'"
    return Fix.safe("take the blank away", Edit(Span(last.span.end, cut.start), "")) if joined else None
