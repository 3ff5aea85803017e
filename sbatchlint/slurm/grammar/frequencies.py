"""Clock rates: ``--cpu-freq``, ``--gpu-freq``.

Sources: ``cpu_freq_verify_cmdline`` of ``src/common/cpu_frequency.c``, ``src/common/tres_frequency.c``.
Which governors may be asked for, the cluster's configuration says.
"""

from __future__ import annotations

import re

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import LONG_MAX, leading_integer, lower, wrap
from sbatchlint.slurm.options import Release

_WHOLE_NUMBERS = (23, 11)
"""From here on nothing may follow a number, and UserSpace alone can go without a range."""

_NAMED = ("low", "medium", "high", "highm1")
"""In the order of Slurm's own numbers for them, which all are greater than any number of kHz."""
_FREQUENCIES = (("lo", "low"), ("him1", "highm1"), ("highm1", "highm1"), ("hi", "high"), ("med", "medium"))
_GOVERNORS = (
    ("co", "Conservative"),
    ("perf", "Performance"),
    ("pow", "PowerSave"),
    ("user", "UserSpace"),
    ("onde", "OnDemand"),
    ("sche", "SchedUtil"),
)
_SCHEDUTIL = (21, 8)
_FAILED = "Invalid --cpu-freq argument"


@dataclass(frozen=True, slots=True)
class CpuFrequency:
    """The clock rate of CPUs: kHz, or ``low``, ``medium``, ``high``, ``highm1``."""

    maximum: int | str | None = None
    minimum: int | str | None = None
    governor: str = ""


def _cpu_freq(text: str, context: Context) -> CpuFrequency:
    release = context.release
    before, colon, governor_text = text.partition(":")
    first, dash, second = (text if "-" in governor_text and "-" not in before else before).partition("-")
    if governor := _governor(first, release):
        if colon:
            raise _refusal(f"governor cannot be specified twice {first}{{-}}:{governor_text} in --cpu-freq")
        if dash:
            _frequency(second, release)
            raise _refusal(f"min cpu-frec ({first}) must be < max cpu-freq ({second})")
        return CpuFrequency(governor=governor)
    low = high = _frequency(first, release)
    if dash:
        high = _frequency(second, release)
        if _rank(high) < _rank(low):
            raise _refusal(f"min cpu-frec ({first}) must be < max cpu-freq ({second})")
    governor = _checked_governor(governor_text, bool(dash), release) if colon else ""
    return CpuFrequency(high, low if dash else None, governor)


def _checked_governor(text: str, ranged: bool, release: Release) -> str:
    governor = _governor(text, release)
    illegal = _refusal(f"illegal governor: {text} on --cpu-freq")
    alone = _refusal(f"gov on cpu-frec ({text}) illegal without max")
    if release < _WHOLE_NUMBERS:
        if not ranged:
            raise alone
        if not governor:
            raise illegal
        return governor
    if not governor:
        raise illegal
    if not ranged and governor != "UserSpace":
        raise alone
    if ranged and governor == "UserSpace":
        raise _refusal(
            f"{text} governor does not support a range. Please specify only one value for the desired"
            " frequency (p1) or choose a different governor."
        )
    return governor


def _governor(text: str, release: Release) -> str:
    folded = lower(text)
    for start, name in _GOVERNORS:
        if folded.startswith(start) and (name != "SchedUtil" or release >= _SCHEDUTIL):
            return name
    return ""


def _frequency(text: str, release: Release) -> int | str:
    folded = lower(text)
    for start, name in _FREQUENCIES:
        if folded.startswith(start):
            return name
    number, rest = leading_integer(text)
    number = wrap(number, 32, signed=False)
    if release >= _WHOLE_NUMBERS and number == 0 and not rest:
        raise Refused(_FAILED)
    if number == 0 or (rest and release >= _WHOLE_NUMBERS):
        raise _refusal(f'unrecognized --cpu-freq argument "{text}"')
    return number


def _rank(frequency: int | str) -> int:
    return 2**31 + 1 + _NAMED.index(frequency) if isinstance(frequency, str) else frequency


def _refusal(said: str) -> Refused:
    return Refused(f"{said}\n{_FAILED}")


@dataclass(frozen=True, slots=True)
class GpuFrequency:
    """The clock rates of GPUs: MHz, or ``low``, ``medium``, ``high``, ``highm1``."""

    graphics: str = ""
    memory: str = ""
    verbose: bool = False


def _gpu_freq(text: str, context: Context) -> GpuFrequency:
    graphics, memory, verbose = "", "", False
    parts = [part for part in f"gpu:{text}".split(";") if part]
    refusal = Refused(f"Invalid --gpu-freq argument: gpu:{text}", "it takes low, medium, high, highm1 or MHz")
    if not all(part.startswith("gpu:") and len(part) > len("gpu:") for part in parts):
        raise refusal
    for token in filter(None, re.split(",", ",".join(part[len("gpu:") :] for part in parts))):
        name, equals, value = token.partition("=")
        if token == "verbose":
            verbose = True
        elif not equals and _is_gpu_frequency(token):
            graphics = token
        elif name == "memory" and _is_gpu_frequency(value):
            memory = value
        else:
            raise refusal
    return GpuFrequency(graphics, memory, verbose)


def _is_gpu_frequency(text: str) -> bool:
    if re.fullmatch("[0-9]+", text):
        return leading_integer(text)[0] < LONG_MAX
    return text in _NAMED


CPU_FREQ = Grammar(
    "cpu_freq",
    "clock rate of the CPUs, in kHz or by name",
    (
        ("P", "no faster than this: kHz, low, medium, high or highm1 (the last but one)"),
        ("P1-P2:GOVERNOR", "between the two, under this governor"),
        ("GOVERNOR", "Conservative, OnDemand, Performance, PowerSave, SchedUtil or UserSpace"),
    ),
    ("high", "low", "medium", "highm1", "2400000", "low-high:Performance", "OnDemand"),
    ("x", "0", "high-low", "Performance:OnDemand", "low-high:x", "high:x", ""),
    _cpu_freq,
    (
        "The governor must be one that the cluster's CpuFreqGovernors allows.",
        "From 23.11 on a range needs a governor, unless the cluster sets CpuFreqDef.",
    ),
)

GPU_FREQ = Grammar(
    "gpu_freq",
    "clock rates of the GPUs, in MHz or by name",
    (
        ("P", "low, medium, high, highm1 or MHz"),
        ("memory=P", "for the memory"),
        ("verbose", "report them"),
        ("ITEM,ITEM", "all of them"),
    ),
    ("high", "medium,memory=high", "450", "memory=low", "verbose", "high,verbose"),
    ("x", "", "memory=x", "HIGH", "speed=high"),
    _gpu_freq,
)
