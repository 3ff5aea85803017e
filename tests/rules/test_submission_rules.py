"""SB115, SB227, SB228 and SB229: scripts that submit jobs."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

WRAPPER, INHERITED, PARSED, KILL = "SB115", "SB227", "SB228", "SB229"
SUBMIT = "sbatch --nodes=4 --gpus-per-node=8 train.sh"


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (f"srun python t.py\n{SUBMIT}", {"nodes": 4}),
        (f"python prepare.py\n{SUBMIT}", {"nodes": 4}),
        ("sbatch train.sh", {"nodes": 4}),
        (SUBMIT, {"nodes": 1, "time": "10"}),
        ("sbatch --nodes=4 $0", {"nodes": 4}),
        ("sbatch --time=10 train.sh --nodes=4", {"nodes": 4}),
        ("echo sbatch --nodes=4 train.sh", {"nodes": 4}),
        (f". ./lib.sh\nprepare\n{SUBMIT}", {"nodes": 4}),
    ],
)
def test_a_job_that_also_submits_is_left_in_peace(body: str, options: dict[str, object]) -> None:
    assert findings(job(body, **options), WRAPPER) == []


@pytest.mark.parametrize(
    "submit", [SUBMIT, "sbatch -N4 train.sh", "sbatch -N 4 train.sh", "sbatch -N4 <<E\nx\nE"]
)
def test_a_script_that_only_submits_is_named(submit: str) -> None:
    body = f"mkdir -p logs\nfor i in 1 2; do\n{submit}\ndone\necho done"
    assert lines(job(body, nodes=4, time=60), WRAPPER) == [(2, "warning")]


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("sbatch --mem=64G t.sh", {"mem": "1G"}),
        ("sbatch --mem=64G t.sh", {"ntasks": 1}),
        ("sbatch t.sh", {"mem": "1G"}),
        ("sbatch --export=NONE --mem-per-cpu=4G t.sh", {"mem": "1G"}),
        ("unset SLURM_MEM_PER_NODE\nsbatch --mem-per-cpu=4G t.sh", {"mem": "1G"}),
        ("env -u SLURM_MEM_PER_NODE sbatch --mem-per-cpu=4G t.sh", {"mem": "1G"}),
        ('sbatch --mem-per-cpu=4G --wrap="python t.py"', {"mem": "1G"}),
        ("srun --mem-per-cpu=4G python t.py", {"mem": "1G"}),
    ],
)
def test_what_does_not_contradict_is_left_in_peace(body: str, options: dict[str, object]) -> None:
    assert findings(job(body, **options), INHERITED) == []


@pytest.mark.parametrize(
    ("body", "options", "after"),
    [
        (
            "sbatch --mem-per-cpu=4G t.sh",
            {"mem": "1G"},
            "env -u SLURM_MEM_PER_NODE sbatch --mem-per-cpu=4G t.sh",
        ),
        (
            "J=$(sbatch --mem=4G t.sh)",
            {"mem_per_gpu": "9G"},
            "J=$(env -u SLURM_MEM_PER_GPU sbatch --mem=4G t.sh)",
        ),
        (
            'sbatch --mem-per-cpu=4G --wrap="srun python t.py"',
            {"mem": "1G"},
            'env -u SLURM_MEM_PER_NODE sbatch --mem-per-cpu=4G --wrap="srun python t.py"',
        ),
    ],
)
def test_the_variable_is_kept_from_sbatch(body: str, options: dict[str, object], after: str) -> None:
    text = job(body, **options)
    (found,) = findings(text, INHERITED)
    assert found.severity.value == "warning"
    assert fixed(text).converged.source.text == job(after, **options)


@pytest.mark.parametrize(
    "body",
    [
        "A=$(sbatch --parsable a.sh)",
        "A=$(sbatch --parsable a.sh | cut -d';' -f1)",
        "sbatch a.sh | tee log",
        "sbatch a.sh | grep -o '[0-9]*'",
        "A=$(squeue -h | awk '{print $4}')",
        "A=$(sbatch a.sh)",
    ],
)
def test_what_cuts_no_id_is_left_in_peace(body: str) -> None:
    assert findings(job(body, ntasks=1), PARSED) == []


@pytest.mark.parametrize(
    "cut",
    [
        "awk '{print $4}'",
        "awk '{ print $NF }'",
        "cut -d' ' -f4",
        "cut -d ' ' -f 4",
        "cut -f4 -d ' '",
        "grep -o '[0-9]*'",
        "grep -oE '[0-9]+'",
        "grep -Eo '[[:digit:]]+'",
        "sed 's/Submitted batch job //'",
        "sed 's/[^0-9]*//g'",
        "tr -dc '0-9'",
    ],
)
def test_a_plain_filter_is_replaced(cut: str) -> None:
    text = job(f"A=$(sbatch -J x a.sh | {cut})", ntasks=1)
    assert lines(text, PARSED) == [(3, "info")]
    assert fixed(text).converged.source.text == job("A=$(sbatch --parsable -J x a.sh)", ntasks=1)


@pytest.mark.parametrize(
    "body",
    [
        "A=$(sbatch -M other a.sh | awk '{print $4}')",
        "A=$(sbatch a.sh 2>&1 | awk '{print $4}')",
        "A=$(sbatch a.sh | tail -n1 | awk '{print $4}')",
        "A=$(sbatch a.sh | awk '{print $3}')",
        "A=$(sbatch a.sh | sed -n '$p')",
    ],
)
def test_other_filters_stay(body: str) -> None:
    (found,) = findings(job(body, ntasks=1), PARSED)
    assert found.fix is None


@pytest.mark.parametrize(
    "body",
    [
        "sbatch --dependency=afterany:$J a.sh",
        "sbatch --dependency=singleton a.sh",
        "sbatch --kill-on-invalid-dep=yes -d afterok:$J a.sh",
        "sbatch --kill-on-invalid-dep=no -d afterok:$J a.sh",
        "sbatch $OPTIONS -d afterok:$J a.sh",
        "sbatch a.sh --dependency=after",
        "echo sbatch -d afterok:$J a.sh",
    ],
)
def test_a_chain_that_can_go_on_is_left_in_peace(body: str) -> None:
    assert findings(job(body, ntasks=1), KILL) == []


@pytest.mark.parametrize(
    "option", ["-d afterok:$J", "-dafterok:$J", "--dependency=afterany:1,afterok:$J", "--depend=aftercorr:$J"]
)
def test_a_chain_that_may_hang_is_told(option: str) -> None:
    text = job(f"sbatch {option} a.sh", ntasks=1)
    assert lines(text, KILL) == [(3, "info")]
    assert fixed(text).converged.source.text == job(
        f"sbatch --kill-on-invalid-dep=yes {option} a.sh", ntasks=1
    )
