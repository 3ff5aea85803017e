"""Pyxis's options in directives: whether sbatch takes them here, and moving them to srun."""

from __future__ import annotations

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.launch.plan import Step
from sbatchlint.lint.ask.directives import as_shell_word, remove_options
from sbatchlint.lint.ask.srun_line import SrunLine, only_srun
from sbatchlint.lint.job import Job
from sbatchlint.slurm.request import OptionUse

_IMAGE = ("container-image", "container-name")
_OPPOSITES = ("container-mount-home", "container-remap-root", "container-entrypoint")
_ADDING = ("container-mounts", "container-env", "container-unshare")


def pyxis_directives(job: Job) -> list[OptionUse]:
    """The options of Pyxis that stand in directives; none for command lines, which have no batch script."""
    if job.interactive:
        return []
    return [use for use in job.request.uses if use.spec.plugin == "pyxis" and use.span is not None]


def names_container(uses: list[OptionUse]) -> bool:
    """Whether one of *uses* says which container, so that the batch script itself runs in it."""
    return any(use.spec.long in _IMAGE for use in uses)


def sbatch_takes_pyxis(job: Job) -> bool | None:
    """Whether sbatch of the cluster has Pyxis's options; None where its profile doesn't say."""
    plugins = None if job.cluster is None else job.cluster.plugins
    pyxis = (plugins or {}).get("pyxis")
    return None if pyxis is None else pyxis.sbatch_support


def move_to_only_srun(job: Job, uses: list[OptionUse]) -> Fix | None:
    """The fix that moves the container options *uses* from their directives to the only srun.

    None where there is not just one srun, where it has one of them itself, or where it would have no image.
    It is unsafe for an image: the rest of the script then runs outside the container.
    """
    line = only_srun(job)
    spans = [use.span for use in uses if use.span is not None]
    removed = None if line is None or job.request.hetjob else remove_options(job, spans)
    words = [
        as_shell_word(f"--{use.spec.long}" if use.value is None else f"--{use.spec.long}={use.value}")
        for use in uses
    ]
    twice = len({use.spec.long for use in uses}) < len(uses)
    if line is None or removed is None or None in words or twice or _clash(line, uses):
        return None
    options = " ".join(word for word in words if word is not None)
    with_image = names_container(uses)
    if not with_image and not _has_image(line.step):
        return None
    title = "move the container options to srun" if len(uses) > 1 else f"move {options} to srun"
    make = Fix.unsafe if with_image or not line.complete else Fix.safe
    return make(title, *removed, Edit(line.place, f" {options}"))


def _has_image(step: Step) -> bool:
    return any(step.get(name) is not None for name in _IMAGE)


def _clash(line: SrunLine, uses: list[OptionUse]) -> bool:
    """Whether srun has one of the options, or its opposite, itself; mounts and names add up."""
    for use in uses:
        long = use.spec.long
        bare = long.removeprefix("no-")
        names = (bare, f"no-{bare}") if bare in _OPPOSITES else (long,)
        if long not in _ADDING and any(line.get(name) is not None for name in names):
            return True
    return False
