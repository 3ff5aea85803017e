"""Signals: ``--signal``, ``--kill-command``, ``--ignore-signals``.

Source: ``get_signal_opts`` and ``sig_name2num`` in ``src/common/proc_args.c``.
"""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import BLANKS, is_blank, leading_integer, lower, wrap

_NUMBERS = {
    "hup": 1,
    "int": 2,
    "quit": 3,
    "abrt": 6,
    "kill": 9,
    "alrm": 14,
    "term": 15,
    "usr1": 10,
    "usr2": 12,
    "urg": 23,
    "cont": 18,
    "stop": 19,
    "tstp": 20,
    "ttin": 21,
    "ttou": 22,
    "xcpu": 24,
}
"""Numbers on Linux for x86 and Arm."""
_NEWER_NUMBERS = {"chld": 17, "pipe": 13}
_NEWER_SINCE = (23, 11)
_NAMES = {number: name.upper() for name, number in (_NUMBERS | _NEWER_NUMBERS).items()}
_TERM = 15
_DEFAULT_SECONDS = 60
_IGNORABLE = 63
"""The greatest signal that srun can be told to ignore."""


@dataclass(frozen=True, slots=True)
class WarningSignal:
    """``--signal``: what is sent to the job before its time is up."""

    number: int
    seconds_before_end: int
    batch_shell: bool = False
    """Sent to the batch shell alone (``B:``) instead of to the steps."""
    on_reservation: bool = False
    """``R``: also where a reservation overlaps the job."""

    @property
    def name(self) -> str:
        """The signal's name without SIG; its number where Slurm knows no name for it."""
        return _NAMES.get(self.number, str(self.number))


def signal_number(text: str, context: Context) -> int:
    """Read a signal's name, with or without SIG, or its number; 0 for anything else."""
    number, rest = leading_integer(text)
    if rest != text:
        return wrap(number, 32) if is_blank(rest) else 0
    name = lower(text).strip(BLANKS).removeprefix("sig")
    known = _NUMBERS | _NEWER_NUMBERS if context.release >= _NEWER_SINCE else _NUMBERS
    return known.get(name, 0)


def _signal(text: str, context: Context) -> WarningSignal:
    rest, reservation = _take_flag(text, "r")
    rest, batch = _take_flag(rest, "b")
    rest, late_reservation = _take_flag(rest, "r")
    name, at, seconds_text = rest.removeprefix(":").partition("@")
    number = wrap(signal_number(name, context), 16, signed=False)
    seconds = _seconds(seconds_text) if at else _DEFAULT_SECONDS
    if number == 0 or seconds is None:
        raise Refused(
            f"Invalid --{context.option} specification",
            "it takes [R][B]:SIGNAL[@SECONDS], with 0 to 65535 seconds",
        )
    return WarningSignal(number, seconds, batch, reservation or late_reservation)


def _take_flag(text: str, letter: str) -> tuple[str, bool]:
    return (text[1:], True) if lower(text[:1]) == letter else (text, False)


def _seconds(text: str) -> int | None:
    """Read the seconds after ``@``: none is 0."""
    number, rest = leading_integer(text)
    return number if not rest and 0 <= number < 2**16 else None


def _optional_signal(text: str, context: Context) -> int:
    number = signal_number(text, context) if text else _TERM
    if number == 0:
        raise Refused(f"Invalid --{context.option} specification", "not a signal")
    return number


def _signal_list(text: str, context: Context) -> tuple[int, ...]:
    items = [item for item in text.split(",") if item]
    if not items:
        raise Refused(f"--{context.option} requires at least one signal")
    return tuple(_ignorable(item, context) for item in items)


def _ignorable(text: str, context: Context) -> int:
    number = signal_number(text, context)
    if number == _IGNORABLE + 1:
        raise Refused(f"Signal {text} is not handled by srun and cannot be ignored")
    if number == 0 or number > _IGNORABLE:
        raise Refused(f"Invalid signal name or number: {text}")
    return number


_SIGNAL_FORMS = (("USR1", "a name, with or without SIG, in either case"), ("10", "a number"))

GRAMMARS = (
    Grammar(
        "signal",
        "a signal to send before the time limit, and how many seconds before",
        (
            ("SIG", "to the steps, 60 seconds before the end"),
            ("SIG@S", "S seconds before the end, at most 65535"),
            ("B:SIG@S", "to the batch shell only"),
            ("R:SIG@S", "also where a reservation overlaps the job; RB: both"),
        ),
        ("USR1", "SIGUSR1", "usr1@90", "10@90", "B:USR1@300", "R:TERM", "RB:TERM@60", "BR:TERM", "USR1@"),
        ("", "FOO", "0", "@60", "USR1@65536", "USR1@1m", "USR1@90:00", "USR1@-1", "B:", "USR1 @x", "SIG"),
        _signal,
        (
            "Without B: the signal goes to the steps and a trap in the batch script never runs.",
            "Names that Slurm knows: HUP INT QUIT ABRT KILL ALRM TERM USR1 USR2 URG CONT STOP TSTP TTIN TTOU"
            " XCPU, since 23.11 also CHLD and PIPE; any other by number.",
            "Slurm looks once in a while only: the signal may come up to 60 seconds early.",
        ),
    ),
    Grammar(
        "optional_signal",
        "a signal; nothing is TERM",
        _SIGNAL_FORMS,
        ("", "KILL", "SIGTERM", "9"),
        ("FOO", "0", "9x"),
        _optional_signal,
    ),
    Grammar(
        "signal_list",
        "signals, separated by commas",
        _SIGNAL_FORMS,
        ("USR1", "USR1,SIGUSR2,15"),
        ("", ",", "FOO", "0", "64", "65", "USR1,FOO"),
        _signal_list,
    ),
)
