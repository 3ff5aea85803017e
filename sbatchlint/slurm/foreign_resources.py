"""The resource list of ``#PBS -l``, as sbatch understands it: by single words found anywhere in the text.

The rules are those of ``_parse_pbs_resource_list`` and ``_parse_pbs_nodes_opts`` in ``src/sbatch/xlate.c``.
What they do not know, they pass over one character at a time, and without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.c_text import leading_integer

_TIMES = ("cput=", "pcput=", "walltime=")
_SIZES = {"file=": "tmp", "mem=": "mem"}
_SELECTED = {"mpiprocs=": "ntasks-per-node", "ncpus=": "mincpus", "select=": "nodes"}
"""Words of PBS Pro's ``select=2:ncpus=8:mpiprocs=4``: each value ends at a colon."""
_PLAIN = {"nice=": "nice"}
_ANY_CASE = frozenset({"accelerator=", "naccelerators=", "mpiprocs=", "ncpus=", "select="})
_WORDS = (
    "accelerator=", "arch=", "cput=", "file=", "host=", "mem=", "mpiprocs=", "naccelerators=", "ncpus=",
    "nice=", "nodes=", "opsys=", "other=", "pcput=", "pmem=", "proc=", "pvmem=", "select=", "software=",
    "vmem=", "walltime=",
)  # fmt: skip
_NUMBER = regex(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class ResourceItem:
    """One option that the list sets, and the part of the text that says so."""

    option: str
    value: str
    start: int
    end: int


class ResourceList:
    """A resource list, read; ``items`` in sbatch's order, ``problems`` in sbatch's words."""

    def __init__(self, text: str, current: Callable[[str], str | None]) -> None:
        """Read *text*; *current* tells the value that sbatch has for an option before it."""
        self.items: list[ResourceItem] = []
        self.problems: list[str] = []
        self._text = text
        self._current = current
        self._gpus = 0
        index = 0
        while index < len(text):
            word = next((one for one in _WORDS if self._at(one, index)), None)
            index = index + 1 if word is None else self._word(word, index + len(word))
        self._share_cpus()
        if self._gpus > 0:
            earlier = self._value("gres")
            gpus = f"gpu:{self._gpus}"
            self._add("gres", f"{earlier},{gpus}" if earlier else gpus, 0, len(text))

    def _at(self, word: str, index: int) -> bool:
        part = self._text[index : index + len(word)]
        return (part.lower() if word in _ANY_CASE else part) == word

    def _word(self, word: str, start: int) -> int:
        """Take the value that begins at *start*; return where to read on."""
        if word == "accelerator=":
            if self._text[start : start + 4].lower() == "true" and self._gpus < 1:
                self._gpus = 1
            return start
        end = self._end(start, ":" if word in _SELECTED else ",")
        value = self._text[start:end]
        after = min(end + 1, len(self._text))
        if word in _TIMES:
            self._add("time", value, start, end)
        elif word in _SIZES:
            self._add(_SIZES[word], value[:-1] if value[-1:] in ("B", "b") else value, start, end)
        elif word in _SELECTED:
            self._add(_SELECTED[word], value, start, end)
        elif word in _PLAIN:
            self._add(_PLAIN[word], value, start, end)
        elif word == "naccelerators=":
            self._count_gpus(value)
        elif word == "nodes=":
            self._nodes(value, start)
        elif word == "proc=":
            earlier = self._value("constraint")
            self._add("constraint", f"{value},{earlier}" if earlier else value, start, end)
            # sbatch passes over the next item too.
            return min(self._end(after, ",") + 1, len(self._text))
        return after

    def _end(self, start: int, separator: str) -> int:
        end = self._text.find(separator, start)
        return len(self._text) if end < 0 else end

    def _count_gpus(self, value: str) -> None:
        if _NUMBER.fullmatch(value) and (count := _leading_number(value)):
            self._gpus = count
        else:
            self.problems.append(f'Invalid numeric value "{value}" for naccelerators.')

    def _nodes(self, text: str, offset: int) -> None:
        """Read ``2:ppn=8+node7:gpus=4``: counts and tasks add up, names become the node list."""
        count = tasks = 0
        hosts: list[str] = []
        index = 0
        while index < len(text):
            part = re.match(r"[^+:]*", text[index:])
            length = len(part[0]) if part is not None else 0
            item = text[index : index + length]
            if item.startswith("gpus="):
                start = offset + index + len("gpus=")
                self._add("gpus-per-node", item[len("gpus=") :], start, offset + index + length)
            elif item.startswith("ppn="):
                tasks += _leading_number(item[len("ppn=") :])
            elif item[:1].isdigit():
                count += _leading_number(item)
            elif item[:1].isalpha():
                hosts.append(item)
            elif length:
                index += 1
                continue
            index += length + 1
        end = offset + len(text)
        if count:
            self._add("nodes", str(count), offset, end)
        if tasks:
            self._add("ntasks", str(tasks * (count or 1)), offset, end)
        if hosts:
            self._add("nodelist", ",".join(hosts), offset, end)

    def _share_cpus(self) -> None:
        """``select``, ``ncpus`` and ``mpiprocs`` together: the CPUs of a node are shared by its tasks."""
        given = {item.option: item.value for item in self.items}
        names = tuple(_SELECTED.values())
        if not all(_NUMBER.fullmatch(given.get(name, "")) for name in names):
            return
        cpus, tasks = (_leading_number(given[name]) for name in ("mincpus", "ntasks-per-node"))
        if 0 < tasks < cpus:
            self._add("cpus-per-task", str(cpus // tasks), 0, len(self._text))

    def _add(self, option: str, value: str, start: int, end: int) -> None:
        self.items.append(ResourceItem(option, value, start, end))

    def _value(self, option: str) -> str | None:
        own = next((item.value for item in reversed(self.items) if item.option == option), None)
        return own if own is not None else self._current(option)


def _leading_number(text: str) -> int:
    """Read the number in front, as ``strtol`` does; 0 where there is none."""
    return leading_integer(text)[0] if _NUMBER.match(text) else 0
