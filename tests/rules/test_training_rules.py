"""SB302, SB303, SB701 and SB702 on scripts beside their own examples."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

NATIVE = "python scripts/training/run_recipe.py --recipe a_config"
EIGHT = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}
ONE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
MINE = ("SB302", "SB303", "SB701", "SB702")


def codes(text: str) -> list[str]:
    return [found.code for found in findings(text) if found.code in MINE]


@pytest.mark.parametrize(
    "body",
    [
        "srun python finetune.py --tensor-model-parallel-size 8",
        "srun python pretrain_gpt.py --num-experts 64 --tensor-model-parallel-size 4 --sequence-parallel "
        "--expert-model-parallel-size 8 --expert-tensor-parallel-size 2",
        "srun python pretrain_gpt.py --num-layers 61 --tensor-model-parallel-size 8 "
        "--pipeline-model-parallel-size 2 --decoder-first-pipeline-num-layers 15",
        "args=(\n  --tensor-model-parallel-size 8   # one node\n  # --context-parallel-size 3\n)\n"
        'srun python pretrain_gpt.py "${args[@]}"',
        f"srun {NATIVE} -ep 8 -tp 2",
        "PARALLEL=(4,8,1)\nsrun python pretrain_gpt.py --tensor-model-parallel-size ${PARALLEL[0]}",
    ],
)
def test_layouts_that_fit_give_nothing(body: str) -> None:
    assert codes(job(body, **EIGHT)) == []


@pytest.mark.parametrize("stray", ["<SLURM OPTIONS>", "gpu"])
def test_nothing_is_held_against_a_size_that_sbatch_never_comes_to(stray: str) -> None:
    torchrun = "srun torchrun --nnodes=4 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$H:$P t.py"
    directive = f"#SBATCH {stray} --nodes=4 --ntasks-per-node=8"
    text = job(directive, "srun python pretrain_gpt.py --tensor-model-parallel-size 8", torchrun)
    assert [found.code for found in findings(text) if found.code[:3] in ("SB3", "SB7")] == []
    clear = text.replace(f" {stray}", "")
    assert {"SB301"} <= {found.code for found in findings(clear)}
    shorter = text.replace(" --nodes=4 --ntasks-per-node=8", "")
    assert {"SB326", "SB701"} <= {found.code for found in findings(shorter)}


def test_one_cause_is_one_finding() -> None:
    assert codes(job(f"srun {NATIVE} -tp 4 -pp 3 -ep 5", **ONE)) == ["SB302"]
    assert codes(job(f"srun {NATIVE} -tp 5 -ep 3", **EIGHT)) == ["SB701"]
    crowded = f"srun torchrun --nnodes=2 --nproc_per_node=8 {NATIVE[7:]} -tp 5"
    assert codes(job(crowded, **EIGHT)) == []
    assert [found.code for found in findings(job(crowded, **EIGHT))].count("SB301") == 1


def test_the_same_layout_in_a_loop_is_reported_once() -> None:
    text = job("for i in 1 2 3; do", f"  srun {NATIVE} -tp 5", "done", **EIGHT)
    assert lines(text, "SB701") == [(6, "error")]


def test_each_layout_of_a_loop_is_judged() -> None:
    text = job("for tp in 2 3 5; do", f"  srun {NATIVE} -tp $tp", "done", **EIGHT)
    assert [f.message.split()[-1] for f in findings(text, "SB701")] == ["3", "5"]


@pytest.mark.parametrize(
    ("body", "severity", "note"),
    [
        (f"TP=${{TP:-5}}\nsrun {NATIVE} -tp $TP", "warning", "TP 5 is a default"),
        (f"srun {NATIVE} -tp 5 $EXTRA_ARGS", "warning", "TP 5 may be overridden"),
        (f"srun {NATIVE} -tp 5", "error", "PP and CP are not told"),
        (f"if [ -e flag ]; then srun {NATIVE} -tp 5; fi", "warning", "rests on a default or a condition"),
    ],
)
def test_what_is_not_sure_is_a_warning_that_says_why(body: str, severity: str, note: str) -> None:
    (found,) = findings(job(body, **EIGHT), "SB701")
    assert found.severity.value == severity
    assert any(note in text for text in found.notes)


def test_the_place_and_what_explains_it() -> None:
    text = job("TP=4", f"srun {NATIVE} -tp $TP -pp 8", **EIGHT)
    (found,) = findings(text, "SB701")
    assert text[found.span.start : found.span.end] == "-pp 8"
    shown = {text[r.span.start : r.span.end]: r.message for r in found.related}
    assert shown["--nodes=2"] == "2 nodes"
    assert shown["--ntasks-per-node=8"] == "8 tasks per node"
    assert shown["srun"] == "2 nodes x 8 tasks per node = 16 ranks"


def test_help_names_the_next_counts_of_nodes() -> None:
    body = "srun python pretrain_gpt.py --tensor-model-parallel-size 8 --pipeline-model-parallel-size 3"
    (found,) = findings(job(body, nodes=4, ntasks_per_node=8, gpus_per_node=8), "SB701")
    assert "3 (24 ranks) or 6 (48 ranks)" in found.help


def test_a_launcher_that_forgot_the_other_nodes_is_told_so() -> None:
    body = "srun torchrun --nproc_per_node=8 pretrain_gpt.py --tensor-model-parallel-size 16"
    (found,) = findings(job(body, **ONE), "SB701")
    assert found.help.startswith("pass --nnodes")


def test_megatron_lm_started_without_srun_is_one_rank() -> None:
    (found,) = findings(job("python pretrain_gpt.py --tensor-model-parallel-size 8", **EIGHT), "SB701")
    assert found.message == "world size 1 is not divisible by TP 8 x PP 1 x CP 1 = 8"


def test_expert_tensor_parallelism_defaults_to_tp_in_megatron_lm_alone() -> None:
    flags = "--tensor-model-parallel-size 4 --expert-model-parallel-size 8"
    (found,) = findings(job(f"srun python pretrain_gpt.py {flags}", **EIGHT), "SB702")
    assert "ETP 4 x EP 8 x PP 1 = 32" in found.message
    assert codes(job(f"srun {NATIVE} -tp 4 -ep 8", **EIGHT)) == []


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("srun hostname", {}),
        ("echo $SLURM_NTASKS", {}),
        ("", {"cpus_per_task": 32}),
        ("", {"mem_per_cpu": "4G"}),
    ],
)
def test_one_task_per_node_is_not_changed_where_something_else_may_need_it(
    body: str, options: dict[str, object]
) -> None:
    (found,) = findings(job(body, f"srun {NATIVE}", **ONE, **options), "SB302")
    assert found.fix is None


def test_where_other_steps_share_the_directive_the_step_is_pointed_to() -> None:
    text = job("srun hostname", f"srun {NATIVE}", **ONE)
    assert lines(text, "SB302") == [(6, "error")]


def test_the_fix_starts_a_task_for_each_gpu() -> None:
    text = job(f"srun {NATIVE}  # größe", **ONE)
    assert fixed(text).after.source.text == text.replace("--ntasks-per-node=1", "--ntasks-per-node=8")


@pytest.mark.parametrize(
    ("launcher", "severity"),
    [
        ("torchrun --nnodes=2 --node_rank=$R --nproc_per_node=8", "warning"),
        ("torchrun --nnodes=2 --node_rank=$R --nproc_per_node=8 --master_addr=$H", "info"),
        ("torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$H:1", "info"),
        ("torchrun --nnodes=2 $TORCHRUN_ARGS --nproc_per_node=8", "info"),
        ("python -m torch.distributed.run --nproc_per_node=8", "info"),
    ],
)
def test_torchrun_around_a_native_script(launcher: str, severity: str) -> None:
    text = job(f"srun {launcher} {NATIVE[7:]}", **ONE)
    (found,) = findings(text, "SB303")
    assert found.severity.value == severity


@pytest.mark.parametrize(
    "line",
    [
        "srun torchrun --nproc_per_node=8 examples/conversion/hf_to_megatron_generate_text.py --tp 8",
        "srun torchrun --nproc_per_node=8 examples/quantization/quantize.py",
        "srun ft_launcher --nproc_per_node=8 scripts/training/run_recipe.py",
        "srun torchrun --nproc_per_node=8 pretrain_gpt.py",
        "srun torchrun --nproc_per_node=8 run_recipe.py",
    ],
)
def test_torchrun_where_it_is_needed_or_nothing_is_known(line: str) -> None:
    assert codes(job(line, **{**ONE, "nodes": 1})) == []


def test_no_more_tasks_where_mpi_starts_as_many_as_the_job_has() -> None:
    text = job("mpirun ./check_network", f"srun {NATIVE}", **ONE)
    assert codes(text) == ["SB302"]
    assert fixed(text, unsafe=True).converged.source.text == text
