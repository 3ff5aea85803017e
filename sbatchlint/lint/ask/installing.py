"""Commands that install packages."""

from __future__ import annotations

from sbatchlint.launch.plan import Program
from sbatchlint.regex import regex

_PIP = regex(r"pip(?:3(?:\.\d+)?)?")
_VERBS = {
    "uv": ("sync", "add"),
    "conda": ("install", "create", "env", "update"),
    "mamba": ("install", "create", "env", "update"),
    "micromamba": ("install", "create", "env", "update"),
    "apt": ("install",),
    "apt-get": ("install",),
    "poetry": ("install",),
    "pdm": ("install", "sync"),
    "pixi": ("install",),
}


def install_command(program: Program) -> str | None:
    """The command by which *program* installs packages, as ``pip install``; None where it does not."""
    words = [argument.value.text or "" for argument in program.arguments]
    verbs = [word for word in words if not word.startswith("-")]
    name = program.name or ""
    if _PIP.fullmatch(name):
        return "pip install" if verbs[:1] == ["install"] else None
    if name == "uv" and verbs[:2] == ["pip", "install"]:
        return "uv pip install"
    if verbs and verbs[0] in _VERBS.get(name, ()):
        exports = verbs[:2] in (["env", "list"], ["env", "export"], ["env", "config"])
        return None if exports else f"{name} {verbs[0]}"
    return None


def environment_is_own(program: Program) -> bool:
    """Whether each task names a place of its own to install in: a variable that differs by task."""
    return any(leaf.per_task for argument in program.arguments for leaf in argument.value.unknowns()) or any(
        argument.value.show().startswith("--target") for argument in program.arguments
    )
