"""Reads the needs of batch scripts for the tests."""

from __future__ import annotations

from sbatchlint.lint.job import Job
from sbatchlint.needs.need import NeededPath, Needs, Service
from sbatchlint.source import Source


def needs(*body: str, **directives: object) -> Needs:
    """The needs of a batch script: keyword arguments are its long options, the rest its lines."""
    head = [f"#SBATCH --{name.replace('_', '-')}={value}" for name, value in directives.items()]
    text = "\n".join(["#!/bin/bash", *head, *body, ""])
    return Job(Source.from_text(text, "job.sh")).needs


def services(*body: str) -> list[tuple[str, str]]:
    """Kind and host of each service."""
    return [(one.kind.value, one.host) for one in needs(*body).services]


def service(*body: str) -> Service:
    """The only service."""
    (only,) = needs(*body).services
    return only


def paths(*body: str, **directives: object) -> dict[str, NeededPath]:
    """The needed paths, by name."""
    return {one.path.shown: one for one in needs(*body, **directives).paths}


def told(*body: str, **directives: object) -> list[str]:
    """Kind, path and side of each needed path, ``?`` before what the job may do without."""
    return [
        f"{'' if one.must else '?'}{one.kind.value} {one.path.shown}"
        + (f" [{'' if one.host is None else one.host.shown}]" if one.side.value == "container" else "")
        for one in needs(*body, **directives).paths
    ]
