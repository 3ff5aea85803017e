"""Scripts with random directives, good and bad, drawn from the option table and the grammars."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from sbatchlint.slurm.grammar.registry import grammar_of
from sbatchlint.slurm.options import Argument, OptionSpec, Release, option_table
from sbatchlint.slurm.submit_environment import SUBMIT_VARIABLES

NEVER = frozenset(
    {
        "bbf",  # a file of this machine
        "clusters",  # asks a database for other clusters
        "export-file",
        "get-user-env",  # starts the user's shell and waits for it
        "gid",  # root becomes somebody else
        "help",
        "hold",  # every job is submitted held
        "nodefile",
        "parsable",
        "quiet",
        "test-only",
        "uid",
        "usage",
        "verbose",
        "version",
        "wait",  # waits for the end of a job that never begins
        "wrap",
    }
)
PRINTED = frozenset({"help", "list", "HELP"})
"""Values for which sbatch prints something and submits nothing."""

_SIZES = {
    "nodes": ("1", "2", "4", "1-2", "2-4", "1-4"),
    "ntasks": ("1", "2", "3", "4", "8", "16"),
    "ntasks-per-node": ("1", "2", "4", "8"),
    "cpus-per-task": ("1", "2", "8"),
    "gpus": ("1", "2", "4", "8", "16", "h100:8", "h100:4"),
    "gpus-per-node": ("1", "2", "4", "8", "h100:8", "h100:2"),
    "gpus-per-task": ("1", "2", "3", "h100:1"),
    "gpus-per-socket": ("1", "2", "4"),
    "sockets-per-node": ("1", "2"),
    "gres": ("gpu:1", "gpu:2", "gpu:8", "gpu:h100:4", "none"),
    "ntasks-per-gpu": ("1", "2"),
    "cpus-per-gpu": ("1", "2", "4"),
    "mem-per-gpu": ("1G", "512"),
    "mem": ("1G", "512", "0"),
    "mem-per-cpu": ("1G", "100"),
    "extra-node-info": ("1", "2:1", "1:2:1"),
    "hint": ("nomultithread", "compute_bound", "memory_bound", "multithread"),
    "threads-per-core": ("1",),
    "ntasks-per-core": ("1", "2"),
    "ntasks-per-socket": ("1", "2"),
    "distribution": ("plane=2", "block", "cyclic:block", "plane=4"),
    "nodelist": ("gpu01", "gpu[01-02]", "gpu[01-03]"),
    "exclude": ("gpu04", "gpu[03-04]"),
    "exclusive": ("user",),
    "time": ("10", "1:30", "1-0", "30:00"),
    "time-min": ("5", "20", "2:00:00"),
}
"""Options that come up more often, with values that the cluster can meet."""
_ODDITIES = (
    "stray",
    ":",
    "--",
    "# rest",
    "a#b",
    "\\",
    "hetjob",
    "-Z",
    "--bogus",
    "--node=1",
    "--mpi=none",
    "--hold=1",
    '--comment ""',
    "-J it's",
    "-J 'a b",
    r"-J a\ b",
    "-t",
    "--comment",
)
_PBS = (
    "-N pbs",
    "-l walltime=10",
    "-l nodes=2:ppn=2",
    "-l mem=1gb",
    "-q batch",
    "-A acc",
    "-V",
    "-Z",
    "-j oe",
)
_PBS_MORE = ("-l select=2:ncpus=4:mpiprocs=2", "-m abe", "-l nodes=1:gpus=2", "-t 0-3", "-p 5", "stray")
_BSUB = ("-J bsub", "-W 10", "-n 2,4", "-n 4", "-q batch", "-M 2000", "-x", "-o out", "-Z", "-n 2,")


@dataclass(frozen=True, slots=True)
class Submission:
    """One ``sbatch ARGUMENTS SCRIPT`` in an environment."""

    text: str
    arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = field(default=())


class ScriptMaker:
    """Makes submissions for one release, all from one seed."""

    def __init__(self, seed: int, release: Release) -> None:
        self._random = random.Random(seed)
        table = option_table()
        self._specs = [
            spec
            for spec in table
            if spec.accepted("sbatch", release) and spec.plugin is None and spec.long not in NEVER
        ]
        self._release = release
        self._sizes = [table.get(name) for name in _SIZES]

    def submissions(self, count: int) -> Iterator[Submission]:
        """Make *count* of them."""
        for _ in range(count):
            yield self._submission()

    def _submission(self) -> Submission:
        choose = self._random
        lines = [self._line() for _ in range(choose.choice((1, 2, 2, 3)))]
        body = [f"#SBATCH {line}" for line in lines]
        if choose.random() < 0.06:
            body.insert(choose.randint(0, len(body)), "#SBATCH hetjob")
        if choose.random() < 0.03:
            body.insert(choose.randint(0, len(body)), "date")
        if choose.random() < 0.06:
            prefix, pieces = choose.choice((("#PBS", _PBS + _PBS_MORE), ("#BSUB", _BSUB)))
            body += [f"{prefix} {choose.choice(pieces)}" for _ in range(choose.choice((1, 2)))]
        arguments: list[str] = []
        if choose.random() < 0.15:
            spec = self._spec()
            arguments = self._words(spec, self._value(spec, good=0.9))
        environment = [self._variable() for _ in range(choose.choice((0, 0, 0, 0, 0, 1, 2)))]
        text = "\n".join(["#!/bin/sh", *body, "true", ""])
        return Submission(text, tuple(arguments), tuple(dict(environment).items()))

    def _line(self) -> str:
        words: list[str] = []
        for _ in range(self._random.choice((1, 1, 2, 2, 3))):
            if self._random.random() < 0.03:
                words.append(self._random.choice(_ODDITIES))
                continue
            spec = self._spec()
            words += map(self._quoted, self._words(spec, self._value(spec, good=0.85)))
        return " ".join(words)

    def _spec(self) -> OptionSpec:
        return self._random.choice(self._sizes if self._random.random() < 0.6 else self._specs)

    def _value(self, spec: OptionSpec, good: float) -> str:
        chosen = _SIZES.get(spec.long)
        if chosen is not None and self._random.random() < 0.8:
            return self._random.choice(chosen)
        grammar = grammar_of(spec)
        if grammar is None:
            return self._random.choice(("x", "a b", "1"))
        pool = grammar.good if self._random.random() < good or not grammar.bad else grammar.bad
        values = [value for value in pool if value not in PRINTED] or ["x"]
        return self._random.choice(values)

    def _words(self, spec: OptionSpec, value: str) -> list[str]:
        """Spell one option in one of the ways that getopt knows."""
        kind = spec.argument("sbatch", self._release)
        name = f"--{spec.long}"
        if self._random.random() < 0.05:
            name = name[: self._random.randint(3, len(name))]
        if kind is Argument.NONE or (kind is Argument.OPTIONAL and self._random.random() < 0.4):
            return [f"-{spec.short}" if spec.short and self._random.random() < 0.4 else name]
        if spec.short is not None and self._random.random() < 0.4:
            separate = kind is Argument.REQUIRED and self._random.random() < 0.4
            return [f"-{spec.short}", value] if separate else [f"-{spec.short}{value}"]
        if kind is Argument.REQUIRED and self._random.random() < 0.3:
            return [name, value]
        return [f"{name}={value}"]

    def _quoted(self, word: str) -> str:
        """Write a word so that it survives the splitting of directives."""
        if not word:
            return '""'
        if any(character in " \t\v\f\r\n\"'\\#" for character in word):
            return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
        return word

    def _variable(self) -> tuple[str, str]:
        variables = [one for one in SUBMIT_VARIABLES if one.option not in NEVER]
        variable = self._random.choice(variables)
        spec = option_table().get(variable.option)
        if spec.argument("sbatch", self._release) is Argument.NONE:
            return variable.name, self._random.choice(("", "1", "yes", "0", "no", "x"))
        return variable.name, self._value(spec, good=0.9).replace("\0", "")
