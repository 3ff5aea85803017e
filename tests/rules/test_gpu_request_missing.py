"""SB201: programs that need GPUs in jobs that ask for none."""

from __future__ import annotations

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Confidence, Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, findings, fixed, job, lines

CODE = "SB201"
SIZE = {"nodes": 2, "ntasks_per_node": 1}
TORCHRUN = "srun torchrun --nproc_per_node=8 t.py"


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (TORCHRUN, "torchrun --nproc_per_node=8"),
        ("srun torchrun --nproc-per-node gpu t.py", "torchrun --nproc_per_node=gpu"),
        (
            "srun python -m torch.distributed.run --nproc_per_node 4 t.py",
            "torch.distributed.run --nproc_per_node=4",
        ),
        ("torchrun --nproc_per_node=2 t.py", "torchrun"),
        ("export NCCL_DEBUG=INFO\nsrun torchrun --nproc_per_node=$G t.py", "torchrun with NCCL"),
        (
            "srun accelerate launch --num_machines 2 --num_processes 16 t.py",
            "accelerate launch --num_processes=16",
        ),
        ("srun accelerate launch --multi_gpu t.py", "accelerate launch --multi_gpu"),
        ("deepspeed --num_gpus 8 t.py --deepspeed ds.json", "deepspeed"),
        ("srun python pretrain_gpt.py --num-layers 4", "pretrain_gpt.py"),
        ("srun python /m/my.py --tensor-model-parallel-size 2", "my.py"),
        ("srun python /opt/Megatron-Bridge/scripts/training/run_recipe.py --recipe x", "run_recipe.py"),
        ("srun nvidia-smi -L", "nvidia-smi"),
        ("srun bash -c 'nvidia-smi; hostname'", "nvidia-smi"),
        ("apptainer exec --nv a.sif python t.py", "apptainer --nv"),
        ("srun singularity run --rocm a.sif python t.py", "singularity --rocm"),
        ("docker run --rm --gpus all img python t.py", "docker --gpus"),
        ("srun python t.py --device cuda:0", "t.py --device cuda:0"),
        ("srun python t.py trainer.accelerator=gpu", "t.py trainer.accelerator=gpu"),
    ],
)
def test_a_program_that_needs_gpus(body: str, what: str) -> None:
    (found,) = findings(job(body, **SIZE), CODE)
    assert found.severity.value == "warning"
    assert what in found.message
    assert "no GPU is asked for" in found.message


@pytest.mark.parametrize(
    "options",
    [
        {"gpus_per_node": 8},
        {"gres": "gpu:8"},
        {"gres": "shard:2"},
        {"gpus": 16},
        {"gpus_per_task": 8},
        {"ntasks_per_gpu": 1},
        {"tres_per_task": "gres/gpu:8"},
        {"exclusive": True},
        {"exclusive": "user"},
        {"mem": 0},
        {"partition": "cpu_long"},
        {"account": "six@cpu"},
        {"gpus_per_node": 0},
        {"gpus": 0},
        {"gpus_per_task": 0},
        {"gres": "gpu:0"},
        {"gres": "gpu:a100:0"},
        {"gres": "none"},
    ],
)
def test_a_job_that_asks_or_that_takes_whole_nodes_or_means_cpus(options: dict[str, object]) -> None:
    assert findings(job(TORCHRUN, **SIZE, **options), CODE) == []


@pytest.mark.parametrize("options", [{}, {"job_name": "x", "time": "1:00:00", "output": "%j.log"}])
def test_a_script_that_leaves_its_size_to_the_command_line(options: dict[str, object]) -> None:
    assert findings(job(TORCHRUN, **options), CODE) == []


@pytest.mark.parametrize(
    "options",
    [
        {"partition": "gpu"},
        {"partition": "a100,h100"},
        {"constraint": "gpu&hbm80g"},
        {"account": "m123_g", "qos": "gpu"},
    ],
)
def test_a_name_that_promises_gpus_makes_it_a_remark(options: dict[str, object]) -> None:
    (found,) = findings(job(TORCHRUN, **SIZE, **options), CODE)
    assert found.severity.value == "info"
    assert "unless" in found.notes[0]


@pytest.mark.parametrize("option", ["--gpus=8", "--gres=gpu:8", "-G8", "--gpus-per-task=8", "$SRUN_ARGS"])
def test_a_step_that_asks_itself(option: str) -> None:
    assert findings(job(f"srun {option} torchrun --nproc_per_node=8 t.py", **SIZE), CODE) == []


@pytest.mark.parametrize(
    "body",
    [
        "srun python t.py",
        "srun torchrun t.py",
        "srun torchrun --nproc_per_node=1 t.py",
        "srun torchrun --nproc_per_node=$N t.py",
        "srun accelerate launch --cpu --num_processes 4 t.py",
        "srun accelerate launch --use_cpu --num_processes 4 t.py",
        "ACCELERATE_USE_CPU=true srun accelerate launch --num_processes 4 t.py",
        "srun torchrun --nproc_per_node=8 t.py --backend gloo",
        "srun torchrun --nproc_per_node=8 t.py --dist-backend=gloo",
        "srun torchrun --nproc_per_node=8 t.py --device cpu",
        "srun torchrun --nproc_per_node=40 tools/preprocess_data_dist.py",
        'export CUDA_VISIBLE_DEVICES=""\nsrun torchrun --nproc_per_node=8 t.py',
        "NEURON_RT_NUM_CORES=32 srun torchrun --nproc_per_node=32 t.py",
        "srun torchrun --nproc_per_node=32 neuron_train.py",
        "nvidia-smi || true\nsrun ./cpu_app",
        "srun nvidia-smi || echo no GPUs",
        "srun bash -c 'nvidia-smi -L 2>/dev/null | cat'",
        "srun bash -c 'nvidia-smi -L \\\n  || echo none'",
        "srun bash <<'E'\nnvidia-smi -L 2> /dev/null || echo none\nE",
        "if [ $GPU = 1 ]; then srun torchrun --nproc_per_node=8 t.py; fi",
        "apptainer exec a.sif python t.py",
        "docker run img python t.py",
        "srun python t.py --device cpu",
        "echo torchrun --nproc_per_node=8 t.py",
        "srun python run_recipe_stats.py",
    ],
)
def test_nothing_is_said_without_a_sign_or_against_one(body: str) -> None:
    assert findings(job(body, **SIZE), CODE) == []


def test_one_finding_for_a_job() -> None:
    body = "srun torchrun --nproc_per_node=8 a.py\nsrun torchrun --nproc_per_node=8 b.py"
    (found,) = findings(job(body, **SIZE), CODE)
    assert len(found.related) == 1
    assert lines(job(body, **SIZE), CODE) == [(4, "warning")]


def test_the_fix_asks_behind_the_directives_and_never_by_itself() -> None:
    text = (
        "#!/bin/bash\n#SBATCH -N2\n#SBATCH -n2 # one each\n\n# why\nset -e\n#SBATCH --late=1\n"
        + TORCHRUN
        + "\n"
    )
    assert fixed(text).converged.source.text == text
    after = fixed(text, unsafe=True).converged.source.text
    assert after == text.replace("one each\n", "one each\n#SBATCH --gpus-per-node=8\n")


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("deepspeed --num_gpus 4 t.py", 4),
        ("srun -n16 --ntasks-per-node=8 python pretrain_gpt.py", 8),
        ("srun accelerate launch --num_machines 2 --num_processes 16 t.py", 8),
        ("srun nvidia-smi", None),
        ("srun torchrun --nproc_per_node=gpu t.py", None),
    ],
)
def test_the_number_is_that_of_the_processes_on_a_node(body: str, number: int | None) -> None:
    (found,) = findings(job(body, **SIZE), CODE)
    assert (found.fix is None) == (number is None)
    if number is not None:
        assert f"--gpus-per-node={number}" in found.help


def test_no_component_of_a_heterogeneous_job_is_chosen() -> None:
    text = f"#!/bin/bash\n#SBATCH -N1\n#SBATCH hetjob\n#SBATCH -N2\n{TORCHRUN}\n"
    (found,) = findings(text, CODE)
    assert found.fix is None
    assert findings(text.replace("-N2", "-N2 --gpus-per-node=8"), CODE) == []


def typed(text: str) -> list[Finding]:
    result = lint_source(Source.from_text(text, "run.sh"), all_rules(), LintOptions(interactive=True))
    return [found for found in result.findings if found.code == "SB201"]


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("salloc -A a -N1 -p inter -t 240\nsrun torchrun --nproc_per_node=8 t.py\n", "give salloc"),
        ("salloc -A a -N1 torchrun --nproc_per_node=8 t.py\n", "give salloc"),
        ("srun -A a -p inter -N1 torchrun --nproc_per_node=8 t.py\n", "give srun"),
        (
            "srun --account=a -N1 --container-image=/i.sqsh bash -c 'torchrun --nproc_per_node=8 t.py'\n",
            "give srun",
        ),
    ],
)
def test_lines_that_people_type(text: str, help: str) -> None:
    (found,) = typed(text)
    assert found.help == f"{help} --gpus-per-node=8"
    assert found.fix is None
    assert found.confidence is Confidence.MEDIUM


@pytest.mark.parametrize(
    "text",
    [
        "salloc -A a -N1 --gpus-per-node=8\nsrun torchrun --nproc_per_node=8 t.py\n",
        "srun -N1 torchrun --nproc_per_node=8 t.py\n",
        "srun -A a -p inter -N1 --gpus-per-node=8 torchrun --nproc_per_node=8 t.py\n",
        "srun -A a -p inter --gres=gpu:8 torchrun --nproc_per_node=8 t.py\n",
        "srun -A a -p a100 -N1 torchrun --nproc_per_node=8 t.py\n",
        "srun -A a -p inter -N1 --exclusive torchrun --nproc_per_node=8 t.py\n",
        "srun -A a -p inter -N1 $MORE torchrun --nproc_per_node=8 t.py\n",
        "srun -A a -p inter -N1 --pty bash\n",
        "salloc --gres=gpu:8\nsalloc -N2 --gres=gpu:8\nsrun -A a torchrun --nproc_per_node=8 t.py\n",
    ],
)
def test_lines_that_have_their_gpus_or_need_none(text: str) -> None:
    assert typed(text) == []
