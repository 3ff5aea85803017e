"""Binding tasks to CPUs and memory: ``--cpu-bind``, ``--mem-bind``.

Sources: ``slurm_verify_cpu_bind``, ``slurm_verify_mem_bind`` and ``_expand_mult`` of
``src/common/slurm_resource_info.c``.
"""

from __future__ import annotations

import re

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import LONG_MAX, leading_integer, lower
from sbatchlint.slurm.options import Release

_CHECKS_LISTS = (22, 5)
"""From here on the members of a list are looked at; before, only a multiplier was."""
_NEEDS_MEMBERS = (23, 2)
_FATAL = (22, 5)
"""From here on srun adds words of its own and ends."""
_NO_SORT = (26, 5)
_NO_BOARDS = (22, 5)
_FAILED = "Failed to parse --cpu-bind= values."
_LIST = regex(r"(map|mask)_?(cpu|ldom|mem)")
_VALUE = regex(r"[0-9]|[0-9a-fA-F]*(?:,|\Z)")
"""What after a comma goes on a list, as far as Slurm looks."""

_SYNONYMS = {"no": "none", "q": "quiet", "v": "verbose", "p": "prefer"} | {
    word: f"{word}s" for word in ("socket", "core", "thread", "ldom", "board")
}
_CPU_METHODS = frozenset({"none", "rank", "rank_ldom", "sockets", "cores", "threads", "ldoms"})
_MEM_METHODS = frozenset({"none", "rank", "local"})


@dataclass(frozen=True, slots=True)
class Binding:
    """How tasks are bound, to CPUs or to memory."""

    method: str = ""
    """``cores``, ``none``, ``map_cpu``, ``mask_mem`` ...; empty where only flags are set."""
    members: tuple[str, ...] = ()
    """For a map or mask: one for each task, as written, multipliers included."""
    verbose: bool = False
    flags: tuple[str, ...] = ()
    """``one_thread``, ``prefer``, ``sort``, ``nosort``."""
    help: bool = False
    """True for ``help``: the ways are printed and nothing is submitted."""


def _cpu_bind(text: str, context: Context) -> Binding:
    flags = frozenset({"one_thread"})
    methods = _CPU_METHODS if context.release >= _NO_BOARDS else _CPU_METHODS | {"boards"}
    try:
        return _read(text, context, "cpu-bind", methods, flags, ("cpu", "ldom"))
    except Refused as refused:
        if context.release < _FATAL:
            raise
        raise Refused(f"{refused.said}\n{_FAILED}", refused.detail) from None


def _mem_bind(text: str, context: Context) -> Binding:
    flags = {"prefer"} if context.release >= _NO_SORT else {"prefer", "sort", "nosort"}
    return _read(text, context, "mem-bind", _MEM_METHODS, frozenset(flags), ("mem",))


def _read(
    text: str,
    context: Context,
    option: str,
    methods: frozenset[str],
    flags: frozenset[str],
    units: tuple[str, ...],
) -> Binding:
    method, verbose = "", False
    members: tuple[str, ...] = ()
    set_flags: list[str] = []
    for token in _tokens(text):
        word = _SYNONYMS.get(lower(token), lower(token))
        listed = _LIST.match(word)
        if word == "help":
            return Binding(help=True)
        if word in ("quiet", "verbose"):
            verbose = word == "verbose"
        elif word in flags:
            set_flags.append(word)
        elif word in methods:
            method, members = word, ()
        elif listed and listed[2] in units:
            method = f"{listed[1]}_{listed[2]}"
            members = _members(token, method, option, context.release)
        else:
            raise Refused(f'unrecognized --{option} argument "{token}"')
    return Binding(method, members, verbose, tuple(set_flags))


def _tokens(text: str) -> list[str]:
    """Split at the commas (and semicolons) that do not go on a list of numbers."""
    tokens = [""]
    for at, char in enumerate(text):
        if char == ";" or (char == "," and not _VALUE.match(text, at + 1)):
            tokens.append("")
        else:
            tokens[-1] += char
    return tokens


def _members(token: str, method: str, option: str, release: Release) -> tuple[str, ...]:
    words = re.split("[:=]", token)
    if len(words) < 2 or not words[1]:
        raise Refused(f'missing list for "--{option}={method}:<list>"')
    members = tuple(member for member in words[1].split(",") if member)
    if not members and release >= _NEEDS_MEMBERS:
        raise Refused(f"Failed to expand list: '{words[1]}'")
    for member in members:
        _check_member(member, method, release)
    return members


def _check_member(member: str, method: str, release: Release) -> None:
    mask = method.startswith("mask")
    number, star, times = member.removeprefix("0x" if mask else "").partition("*")
    if release >= _CHECKS_LISTS:
        _check_characters(times, f"*{times}", "0123456789")
    count, rest = leading_integer(times)
    if star and (rest or not 0 < count < LONG_MAX):
        raise Refused(f"Invalid {method} multiplier: {times}")
    if release >= _CHECKS_LISTS:
        _check_characters(number, number, "0123456789abcdefABCDEF" if mask else "0123456789")


def _check_characters(text: str, shown: str, allowed: str) -> None:
    for char in text:
        if char not in allowed:
            raise Refused(f"Failed to validate number: {shown}, the offending character is {char}")


_LIST_FORMS = (
    ("map_{0}:N,N", "for each task a number"),
    ("mask_{0}:0xM,0xM", "for each task a mask, in hexadecimal"),
)

CPU_BIND = Grammar(
    "cpu_bind",
    "binding of tasks to CPUs",
    (
        ("none", "no binding"),
        ("cores", "to cores; also sockets, threads, ldoms (NUMA domains), rank_ldom"),
        *((form.format("cpu"), meaning) for form, meaning in _LIST_FORMS),
        *((form.format("ldom"), meaning) for form, meaning in _LIST_FORMS),
        ("verbose,METHOD", "and report it; quiet is the default"),
    ),
    ("none", "cores", "verbose,cores", "v,sockets", "map_cpu:0,1,2", "mask_cpu:0x3,0xc", "map_cpu:0*4"),
    ("x", "map_cpu:", "map_cpu:0*0", "cores,x", ""),
    _cpu_bind,
    ("`N*4` in a list stands for N four times.", "rank is ignored from 25.05 on."),
)

MEM_BIND = Grammar(
    "mem_bind",
    "binding of tasks to memory",
    (
        ("none", "no binding"),
        ("local", "to the memory of the CPUs in use"),
        ("rank", "by the task's number"),
        *((form.format("mem"), meaning) for form, meaning in _LIST_FORMS),
        ("prefer,METHOD", "rather than strictly"),
        ("verbose,METHOD", "and report it; quiet is the default"),
    ),
    ("none", "local", "verbose,rank", "map_mem:0,1", "mask_mem:0x1,2", "prefer,local"),
    ("x", "map_mem:", "map_mem:0*0", ""),
    _mem_bind,
    ("sort and nosort are refused from 26.05 on.",),
)
