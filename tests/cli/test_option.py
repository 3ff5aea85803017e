"""``sbatchlint option``: what an option of Slurm is."""

from __future__ import annotations

import json

import pytest

from sbatchlint.slurm.options import option_table
from tests.cli.conftest import Run


@pytest.mark.parametrize("name", ["--gpus-per-node", "gpus-per-node", "--gpus-per-n", "--gpus-per-node=8"])
def test_a_name_in_any_spelling(run: Run, name: str) -> None:
    done = run("option", name)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("--gpus-per-node=VALUE\n")
    assert "SBATCH_GPUS_PER_NODE" in done.out
    assert "TYPE:COUNT" in done.out


def test_a_letter(run: Run) -> None:
    done = run("option", "-N")
    assert done.status == 0
    assert done.out.startswith("-NVALUE, --nodes=VALUE\n")


def test_a_letter_of_two_commands(run: Run) -> None:
    """``-K`` is one thing to srun and another to salloc."""
    done = run("option", "-K")
    assert "--kill-on-bad-exit" in done.out
    assert "--kill-command" in done.out


def test_releases_and_commands(run: Run) -> None:
    done = run("option", "segment", "get-user-env", "label")
    assert "sbatch   since 24.05" in done.out
    assert "before 25.05 it took a value" in done.out
    srun_alone = done.out[done.out.index("--label") :]
    assert "srun     all releases" in srun_alone
    assert "sbatch " not in srun_alone


def test_an_alias_is_named(run: Run) -> None:
    assert "--tasks-per-node" in run("option", "ntasks-per-node").out


def test_a_plugin_is_named(run: Run) -> None:
    assert "added by the plugin Pyxis" in run("option", "container-mounts").out


@pytest.mark.parametrize(("name", "hint"), [("--gpu_per_node", "--gpus-per-node"), ("--tim", "--time-min")])
def test_a_name_that_is_none(run: Run, name: str, hint: str) -> None:
    done = run("option", name)
    assert done.status == 2
    assert done.out == ""
    assert f"{name}: no option of sbatch, srun or salloc" in done.err
    assert hint in done.err


def test_nothing_asked(run: Run) -> None:
    done = run("option")
    assert done.status == 2
    assert "name an option" in done.err


def test_json(run: Run) -> None:
    done = run("option", "--time", "--output-format", "json")
    data = json.loads(done.out)
    assert data["long"] == "time"
    assert data["short"] == "t"
    assert data["variables"] == ["SBATCH_TIMELIMIT"]
    assert "1:30" in data["grammar"]["good"]


def test_all(run: Run) -> None:
    done = run("option", "--all", "--output-format=json")
    data = json.loads(done.out)
    assert [entry["long"] for entry in data] == [spec.long for spec in option_table()]
    text = run("option", "--all")
    assert text.status == 0
    assert text.out.count("\n\n--") > 100
