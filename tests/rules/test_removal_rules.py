"""SB805 to SB807: what rm removes, and what is left for the next run."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines


@pytest.mark.parametrize(
    ("body", "mended", "confidence"),
    [
        ("rm -rf $OUT/*", "rm -rf ${OUT:?}/*", "high"),
        ('rm -rf "$OUT"/*', 'rm -rf "${OUT:?}"/*', "high"),
        ("rm -r ${A}/${B}", 'rm -r "${A:?}/${B:?}"', "high"),
        ("rm -fr /tmp/$SLURM_JOB_ID", 'rm -fr "/tmp/${SLURM_JOB_ID:?}"', "medium"),
        ("rm --recursive $SCRATCH/", 'rm --recursive "${SCRATCH:?}/"', "medium"),
        ("rm -rf ~/$RUN", None, "medium"),
        ("rm -rf $HOME/$RUN", 'rm -rf "$HOME/${RUN:?}"', "medium"),
        ("clean() { rm -rf $OUT/*; }", "clean() { rm -rf ${OUT:?}/*; }", "high"),
        ("OUT=$BASE; rm -rf $OUT/*", "OUT=$BASE; rm -rf ${OUT:?}/*", "high"),
        ("OUT=$(cat where); rm -rf $OUT/*", "OUT=$(cat where); rm -rf ${OUT:?}/*", "medium"),
    ],
)
def test_an_empty_variable_hits_what_is_above(body: str, mended: str | None, confidence: str) -> None:
    text = job(body, ntasks=1)
    assert [found.confidence.value for found in findings(text, "SB805")] == [confidence]
    if mended is not None:
        assert mended in fixed(text).converged.source.text


@pytest.mark.parametrize(
    "body",
    [
        'rm -rf "${OUT:?}"/old',
        'rm -rf "$OUT"',
        "rm -rf $OUT/cache/x",
        "rm -f $OUT/*",
        "rm -rf nemo_experiments",
        'work=$(mktemp -d); rm -rf "$work"/*',
        "OUT=/lustre/out; rm -rf $OUT/*",
        "OUT=${1:-out}; rm -rf $OUT/*",
        '[ -n "$OUT" ] && rm -rf $OUT/*',
        'if [[ -d $OUT ]]; then rm -rf "$OUT"/*; fi',
        "set -u; rm -rf $OUT/*",
        "source settings.sh; rm -rf $OUT/*".replace("; ", "\n"),
        "rm -rf $HOME/.cache/x",
        "rm -rf /tmp/$USER",
        "for d in a b; do rm -rf $d/*; done",
        "read OUT; rm -rf $OUT/*",
        "rm -rf '$OUT/*'",
        "# rm -rf $OUT/*",
        'rm -rf "${OUT:-out}"/*',
    ],
)
def test_quiet_where_nothing_precious_is_hit(body: str) -> None:
    assert lines(job(body, ntasks=1), "SB805") == []


EIGHT = {"nodes": 1, "ntasks_per_node": 8}


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'rm -rf nemo_experiments && python t.py'"],
        ['CMD="rm -rf $OUT; python t.py"', 'srun bash -c "$CMD"'],
        ["srun bash <<'EOF'", "rm -r out", "torchrun t.py", "EOF"],
        ['run() { srun bash -c "$1"; }', "run 'rm -rf out; uv run python t.py'"],
    ],
)
def test_every_task_removes(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, **EIGHT), "SB807")] == ["warning"]


@pytest.mark.parametrize(
    "body",
    [
        ["rm -rf nemo_experiments", "srun python t.py"],
        ["srun bash -c 'python t.py; rm -rf out'"],
        ["srun bash -c '[ $SLURM_PROCID = 0 ] && rm -rf out; python t.py'"],
        ["srun bash -c 'rm -rf out/$SLURM_PROCID; python t.py'"],
        ["srun bash -c 'rm -rf /tmp/x; python t.py'"],
        ["srun -n1 -N1 --ntasks-per-node=1 bash -c 'rm -rf out; python t.py'"],
        ["srun bash -c 'rm -f log; python t.py'"],
        ["srun rm -rf out"],
    ],
)
def test_one_removes_or_nobody_writes(body: list[str]) -> None:
    assert lines(job(*body, **EIGHT), "SB807") == []


RECIPE = "srun python scripts/training/run_recipe.py --recipe"


@pytest.mark.parametrize(
    ("body", "options", "found"),
    [
        ([f"{RECIPE} a", f"{RECIPE} b"], {}, True),
        ([f"for r in a b; do {RECIPE} $r; done"], {}, True),
        ([f"{RECIPE} a"], {"array": "0-3"}, True),
        ([f"{RECIPE} a"], {}, False),
        ([f"{RECIPE} a checkpoint.save=/x/a", f"{RECIPE} b checkpoint.save=/x/b"], {}, False),
        ([f"{RECIPE} a", "rm -rf nemo_experiments", f"{RECIPE} b"], {}, False),
        (["srun python other.py --recipe a", "srun python other.py --recipe b"], {}, False),
        ([f"{RECIPE} a $OVERRIDES", f"{RECIPE} b $OVERRIDES"], {}, False),
    ],
)
def test_runs_that_share_a_folder(body: list[str], options: dict[str, str], found: bool) -> None:
    assert bool(lines(job(*body, **EIGHT, **options), "SB806")) is found


RUN = "srun python scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (["rm -rf nemo_experiments", RUN], [(3, "info")]),
        (["rm -fr ./nemo_experiments/", RUN], [(3, "info")]),
        (["W=/lustre/mb", 'rm -r "$W/nemo_experiments"', RUN], [(4, "info")]),
        (["rm -rf nemo_experiments/*", RUN], [(3, "info")]),
        ([RUN, "rm -rf nemo_experiments"], [(4, "warning")]),
        (['[ -n "$FRESH" ] && rm -rf nemo_experiments', RUN], []),
        (["if [ ${FRESH:-0} = 1 ]; then rm -rf nemo_experiments; fi", RUN], []),
        (["rm -rf nemo_experiments", f"{RUN} checkpoint.save=/lustre/runs/a"], []),
        (["rm -rf nemo_experiments_old", RUN], []),
        ([RUN, "rm -rf nemo_experiments", f"{RUN} optimizer.lr=1e-4"], []),
        (["rm -rf nemo_experiments", "srun python t.py"], []),
    ],
)
def test_saved_runs_are_removed_without_asking(body: list[str], expected: list[tuple[int, str]]) -> None:
    found = lines(job(*body, ntasks=1), "SB809")
    assert found == expected
    assert not any(one.prominent for one in findings(job(*body, ntasks=1), "SB809"))


def test_a_requeued_job_that_removes_its_own_checkpoints() -> None:
    text = job("rm -rf nemo_experiments", RUN, ntasks=1, requeue=True)
    assert lines(text, "SB364") == [(4, "warning")]
    assert lines(text, "SB809") == []
