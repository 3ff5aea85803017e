"""Commands that start other commands, as data: adding a launcher is adding a row.

The rows stand in ``wrapper_tables``, ``container_tables`` and ``launcher_tables``; here are the interpreters,
and the way from a command's name to its row.
"""

from __future__ import annotations

from dataclasses import replace

from sbatchlint.launch.command_table import CommandTable, words
from sbatchlint.launch.container_tables import CONTAINERS
from sbatchlint.launch.launcher_tables import LAUNCHERS
from sbatchlint.launch.plan import LayerKind
from sbatchlint.launch.wrapper_tables import WRAPPERS

_PYTHON = words("-X -W -Q --check-hash-based-pycs")
_INTERPRETERS = (
    *(
        CommandTable(
            name,
            LayerKind.INTERPRETER,
            _PYTHON,
            module_options=words("-m"),
            code_options=words("-c"),
            bundles=True,
        )
        for name in ("python", "pypy")
    ),
    CommandTable(
        "coverage",
        LayerKind.INTERPRETER,
        words("--rcfile --source --include --omit --data-file --context --concurrency --save-signal"),
        subcommands=words("run"),
        module_options=words("-m"),
    ),
    CommandTable(
        "julia",
        LayerKind.INTERPRETER,
        words(
            "-t --threads -p --procs -L --load -J --sysimage -C --cpu-target -m --module -H --home "
            "--gcthreads"
        ),
        code_options=words("-e --eval -E --print"),
    ),
    CommandTable("Rscript", LayerKind.INTERPRETER, code_options=words("-e")),
    CommandTable("perl", LayerKind.INTERPRETER, words("-I -M"), code_options=words("-e -E")),
    CommandTable("node", LayerKind.INTERPRETER, words("-r --require"), code_options=words("-e --eval -p")),
    CommandTable(
        "java",
        LayerKind.INTERPRETER,
        words("-cp -classpath --class-path -p --module-path --add-modules --add-opens --add-exports"),
        module_options=words("-jar"),
    ),
    CommandTable("matlab", LayerKind.INTERPRETER, words("-sd -logfile"), code_options=words("-batch -r")),
)

SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh"))
MODULE_LAUNCHERS = {
    "torch.distributed.run": "torchrun",
    "torch.distributed.launch": "torch.distributed.launch",
    "accelerate.commands.launch": "accelerate",
    "accelerate.commands.accelerate_cli": "accelerate",
    "deepspeed.launcher.runner": "deepspeed",
    "composer.cli.launcher": "composer",
    "composer": "composer",
    "nvidia_resiliency_ext.fault_tolerance.launcher": "ft_launcher",
    "horovod.runner": "horovodrun",
}
"""Modules that are launchers themselves when started with ``python -m``."""

TABLES = {table.name: table for table in (*WRAPPERS, *CONTAINERS, *LAUNCHERS, *_INTERPRETERS)}
_OTHERS = {"accelerate-launch": replace(TABLES["accelerate"], subcommands=frozenset())}
_VERSIONED = ("python", "pypy", "julia", "perl")


def table_for(name: str) -> CommandTable | None:
    """The table of the command called *name* (a base name), versions such as ``python3.11`` included."""
    found = TABLES.get(name) or _OTHERS.get(name)
    if found is not None:
        return found
    for base in _VERSIONED:
        rest = name[len(base) :]
        if name.startswith(base) and rest.replace(".", "").isdigit():
            return TABLES[base]
    return None


__all__ = ["MODULE_LAUNCHERS", "SHELLS", "TABLES", "CommandTable", "table_for"]
