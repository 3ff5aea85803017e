"""Beside others: ShellCheck on the same files, and a Python that does nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.lengths import length_at
from benchmarks.measure import Command, Measure, interleaved
from benchmarks.program import Programs
from benchmarks.scripts import scripts
from benchmarks.table import Row, peak_memory, times_as_fast, times_as_long

CHANGED = 10
"""How many of the scripts are changed before a run that finds nearly all unchanged."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all measurements share."""

    programs: Programs
    work: Path
    """A folder of their own."""
    rounds: int
    scripts: int
    limit: float
    """Seconds after which a command is stopped."""
    core: int

    def command(
        self, *words: str, folder: Path | None = None, before: Callable[[int], None] | None = None
    ) -> Command:
        """Return a command that is run in *folder* (else: in the working one)."""
        return Command(words, folder or self.work, self.programs.environment, before)


def version(setting: Setting) -> list[Row]:
    """Compare ``--version`` with a Python that does nothing."""
    ours = setting.command(*setting.programs.ours, "--version")
    commands = {"ours": ours, "theirs": setting.command(sys.executable, "-c", "pass")}
    found = _measured(setting, commands, 5 * setting.rounds)
    return [times_as_long("--version, beside python -c pass", found["ours"], found["theirs"], 6)]


def one_script(setting: Setting) -> list[Row]:
    """Compare one script of the usual length, of which nothing is kept from before."""
    text = min(scripts(100, seed=2), key=lambda text: abs(text.count("\n") - length_at(0.5)))
    (setting.work / "one.sbatch").write_text(text, "utf-8")
    commands = {
        "ours": setting.command(*setting.programs.check("--no-cache", "one.sbatch")),
        "theirs": setting.command(setting.programs.shellcheck, "one.sbatch"),
    }
    found = _measured(setting, commands, 3 * setting.rounds)
    return [times_as_long("one script, cold", found["ours"], found["theirs"], 3)]


def many_scripts(setting: Setting) -> list[Row]:
    """Compare a folder of scripts: for the first time, unchanged, and with a few of them changed."""
    folder = setting.work / "scripts"
    folder.mkdir()
    texts = scripts(setting.scripts)
    names = [f"job-{at:04d}.sbatch" for at in range(len(texts))]
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text(text, "utf-8")
    kept = ("--cache-dir", str(setting.work / "kept"), "--jobs", "1")
    check = setting.programs.check

    def change(number: int) -> None:
        step = max(1, len(names) // CHANGED)
        for name in names[::step][:CHANGED]:
            with (folder / name).open("a", encoding="utf-8") as file:
                file.write(f"# changed {number}\n")

    def command(*words: str, before: Callable[[int], None] | None = None) -> Command:
        return setting.command(*words, folder=folder, before=before)

    commands = {
        "cold": command(*check("--no-cache", "--jobs", "1", *names)),
        "shellcheck": command(setting.programs.shellcheck, *names),
        "changed": command(*check(*kept, *names), before=change),
        "unchanged": command(*check(*kept, *names), before=lambda number: filled()),
    }

    def filled() -> None:
        """Let the run that is looked up be one on the files as they are."""
        interleaved({"": command(*check(*kept, *names))}, 1, limit=setting.limit, core=setting.core)

    filled()
    found = _measured(setting, commands, setting.rounds)
    count = f"{len(names):,} scripts"
    return [
        times_as_fast(f"{count}, cold", found["cold"], found["shellcheck"], 4),
        times_as_fast(f"{count}, unchanged", found["unchanged"], found["shellcheck"], 100),
        times_as_fast(f"{count}, {CHANGED} of them changed", found["changed"], found["shellcheck"]),
        peak_memory(f"{count}, cold: memory", found["cold"], 150, found["shellcheck"]),
        peak_memory(f"{count}, unchanged: memory", found["unchanged"]),
    ]


def _measured(setting: Setting, commands: dict[str, Command], rounds: int) -> dict[str, Measure]:
    for command in commands.values():  # what is compiled and read from disk once is not measured
        if len(command.words) < 20:
            interleaved({"": command}, 1, limit=setting.limit, core=setting.core)
    return interleaved(commands, rounds, limit=setting.limit, core=setting.core)
