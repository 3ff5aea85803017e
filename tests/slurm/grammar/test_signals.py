"""Signals."""

from __future__ import annotations

from collections.abc import Callable
from signal import Signals

import pytest

from sbatchlint.slurm.grammar.base import Refused
from sbatchlint.slurm.grammar.signals import WarningSignal

Read = Callable[..., object]
Refusal = Callable[..., Refused]


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("USR1", WarningSignal(10, 60)),
        ("sigusr1@90", WarningSignal(10, 90)),
        ("10@0", WarningSignal(10, 0)),
        ("USR1@", WarningSignal(10, 0)),
        ("B:USR1@300", WarningSignal(10, 300, batch_shell=True)),
        ("BUSR1", WarningSignal(10, 60, batch_shell=True)),
        ("R:TERM", WarningSignal(15, 60, on_reservation=True)),
        ("BR:TERM", WarningSignal(15, 60, batch_shell=True, on_reservation=True)),
        ("RB:TERM", WarningSignal(15, 60, batch_shell=True, on_reservation=True)),
        ("-1", WarningSignal(65535, 60)),
    ],
)
def test_signal(read: Read, text: str, signal: WarningSignal) -> None:
    assert read("signal", text) == signal


@pytest.mark.parametrize(
    "name",
    "HUP INT QUIT ABRT KILL ALRM TERM USR1 USR2 URG CONT STOP TSTP TTIN TTOU XCPU".split(),
)
def test_numbers_are_those_of_the_system(read: Read, name: str) -> None:
    assert read("signal", name) == WarningSignal(Signals[f"SIG{name}"], 60)


@pytest.mark.parametrize(
    "text", ["", "FOO", "0", "@60", "USR1@65536", "USR1@1m", "USR1@90:00", "USR1@-1", "B:", "65536"]
)
def test_refused(refusal: Refusal, text: str) -> None:
    assert refusal("signal", text).said == "Invalid --signal specification"


@pytest.mark.parametrize("name", ["CHLD", "PIPE"])
def test_names_since_23_11(read: Read, refusal: Refusal, name: str) -> None:
    assert refusal("signal", name, "23.02").said == "Invalid --signal specification"
    signal = read("signal", name, "23.11")
    assert isinstance(signal, WarningSignal)
    assert signal.name == name


def test_a_number_without_a_name() -> None:
    assert WarningSignal(40, 60).name == "40"


def test_kill_command(read: Read, refusal: Refusal) -> None:
    assert read("kill-command", "") == 15
    assert read("kill-command", "KILL") == 9
    assert refusal("kill-command", "x").said == "Invalid --kill-command specification"


def test_ignored_signals(read: Read, refusal: Refusal) -> None:
    assert read("ignore-signals", "USR1,15", "26.05") == (10, 15)
    assert refusal("ignore-signals", ",", "26.05").said == "--ignore-signals requires at least one signal"
    assert refusal("ignore-signals", "x", "26.05").said == "Invalid signal name or number: x"
    said = "Signal 64 is not handled by srun and cannot be ignored"
    assert refusal("ignore-signals", "64", "26.05").said == said
