"""What is told of a conversion: options, wrappers and words that become something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.convert.environment import of_one_node
from sbatchlint.convert.launchers import behind_target, dropped_by_launcher, dropped_by_srun
from sbatchlint.convert.reading import Given
from sbatchlint.convert.refusal import Note
from sbatchlint.convert.shape import Choice, Shape
from sbatchlint.regex import regex

SAID_BY_JOB = "left out: it holds for one node; the job says it for all of them"
_OF_TERMINALS = ("nohup", "setsid")
_NAME_OF_OUTPUT = {"nsys": ", such as -o out.%q{SLURM_PROCID}"}
_PROFILERS = ("nsys", "ncu", "rocprof", "rocprofv3", "vtune")
_NO_WORD = regex(r"'|(?:function )?[\w-]+ *\(\)|function ")
_POSITIONAL = regex(r"(?<!\\)\$(?:\{[#!]?)?[@*1-9]")


def launch_notes(given: Given, choice: Choice) -> Iterator[Note]:
    """Yield what becomes of the launcher's options and of the wrappers."""
    layer = given.launcher
    if layer is not None:
        yield from behind_target(layer, given.program.arguments)
        yield from (dropped_by_launcher if choice.shape is Shape.LAUNCHER else dropped_by_srun)(layer)
    each = "rank" if choice.shape is Shape.NATIVE else "node"
    for wrapper in given.wrappers if choice.shape is not Shape.SINGLE else ():
        if wrapper.name in _PROFILERS:
            why = f"is started by each task: its output needs a name of its own for each {each}"
            yield Note(wrapper.name, f"{why}{_NAME_OF_OUTPUT.get(wrapper.name, '')}")
    for wrapper in given.wrappers:
        if wrapper.name in _OF_TERMINALS:
            yield Note(wrapper.name, "left out: a job goes on without a terminal")


def word_notes(given: Given, needed: tuple[str, ...], written: Sequence[str]) -> Iterator[Note]:
    """Yield when words become known that are not yet: *needed* variables, text as *written*."""
    for name, value in given.own_environment.items():
        if of_one_node(name):
            yield Note(f"{name}={value.show()}", SAID_BY_JOB)
    for name in dict.fromkeys(needed):
        yield Note(f"${name}", "is read when the job starts: export it in the shell that submits it")
    if any(_POSITIONAL.search(word) for word in written if not _NO_WORD.match(word)):
        yield Note("$@", "are the words behind the script's name: sbatch job.sbatch WORDS")
    for arg in given.program.arguments:
        text = arg.value.show()
        if arg.text is None and ("$(" in text or "`" in text):
            yield Note(text, "is worked out when the job starts, on its first node")
        elif arg.open and any(char in text for char in "*?["):
            yield Note(text, "is looked up when the job starts, in the folder that it is submitted from")
