"""What Slurm's programs are given, and what they print."""

from __future__ import annotations

from pydantic import ValidationError

from sbatchlint.cluster.assemble import profile_from
from sbatchlint.cluster.outputs import take_output
from sbatchlint.cluster.records import Records
from sbatchlint.diagnose.accounting import AccountingError, read_accounting
from sbatchlint.lint.job import Job
from sbatchlint.slurm.directives import read_directives
from sbatchlint.slurm.grammar.base import Context, Refused
from sbatchlint.slurm.grammar.hosts import HostList
from sbatchlint.slurm.grammar.registry import grammar_of
from sbatchlint.slurm.options import SUPPORTED_RELEASES, option_table
from sbatchlint.source import Source
from sbatchlint.submission.command_line import read_command_line

OPTIONS = [spec for spec in option_table() if grammar_of(spec) is not None]


def directives(data: bytes) -> None:
    """Directive lines in each release, the request made of them and Slurm's verdict on it."""
    source = Source.from_bytes(b"#!/bin/bash\n" + data, "job.sh")
    for release in (None, "22.05", "24.05"):
        found = read_directives(source, release)
        assert found == read_directives(source, release)
        for line in (*found.lines, *found.late, *found.foreign):
            for token in line.tokens:
                assert 0 <= token.span.start <= token.span.end <= len(source.text)
        for problem in found.problems:
            assert 0 <= problem.span.start <= problem.span.end <= len(source.text)
    first, second = Job(source), Job(source)
    assert repr(first.request) == repr(second.request)
    assert repr(first.verdict) == repr(second.verdict)


def option_values(data: bytes) -> None:
    """The first byte chooses the option, the others are its value: a typed value, or a refusal."""
    spec = OPTIONS[data[0] % len(OPTIONS)] if data else OPTIONS[0]
    grammar = grammar_of(spec)
    assert grammar is not None
    for release in SUPPORTED_RELEASES:
        if not any(spec.accepted(command, release) for command in spec.commands):
            continue
        try:
            value = grammar.read(data[1:].decode("utf-8", "surrogateescape"), Context(spec.long, release))
        except Refused as refused:
            assert str(refused)
            continue
        hash(value)
        if isinstance(value, HostList):
            assert value.names() == value.names()


def command_line(data: bytes) -> None:
    """Words of sbatch's command line, a NUL between them."""
    words = data.decode("utf-8", "surrogateescape").split("\0")
    assert repr(read_command_line(words)) == repr(read_command_line(words))


def sacct(data: bytes) -> None:
    """The saved output of sacct."""
    try:
        found = read_accounting(data.decode("utf-8", "replace"))
    except AccountingError as error:
        assert str(error)
        return
    assert isinstance(found.bad, bool) and isinstance(found.remarks, tuple)
    assert (found.exit, found.signature) == (found.exit, found.signature)


def cluster_outputs(data: bytes) -> None:
    """What scontrol, sinfo and sacctmgr print, one behind the other with a NUL between."""
    try:
        first, second = (_profile(data) for _ in range(2))
    except ValidationError:  # what a cluster can't be, such as two default partitions
        return
    assert first == second


def _profile(data: bytes) -> object:
    records = Records(from_controller=True)
    for text in data.decode("utf-8", "replace").split("\0"):
        take_output(text, records)
    return profile_from(records)
