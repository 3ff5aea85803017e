"""SB012: first lines that do not begin with ``#!``, and what hangs on them."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, lines

REST = "#SBATCH --nodes=2\n#SBATCH --time=1\nsrun hostname\n"


@pytest.mark.parametrize(
    "first",
    ["!/bin/bash", "!#/bin/bash", "!/bin/bash -l", "! /bin/sh", "!/usr/bin/env bash", "!#/bin/zsh"],
)
def test_a_misspelt_first_line_is_the_one_cause(first: str) -> None:
    text = f"{first}\n{REST}"
    assert lines(text, "SB012") == [(1, "error")]
    assert findings(text, "SB102") == []
    right = f"#!{first.lstrip('!#')}\n{REST}"
    assert fixed(text, code="SB012").converged.source.text == right


@pytest.mark.parametrize("first", ["#!/bin/bash", "#! /bin/bash", "#!/usr/bin/env bash"])
def test_quiet_at_a_right_first_line(first: str) -> None:
    assert lines(f"{first}\n{REST}", "SB012") == []


@pytest.mark.parametrize("first", ["# /data/run.sh", "#/bin/bash", "# !/bin/bash", "# the job"])
def test_a_comment_gets_a_line_above_it(first: str) -> None:
    assert fixed(f"{first}\n{REST}", code="SB012").converged.source.text == f"#!/bin/bash\n{first}\n{REST}"


@pytest.mark.parametrize(
    "first",
    [
        "!/data/run.sh",
        "! test -e /bin/bash",
        "module load x  # /bin/bash",
        "job.sh\n#!/bin/bash",
        "module load cuda\n\n#!/bin/bash",
    ],
)
def test_a_command_before_the_directives_is_told_of_once(first: str) -> None:
    text = f"{first}\n{REST}"
    assert lines(text, "SB012") == [(1, "error")]
    assert findings(text, "SB102") == []
    assert fixed(text, code="SB012").converged.source.text == text


def test_a_file_whose_directives_belong_to_another_script_is_no_batch_script() -> None:
    text = "module load cuda\nsbatch <<EOF\n#!/bin/bash\n#SBATCH --nodes=2\nsrun hostname\nEOF\n"
    assert lines(text, "SB012") == []
