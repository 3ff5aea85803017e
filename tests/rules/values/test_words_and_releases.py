"""What the rules about values say in Slurm's own words, and in which releases."""

from __future__ import annotations

import pytest

from tests.rules.values.asking import directives, none, one


@pytest.mark.parametrize(
    ("option", "code", "note"),
    [
        ("--bogus", "SB108", "sbatch: unrecognized option '--bogus'"),
        ("-nodes=2", "SB109", 'sbatch: error: Invalid numeric value "odes=2" for --ntasks.'),
        ("--hold=no", "SB111", "sbatch: option '--hold' doesn't allow an argument"),
        ("--time=2h", "SB202", "sbatch: error: Invalid --time specification"),
        (
            "--mem=1G --mem-per-cpu=1G",
            "SB206",
            "sbatch: fatal: --mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.",
        ),
        (
            "--array=5-1",
            "SB207",
            "sbatch: error: Batch job submission failed: Invalid job array specification",
        ),
        (
            "--nodes=0",
            "SB209",
            "sbatch: error: Batch job submission failed: Node count specification invalid",
        ),
        ("-N4 -n2", "SB214", "sbatch: warning: can't run 2 processes on 4 nodes, setting nnodes to 2"),
    ],
)
def test_the_note_is_what_sbatch_prints(option: str, code: str, note: str) -> None:
    assert one(directives(option), code).notes == (note,)


def test_what_only_some_releases_refuse_is_no_error() -> None:
    both = directives("--nodes=1", "--gpus-per-node=2", "--gres=gpu:2")
    assert one(both, "SB206").severity.value == "info"
    assert "since 26.05" in one(both, "SB206").message
    assert one(both, "SB206", release="26.05").severity.value == "error"
    assert none(both, "SB206", release="22.05")


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("logs/%j/run.out", True),
        ("logs/%A/%a.out", True),
        ("%8J/x", True),
        ("logs/run-%j.out", False),
        ("%x/run-%j.out", False),
        ("%u/run.out", False),
        ("/tmp/logs/run.out", False),
        (r"\\logs/%j/run.out", False),
    ],
)
def test_a_folder_that_has_the_jobs_number_cant_be_there_in_time(output: str, told: bool) -> None:
    text = directives("--nodes=1", f"--output={output}")
    assert none(text, "SB219", release="22.05") is not told
    assert none(text, "SB219")
    assert none(text, "SB219", release="24.05")
