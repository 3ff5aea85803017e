"""Whether the tasks run in a container, and what of it is left to be filled in."""

from __future__ import annotations

import os
from dataclasses import replace

from sbatchlint.convert.keeping import of_the_host
from sbatchlint.convert.reading import Given
from sbatchlint.convert.refusal import Note
from sbatchlint.convert.site import BLANK, Site

_ENVIRONMENTS = ("conda", "mamba", "micromamba", "poetry", "pixi", "pipenv", "hatch", "pdm", "rye")
"""What runs a command with programs of its own."""


def with_image(given: Given, site: Site) -> tuple[Site, tuple[Note, ...]]:
    """Return *site* with an image, if the tasks run in a container, and with a shared folder for it.

    That is where one is asked for, and where the cluster has Pyxis and the command does not say which
    programs of the host it means.
    """
    notes: list[Note] = []
    if not site.image and (site.container or site.pyxis):
        why = "" if site.container else _of_its_own(given)
        if why:
            text = f"the cluster runs containers with Pyxis; the job uses none, because {why}"
            return site, (Note("--image", f"{text} (--container overrules that)"),)
        site = replace(site, image=os.path.join(site.image_folder, BLANK))
        which = "" if site.container else 'the cluster runs containers with Pyxis; --image "" for none; '
        notes.append(Note("--image", f"{which}left to be filled in ({BLANK})"))
    if site.image and not site.shared:
        site = replace(site, shared=f"/{BLANK}", log_folder=site.log_folder or f"/{BLANK}/logs")
        notes.append(
            Note("--shared", f"left to be filled in ({BLANK}): a container keeps no caches between tasks")
        )
    return site, tuple(notes)


def with_workdir(given: Given, site: Site) -> tuple[Site, tuple[Note, ...]]:
    """Return *site* with the folder that the tasks start in, where a container has to be told it."""
    target = given.program.target.text
    if not site.image or site.workdir or target is None or given.program.is_module:
        return site, ()
    if os.path.isabs(target) or not ("/" in target or target.endswith(".py")):
        return site, ()
    why = f"left to be filled in ({BLANK}): {target} is looked for from there, in the container"
    return replace(site, workdir=f"/{BLANK}"), (Note("--workdir", why),)


def _of_its_own(given: Given) -> str:
    """Say by what the command brings programs of the host; nothing where it does not."""
    line = next((one for one in given.setup if of_the_host(one)), None)
    if line is not None:
        return f"of `{given.source.slice(line.span).splitlines()[0]}`"
    for layer in given.program.layers:
        written = given.source.slice(layer.span) if layer.span is not None else layer.name
        if layer.name in _ENVIRONMENTS or ("/" in written and written.endswith(layer.name)):
            return f"of `{written}`"
    return ""
