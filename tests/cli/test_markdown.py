"""Files that are no batch scripts and start something under Slurm all the same."""

from __future__ import annotations

import pytest

from sbatchlint.lint import registry
from tests.cli.conftest import Run, Write

SALLOC = "salloc -N 1 --ntasks-per-node=8 --gpus-per-node=8\nsrun torchrun --nproc_per_node=8 train.py\n"
GUIDE = f"# Guide\n\n```bash\n{SALLOC}```\n"


@pytest.fixture
def real(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line with the built-in rules."""
    monkeypatch.setattr(registry, "BUILT_IN", "sbatchlint_rules")
    return run


def test_markdown_is_only_read_when_wanted(real: Run, write: Write) -> None:
    write("docs/guide.md", whole=GUIDE)
    write("docs/job.sh", "srun hostname\n")
    assert "Found no problems in 1 file." in real("docs").err
    done = real("--include-markdown", "--output-format", "concise", "docs")
    assert done.status == 1
    assert done.out.startswith("docs/guide.md:4:13: SB301 torchrun is started 8 times")


def test_markdown_on_standard_input(real: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("guide.md", whole=GUIDE)
    with path.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        done = real("--include-markdown", "--stdin-filename", "guide.md", "--output-format=concise", "-")
    assert "guide.md:4:13: SB301" in done.out


def test_markdown_is_not_fixed(real: Run, write: Write) -> None:
    path = write("guide.md", whole=GUIDE)
    done = real("--include-markdown", "--fix", "guide.md")
    assert done.status == 1
    assert path.read_text() == GUIDE


def test_a_script_without_directives(real: Run, write: Write) -> None:
    path = write("run.sh", whole="#!/bin/bash\n" + SALLOC)
    done = real("--output-format", "concise", "run.sh")
    assert done.out.startswith("run.sh:2:13: SB301")
    assert real("--fix", "run.sh").status == 0
    assert "--ntasks-per-node=1" in path.read_text()
    assert "1 node x 1 task per node" in real("plan", "run.sh").out


def test_a_script_for_an_allocation_that_exists(real: Run, write: Write) -> None:
    write("run.sh", whole="#!/bin/bash\nsrun torchrun --nproc_per_node=8 train.py\n")
    assert real("run.sh").status == 0


def test_scripts_that_start_nothing_are_passed_over(real: Run, write: Write) -> None:
    write("all/setup.sh", whole="#!/bin/bash\necho srun\n")
    write("all/tool.py", whole="#!/usr/bin/env python3\nsrun -N1 x\n")
    done = real("all")
    assert done.status == 2
    assert "no batch script in this folder" in done.err
