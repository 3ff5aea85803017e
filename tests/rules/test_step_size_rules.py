"""SB358, SB359, SB360 and SB361: how many tasks, inside what, and how long they wait."""

from __future__ import annotations

import pytest

from sbatchlint.cluster.load import read_profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, findings, fixed, job, lines


def on(profile: str, text: str, code: str) -> list[Finding]:
    """What *code* finds on a cluster."""
    cluster = read_profile(Source.from_text(profile, "cluster.toml"))
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(cluster=cluster))
    return [found for found in result.findings if found.code == code]


# --- SB358 bare-srun-fanout --------------------------------------------------------------------------

ALONE = {"nodes": 1, "exclusive": True, "cpus_per_task": 8}


@pytest.mark.parametrize("body", ["srun python t.py", "RUN=srun; $RUN python t.py", "go() { srun ./a; }; go"])
def test_a_copy_for_each_share_of_the_node(body: str) -> None:
    assert lines(job(body, **ALONE), "SB358") == [(4, "warning")]


def test_cpus_on_the_srun_line_alone() -> None:
    assert lines(job("srun -c 8 python t.py", nodes=1, exclusive=True), "SB358") == [(4, "warning")]


@pytest.mark.parametrize("more", [{"ntasks": 1}, {"ntasks_per_node": 1}, {"gpus_per_task": 1}])
def test_quiet_where_the_tasks_are_counted(more: dict[str, int]) -> None:
    assert lines(job("srun python t.py", **ALONE, **more), "SB358") == []


@pytest.mark.parametrize("body", ["srun -n1 python t.py", "python t.py", "srun $MORE python t.py"])
def test_quiet_where_the_step_counts_them_or_may(body: str) -> None:
    assert lines(job(body, **ALONE), "SB358") == []


def test_quiet_on_a_share_of_a_node() -> None:
    assert lines(job("srun python t.py", nodes=1, cpus_per_task=8), "SB358") == []


def test_one_task_may_fill_the_node() -> None:
    text = job("srun python t.py", **{**ALONE, "cpus_per_task": 64})
    (found,) = findings(text, "SB358")
    assert not found.prominent
    assert on("[[node-types]]\ncount = 4\ncpus = 64", text, "SB358") == []
    (found,) = on("[[node-types]]\ncount = 4\ncpus = 128", text, "SB358")
    assert found.prominent


@pytest.mark.parametrize(("release", "number"), [("22.05", 0), ("23.02", 0), ("21.08", 1), ("24.05", 1)])
def test_two_releases_do_not_hand_the_cpus_on(release: str, number: int) -> None:
    text = job("srun python t.py", **ALONE)
    assert len(on(f'release = "{release}"', text, "SB358")) == number


def test_no_fix_for_several_nodes() -> None:
    text = job("srun python t.py", nodes=2, exclusive=True, cpus_per_task=8)
    (found,) = findings(text, "SB358")
    assert found.fix is None


# --- SB359 nested-srun-layout ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "srun -n1 bash -c 'srun -n1 ./a'",
        'CMD="cd /d && srun ./a"; srun bash -c "$CMD"',
        "srun -n1 bash <<'EOF'\nsrun ./a\nEOF",
        "go() { srun ./a; }; export -f go; srun -n1 bash -c go",
    ],
)
def test_a_step_inside_a_step(body: str) -> None:
    assert [severity for _, severity in lines(job(body, ntasks=2), "SB359")] == ["warning"]


@pytest.mark.parametrize(
    "body",
    [
        "srun -n1 --overlap bash -c 'srun -n1 ./a'",
        "srun -n1 bash -c 'srun --overlap -n1 ./a'",
        "export SLURM_OVERLAP=1; srun -n1 bash -c 'srun -n1 ./a'",
        "srun -n1 --exact bash -c 'srun -n1 ./a'",
        "srun bash -c 'echo srun ./a'",
        "bash -c 'srun ./a'",
        "srun ./a; srun ./b",
    ],
)
def test_quiet_where_one_leaves_room(body: str) -> None:
    assert lines(job(body, ntasks=2), "SB359") == []


# --- SB360 kill-on-bad-exit --------------------------------------------------------------------------

BIG = {"nodes": 8, "ntasks_per_node": 1, "gpus_per_node": 8, "time": "2-00:00:00"}
TORCHRUN = "srun {} torchrun --nnodes=8 --nproc_per_node=8 t.py"


def test_a_big_step_that_may_hang() -> None:
    assert lines(job(TORCHRUN.format(""), **BIG), "SB360") == [(6, "info")]
    assert "srun --kill-on-bad-exit=1" in fixed(job(TORCHRUN.format(""), **BIG)).converged.source.text


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (TORCHRUN.format("--kill-on-bad-exit=1"), BIG),
        (TORCHRUN.format("-K"), BIG),
        ("export SLURM_KILL_BAD_EXIT=1; " + TORCHRUN.format(""), BIG),
        (TORCHRUN.format("$MORE"), BIG),
        (TORCHRUN.format(""), {**BIG, "time": "30:00"}),
        (TORCHRUN.format(""), {**BIG, "nodes": 1}),
        ("srun ./simulate", BIG),
    ],
)
def test_quiet_where_it_is_said_small_or_no_training(body: str, options: dict[str, object]) -> None:
    assert lines(job(body, **options), "SB360") == []


def test_the_cluster_may_do_it_anyway() -> None:
    text = job(TORCHRUN.format(""), **BIG)
    assert on("[settings]\nkill-on-bad-exit = true", text, "SB360") == []
    assert len(on("[settings]\nkill-on-bad-exit = false", text, "SB360")) == 1


# --- SB361 srun-wait-policy --------------------------------------------------------------------------

WAITS = "[settings]\nwait-time-seconds = 60"


def test_tasks_are_killed_after_the_first() -> None:
    assert len(on(WAITS, job("srun python t.py", ntasks=4), "SB361")) == 1


@pytest.mark.parametrize(
    ("profile", "body"),
    [
        (WAITS, "srun --wait=0 python t.py"),
        (WAITS, "srun -W 0 python t.py"),
        (WAITS, "export SLURM_WAIT=0; srun python t.py"),
        (WAITS, "srun -n1 python t.py"),
        (WAITS, "srun hostname"),
        ("[settings]\nwait-time-seconds = 0", "srun python t.py"),
        ("", "srun python t.py"),
    ],
)
def test_quiet_where_all_are_waited_for(profile: str, body: str) -> None:
    assert on(profile, job(body, ntasks=4), "SB361") == []
