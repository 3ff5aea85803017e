"""The targets by name.  Each is a function that is given any bytes and fails where a promise is broken.

It raises nothing for what is wrong in the bytes, ends soon, and gives the same for the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

Target = Callable[[bytes], None]

_MODULES = {
    "shell": ("shell", "plan", "suppressions"),
    "slurm": ("directives", "option_values", "command_line", "sacct", "cluster_outputs"),
    "linting": ("check", "markdown", "fix"),
    "logs": ("log",),
    "converting": ("convert", "notebook", "python_file"),
    "settings": ("config", "cluster_profile", "policy", "baseline"),
    "caching": ("kept_run", "kept_results"),
}
NAMES = tuple(name for names in _MODULES.values() for name in names)
SCRIPTS = frozenset(
    {"shell", "plan", "suppressions", "directives", "check", "markdown", "fix", "convert", "notebook"}
)
"""Those that read batch scripts or something like them."""


def target(name: str) -> Target:
    """Return the target called *name*; its modules are imported now and not before."""
    module = next(module for module, names in _MODULES.items() if name in names)
    return cast(Target, getattr(import_module(f"tests.fuzz.targets.{module}"), name))
