"""Small promises of the engine: sizes of files, names that are taken, what is said where nobody asks."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint.api import Confidence, Finding, Job, Severity, Source, Span
from sbatchlint.lint.beside import reader
from sbatchlint.lint.families import FAMILIES, family_of, is_guest_code, is_house_code
from sbatchlint.lint.looking import looker
from sbatchlint.lint.registry import Registry, RuleLoadError
from tests.lint.conftest import OldProgram

LARGEST = 256 * 1024


@pytest.mark.parametrize(("size", "read"), [(LARGEST - 1, True), (LARGEST, True), (LARGEST + 1, False)])
def test_how_large_a_sourced_file_may_be(tmp_path: Path, size: int, read: bool) -> None:
    (tmp_path / "env.sh").write_bytes(b"#" * size)
    keep: dict[str, str] = {}
    text = reader(str(tmp_path), keep)("env.sh")
    assert (text is not None) is read
    assert keep == ({"env.sh": "#" * size} if read else {})


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "env.sh")
    assert reader(str(tmp_path))("env.sh") is None


@pytest.mark.parametrize("severity", list(Severity))
@pytest.mark.parametrize("confidence", list(Confidence))
def test_what_is_told_without_being_asked_for(severity: Severity, confidence: Confidence) -> None:
    finding = Finding("ACME001", "a", severity, "m", Span(0, 0), confidence=confidence)
    assert finding.prominent is (severity is not Severity.INFO and confidence is Confidence.HIGH)
    assert finding.serious is (severity is not Severity.INFO)


def test_severities_from_the_worst() -> None:
    assert sorted(Severity, key=lambda one: one.rank) == [Severity.ERROR, Severity.WARNING, Severity.INFO]
    assert [one.rank for one in (Severity.ERROR, Severity.WARNING, Severity.INFO)] == [0, 1, 2]


def test_a_rule_says_no_more_than_it_is_given() -> None:
    rule = OldProgram()
    assert rule.excepted(Job(Source.from_text("#!/bin/bash\n"))) == ""
    assert rule.finding(Span(1, 2), "m") == Finding(
        "SB301", "old-program", Severity.WARNING, "m", Span(1, 2), "", (), "", (), None, Confidence.HIGH
    )
    assert rule.finding(Span(1, 2), "m", severity=Severity.INFO).severity is Severity.INFO


@pytest.mark.parametrize("name", ["policy", *(family.slug for family in FAMILIES)])
def test_names_that_no_rule_can_have(make_registry: Callable[..., Registry], name: str) -> None:
    rule = type("Made", (OldProgram,), {"code": "SB309", "name": name, "__doc__": "Made."})
    with pytest.raises(RuleLoadError, match=f"Made: {name!r} is the name of a (family|group of rules)$"):
        make_registry(rule)


@pytest.mark.parametrize(
    ("code", "house", "guest"),
    [
        ("SB301", True, False),
        ("SB30", False, False),
        ("SB3011", False, False),
        ("SBU301", False, True),
        ("XY000", False, True),
        ("X000", False, False),
        ("sb301", False, False),
        ("SB३01", False, False),
        (" SB301", False, False),
    ],
)
def test_shapes_of_codes(code: str, house: bool, guest: bool) -> None:
    assert (is_house_code(code), is_guest_code(code)) == (house, guest)


def test_the_family_of_a_code() -> None:
    assert [family_of(f"{family.prefix}99") for family in FAMILIES] == [*FAMILIES]
    assert family_of("ACME001") is None


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("a.txt", True),
        ("b.txt", False),
        ("a.txt/c", False),
        ("$HOME/a.txt", True),
        ("$HOME/$USER.txt", True),
        ("$SLURM_SUBMIT_DIR/a.txt", True),
        ("$SLURM_SUBMIT_DIR/b.txt", False),
        ("$SLURM_SUBMIT_DIRS", False),
        ("x\0y", None),
    ],
)
def test_whether_a_path_is_there(tmp_path: Path, path: str, there: bool | None) -> None:
    (tmp_path / "a.txt").touch()
    (tmp_path / "me.txt").touch()
    other = {"HOME": str(tmp_path), "USER": "me", "SLURM_SUBMIT_DIR": "/nowhere"}
    assert looker(str(tmp_path), other)(path) is there


@pytest.mark.parametrize("environment", [{}, {"HOME": ""}, {"USER": "me"}])
def test_a_variable_that_is_not_known_tells_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    look = looker(str(tmp_path), environment)
    assert look("$HOME/a.txt") is None
    assert look("a.txt") is False
